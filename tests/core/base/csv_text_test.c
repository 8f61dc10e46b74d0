#include "core/base/csv_text.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

static void expect(const char *text, const char *want)
{
    struct strbuf out = STRBUF_INIT;
    csv_text_add(&out, text);
    cr_expect_str_eq(out.text, want, "[%s] became [%s]", text, out.text);
    strbuf_release(&out);
}

Test(csv_text, what_a_spreadsheet_would_run_is_text)
{
    expect("=1+1<b>", "'=1+1<b>");
    expect("=HYPERLINK(\"http://a\",\"b\")", "\"'=HYPERLINK(\"\"http://a\"\",\"\"b\"\")\"");
    expect("@SUM(A1)", "'@SUM(A1)");
    expect("+1+cmd|' /C calc'!A0", "'+1+cmd|' /C calc'!A0");
    expect("-2+3", "'-2+3");
    expect("-", "'-");
    expect("\t=1", "\"'\t=1\"");
    expect("\r=1", "\"'\r=1\"");
}

Test(csv_text, numbers_stay_numbers)
{
    expect("-3", "-3");
    expect("+4.50", "+4.50");
    expect("-1.5e-07", "-1.5e-07");
    expect("-.5", "-.5");
    expect("3498.25", "3498.25");
    expect("-1e", "'-1e");
    expect("-0x10", "'-0x10");
}

Test(csv_text, other_text_is_quoted_only_where_it_must_be)
{
    expect("", "");
    expect("random read", "random read");
    expect("a=b", "a=b");
    expect("it's", "it's");
    expect("'quoted'", "'quoted'");
    expect("a,b", "\"a,b\"");
    expect("two\nlines", "\"two\nlines\"");
    expect(" blank first", "\" blank first\"");
    expect("blank last ", "\"blank last \"");
}

Test(csv_text, every_text_comes_back)
{
    static const char *const text[] = {"=1+1", "'=1+1", "''=1+1", "-3",  "'-3", "'",
                                       "''",   "@",     "'a",     "\tx", "",    "plain"};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        struct strbuf out = STRBUF_INIT;
        csv_text_add(&out, text[i]);
        if (out.text[0] == '"') /* none has quotes or commas inside */
            strbuf_truncate(&out, out.len - 1);
        cr_expect_str_eq(csv_text_unprotected(out.text + (out.text[0] == '"')), text[i]);
        strbuf_release(&out);
    }
}
