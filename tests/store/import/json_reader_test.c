/* JSON as other programs write it: exact numbers, what RFC 8259 does not know, hostile nesting. */
#include "store/import/json_reader.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>

#include "core/base/xalloc.h"

struct reading {
    struct json_doc doc;
    json_id root;
    size_t end;
    struct json_fault fault;
    bool whole;
};

static struct reading read_text(const char *text)
{
    struct reading r = {.fault = {0, ""}};
    json_doc_init(&r.doc, text, strlen(text));
    r.whole = json_parse(&r.doc, 0, &r.root, &r.end, &r.fault);
    return r;
}

static void expect_copy(const char *text, const char *copy)
{
    struct reading r = read_text(text);
    cr_expect(r.whole, "%s: %s at %zu", text, r.fault.why, r.fault.at);
    struct strbuf out = STRBUF_INIT;
    json_copy(&out, &r.doc, r.root);
    cr_expect_str_eq(out.text, copy);
    strbuf_release(&out);
    json_doc_release(&r.doc);
}

Test(json_reader, copies_as_strict_json)
{
    expect_copy("{ \"a\" : 1 ,\n \"b\":[ 1, 2.50, {}], \"c\": {\"d\" : null} }",
                "{\"a\":1,\"b\":[1,2.50,{}],\"c\":{\"d\":null}}");
    expect_copy("[nan, -nan, inf, -inf, NaN, Infinity, true, FALSE]",
                "[null,null,null,null,null,null,true,false]");
    expect_copy("[007, 1., -0.5, 1e3, 1e999, 1e]", "[7,1,-0.5,1e3,null,null]");
    expect_copy("\"a\\\"b\\\\c\\u00e9\\ud83d\\ude00\\q\"", "\"a\\\"b\\\\cé😀\\\\q\"");
}

/* Blanks are passed over eight at once: no number of them, and no end of the text, may matter. */
Test(json_reader, indentation_of_any_depth)
{
    for (size_t n = 1; n <= 30; n++) {
        for (size_t at = 0; at < n; at++) {
            char *text = xasprintf("[1,%*s2]", (int)n, "");
            text[3 + at] = "\n\t\r"[n % 3];
            expect_copy(text, "[1,2]");
            text[3 + n] = '\0'; /* it ends in blanks */
            struct reading r = read_text(text);
            cr_expect_not(r.whole);
            cr_expect_eq(r.end, 3 + n);
            json_doc_release(&r.doc);
            free(text);
        }
    }
}

static uint64_t whole_number(const char *text, bool *is)
{
    struct reading r = read_text(text);
    uint64_t v = 0;
    *is = json_u64(&r.doc, r.root, &v);
    json_doc_release(&r.doc);
    return v;
}

Test(json_reader, integers_beyond_2_53_stay_exact)
{
    bool is;
    cr_expect_eq(whole_number("18446744073709551615", &is), UINT64_MAX);
    cr_expect(is);
    cr_expect_eq(whole_number("9007199254740993", &is), UINT64_C(9007199254740993));
    cr_expect(is);
    cr_expect_eq(whole_number("4096.0", &is), 4096);
    cr_expect(is);
    static const char *const none[] = {
        "18446744073709551616", "-1", "1.5", "\"12\"", "nan", "true", "[]", "1e400"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        whole_number(none[i], &is);
        cr_expect_not(is, "%s", none[i]);
    }
    struct reading r = read_text("-9223372036854775808");
    int64_t v = 0;
    cr_expect(json_i64(&r.doc, r.root, &v));
    cr_expect_eq(v, INT64_MIN);
    json_doc_release(&r.doc);
}

Test(json_reader, doubles_do_not_depend_on_the_locale)
{
    cr_assert(setlocale(LC_ALL, "C.UTF-8"));
    setlocale(LC_ALL, "de_DE.UTF-8"); /* where it is installed */
    static const struct {
        const char *text;
        double v;
    } cases[] = {
        {"0.1", 0.1},
        {"6669.833017", 6669.833017},
        {"1e-7", 1e-7},
        {"123456789012345678.9", 123456789012345678.9},
        {"-0.000001", -0.000001},
        {"1.7976931348623157e308", 1.7976931348623157e308},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct reading r = read_text(cases[i].text);
        double v = 0;
        cr_expect(json_f64(&r.doc, r.root, &v));
        cr_expect_eq(v, cases[i].v, "%s is %.17g", cases[i].text, v);
        json_doc_release(&r.doc);
    }
}

Test(json_reader, keeps_every_member_of_the_same_name)
{
    struct reading r = read_text("{\"f\":\"a\",\"g\":1,\"f\":\"b\"}");
    char *first = json_text(&r.doc, json_find(&r.doc, r.root, "f"));
    cr_expect_str_eq(first, "a");
    unsigned n = 0;
    for (json_id id = json_child(&r.doc, r.root); id; id = json_next(&r.doc, id))
        n += json_key_is(&r.doc, id, "f");
    cr_expect_eq(n, 2);
    cr_expect_eq(json_find(&r.doc, r.root, "ff"), 0);
    free(first);
    json_doc_release(&r.doc);
}

Test(json_reader, raw_bytes_in_strings)
{
    const char text[] = "{\"n\tame\":\"tab\there \x01 \xff\xfe nul \0 end\"}";
    struct json_doc d;
    json_doc_init(&d, text, sizeof text - 1);
    json_id root;
    size_t end;
    struct json_fault fault = {0, ""};
    cr_assert(json_parse(&d, 0, &root, &end, &fault), "%s", fault.why);
    cr_expect_eq(end, sizeof text - 1);
    char *v = json_text(&d, json_child(&d, root));
    cr_expect_str_eq(v, "tab\there \x01 \xff\xfe nul \xef\xbf\xbd end");
    char *k = json_key_text(&d, json_child(&d, root));
    cr_expect_str_eq(k, "n\tame");
    free(v);
    free(k);
    json_doc_release(&d);
}

static bool add_number(double v, void *arg)
{
    double *sum = arg;
    *sum += isnan(v) ? 1000 : v;
    return true;
}

Test(json_reader, numbers_of_an_array)
{
    struct reading r = read_text("{\"iops\" : [ 1, 2.5,nan , -3 ]}");
    double sum = 0;
    json_each_number(&r.doc, json_find(&r.doc, r.root, "iops"), add_number, &sum);
    cr_expect_eq(sum, 1000.5);
    cr_expect_eq(json_child(&r.doc, json_find(&r.doc, r.root, "iops")), 0);
    json_doc_release(&r.doc);
}

Test(json_reader, says_where_it_stopped)
{
    static const struct {
        const char *text;
        size_t at;
    } cases[] = {
        {"", 0},
        {"{", 1},
        {"{\"a\"", 4},
        {"{\"a\":", 5},
        {"{\"a\":1", 6},
        {"{\"a\":1,}", 7},
        {"{\"a\" 1}", 5},
        {"[1 2]", 3},
        {"{\"a\":.5}", 5},
        {"{\"a\":tru}", 5},
        {"[1,2", 4},
        {"{\"a\":\"x", 5},
        {"{\"a\":1]", 6},
        {"{a:1}", 1},
        {"{\"a\":{\"b\":[1,2,...]}}", 15},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct reading r = read_text(cases[i].text);
        cr_expect_not(r.whole, "%s", cases[i].text);
        cr_expect_eq(r.fault.at, cases[i].at, "%s: %zu", cases[i].text, r.fault.at);
        cr_expect_eq(r.end, r.fault.at);
        json_doc_release(&r.doc);
    }
}

Test(json_reader, what_was_whole_stays)
{
    struct reading r = read_text("{\"jobs\":[{\"a\":1},{\"b\":2},{\"c\":");
    cr_expect_not(r.whole);
    json_id jobs = json_find(&r.doc, r.root, "jobs");
    cr_expect(json_is_open(&r.doc, jobs));
    json_id a = json_child(&r.doc, jobs), b = json_next(&r.doc, a), c = json_next(&r.doc, b);
    cr_expect(!json_is_open(&r.doc, a) && !json_is_open(&r.doc, b) && json_is_open(&r.doc, c));
    struct strbuf out = STRBUF_INIT;
    json_copy(&out, &r.doc, c);
    cr_expect_str_eq(out.text, "null");
    strbuf_release(&out);
    json_doc_release(&r.doc);
}

Test(json_reader, depth_and_density_are_bounded)
{
    size_t n = 1000000;
    char *deep = xmalloc(n + 1);
    memset(deep, '[', n);
    deep[n] = '\0';
    struct reading r = read_text(deep);
    cr_expect_not(r.whole);
    cr_expect_eq(r.fault.at, JSON_MAX_DEPTH);
    json_doc_release(&r.doc);

    for (size_t i = 0; i + 3 <= n; i += 3)
        memcpy(deep + i, "{},", 3);
    deep[0] = '[';
    r = read_text(deep + 0);
    cr_expect_not(r.whole);
    cr_expect_leq(r.doc.n_nodes, n / 4 + 1025);
    json_doc_release(&r.doc);
    free(deep);
}

Test(json_reader, equal_but_for_blanks)
{
    struct reading r = read_text("{\"a\":{\"x\":[1,\"y\"]},\"b\" : { \"x\" : [1 ,\"y\"] },"
                                 "\"c\":{\"x\":[1,\"z\"]},\"d\":{\"x\":[1,\"y\"],\"e\":0}}");
    json_id a = json_find(&r.doc, r.root, "a"), b = json_find(&r.doc, r.root, "b");
    json_id c = json_find(&r.doc, r.root, "c"), d = json_find(&r.doc, r.root, "d");
    cr_expect(json_equal(&r.doc, a, b));
    cr_expect_not(json_equal(&r.doc, a, c));
    cr_expect_not(json_equal(&r.doc, a, d));
    cr_expect_not(json_equal(&r.doc, d, a));
    json_doc_release(&r.doc);
}

Test(json_reader, lines_are_counted_from_one)
{
    cr_expect_eq(text_line("a\nb\nc", 0), 1);
    cr_expect_eq(text_line("a\nb\nc", 2), 2);
    cr_expect_eq(text_line("a\nb\nc", 5), 3);
}
