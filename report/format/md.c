/* Markdown for a merge request or a wiki: the words and tables of the page, pictures left out. */
#include "core/base/json.h"
#include "core/base/text_table.h"
#include "report/format/format_internal.h"

/* Text in a paragraph: what Markdown or HTML would act on is escaped; one line. */
static void md_text(struct strbuf *out, const char *text)
{
    struct strbuf clean = STRBUF_INIT;
    utf8_clean(&clean, text);
    for (const char *p = clean.text; *p; p++) {
        if (strchr("\\`*_{}[]<>#|!&~", *p))
            strbuf_addc(out, '\\');
        strbuf_addc(out, *p);
    }
    strbuf_release(&clean);
}

/* A command in a fence longer than any run of backquotes in it. */
static void md_command(struct strbuf *out, const char *text)
{
    size_t longest = 2, run = 0;
    for (const char *p = text; *p; p++) {
        run = *p == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    struct strbuf fence = STRBUF_INIT;
    for (size_t i = 0; i <= longest; i++)
        strbuf_addc(&fence, '`');
    strbuf_addf(out, "%s\n", fence.text);
    utf8_clean(out, text);
    strbuf_addf(out, "\n%s\n\n", fence.text);
    strbuf_release(&fence);
}

static void md_table(struct strbuf *out, const struct page_table *t)
{
    struct text_table *tt = text_table_create();
    for (size_t i = 0; i < t->n_columns; i++)
        text_table_column(tt, t->column[i].title, t->column[i].number ? COL_RIGHT : 0);
    for (size_t i = 0; i < t->n_rows * t->n_columns; i++) {
        if (i % t->n_columns == 0)
            text_table_row(tt);
        text_table_cell(tt, t->cell[i].text);
    }
    text_table_markdown(tt, out);
    text_table_destroy(tt);
    strbuf_addc(out, '\n');
}

static void md_line(struct strbuf *out, const char *before, const char *text, const char *after)
{
    strbuf_adds(out, before);
    md_text(out, text);
    strbuf_adds(out, after);
}

static void md_block(struct strbuf *out, const struct page_block *b)
{
    switch (b->kind) {
    case BLOCK_TEXT:
        md_line(out, "", b->text, "\n\n");
        break;
    case BLOCK_COMMAND:
        md_command(out, b->text);
        break;
    case BLOCK_TABLE:
        if (b->table->caption)
            md_line(out, "", b->table->caption, "\n\n");
        md_table(out, b->table);
        break;
    case BLOCK_CHART:
        md_line(out, "**", b->title, "**\n\n");
        break;
    }
}

static int write(struct strbuf *out, const struct page *p, struct error *err)
{
    (void)err;
    md_line(out, "# ", p->headline, "\n\n");
    md_line(out, "", p->deck, "\n\n");
    md_line(out, "", p->scope, "\n\n");
    for (size_t i = 0; i < PAGE_FACTS; i++) {
        const struct fact *f = &p->fact[i];
        md_line(out, "- **", f->number, "** ");
        md_line(out, "", f->word, ": ");
        md_line(out, "", f->detail, f->small ? " (" : "\n");
        if (f->small)
            md_line(out, "", f->small, ")\n");
    }
    strbuf_addc(out, '\n');
    if (p->n_caveats > 0)
        strbuf_adds(out, "**Read these results with care**\n\n");
    for (size_t i = 0; i < p->n_caveats; i++)
        md_line(out, "- ", p->caveat[i], i + 1 < p->n_caveats ? "\n" : "\n\n");
    for (size_t i = 0; i < p->n_sections; i++) {
        const struct section *s = &p->section[i];
        md_line(out, "## ", s->name, "\n\n");
        for (size_t k = 0; k < s->n_blocks; k++)
            md_block(out, &s->block[k]);
    }
    return 0;
}

const struct format format_md = {"md", ".md", write};
