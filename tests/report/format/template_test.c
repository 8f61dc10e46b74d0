/* Templates and escaping: only declared values, only through the escaping functions. */
#include <criterion/criterion.h>
#include <ctype.h>

#include "core/base/embedded.h"
#include "report/format/format_internal.h"

static const struct template_fields *declared(const char *file)
{
    for (const struct template_fields *t = html_templates; t->file; t++) {
        if (strcmp(t->file, file) == 0)
            return t;
    }
    return NULL;
}

static bool has_field(const struct template_fields *t, const char *name, size_t n)
{
    for (const char *const *f = t->name; *f; f++) {
        if (strlen(*f) == n && memcmp(*f, name, n) == 0)
            return true;
    }
    return false;
}

/* Every placeholder of every template file is one its writer fills. */
Test(templates, placeholders_are_known)
{
    size_t files = 0;
    const char *path;
    for (size_t i = 0; (path = embedded_name(i)); i++) {
        const char *end = strrchr(path, '.');
        if (strncmp(path, "templates/", 10) != 0 || !end || strcmp(end, ".html") != 0)
            continue;
        const struct template_fields *t = declared(path + 10);
        cr_assert_not_null(t, "%s is a template that nothing writes", path);
        files++;
        const char *text = embedded_find(path, NULL);
        for (const char *p = text; (p = strstr(p, "{{")); p += 2) {
            const char *name = p + 2 + (p[2] == '?' || p[2] == '/');
            size_t n = strcspn(name, ":}");
            cr_assert(has_field(t, name, n), "%s: unknown placeholder %.*s", path, (int)n, name);
        }
        for (const char *const *f = t->name; *f; f++) {
            char open[80];
            snprintf(open, sizeof open, "{{%s", *f);
            const char *at = strstr(text, open);
            cr_assert(at && !isalnum((unsigned char)at[strlen(open)]), "%s does not use %s", path,
                      *f);
        }
        cr_assert_null(strstr(text, "style="), "%s: the policy forbids style attributes", path);
    }
    size_t written = 0;
    while (html_templates[written].file)
        written++;
    cr_assert_eq(files, written);
}

Test(templates, values_are_escaped_by_their_place)
{
    struct strbuf out = STRBUF_INIT;
    struct error err = ERROR_INIT;
    const struct value v[] = {{"id", "a\"b'<", NULL}, {"name", "<script>&\"", NULL}};
    cr_assert_eq(template_render(&out, "link.html", v, 2, &err), 0, "%s", err.message);
    cr_assert_str_eq(out.text, "<a href=\"#a&quot;b&#39;&lt;\">&lt;script&gt;&amp;\"</a>");
    strbuf_release(&out);
}

Test(templates, parts_are_left_out_when_absent)
{
    struct strbuf out = STRBUF_INIT;
    struct error err = ERROR_INIT;
    struct value v[] = {
        {"number", "1", NULL}, {"word", "w", NULL}, {"detail", "d", NULL}, {"small", NULL, NULL}};
    cr_assert_eq(template_render(&out, "fact.html", v, 4, &err), 0);
    cr_assert_null(strstr(out.text, "class=\"c\""));
    v[3].text = "s";
    strbuf_reset(&out);
    cr_assert_eq(template_render(&out, "fact.html", v, 4, &err), 0);
    cr_assert_not_null(strstr(out.text, "<span class=\"c\">s</span>"));
    strbuf_release(&out);
}

Test(templates, mistakes_are_errors)
{
    struct strbuf out = STRBUF_INIT;
    struct error err = ERROR_INIT;
    cr_assert_eq(template_render(&out, "nothing.html", NULL, 0, &err), -ERR_USAGE);
    cr_assert_eq(template_render(&out, "paragraph.html", NULL, 0, &err), -ERR_USAGE);
    cr_assert_not_null(strstr(err.message, "\"text\""), "%s", err.message);
    const struct value html = {"text", NULL, "<b>raw</b>"};
    cr_assert_eq(template_render(&out, "paragraph.html", &html, 1, &err), -ERR_USAGE,
                 "HTML may not take the place of text");
    const struct value text = {"items", "<b>raw</b>", NULL};
    cr_assert_eq(template_render(&out, "caveats.html", &text, 1, &err), -ERR_USAGE,
                 "nor text the place of HTML");
    strbuf_release(&out);
}

Test(escape, hostile_bytes)
{
    static const struct {
        const char *in, *text, *attr;
    } c[] = {
        {"plain", "plain", "plain"},
        {"</script><img src=x onerror=alert(1)>",
         "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;",
         "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;"},
        {"\"; DROP 'x'", "\"; DROP 'x'", "&quot;; DROP &#39;x&#39;"},
        {"a&amp;b", "a&amp;amp;b", "a&amp;amp;b"},
        {"bad \xFF\xC0 utf", "bad \xEF\xBF\xBD\xEF\xBF\xBD utf",
         "bad \xEF\xBF\xBD\xEF\xBF\xBD utf"},
        {"\xE2\x80\xAE"
         "cod.exe",
         "\xEF\xBF\xBD"
         "cod.exe",
         "\xEF\xBF\xBD"
         "cod.exe"},
        {"\xE2\x81\xA6x\xE2\x81\xA9", "\xEF\xBF\xBDx\xEF\xBF\xBD", "\xEF\xBF\xBDx\xEF\xBF\xBD"},
        {"caf\xC3\xA9 \xF0\x9F\x92\xBE", "caf\xC3\xA9 \xF0\x9F\x92\xBE",
         "caf\xC3\xA9 \xF0\x9F\x92\xBE"},
        {"", "", ""},
    };
    for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
        struct strbuf a = STRBUF_INIT, b = STRBUF_INIT;
        html_text(&a, c[i].in);
        html_attr(&b, c[i].in);
        cr_assert_str_eq(a.text, c[i].text);
        cr_assert_str_eq(b.text, c[i].attr);
        strbuf_release(&a);
        strbuf_release(&b);
    }
}
