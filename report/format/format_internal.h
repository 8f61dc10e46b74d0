/* What the formats share: escaping, one function a context, and templates. */
#ifndef REPORT_FORMAT_FORMAT_INTERNAL_H
#define REPORT_FORMAT_FORMAT_INTERNAL_H

#include "report/format/format.h"

extern const struct format format_html, format_md, format_json, format_csv;

/*
 * Text between tags, and text inside a double-quoted attribute. Bytes that are not UTF-8, control
 * and bidirectional control characters become U+FFFD in both. (JSON in a script: json_quote.)
 */
void html_text(struct strbuf *out, const char *text);
void html_attr(struct strbuf *out, const char *text);

/*
 * A value of a template: text, which is escaped where it is put, or a fragment of HTML that was
 * itself made by templates and these functions. Both NULL: absent.
 */
struct value {
    const char *name;
    const char *text;
    const char *html;
};

/*
 * Appends templates/<name> with its placeholders filled:
 *   {{name}}        text, escaped for the place between tags
 *   {{name:attr}}   text, escaped for an attribute
 *   {{name:html}}   a fragment
 *   {{?name}}...{{/name}}  the part is left out when the value is absent
 * The last newline of the file is not written. ERR_USAGE (a bug of this program, which a test over
 * all templates excludes) when the template is missing, a placeholder is unknown or of the wrong
 * sort, or a part is not closed.
 */
int template_render(struct strbuf *out, const char *name, const struct value *v, size_t n,
                    struct error *err);

/* The templates and the names of the values each gets: what the test checks. */
struct template_fields {
    const char *file;
    const char *const *name; /* NULL-terminated */
};
extern const struct template_fields html_templates[]; /* file NULL ends it */

/* A table as HTML. `id` NULL: none. Rows from first (0) up to first + most. */
int html_table(struct strbuf *out, const struct page_table *t, size_t most, struct error *err);
/* The rows from `first` on as JSON for the script of the page. */
void html_rows_json(struct strbuf *out, const struct page_table *t, size_t first);

#endif
