#include "cli/cells_table.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>

#include "cli/cell_filter.h"
#include "core/base/json.h"
#include "core/base/numfmt.h"
#include "core/base/xalloc.h"
#include "core/model/caveat.h"
#include "core/model/slower.h"

/* Below this many columns the mean makes room for the percentiles. */
#define WIDTH_FOR_MEAN 90

/* One direction of one cell. */
struct row {
    int64_t id;
    struct cell_key key;
    char *devices;
    uint64_t repeat;
    const char *status;
    char *caveats; /* JSON array, NULL none */
    enum dir dir;
    enum lat_kind kind;                     /* of the latencies; LAT_KIND_COUNT: none */
    double iops, bw, mean, p50, p99, p99_9; /* NaN unknown */
    bool slower_known;
    struct share slower;
    bool slower_of_all; /* of all directions of the cell together, and it has several */
    double runtime_ns;  /* NaN unknown */
    bool in_rounds, steady;
    bool histogram; /* the long measurement of a suite */
    uint64_t rounds;
};

/* What has a column only when it is not the same in all cells. */
enum setting { SETTING_ENGINE, SETTING_JOBS, SETTING_DIRECT, SETTING_LOAD, SETTING_COUNT };

struct cells_table {
    const struct run *run;
    const struct cell_filter *filter;
    uint64_t slower_than;
    struct row *row;
    size_t n, room;
    size_t n_cells;
    char *first[SETTING_COUNT]; /* as the first cell has it */
    bool varies[SETTING_COUNT];
};

struct cells_table *cells_table_create(const struct run *run, const struct cell_filter *filter,
                                       uint64_t slower_than)
{
    struct cells_table *t = xcalloc(1, sizeof *t);
    t->run = run;
    t->filter = filter;
    t->slower_than = slower_than;
    return t;
}

void cells_table_destroy(struct cells_table *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->n; i++) {
        fields_release(&cell_key_fields, &t->row[i].key);
        free(t->row[i].devices);
        free(t->row[i].caveats);
    }
    for (int i = 0; i < SETTING_COUNT; i++)
        free(t->first[i]);
    free(t->row);
    free(t);
}

static char *device_names(const struct run *run, const struct cell *cell)
{
    struct strbuf out = STRBUF_INIT;
    for (size_t i = 0; i < cell->n_devices; i++) {
        const char *path =
            cell->device[i] < run->n_devices ? run->device[cell->device[i]].path : NULL;
        strbuf_addf(&out, "%s%s", i ? " + " : "", path ? path : "?");
    }
    return strbuf_detach(&out);
}

/* A percentile that the samples support, in ns; NaN when there is none. */
static double percentile(const struct direction *d, enum lat_kind kind, double p)
{
    uint64_t ns;
    const struct lat *l = &d->lat[kind];
    return lat_percentile(l, p, &ns) && lat_supports(l, direction_samples(d), p) ? (double)ns : NAN;
}

static void add_latency(struct row *r, const struct direction *d, bool rate_limited)
{
    enum lat_kind kind = direction_main_lat(d, rate_limited);
    r->kind = kind;
    r->mean = r->p50 = r->p99 = r->p99_9 = NAN;
    if (kind == LAT_KIND_COUNT)
        return;
    const struct lat *l = &d->lat[kind];
    r->mean = field_get_f64(&lat_fields, l, LAT_F_mean);
    r->p50 = percentile(d, kind, 50);
    r->p99 = percentile(d, kind, 99);
    r->p99_9 = percentile(d, kind, 99.9);
}

/* From this direction where it has a histogram, else from what is known of the whole cell. */
static void add_slower(struct row *r, const struct cells_table *t, const struct cell *cell)
{
    const struct direction *d = &cell->dir[r->dir];
    enum lat_kind kind = direction_main_lat(d, cell_is_rate_limited(cell));
    if (!t->slower_than)
        return;
    r->slower_known =
        kind < LAT_KIND_COUNT && lat_slower_than(&r->slower, &d->lat[kind], t->slower_than);
    if (r->slower_known)
        return;
    r->slower_known = cell_slower_than(&r->slower, cell, t->slower_than);
    size_t used = 0;
    for (int i = 0; i < DIR_SYNC; i++)
        used += direction_is_used(&cell->dir[i]);
    r->slower_of_all = used > 1;
}

static void add_setting(struct strbuf *out, const struct cell_key *key, enum setting setting)
{
    static const size_t field[] = {[SETTING_ENGINE] = CELL_KEY_engine,
                                   [SETTING_JOBS] = CELL_KEY_numjobs,
                                   [SETTING_DIRECT] = CELL_KEY_direct};
    if (setting == SETTING_LOAD)
        cell_key_load(out, key);
    else
        field_format(out, &cell_key_fields, key, field[setting]);
}

void cells_table_note(struct cells_table *t, const struct cell_key *key)
{
    struct strbuf text = STRBUF_INIT;
    for (int i = 0; i < SETTING_COUNT; i++) {
        strbuf_reset(&text);
        add_setting(&text, key, (enum setting)i);
        if (!t->first[i])
            t->first[i] = xstrdup(text.text);
        else if (strcmp(t->first[i], text.text) != 0)
            t->varies[i] = true;
    }
    strbuf_release(&text);
}

void cells_table_add(struct cells_table *t, const struct cell *cell)
{
    if (t->filter && !cell_filter_matches(t->filter, cell, t->run))
        return;
    t->n_cells++;
    for (int i = 0; i < DIR_COUNT; i++) {
        const struct direction *d = &cell->dir[i];
        if (!direction_is_used(d) ||
            (t->filter && !cell_filter_has_direction(t->filter, (enum dir)i)))
            continue;
        GROW(t->row, t->n + 1, t->room);
        struct row *r = &t->row[t->n++];
        *r =
            (struct row){.id = cell->id,
                         .devices = device_names(t->run, cell),
                         .repeat = IS_KNOWN(cell, CELL, repeat) ? cell->repeat : 1,
                         .status = IS_KNOWN(cell, CELL, status) ? status_names[cell->status] : NULL,
                         .caveats = xstrdup_null(cell->caveats),
                         .dir = (enum dir)i,
                         .iops = field_get_f64(&direction_fields, d, DIRECTION_iops),
                         .bw = i == DIR_SYNC ? NAN /* a sync has no bytes */
                                             : field_get_f64(&direction_fields, d, DIRECTION_bw),
                         .runtime_ns = field_get_f64(&cell_fields, cell, CELL_runtime_ns),
                         .in_rounds = IS_KNOWN(cell, CELL, steady),
                         .steady = IS_KNOWN(cell, CELL, steady) && cell->steady,
                         .rounds = cell->rounds,
                         .histogram = cell->stage != NULL};
        fields_copy(&cell_key_fields, &r->key, &cell->key);
        cells_table_note(t, &cell->key);
        add_latency(r, d, cell_is_rate_limited(cell));
        add_slower(r, t, cell);
    }
}

struct order {
    const int64_t *id;
    size_t n;
};

static size_t place_of(const struct row *r, const struct order *o)
{
    size_t i = 0;
    while (i < o->n && o->id[i] != r->id)
        i++;
    return i;
}

static int by_place(const void *left, const void *right, void *order)
{
    const struct row *a = left, *b = right;
    size_t x = place_of(a, order), y = place_of(b, order);
    return x == y ? (a->dir > b->dir) - (a->dir < b->dir) : (x > y) - (x < y);
}

void cells_table_arrange(struct cells_table *t, const int64_t *id, size_t n)
{
    struct order order = {id, n};
    if (t->n)
        qsort_r(t->row, t->n, sizeof *t->row, by_place, &order);
}

size_t cells_table_cells(const struct cells_table *t)
{
    return t->n_cells;
}

struct columns {
    bool several_jobs; /* in each cell, without a column of their own */
    bool devices, jobs, repeat, dir, engine, load, mean, slower, status;
    double unit_ns;
    const char *unit;
};

/* One unit for all latencies: that of the middle one. */
static void choose_unit(struct columns *c, const struct cells_table *t)
{
    struct hist *all = xmalloc(sizeof *all);
    hist_init(all);
    for (size_t i = 0; i < t->n; i++) {
        double ns = isnan(t->row[i].p50) ? t->row[i].mean : t->row[i].p50;
        if (!isnan(ns) && ns >= 0 && ns < 1e18)
            hist_add(all, (uint64_t)ns);
    }
    c->unit = latency_unit((double)hist_percentile(all, 50), &c->unit_ns);
    free(all);
}

static void choose_columns(struct columns *c, const struct cells_table *t, size_t width)
{
    *c = (struct columns){.slower = t->slower_than != 0,
                          .mean = width == 0 || width >= WIDTH_FOR_MEAN,
                          .jobs = t->varies[SETTING_JOBS],
                          .engine = t->varies[SETTING_ENGINE],
                          .load = t->varies[SETTING_LOAD]};
    for (size_t i = 0; i < t->n; i++) {
        const struct row *r = &t->row[i], *first = &t->row[0];
        bool trims = rw_trims(r->key.rw);
        bool of_pattern = (r->dir == DIR_READ && rw_reads(r->key.rw)) ||
                          (r->dir == DIR_WRITE && rw_writes(r->key.rw) && !trims) ||
                          (r->dir == DIR_TRIM && trims);
        c->devices = c->devices || strcmp(r->devices, first->devices) != 0;
        c->mean = c->mean || isnan(r->p50);
        c->repeat = c->repeat || r->repeat != first->repeat;
        c->dir = c->dir || !of_pattern || rw_is_mixed(r->key.rw);
        c->status = c->status || r->caveats || !r->status || strcmp(r->status, "complete") != 0;
    }
    c->several_jobs = t->n > 0 && !c->jobs && IS_KNOWN(&t->row[0].key, CELL_KEY, numjobs) &&
                      t->row[0].key.numjobs > 1;
    choose_unit(c, t);
}

static void add_latency_column(struct text_table *out, const char *name, const struct columns *c,
                               unsigned flags)
{
    char title[64];
    snprintf(title, sizeof title, "%s %s", name, c->unit);
    text_table_column(out, title, COL_RIGHT | flags);
}

static void add_heading(struct text_table *out, const struct columns *c, uint64_t slower_than)
{
    char title[NUMFMT_MAX + 4], buf[NUMFMT_MAX];
    text_table_column(out, "cell", COL_RIGHT | COL_YIELD);
    if (c->devices)
        text_table_column(out, "device", COL_WRAP);
    text_table_column(out, "rw", COL_WRAP);
    text_table_column(out, "bs", COL_RIGHT);
    /* reports count the I/Os of all jobs together */
    text_table_column(out, c->several_jobs ? "QD a job" : "QD", COL_RIGHT);
    if (c->jobs)
        text_table_column(out, "jobs", COL_RIGHT);
    if (c->engine)
        text_table_column(out, "engine", 0);
    if (c->load)
        text_table_column(out, "load", COL_WRAP);
    if (c->repeat)
        text_table_column(out, "repeat", COL_RIGHT);
    if (c->dir)
        text_table_column(out, "of", 0);
    text_table_column(out, "IOPS", COL_RIGHT);
    text_table_column(out, "MiB/s", COL_RIGHT | COL_YIELD);
    if (c->mean)
        add_latency_column(out, "mean", c, COL_YIELD);
    add_latency_column(out, "p50", c, COL_YIELD);
    add_latency_column(out, "p99", c, 0);
    add_latency_column(out, "p99.9", c, COL_YIELD);
    snprintf(title, sizeof title, "> %s", fmt_latency(buf, (double)slower_than));
    if (c->slower)
        text_table_column(out, title, COL_RIGHT);
    if (c->status)
        text_table_column(out, "", 0);
}

static void add_latency_cell(struct text_table *out, const struct columns *c, double ns)
{
    char buf[NUMFMT_MAX];
    text_table_cell(out, isnan(ns) ? NULL : fmt_latency_in(buf, ns, c->unit_ns));
}

static void add_bs(struct text_table *out, const struct row *r)
{
    char buf[NUMFMT_MAX];
    const struct cell_key *k = &r->key;
    bool write = r->dir == DIR_WRITE && IS_KNOWN(k, CELL_KEY, bs_write);
    if (write || IS_KNOWN(k, CELL_KEY, bs))
        text_table_cell(out, fmt_bs(buf, write ? k->bs_write : k->bs));
    else
        text_table_cell(out, k->bs_text);
}

static void add_slower_cell(struct text_table *out, const struct row *r)
{
    char lo[NUMFMT_MAX], hi[NUMFMT_MAX];
    if (!r->slower_known) {
        text_table_cell(out, NULL);
        return;
    }
    fmt_share(lo, r->slower.lo);
    fmt_share(hi, r->slower.hi);
    const char *of = r->slower_of_all ? " of all" : "";
    if (strcmp(lo, hi) == 0)
        text_table_cellf(out, "%s%s", lo, of);
    else
        text_table_cellf(out, "%s … %s%s", lo, hi, of);
}

static void add_number_cell(struct text_table *out, const struct cell_key *k, size_t field)
{
    if (field_is_known(&cell_key_fields, k, field))
        text_table_cellf(out, "%" PRIu64, field_get_u64(&cell_key_fields, k, field));
    else
        text_table_cell(out, NULL);
}

static void add_load(struct text_table *out, const struct cell_key *k)
{
    struct strbuf load = STRBUF_INIT;
    cell_key_load(&load, k);
    text_table_cell(out, load.text);
    strbuf_release(&load);
}

static void add_row(struct text_table *out, const struct columns *c, const struct row *r)
{
    char buf[NUMFMT_MAX];
    const struct cell_key *k = &r->key;
    text_table_row(out);
    text_table_cellf(out, "%" PRId64, r->id);
    if (c->devices)
        text_table_cell(out, r->devices);
    struct strbuf pattern = STRBUF_INIT;
    cell_key_pattern(&pattern, k);
    if (r->histogram)
        strbuf_adds(&pattern, ", histogram");
    text_table_cell(out, pattern.len ? pattern.text : NULL);
    strbuf_release(&pattern);
    add_bs(out, r);
    add_number_cell(out, k, CELL_KEY_iodepth);
    if (c->jobs)
        add_number_cell(out, k, CELL_KEY_numjobs);
    if (c->engine)
        text_table_cell(out, k->engine);
    if (c->load)
        add_load(out, k);
    if (c->repeat)
        text_table_cellf(out, "%" PRIu64, r->repeat);
    if (c->dir)
        text_table_cell(out, dir_names[r->dir]);
    text_table_cell(out, isnan(r->iops) ? NULL : fmt_iops(buf, r->iops));
    text_table_cell(out, isnan(r->bw) ? NULL : fmt_mib(buf, r->bw));
    if (c->mean)
        add_latency_cell(out, c, r->mean);
    add_latency_cell(out, c, r->p50);
    add_latency_cell(out, c, r->p99);
    add_latency_cell(out, c, r->p99_9);
    if (c->slower)
        add_slower_cell(out, r);
    if (c->status)
        text_table_cellf(out, "%s%s",
                         r->status && strcmp(r->status, "complete") != 0 ? r->status : "",
                         r->caveats ? "*" : "");
}

struct text_table *cells_table_make(const struct cells_table *t, size_t width)
{
    struct columns c;
    choose_columns(&c, t, width);
    struct text_table *out = text_table_create();
    add_heading(out, &c, t->slower_than);
    for (size_t i = 0; i < t->n; i++)
        add_row(out, &c, &t->row[i]);
    return out;
}

void cells_table_common(struct strbuf *out, const struct cells_table *t)
{
    if (t->n == 0)
        return;
    const struct row *r = &t->row[0];
    char buf[NUMFMT_MAX];
    if (r->key.engine && !t->varies[SETTING_ENGINE])
        strbuf_addf(out, "%s, ", r->key.engine);
    if (IS_KNOWN(&r->key, CELL_KEY, direct) && r->key.direct && !t->varies[SETTING_DIRECT])
        strbuf_adds(out, "direct, ");
    size_t before = out->len;
    if (!t->varies[SETTING_LOAD])
        cell_key_load(out, &r->key);
    if (out->len > before)
        strbuf_adds(out, ", ");
    if (IS_KNOWN(&r->key, CELL_KEY, numjobs) && !t->varies[SETTING_JOBS])
        strbuf_addf(out, "%" PRIu64 " job%s, ", r->key.numjobs, r->key.numjobs == 1 ? "" : "s");
    bool same = !isnan(r->runtime_ns);
    for (size_t i = 1; i < t->n && same; i++)
        same = fabs(t->row[i].runtime_ns - r->runtime_ns) < 0.02 * r->runtime_ns;
    if (same)
        strbuf_addf(out, "%s each, ", fmt_duration(buf, (uint64_t)r->runtime_ns));
    bool one_kind = r->kind < LAT_KIND_COUNT;
    for (size_t i = 1; i < t->n && one_kind; i++)
        one_kind = t->row[i].kind == r->kind;
    if (one_kind)
        strbuf_addf(out, "latency is %s, ", lat_kind_names[r->kind]);
    if (out->len >= 2)
        strbuf_truncate(out, out->len - 2);
}

void cells_table_steady(struct strbuf *out, const struct cells_table *t)
{
    size_t n = 0, steady = 0;
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t i = 0; i < t->n; i++) {
        const struct row *r = &t->row[i];
        if (!r->in_rounds || (i && r->id == t->row[i - 1].id))
            continue; /* once a cell */
        n++;
        steady += r->steady;
        least = r->rounds < least ? r->rounds : least;
        most = r->rounds > most ? r->rounds : most;
    }
    if (n == 0)
        return;
    strbuf_addf(out, "Steady state (SNIA's rule) reached in %zu of %zu cells, after %" PRIu64,
                steady, n, least);
    if (most > least)
        strbuf_addf(out, " to %" PRIu64, most);
    strbuf_adds(out, " rounds; figures are of the last 5.");
}

/* Counts a doubt in an object of name to number. */
static void count_doubt(cJSON *doubts, const char *name)
{
    cJSON *n = cJSON_GetObjectItemCaseSensitive(doubts, name);
    if (n)
        cJSON_SetNumberValue(n, n->valuedouble + 1);
    else
        cJSON_AddNumberToObject(doubts, name, 1);
}

void cells_table_doubts(struct strbuf *out, const struct cells_table *t)
{
    cJSON *doubts = cJSON_CreateObject();
    for (size_t i = 0; i < t->n; i++) {
        if (!t->row[i].caveats || (i && t->row[i].id == t->row[i - 1].id))
            continue; /* once a cell */
        cJSON *list = cJSON_Parse(t->row[i].caveats);
        const cJSON *e;
        cJSON_ArrayForEach(e, list)
        {
            if (cJSON_IsString(e))
                count_doubt(doubts, e->valuestring);
        }
        cJSON_Delete(list);
    }
    const cJSON *e;
    cJSON_ArrayForEach(e, doubts)
    {
        const char *words = caveat_words(e->string);
        strbuf_addf(out, "%s* ", out->len ? "\n" : "");
        utf8_clean(out, e->string);
        strbuf_addf(out, " (%.0f cell%s)%s%s", e->valuedouble, e->valuedouble == 1 ? "" : "s",
                    words ? ": " : "", words ? words : "");
    }
    cJSON_Delete(doubts);
}
