#include "cli/suite_tables.h"

#include <inttypes.h>

static void add_devices(struct strbuf *out, const struct run *run, const struct suite_result *r)
{
    for (size_t i = 0; i < r->n_devices; i++) {
        size_t d = r->device[i];
        const char *path = d < run->n_devices ? run->device[d].path : NULL;
        strbuf_addf(out, "%s%s", i ? " + " : "", path ? path : "?");
    }
}

static void show_table(struct view *v, const struct suite_result *r, enum suite_measure m)
{
    char buf[NUMFMT_MAX], title[32];
    struct text_table *t = text_table_create();
    text_table_column(t, "bs", COL_RIGHT);
    for (size_t i = 0; i < r->n_reads; i++) {
        snprintf(title, sizeof title, "%u/%u", r->reads[i], 100 - r->reads[i]);
        text_table_column(t, title, COL_RIGHT);
    }
    for (size_t k = 0; k < r->n_bs; k++) {
        text_table_row(t);
        text_table_cell(t, fmt_bs(buf, r->bs[k]));
        for (size_t i = 0; i < r->n_reads; i++)
            text_table_cell(t, suite_format(buf, m, suite_result_at(r, m, r->reads[i], r->bs[k])));
    }
    view_table(v, t);
}

/* Tables that are missing, and the long measurement. */
static void show_rest(struct view *v, const struct suite *suite, const struct suite_result *r)
{
    struct strbuf text = STRBUF_INIT;
    suite_left_out(&text, suite, r);
    if (text.len && r->histogram.known)
        strbuf_addc(&text, ' ');
    if (r->histogram.known)
        suite_histogram_words(&text, &r->histogram);
    if (text.len) {
        strbuf_addc(&v->out, '\n');
        view_paragraph(v, text.text);
    }
    strbuf_release(&text);
}

static void show_result(struct view *v, const struct run *run, const struct suite *suite,
                        const struct suite_result *r, bool several)
{
    enum suite_measure table[SUITE_MEASURES];
    struct strbuf text = STRBUF_INIT;
    size_t n = suite_tables(suite, table);
    if (several) {
        add_devices(&text, run, r);
        view_linef(v, "of", "%s, repeat %" PRIu64, text.text, r->repeat);
        strbuf_reset(&text);
    }
    suite_verdict(&text, suite, r);
    view_paragraph(v, text.text);
    strbuf_release(&text);
    if (!r->steady.known)
        return;
    for (size_t i = 0; i < n; i++) {
        if (!suite_knows(r, table[i]))
            continue;
        view_heading(v, 2, "%s, reads/writes in percent over block size",
                     suite_measure_titles[table[i]]);
        show_table(v, r, table[i]);
    }
    show_rest(v, suite, r);
}

void suite_tables_show(struct view *v, const struct run *run, const struct suite_results *results)
{
    if (results->n == 0)
        return;
    view_heading(v, 2, "%s, PTS-style", results->suite->name);
    for (size_t i = 0; i < results->n; i++) {
        if (i)
            view_heading(v, 2, "%s, PTS-style", results->suite->name);
        show_result(v, run, results->suite, &results->result[i], results->n > 1);
    }
}
