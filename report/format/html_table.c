/* Tables of a page and of its charts. */
#include <math.h>

#include "core/base/json.h"
#include "report/format/format_internal.h"

static const char *const tag_class[] = {
    [TAG_NONE] = NULL,   [TAG_DISK] = "disk", [TAG_VM] = "vm",
    [TAG_HOST] = "host", [TAG_RATE] = "rate",
};

static void add_head(struct strbuf *out, const char *title, bool number)
{
    strbuf_addf(out, "<th scope=\"col\" class=\"%s\">", number ? "n" : "l");
    html_text(out, title);
    strbuf_adds(out, "</th>");
}

static void open_cell(struct strbuf *out, bool first, bool number, double value)
{
    strbuf_adds(out, first ? "<th scope=\"row\"" : "<td");
    if (!first && !number)
        strbuf_adds(out, " class=\"l\"");
    if (isfinite(value)) {
        strbuf_adds(out, " data-v=\"");
        json_number(out, value);
        strbuf_addc(out, '"');
    }
    strbuf_addc(out, '>');
}

static void add_cell(struct strbuf *out, const struct page_cell *c, bool first, bool number,
                     bool sortable)
{
    open_cell(out, first, number, sortable ? c->value : NAN);
    const char *tag = tag_class[c->tag];
    if (tag)
        strbuf_addf(out, "<span class=\"tag %s\">", tag);
    html_text(out, c->text);
    strbuf_adds(out, tag ? "</span>" : "");
    strbuf_adds(out, first ? "</th>" : "</td>");
}

int html_table(struct strbuf *out, const struct page_table *t, size_t most, struct error *err)
{
    struct strbuf head = STRBUF_INIT, body = STRBUF_INIT;
    for (size_t i = 0; i < t->n_columns; i++)
        add_head(&head, t->column[i].title, t->column[i].number && i > 0);
    for (size_t r = 0; r < t->n_rows && r < most; r++) {
        strbuf_adds(&body, "<tr>");
        for (size_t i = 0; i < t->n_columns; i++)
            add_cell(&body, &t->cell[r * t->n_columns + i], i == 0, t->column[i].number,
                     t->sortable);
        strbuf_adds(&body, "</tr>\n");
    }
    const char *class = t->sortable ? "sort" : t->is_wrapping ? "wrap" : "";
    const struct value v[] = {
        {"id", t->id, NULL},         {"class", class, NULL},    {"caption", t->caption, NULL},
        {"label", t->caption, NULL}, {"head", NULL, head.text}, {"body", NULL, body.text},
    };
    int rc = template_render(out, "table.html", v, sizeof v / sizeof *v, err);
    strbuf_release(&head);
    strbuf_release(&body);
    return rc;
}

void html_rows_json(struct strbuf *out, const struct page_table *t, size_t first)
{
    strbuf_addc(out, '[');
    for (size_t r = first; r < t->n_rows; r++) {
        const struct page_cell *cell = &t->cell[r * t->n_columns];
        const char *class = "";
        strbuf_adds(out, r > first ? ",\n[[" : "[[");
        for (size_t i = 0; i < t->n_columns; i++) {
            strbuf_adds(out, i ? "," : "");
            json_quote(out, cell[i].text);
            if (tag_class[cell[i].tag])
                class = tag_class[cell[i].tag];
        }
        strbuf_adds(out, "],[");
        for (size_t i = 0; i < t->n_columns; i++) {
            strbuf_adds(out, i ? "," : "");
            json_number(out, cell[i].value);
        }
        strbuf_addf(out, "],\"%s\"]", class);
    }
    strbuf_addc(out, ']');
}
