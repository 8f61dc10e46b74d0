/* What a sweep prints at its end: the cells of the run as they are in the store. */
#include <inttypes.h>
#include <math.h>

#include "cli/cells_table.h"
#include "cli/export_runs.h"
#include "cli/shell.h"
#include "cli/sweep_internal.h"
#include "cli/wrap.h"
#include "core/base/json.h"
#include "core/base/xalloc.h"

/* More cells are no overview: then the best queue depth of each block size stands for the others. */
#define CELLS_SHOWN 40

/* A cell and what it stands for; those that differ in depth, jobs and repeat only are rivals. */
struct point {
    int64_t id;
    size_t device;
    enum rw rw;
    uint64_t mix, bs;
    double bw;
    bool has_rate; /* a step of a curve, where there are curves */
};

struct points {
    struct point *point;
    size_t n, room;
    bool curves;
};

static int add_point(struct cell *cell, void *arg)
{
    struct points *p = arg;
    GROW(p->point, p->n + 1, p->room);
    p->point[p->n++] =
        (struct point){.id = cell->id,
                       .device = cell->n_devices > 1 ? SIZE_MAX
                                 : cell->n_devices   ? *cell->device
                                                     : 0,
                       .rw = cell->key.rw,
                       .mix = IS_KNOWN(&cell->key, CELL_KEY, rwmixread) ? cell->key.rwmixread : 0,
                       .bs = cell->key.bs,
                       .has_rate = cell_is_rate_limited(cell),
                       .bw = cell_bw(cell)};
    return 0;
}

static bool rivals(const struct point *a, const struct point *b)
{
    return a->device == b->device && a->rw == b->rw && a->mix == b->mix && a->bs == b->bs;
}

/* Keeps of each group of rivals the one with the highest bandwidth. */
static void keep_best(struct points *p)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->n; i++) {
        size_t k = 0;
        if (p->curves && p->point[i].has_rate)
            continue;
        while (k < kept && !rivals(&p->point[k], &p->point[i]))
            k++;
        if (k == kept)
            p->point[kept++] = p->point[i];
        else if (isnan(p->point[k].bw) || p->point[i].bw > p->point[k].bw)
            p->point[k] = p->point[i];
    }
    p->n = kept;
}

struct shown {
    const struct points *points;
    struct cells_table *table;
};

static int show_cell(struct cell *cell, void *arg)
{
    const struct shown *s = arg;
    for (size_t i = 0; i < s->points->n; i++) {
        if (s->points->point[i].id == cell->id) {
            cells_table_add(s->table, cell);
            break;
        }
    }
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
    strbuf_addf(out, "\nRun %" PRId64 "%s", s->run->id, s->run->name ? ", " : "");
    utf8_clean(out, s->run->name ? s->run->name : "");
    strbuf_adds(out, " is kept in ");
    utf8_clean(out, store_path(s->store));
    strbuf_adds(out, ". Next:\n");
    strbuf_addf(out, "  %s report %" PRId64 " -o report.html\n", program.text, s->run->id);
    strbuf_addf(out, "  %s show %" PRId64 "\n", program.text, s->run->id);
    bool curve = has_curves(s);
    strbuf_addf(out, "  %s plot %s %" PRId64 " -o %s.svg\n", program.text,
                curve ? "hockey" : "roofline", s->run->id, curve ? "curve" : "roofline");
    strbuf_release(&program);
}

static int print_for_people(struct session *s, struct error *err)
{
    struct points points = {.curves = has_curves(s)};
    int rc = store_each_cell(s->store, s->run->id, 0, add_point, &points, err);
    bool markdown = s->ctx->format == OUT_MD;
    bool best = !markdown && points.n > CELLS_SHOWN;
    if (best)
        keep_best(&points);
    struct shown shown = {&points, cells_table_create(s->run, NULL, 0)};
    if (rc == 0)
        rc = store_each_cell(s->store, s->run->id, LOAD_HIST, show_cell, &shown, err);
    if (rc == 0) {
        struct strbuf out = STRBUF_INIT;
        size_t width = s->ctx->width ? s->ctx->width : 80;
        struct text_table *table = cells_table_make(shown.table, markdown ? 0 : width);
        if (markdown)
            text_table_markdown(table, &out);
        else
            text_table_print(table, &out, s->ctx->width, s->ctx->colour);
        text_table_destroy(table);
        struct strbuf doubts = STRBUF_INIT;
        cells_table_steady(&doubts, shown.table);
        cells_table_doubts(&doubts, shown.table);
        if (doubts.len)
            wrap_text(&out, doubts.text, 0, 0, width);
        strbuf_release(&doubts);
        if (best)
            strbuf_adds(&out, "The best queue depth of each block size; `show` has every cell.\n");
        if (points.curves)
            rc = sweep_add_curves(&out, s, err);
        if (rc == 0 && s->plan && s->plan->axes.drain)
            rc = sweep_add_drained(&out, s, err);
        if (!markdown && !s->ctx->quiet)
            add_next(&out, s);
        fputs(out.text, stdout);
        strbuf_release(&out);
    }
    cells_table_destroy(shown.table);
    free(points.point);
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

void sweep_say_kept(const struct session *s, struct error *err)
{
    uint64_t n;
    int64_t id = s->run->id;
    if (store_count_cells(s->store, id, &n, NULL) < 0)
        return;
    if (n == 0)
        error_hint(err, "Nothing of the measurement is kept: run %" PRId64 " has no cells.", id);
    else
        error_hint(err, "What was measured is kept as run %" PRId64 ": %" PRIu64 " cell%s.", id, n,
                   n == 1 ? "" : "s");
}
