#include "core/base/error.h"

#include <criterion/criterion.h>
#include <errno.h>

Test(error, set_returns_the_negative_code)
{
    struct error err = ERROR_INIT;
    cr_expect_eq(error_set(&err, ERR_INPUT, "%s, line %d", "a.json", 3), -ERR_INPUT);
    cr_expect_eq(err.code, ERR_INPUT);
    cr_expect_str_eq(err.message, "a.json, line 3");
    cr_expect_eq(error_set(NULL, ERR_STORE, "x"), -ERR_STORE);
    error_clear(&err);
    cr_expect_eq(err.code, 0);
    cr_expect_str_eq(err.message, "");
}

Test(error, errno_prefix_and_hint)
{
    struct error err = ERROR_INIT;
    cr_expect_eq(error_errno(&err, ERR_DEVICE, ENOENT, "cannot open %s", "/dev/x"), -ERR_DEVICE);
    cr_expect_str_eq(err.message, "cannot open /dev/x: No such file or directory");
    cr_expect_eq(error_prefix(&err, ERR_USAGE, "cell %d", 4), -ERR_DEVICE);
    error_hint(&err, "try %s", "lsblk");
    cr_expect_str_eq(err.message,
                     "cell 4: cannot open /dev/x: No such file or directory\ntry lsblk");
    cr_expect_eq(error_prefix(NULL, ERR_USAGE, "x"), -ERR_USAGE);
    cr_expect_eq(error_errno(NULL, ERR_DEVICE, EIO, "x"), -ERR_DEVICE);
    error_hint(NULL, "x");
}

Test(error, control_characters_are_shown)
{
    struct error err = ERROR_INIT;
    error_set(&err, ERR_INPUT, "%s", "a\033[2Jb\r\x7F\nc");
    cr_expect_str_eq(err.message, "a\\x1b[2Jb\\x0d\\x7f\nc");
    error_set(&err, ERR_INPUT, "%s", "caf\xE9 \xC2\x9B é");
    cr_expect_str_eq(err.message, "caf\\xe9 \\xc2\\x9b é", "bytes that are no UTF-8, and C1");
}

Test(error, a_long_message_is_cut_between_characters)
{
    char name[3 * ERROR_MESSAGE_MAX + 1];
    for (size_t shift = 0; shift < 3; shift++) {
        memset(name, 'x', shift);
        for (size_t i = shift; i + 3 < sizeof name; i += 3)
            memcpy(name + i, "漢", 3);
        name[sizeof name - 4] = '\0';
        struct error err = ERROR_INIT;
        error_set(&err, ERR_INPUT, "%s", name);
        size_t n = strlen(err.message);
        cr_assert_lt(n, ERROR_MESSAGE_MAX);
        cr_expect_str_eq(err.message + n - 3, "...");
        cr_expect_eq((n - 3 - shift) % 3, 0, "cut inside a character");
    }
}

Test(error, names)
{
    cr_expect_str_eq(error_code_name(ERR_REFUSED), "refused");
    cr_expect_str_eq(error_code_name(0), "none");
    for (int code = 1; code <= ERR_STORE; code++)
        cr_expect_str_neq(error_code_name(code), "unknown", "%d", code);
    cr_expect_str_eq(error_code_name(ERR_INTERRUPTED), "interrupted");
    cr_expect_str_eq(error_code_name(99), "unknown");
}
