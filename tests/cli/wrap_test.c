#include "cli/wrap.h"

#include <criterion/criterion.h>

static void assert_wrap(const char *text, size_t indent, size_t column, size_t width,
                        const char *expected)
{
    struct strbuf out = STRBUF_INIT;
    wrap_text(&out, text, indent, column, width);
    cr_assert_str_eq(out.text, expected, "\"%s\"", out.text);
    strbuf_release(&out);
}

Test(wrap, fills_lines)
{
    assert_wrap("one two three", 0, 0, 7, "one two\nthree\n");
    assert_wrap("one two three", 0, 0, 8, "one two\nthree\n");
    assert_wrap("one two three", 2, 0, 9, "  one two\n  three\n");
    assert_wrap("one   two", 0, 0, 80, "one two\n");
    assert_wrap("", 4, 0, 80, "\n");
    assert_wrap("a", 4, 2, 80, "  a\n"); /* two columns stand there already */
    assert_wrap("averylongword b", 0, 0, 5, "averylongword\nb\n");
    assert_wrap("a\n\nb\n", 0, 0, 80, "a\n\nb\n");
    assert_wrap("x\n    own indent is kept for all of it", 0, 0, 16,
                "x\n    own indent\n    is kept for\n    all of it\n");
}

Test(wrap, counts_characters_and_not_bytes)
{
    cr_assert_eq(text_columns("µs – ×", strlen("µs – ×")), 6);
    assert_wrap("µµµ µµµ", 0, 0, 7, "µµµ µµµ\n");
}
