#include "core/base/utf8.h"

#include <criterion/criterion.h>

#define BAD UTF8_REPLACEMENT

static void expect(void (*add)(struct strbuf *, const char *), const char *in, const char *out)
{
    struct strbuf sb = STRBUF_INIT;
    add(&sb, in);
    cr_expect_str_eq(sb.text, out, "%s gives %s", in, sb.text);
    strbuf_release(&sb);
}

Test(utf8_clean, keeps_text)
{
    expect(utf8_clean, "", "");
    expect(utf8_clean, "plain", "plain");
    expect(utf8_clean, "é – 漢 \xF0\x9F\x98\x80", "é – 漢 \xF0\x9F\x98\x80");
    expect(utf8_clean, "\xF4\x8F\xBF\xBF", "\xF4\x8F\xBF\xBF");
}

/* The examples of the Unicode standard, "U+FFFD substitution of maximal subparts". */
Test(utf8_clean, replaces_what_is_no_character)
{
    expect(utf8_clean, "\xC0\xAF", BAD BAD);         /* overlong / */
    expect(utf8_clean, "\xE0\x9F\x80", BAD BAD BAD); /* overlong */
    expect(utf8_clean, "\xED\xA0\x80", BAD BAD BAD); /* surrogate */
    expect(utf8_clean,
           "\xF4\x91\x92\x93"
           "A",
           BAD BAD BAD BAD "A"); /* above 10FFFF */
    expect(utf8_clean,
           "\xE1\x80\xE2\xF0\x91\x92\xF1\xBF"
           "A",
           BAD BAD BAD BAD "A"); /* cut */
    expect(utf8_clean,
           "a\xFF"
           "b\x80",
           "a" BAD "b" BAD);
    expect(utf8_clean, "x\xF0\x9F\x98", "x" BAD);
}

Test(utf8_clean, replaces_control_characters)
{
    expect(utf8_clean, "a\033[31mb\n\t\x7F", "a" BAD "[31mb" BAD BAD BAD);
    expect(utf8_clean,
           "\xC2\x9B"
           "31m",
           BAD "31m"); /* CSI as one character */
    expect(utf8_clean, "\xC2\xA0", "\xC2\xA0");
}

Test(utf8_repair, keeps_control_characters)
{
    expect(utf8_repair, "a\n\033\xFF\xC2\x9B", "a\n\033" BAD "\xC2\x9B");
}
