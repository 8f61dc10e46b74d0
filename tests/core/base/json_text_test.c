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

Test(json_quote, is_safe_in_a_script)
{
    expect(json_quote, "</script>&", "\"\\u003c/script\\u003e\\u0026\"");
    expect(json_quote, "a\"b\\c\n\t\r\x01\x7F", "\"a\\\"b\\\\c\\n\\t\\u000d\\u0001\\u007f\"");
    expect(json_quote, "\xE2\x80\xA8\xE2\x80\xA9\xE2\x80\xA7", "\"\\u2028\\u2029\xE2\x80\xA7\"");
    expect(json_quote, "\xFF", "\"" BAD "\"");
    expect(json_quote, "", "\"\"");
    expect(json_quote, "/dev/nvme0n1:~ !", "\"/dev/nvme0n1:~ !\"");
    expect(json_quote, "<ab>\xC3\xA9 c&d\"", "\"\\u003cab\\u003e\xC3\xA9 c\\u0026d\\\"\"");
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
