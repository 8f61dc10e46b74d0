#include "core/base/json.h"

#include <criterion/criterion.h>
#include <math.h>

#define BAD "\xEF\xBF\xBD"

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

Test(json_quote, is_safe_in_a_script)
{
    expect(json_quote, "</script>&", "\"\\u003c/script\\u003e\\u0026\"");
    expect(json_quote, "a\"b\\c\n\t\r\x01\x7F", "\"a\\\"b\\\\c\\n\\t\\u000d\\u0001\\u007f\"");
    expect(json_quote, "\xE2\x80\xA8\xE2\x80\xA9\xE2\x80\xA7", "\"\\u2028\\u2029\xE2\x80\xA7\"");
    expect(json_quote, "\xFF", "\"" BAD "\"");
    expect(json_quote, "", "\"\"");
}

Test(json_number, reads_back)
{
    struct strbuf sb = STRBUF_INIT;
    json_number(&sb, 0.1);
    strbuf_addc(&sb, ' ');
    json_number(&sb, NAN);
    strbuf_addc(&sb, ' ');
    json_number(&sb, -INFINITY);
    strbuf_addc(&sb, ' ');
    json_number(&sb, 1e22);
    cr_expect_str_eq(sb.text, "0.1 null null 1e+22");
    strbuf_release(&sb);
}
