/* The table at the end of a sweep: all cells of the run as they are in the store. */
#include <inttypes.h>
#include <math.h>

#include "cli/shell.h"
#include "cli/sweep_internal.h"
#include "core/base/json.h"
#include "core/base/numfmt.h"
#include "core/base/text_table.h"
#include "core/base/xalloc.h"

/* More rows than this are no overview: then the best queue depth of each block size stands for it. */
#define ROWS_SHOWN 40

/* One direction of one cell. */
struct row {
    size_t device;
    uint64_t repeat, mix, bs, iodepth, numjobs;
    enum rw rw;
    enum dir dir;
    bool partial;
    double iops, bw;
    double p50, p99; /* ns, NaN unknown */
};

struct rows {
    struct row *row;
    size_t n, room;
};

static double percentile(const struct lat *lat, double p)
{
    return lat->hist && hist_supports(lat->hist, p) ? (double)hist_percentile(lat->hist, p) : NAN;
}

static int add_cell(struct cell *cell, void *arg)
{
    struct rows *rows = arg;
    enum lat_kind kind = cell_is_rate_limited(cell) ? LAT_LAT : LAT_CLAT;
    for (int d = 0; d <= DIR_TRIM; d++) {
        const struct direction *dir = &cell->dir[d];
        if (!direction_is_used(dir))
            continue;
        GROW(rows->row, rows->n + 1, rows->room);
        rows->row[rows->n++] =
            (struct row){.device = cell->n_devices == 1 ? cell->device[0] : SIZE_MAX,
                         .repeat = cell->repeat,
                         .mix = IS_KNOWN(&cell->key, CELL_KEY, rwmixread) ? cell->key.rwmixread : 0,
                         .bs = cell->key.bs,
                         .iodepth = cell->key.iodepth,
                         .numjobs = cell->key.numjobs,
                         .rw = cell->key.rw,
                         .dir = (enum dir)d,
                         .partial = cell->status != STATUS_COMPLETE,
                         .iops = IS_KNOWN(dir, DIRECTION, iops) ? dir->iops : NAN,
                         .bw = IS_KNOWN(dir, DIRECTION, bw) ? dir->bw : NAN,
                         .p50 = percentile(&dir->lat[kind], 50),
                         .p99 = percentile(&dir->lat[kind], 99)};
    }
    return 0;
}

/* True when they differ in queue depth, jobs or repeat only. */
static bool same_point(const struct row *a, const struct row *b)
{
    return a->device == b->device && a->rw == b->rw && a->mix == b->mix && a->bs == b->bs &&
           a->dir == b->dir;
}

/* Keeps of each block size the row with the highest bandwidth. */
static void keep_best(struct rows *rows)
{
    size_t kept = 0;
    for (size_t i = 0; i < rows->n; i++) {
        size_t k = 0;
        while (k < kept && !same_point(&rows->row[k], &rows->row[i]))
            k++;
        if (k == kept)
            rows->row[kept++] = rows->row[i];
        else if (rows->row[i].bw > rows->row[k].bw)
            rows->row[k] = rows->row[i];
    }
    rows->n = kept;
}

struct columns {
    bool device, dir, jobs, repeat, status;
    double unit_ns;
    const char *unit;
};

/* One unit for both latency columns: that of the middle value. */
static void choose_columns(struct columns *c, const struct rows *rows, const struct plan *plan)
{
    struct hist *all = xcalloc(1, sizeof *all);
    hist_init(all);
    *c = (struct columns){.device = plan->axes.n_devices > 1 && !plan->axes.together,
                          .jobs = plan->axes.numjobs.n > 1,
                          .repeat = plan->axes.repeats > 1};
    for (size_t i = 0; i < rows->n; i++) {
        c->dir = c->dir || rw_is_mixed(rows->row[i].rw);
        c->status = c->status || rows->row[i].partial;
        if (!isnan(rows->row[i].p50))
            hist_add(all, (uint64_t)rows->row[i].p50);
    }
    c->unit = latency_unit((double)hist_percentile(all, 50), &c->unit_ns);
    free(all);
}

static void add_heading(struct text_table *t, const struct columns *c)
{
    char *p50 = xasprintf("p50 %s", c->unit), *p99 = xasprintf("p99 %s", c->unit);
    if (c->device)
        text_table_column(t, "device", COL_TRUNC);
    text_table_column(t, "pattern", 0);
    text_table_column(t, "bs", COL_RIGHT);
    text_table_column(t, "QD", COL_RIGHT);
    if (c->jobs)
        text_table_column(t, "jobs", COL_RIGHT);
    if (c->repeat)
        text_table_column(t, "repeat", COL_RIGHT);
    if (c->dir)
        text_table_column(t, "of", 0);
    text_table_column(t, "IOPS", COL_RIGHT);
    text_table_column(t, "MiB/s", COL_RIGHT);
    text_table_column(t, p50, COL_RIGHT);
    text_table_column(t, p99, COL_RIGHT);
    if (c->status)
        text_table_column(t, "status", 0);
    free(p50);
    free(p99);
}

static const char *row_status(const struct row *r)
{
    return r->partial ? "partial" : "complete";
}

static void add_row(struct text_table *t, const struct columns *c, const struct row *r,
                    const struct run *run)
{
    char buf[NUMFMT_MAX];
    text_table_row(t);
    if (c->device)
        text_table_cell(t, r->device < run->n_devices ? run->device[r->device].path : NULL);
    if (rw_is_mixed(r->rw))
        text_table_cellf(t, "%s %" PRIu64 "/%" PRIu64, rw_names[r->rw], r->mix, 100 - r->mix);
    else
        text_table_cell(t, rw_names[r->rw]);
    text_table_cell(t, fmt_bs(buf, r->bs));
    text_table_cellf(t, "%" PRIu64, r->iodepth);
    if (c->jobs)
        text_table_cellf(t, "%" PRIu64, r->numjobs);
    if (c->repeat)
        text_table_cellf(t, "%" PRIu64, r->repeat);
    if (c->dir)
        text_table_cell(t, dir_names[r->dir]);
    text_table_cell(t, isnan(r->iops) ? NULL : fmt_iops(buf, r->iops));
    text_table_cell(t, isnan(r->bw) ? NULL : fmt_mib(buf, r->bw));
    text_table_cell(t, isnan(r->p50) ? NULL : fmt_latency_in(buf, r->p50, c->unit_ns));
    text_table_cell(t, isnan(r->p99) ? NULL : fmt_latency_in(buf, r->p99, c->unit_ns));
    if (c->status)
        text_table_cell(t, row_status(r));
}

static struct text_table *make_table(const struct session *s, const struct rows *rows)
{
    struct columns c;
    choose_columns(&c, rows, s->plan);
    struct text_table *t = text_table_create();
    add_heading(t, &c);
    for (size_t i = 0; i < rows->n; i++)
        add_row(t, &c, &rows->row[i], s->run);
    return t;
}

static void add_next(struct strbuf *out, const struct session *s, bool best_only)
{
    if (best_only)
        strbuf_adds(out, "The best queue depth of each block size; `show` has every cell.\n");
    struct strbuf program = STRBUF_INIT;
    shell_program(&program, s->ctx);
    strbuf_addf(out, "\nRun %" PRId64 "%s", s->run->id, s->run->name ? ", " : "");
    utf8_clean(out, s->run->name ? s->run->name : "");
    strbuf_adds(out, " is kept in ");
    utf8_clean(out, store_path(s->store));
    strbuf_adds(out, ". Next:\n");
    strbuf_addf(out, "  %s report %" PRId64 " -o report.html\n", program.text, s->run->id);
    strbuf_addf(out, "  %s show %" PRId64 "\n", program.text, s->run->id);
    strbuf_addf(out, "  %s plot roofline %" PRId64 " -o roofline.svg\n", program.text, s->run->id);
    strbuf_release(&program);
}

static const char *row_device(const struct session *s, const struct row *r)
{
    return r->device < s->run->n_devices ? s->run->device[r->device].path : NULL;
}

static void add_json(struct strbuf *out, const struct session *s, const struct rows *rows)
{
    cJSON *o = cJSON_CreateObject();
    json_add_i64(o, "id", s->run->id);
    json_add_text(o, "uuid", s->run->uuid);
    json_add_text(o, "status", status_names[s->run->status]);
    json_add_u64(o, "planned", s->plan->n);
    json_add_u64(o, "left", plan_left(s->plan));
    cJSON *list = json_add_array(o, "results");
    for (size_t i = 0; i < rows->n; i++) {
        const struct row *r = &rows->row[i];
        cJSON *c = json_add_object(list, NULL);
        json_add_text(c, "device", row_device(s, r));
        json_add_text(c, "rw", rw_names[r->rw]);
        json_add_text(c, "direction", dir_names[r->dir]);
        json_add_u64(c, "bs", r->bs);
        json_add_u64(c, "iodepth", r->iodepth);
        json_add_u64(c, "numjobs", r->numjobs);
        json_add_u64(c, "repeat", r->repeat);
        json_add_text(c, "status", row_status(r));
        json_add_f64(c, "iops", r->iops);
        json_add_f64(c, "bw", r->bw);
        json_add_f64(c, "p50_ns", r->p50);
        json_add_f64(c, "p99_ns", r->p99);
    }
    char *text = json_print(o, true);
    strbuf_addf(out, "%s\n", text);
    free(text);
    cJSON_Delete(o);
}

static void add_number(struct text_table *t, double v)
{
    struct strbuf text = STRBUF_INIT;
    if (!isnan(v))
        json_number(&text, v);
    text_table_cell(t, text.text);
    strbuf_release(&text);
}

/* The same members as in JSON: plain numbers in bytes, bytes/s and ns. */
static void add_csv(struct strbuf *out, const struct session *s, const struct rows *rows)
{
    static const char *const names[] = {"device", "rw",     "direction", "bs", "iodepth", "numjobs",
                                        "repeat", "status", "iops",      "bw", "p50_ns",  "p99_ns"};
    struct text_table *t = text_table_create();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        text_table_column(t, names[i], 0);
    for (size_t i = 0; i < rows->n; i++) {
        const struct row *r = &rows->row[i];
        const uint64_t settings[] = {r->bs, r->iodepth, r->numjobs, r->repeat};
        const double figures[] = {r->iops, r->bw, r->p50, r->p99};
        text_table_row(t);
        text_table_cell(t, row_device(s, r) ? row_device(s, r) : "");
        text_table_cell(t, rw_names[r->rw]);
        text_table_cell(t, dir_names[r->dir]);
        for (size_t k = 0; k < 4; k++)
            text_table_cellf(t, "%" PRIu64, settings[k]);
        text_table_cell(t, row_status(r));
        for (size_t k = 0; k < 4; k++)
            add_number(t, figures[k]);
    }
    text_table_csv(t, out);
    text_table_destroy(t);
}

static void print_rows(struct session *s, struct rows *rows, struct strbuf *out)
{
    if (s->ctx->format == OUT_JSON || s->ctx->format == OUT_CSV) {
        (s->ctx->format == OUT_JSON ? add_json : add_csv)(out, s, rows);
        return;
    }
    bool best_only = s->ctx->format == OUT_TABLE && rows->n > ROWS_SHOWN;
    if (best_only)
        keep_best(rows);
    struct text_table *t = make_table(s, rows);
    if (s->ctx->format == OUT_MD)
        text_table_markdown(t, out);
    else
        text_table_print(t, out, s->ctx->width, s->ctx->colour);
    text_table_destroy(t);
    if (s->ctx->format == OUT_TABLE && !s->ctx->quiet)
        add_next(out, s, best_only);
}

int sweep_print_result(struct session *s, struct error *err)
{
    struct rows rows = {0};
    int rc = store_each_cell(s->store, s->run->id, LOAD_HIST, add_cell, &rows, err);
    if (rc == 0) {
        struct strbuf out = STRBUF_INIT;
        print_rows(s, &rows, &out);
        fputs(out.text, stdout);
        strbuf_release(&out);
    }
    free(rows.row);
    return rc;
}
