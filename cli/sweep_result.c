/* What a sweep prints at its end: the cells of the run as they are in the store. */
#include <inttypes.h>

#include "cli/best_cells.h"
#include "cli/cells_table.h"
#include "cli/export_runs.h"
#include "cli/shell.h"
#include "cli/suite_tables.h"
#include "cli/sweep_internal.h"
#include "cli/wrap.h"
#include "core/base/json.h"
#include "core/base/xalloc.h"

/* More cells are no overview: then the best queue depth of each block size stands for the others. */
#define CELLS_SHOWN 40

static int add_cell(struct cell *cell, void *arg)
{
    best_cells_add(arg, cell);
    return 0;
}

struct shown {
    const int64_t *id; /* NULL all */
    size_t n;
    bool curves; /* steps of a curve are no rivals of the cells shown */
    struct cells_table *table;
    struct suite_results suite;
};

static int show_cell(struct cell *cell, void *arg)
{
    struct shown *s = arg;
    bool wanted = !s->id;
    for (size_t i = 0; i < s->n && !wanted; i++)
        wanted = s->id[i] == cell->id;
    if (wanted)
        cells_table_add(s->table, cell);
    else if (!s->curves || !cell_is_rate_limited(cell))
        cells_table_note(s->table, &cell->key);
    suite_results_add(&s->suite, cell);
    return 0;
}

static bool has_curves(const struct session *s)
{
    return s->plan && s->plan->axes.curve.n > 0;
}

static void add_next(struct strbuf *out, const struct session *s)
{
    struct strbuf program = STRBUF_INIT;
    shell_program(&program, s->ctx);
    struct strbuf kept = STRBUF_INIT;
    strbuf_addf(&kept, "Run %" PRId64 "%s", s->run->id, s->run->name ? ", " : "");
    utf8_clean(&kept, s->run->name ? s->run->name : "");
    strbuf_adds(&kept, " is kept in ");
    utf8_clean(&kept, store_path(s->store));
    strbuf_adds(&kept, ". Next:");
    strbuf_addc(out, '\n');
    wrap_text(out, kept.text, 0, 0, s->ctx->width ? s->ctx->width : SIZE_MAX);
    strbuf_release(&kept);
    strbuf_addf(out, "  %s report %" PRId64 " -o report.html\n", program.text, s->run->id);
    strbuf_addf(out, "  %s show %" PRId64 "\n", program.text, s->run->id);
    bool curve = has_curves(s);
    strbuf_addf(out, "  %s plot %s %" PRId64 " -o %s.svg\n", program.text,
                curve ? "hockey" : "roofline", s->run->id, curve ? "curve" : "roofline");
    strbuf_release(&program);
}

/* Of a suite its own tables, which say the same in fewer lines; `show` has the cells as well. */
static void add_figures(struct strbuf *out, const struct session *s, const struct shown *shown)
{
    if (shown->suite.n && shown->suite.result[0].steady.known) {
        struct view v;
        view_init(&v, s->ctx);
        suite_tables_show(&v, s->run, &shown->suite);
        strbuf_addf(out, "%s\n", v.out.text);
        strbuf_release(&v.out);
        return;
    }
    bool markdown = s->ctx->format == OUT_MD;
    size_t width = s->ctx->width ? s->ctx->width : 80;
    struct text_table *table = cells_table_make(shown->table, markdown ? 0 : width);
    if (markdown)
        text_table_markdown(table, out);
    else
        text_table_print(table, out, s->ctx->width, s->ctx->colour);
    text_table_destroy(table);
}

/* What there is to say below the table; in a pipe a line stays a line. */
static int add_sentences(struct strbuf *out, const struct session *s, bool best, struct error *err)
{
    int rc = 0;
    struct strbuf text = STRBUF_INIT;
    if (best)
        strbuf_addf(&text, "The best queue depth of each block size%s; `show` has every cell.\n",
                    s->plan && s->plan->axes.repeats > 1 ? ", of repeats the median" : "");
    if (has_curves(s))
        rc = sweep_add_curves(&text, s, err);
    if (rc == 0 && s->plan && s->plan->axes.drain)
        rc = sweep_add_drained(&text, s, err);
    if (text.len)
        wrap_text(out, text.text, 0, 0, s->ctx->width ? s->ctx->width : SIZE_MAX);
    strbuf_release(&text);
    return rc;
}

static int print_for_people(struct session *s, struct error *err)
{
    struct best_cells *cells = best_cells_create(has_curves(s));
    int rc = store_each_cell(s->store, s->run->id, 0, add_cell, cells, err);
    bool markdown = s->ctx->format == OUT_MD;
    struct shown shown = {.curves = has_curves(s), .table = cells_table_create(s->run, NULL, 0)};
    suite_results_begin(&shown.suite, s->run);
    bool best = !markdown && !shown.suite.suite && best_cells_count(cells) > CELLS_SHOWN;
    if (best)
        shown.id = best_cells_choose(cells, &shown.n);
    if (rc == 0)
        rc = store_each_cell(s->store, s->run->id, LOAD_HIST, show_cell, &shown, err);
    suite_results_end(&shown.suite);
    if (best)
        cells_table_arrange(shown.table, shown.id, shown.n);
    if (rc == 0) {
        struct strbuf out = STRBUF_INIT;
        size_t width = s->ctx->width ? s->ctx->width : 80;
        add_figures(&out, s, &shown);
        struct strbuf doubts = STRBUF_INIT;
        cells_table_steady(&doubts, shown.table);
        cells_table_doubts(&doubts, shown.table);
        if (doubts.len)
            wrap_text(&out, doubts.text, 0, 0, width);
        strbuf_release(&doubts);
        rc = add_sentences(&out, s, best, err);
        if (!markdown && !s->ctx->quiet)
            add_next(&out, s);
        fputs(out.text, stdout);
        strbuf_release(&out);
    }
    suite_results_release(&shown.suite);
    cells_table_destroy(shown.table);
    best_cells_destroy(cells);
    return rc;
}

int sweep_print_result(struct session *s, struct error *err)
{
    if (s->ctx->format == OUT_TABLE || s->ctx->format == OUT_MD)
        return print_for_people(s, err);
    struct run_ids ids = {&s->run->id, 1};
    const struct export_request request = {.ids = &ids};
    return export_runs(s->ctx->format == OUT_CSV ? &exporter_csv : &exporter_json, s->store,
                       &request, stdout, err);
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

void sweep_say_kept(const struct session *s, struct error *err)
{
    uint64_t n, rounds;
    int64_t id = s->run->id;
    if (store_count_cells(s->store, id, &n, NULL) < 0 ||
        store_count_rounds(s->store, id, &rounds, NULL) < 0)
        return;
    struct strbuf kept = STRBUF_INIT;
    if (n)
        strbuf_addf(&kept, "%" PRIu64 " cell%s", n, plural(n));
    if (rounds)
        strbuf_addf(&kept, "%s%" PRIu64 " round%s", n ? " and " : "", rounds, plural(rounds));
    if (kept.len)
        error_hint(err, "What was measured is kept as run %" PRId64 ": %s.", id, kept.text);
    else
        error_hint(err, "Nothing of the measurement is kept: run %" PRId64 " has no cells.", id);
    strbuf_release(&kept);
}
