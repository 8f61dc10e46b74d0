#include "core/base/strbuf.h"

#include <criterion/criterion.h>

Test(strbuf, grows_and_stays_terminated)
{
    struct strbuf sb = STRBUF_INIT;
    cr_expect_str_eq(sb.text, "");
    strbuf_adds(&sb, "");
    strbuf_reset(&sb);
    cr_expect_str_eq(sb.text, "");
    for (int i = 0; i < 10000; i++)
        strbuf_addc(&sb, 'x');
    cr_expect_eq(sb.len, 10000);
    cr_expect_eq(strlen(sb.text), 10000);
    strbuf_truncate(&sb, 3);
    cr_expect_str_eq(sb.text, "xxx");
    strbuf_add(&sb, "a\0b", 3);
    cr_expect_eq(sb.len, 6);
    cr_expect_eq(memcmp(sb.text, "xxxa\0b", 7), 0);
    strbuf_release(&sb);
    cr_expect_str_eq(sb.text, "");
    cr_expect_eq(sb.len, 0);
}

Test(strbuf, addf_short_and_long)
{
    struct strbuf sb = STRBUF_INIT;
    strbuf_addf(&sb, "%d-%s", 7, "x");
    cr_expect_str_eq(sb.text, "7-x");
    strbuf_addf(&sb, "%s", "");
    strbuf_addf(&sb, "%5000d", 1);
    cr_expect_eq(sb.len, 5003);
    for (int n = 250; n < 260; n++) { /* around the size of the buffer on the stack */
        strbuf_reset(&sb);
        strbuf_addf(&sb, "%*d", n, 1);
        cr_expect_eq(sb.len, (size_t)n);
        cr_expect_eq(sb.text[n - 1], '1');
    }
    strbuf_release(&sb);
}

Test(strbuf, reserve_and_advance)
{
    struct strbuf sb = STRBUF_INIT;
    char *p = strbuf_reserve(&sb, 100);
    memcpy(p, "abc", 3);
    strbuf_advance(&sb, 3);
    cr_expect_str_eq(sb.text, "abc");
    strbuf_release(&sb);
}

Test(strbuf, detach_gives_the_text_away)
{
    struct strbuf sb = STRBUF_INIT;
    char *empty = strbuf_detach(&sb);
    cr_expect_str_eq(empty, "");
    free(empty);
    strbuf_adds(&sb, "abc");
    char *text = strbuf_detach(&sb);
    cr_expect_str_eq(text, "abc");
    cr_expect_str_eq(sb.text, "");
    free(text);
    strbuf_release(&sb);
}

Test(strbuf, addu_is_exact)
{
    struct strbuf sb = STRBUF_INIT;
    static const uint64_t values[] = {0, 7, 10, 4096, UINT64_MAX};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        strbuf_addu(&sb, values[i]);
        strbuf_addc(&sb, ' ');
    }
    cr_expect_str_eq(sb.text, "0 7 10 4096 18446744073709551615 ");
    strbuf_release(&sb);
}
