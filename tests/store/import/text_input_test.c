#include "store/import/text_input.h"

#include <criterion/criterion.h>

static void expect_text(const char *bytes, size_t n, const char *text, size_t skipped)
{
    struct text_input in;
    text_input_init(&in, bytes, n);
    cr_expect_eq(in.n, strlen(text), "%zu", in.n);
    cr_expect_str_eq(in.text, text);
    cr_expect_eq(in.skipped, skipped);
    text_input_release(&in);
}

Test(text_input, marks_and_utf16)
{
    expect_text("{\"a\"}", 5, "{\"a\"}", 0);
    expect_text("\xef\xbb\xbf{}", 5, "{}", 3);
    expect_text("\xff\xfe{\0}\0", 6, "{}", 0);
    expect_text("\xfe\xff\0{\0}", 6, "{}", 0);
    expect_text("{\0\"\0\xe9\0", 6, "{\"é", 0);
    expect_text("\0{\0\"\x20\xac", 6, "{\"€", 0);
    expect_text("\xff\xfe\x3d\xd8\x00\xde", 6, "😀", 0);
    /* half a pair, an odd byte at the end, nothing at all */
    expect_text("\xff\xfe\x3d\xd8X", 5, "\xef\xbf\xbd", 0);
    expect_text("\xff\xfe", 2, "", 0);
    expect_text("", 0, "", 0);
}
