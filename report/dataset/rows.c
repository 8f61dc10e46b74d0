/*
 * Rows: cells with the same key on the same devices are repeats of each other, but not the long
 * measurement of a suite and the result of its rounds; each direction (and each device's share, when
 * several are loaded together) of such a set is one row.
 */
#include "report/dataset/dataset_internal.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/xalloc.h"

/* A cell and what makes it a repeat of another one. */
struct keyed {
    const struct cell *cell;
    const char *identity; /* device indexes, canonical key text, stage */
    size_t place;         /* in plan order */
};

struct builder {
    struct dataset *d;
    struct row *row;
    size_t n, room;
    uint64_t varies; /* bit i: key field i differs between cells */
    bool many_devices;
    struct job_ladders job_ladders;
};

static const char *identity_of(struct arena *arena, const struct cell *c)
{
    struct strbuf sb = STRBUF_INIT;
    for (size_t i = 0; i < c->n_devices; i++)
        strbuf_addf(&sb, "%zu,", c->device[i]);
    strbuf_addc(&sb, '|');
    cell_key_text(&sb, &c->key);
    if (c->stage)
        strbuf_addf(&sb, "|%s", c->stage);
    const char *text = arena_strndup(arena, sb.text, sb.len);
    strbuf_release(&sb);
    return text;
}

static int by_identity(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    int order = strcmp(x->identity, y->identity);
    if (order)
        return order;
    return (x->place > y->place) - (x->place < y->place);
}

static int by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool is_usable(const struct cell *c)
{
    if (c->status == STATUS_COMPLETE)
        return true;
    if (c->status != STATUS_PARTIAL)
        return false;
    for (enum dir dir = 0; dir < DIR_SYNC; dir++) {
        if (direction_is_used(&c->dir[dir]))
            return true;
    }
    return false;
}

static const struct direction *direction_at(const struct cell *c, enum dir dir, size_t part)
{
    if (part == 0)
        return &c->dir[dir];
    return part <= c->n_parts ? &c->part[part - 1].dir[dir] : NULL;
}

static double rate_of(const struct direction *d, bool bytes)
{
    if (bytes ? IS_KNOWN(d, DIRECTION, bw) : IS_KNOWN(d, DIRECTION, iops))
        return bytes ? d->bw : d->iops;
    bool counted = bytes ? IS_KNOWN(d, DIRECTION, bytes) : IS_KNOWN(d, DIRECTION, ios);
    if (!counted || !IS_KNOWN(d, DIRECTION, runtime_ns) || d->runtime_ns == 0)
        return NAN;
    return (double)(bytes ? d->bytes : d->ios) * 1e9 / (double)d->runtime_ns;
}

/* Median of the known values; the smallest and largest when asked for. */
static double median_rate(const struct row *r, bool bytes, double *lo, double *hi)
{
    double *v = xcalloc(r->n_repeats ? r->n_repeats : 1, sizeof *v);
    size_t n = 0;
    for (size_t i = 0; i < r->n_repeats; i++) {
        const struct direction *d = direction_at(r->repeat[i], r->dir, r->part);
        double rate = d ? rate_of(d, bytes) : NAN;
        if (isfinite(rate))
            v[n++] = rate;
    }
    qsort(v, n, sizeof *v, by_number);
    double median = n == 0 ? NAN : n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
    if (lo)
        *lo = n ? v[0] : NAN;
    if (hi)
        *hi = n ? v[n - 1] : NAN;
    free(v);
    return median;
}

static const struct lat *lat_of(const struct row *r, size_t repeat)
{
    const struct direction *d = direction_at(r->repeat[repeat], r->dir, r->part);
    if (!d || d->lat[r->lat_kind].known == 0)
        return NULL;
    return &d->lat[r->lat_kind];
}

/* Several repeats without a histogram: counts and extremes add up, percentiles do not. */
static void merge_summaries(struct row *r)
{
    struct lat *to = &r->lat;
    double sum = 0;
    bool mean_known = true;
    for (size_t i = 0; i < r->n_repeats; i++) {
        const struct lat *l = lat_of(r, i);
        if (!l)
            continue;
        if (IS_KNOWN(l, LAT_F, n))
            SET(to, LAT_F, n, to->n + l->n);
        if (IS_KNOWN(l, LAT_F, min) && (!IS_KNOWN(to, LAT_F, min) || l->min < to->min))
            SET(to, LAT_F, min, l->min);
        if (IS_KNOWN(l, LAT_F, max) && (!IS_KNOWN(to, LAT_F, max) || l->max > to->max))
            SET(to, LAT_F, max, l->max);
        mean_known = mean_known && IS_KNOWN(l, LAT_F, mean) && IS_KNOWN(l, LAT_F, n);
        sum += l->mean * (double)l->n;
    }
    if (mean_known && to->n > 0)
        SET(to, LAT_F, mean, sum / (double)to->n);
}

static void merge_latency(struct arena *arena, struct row *r)
{
    bool rated = cell_is_rate_limited(r->cell);
    r->lat_kind = LAT_KIND_COUNT;
    for (size_t i = 0; i < r->n_repeats && r->lat_kind == LAT_KIND_COUNT; i++) {
        const struct direction *d = direction_at(r->repeat[i], r->dir, r->part);
        if (d)
            r->lat_kind = direction_main_lat(d, rated);
    }
    if (r->lat_kind == LAT_KIND_COUNT)
        return;
    size_t n = 0, with_hist = 0;
    const struct lat *only = NULL;
    for (size_t i = 0; i < r->n_repeats; i++) {
        const struct lat *l = lat_of(r, i);
        if (!l)
            continue;
        n++;
        with_hist += l->hist != NULL;
        only = l;
    }
    if (n == 1) {
        r->lat = *only;
    } else if (with_hist == n) {
        r->lat.hist = arena_alloc(arena, sizeof *r->lat.hist);
        hist_init(r->lat.hist);
        for (size_t i = 0; i < r->n_repeats; i++) {
            const struct lat *l = lat_of(r, i);
            if (l)
                hist_merge(r->lat.hist, l->hist);
        }
        lat_from_hist(&r->lat);
    } else {
        merge_summaries(r);
    }
}

static uint64_t block_size(const struct cell_key *key, enum dir dir)
{
    if (IS_KNOWN(key, CELL_KEY, bs_text))
        return 0;
    bool own = IS_KNOWN(key, CELL_KEY, bs_write);
    if (dir == DIR_WRITE && own)
        return key->bs_write;
    if (dir == DIR_MIXED && own && IS_KNOWN(key, CELL_KEY, bs) && key->bs_write != key->bs)
        return 0;
    return IS_KNOWN(key, CELL_KEY, bs) ? key->bs : 0;
}

/* A whole cell that does not say its jobs is taken for one; how hosts shared them is never guessed. */
static uint64_t depth_of(const struct row *r)
{
    const struct cell_key *key = &r->cell->key;
    if (!IS_KNOWN(key, CELL_KEY, iodepth))
        return 0;
    return key->iodepth * (r->jobs == 0 && r->part == 0 ? 1 : r->jobs);
}

static void add_row(struct builder *b, struct row row)
{
    struct arena *arena = b->d->arena;
    const struct cell_key *key = &row.cell->key;
    row.device = row_device_words(arena, row.run, row.cell, row.part);
    row.pattern = row_pattern_words(arena, key, row.dir);
    row.bs = block_size(key, row.dir);
    row.jobs = row_jobs(&row);
    row.depth = depth_of(&row);
    row.iops = median_rate(&row, false, &row.iops_lo, &row.iops_hi);
    row.bw = median_rate(&row, true, NULL, NULL);
    merge_latency(arena, &row);
    row.group = row_group_words(arena, &row, b->varies, b->many_devices,
                                is_on_job_ladder(&b->job_ladders, arena, row.cell));
    GROW(b->row, b->n + 1, b->room);
    b->row[b->n++] = row;
}

/* A set without any usable repeat has rows too, for the directions its pattern has. */
static bool direction_expected(const struct cell *c, enum dir dir)
{
    if (!IS_KNOWN(&c->key, CELL_KEY, rw))
        return dir == DIR_READ;
    switch (dir) {
    case DIR_READ:
        return rw_reads(c->key.rw);
    case DIR_WRITE:
        return rw_writes(c->key.rw) && c->key.rw != RW_TRIM && c->key.rw != RW_RANDTRIM;
    case DIR_TRIM:
        return rw_trims(c->key.rw);
    default:
        return false;
    }
}

static bool has_direction(const struct row *r)
{
    if (r->n_repeats == 0)
        return r->part == 0 && direction_expected(r->cell, r->dir);
    for (size_t i = 0; i < r->n_repeats; i++) {
        const struct direction *d = direction_at(r->repeat[i], r->dir, r->part);
        if (d && direction_is_used(d))
            return true;
    }
    return false;
}

static void add_set(struct builder *b, size_t run, const struct keyed *set, size_t n)
{
    struct row row = {.run = b->d->run[run].run, .run_index = run};
    const struct cell **usable = arena_array(b->d->arena, n, sizeof(struct cell *));
    for (size_t i = 0; i < n; i++) {
        if (is_usable(set[i].cell))
            usable[row.n_repeats++] = set[i].cell;
    }
    row.repeat = usable;
    row.cell = row.n_repeats ? usable[0] : set[0].cell;
    size_t parts = row.cell->n_parts > 1 ? row.cell->n_parts : 0;
    for (row.part = 0; row.part <= parts; row.part++) {
        for (row.dir = 0; row.dir < DIR_SYNC; row.dir++) {
            if (has_direction(&row))
                add_row(b, row);
        }
    }
}

static int by_place(const void *a, const void *b)
{
    const struct keyed *const *x = a, *const *y = b;
    return ((*x)->place > (*y)->place) - ((*x)->place < (*y)->place);
}

/* Sets of repeats in plan order of their first one. */
static void add_run(struct builder *b, size_t run)
{
    const struct dataset_run *r = &b->d->run[run];
    if (r->n == 0)
        return;
    struct keyed *keyed = xcalloc(r->n, sizeof *keyed);
    const struct keyed **first = xcalloc(r->n, sizeof *first);
    for (size_t i = 0; i < r->n; i++)
        keyed[i] = (struct keyed){r->cell[i], identity_of(b->d->arena, r->cell[i]), i};
    qsort(keyed, r->n, sizeof *keyed, by_identity);
    size_t sets = 0;
    for (size_t i = 0; i < r->n; i++) {
        if (i == 0 || strcmp(keyed[i].identity, keyed[i - 1].identity) != 0)
            first[sets++] = &keyed[i];
    }
    qsort(first, sets, sizeof(const struct keyed *), by_place);
    for (size_t s = 0; s < sets; s++) {
        size_t n = 1;
        const struct keyed *end = keyed + r->n;
        while (first[s] + n < end && strcmp(first[s][n].identity, first[s]->identity) == 0)
            n++;
        add_set(b, run, first[s], n);
    }
    free(first);
    free(keyed);
}

static bool same_devices(const struct cell *a, const struct cell *b)
{
    return a->n_devices == b->n_devices &&
           (a->n_devices == 0 ||
            memcmp(a->device, b->device, a->n_devices * sizeof *a->device) == 0);
}

static bool same_field(const struct cell_key *a, const struct cell_key *b, size_t f)
{
    struct strbuf x = STRBUF_INIT, y = STRBUF_INIT;
    field_format(&x, &cell_key_fields, a, f);
    field_format(&y, &cell_key_fields, b, f);
    bool same = strcmp(x.text, y.text) == 0;
    strbuf_release(&x);
    strbuf_release(&y);
    return same;
}

/* Which settings must be named to tell the groups apart. */
static void find_differences(struct builder *b)
{
    const struct cell *reference = NULL;
    for (size_t r = 0; r < b->d->n_runs; r++) {
        const struct dataset_run *run = &b->d->run[r];
        for (size_t i = 0; i < run->n; i++) {
            if (!reference)
                reference = run->cell[i];
            b->many_devices = b->many_devices || !same_devices(run->cell[0], run->cell[i]);
            for (size_t f = 0; f < cell_key_fields.n; f++) {
                if (!row_is_axis(f) && !(b->varies >> f & 1) &&
                    !same_field(&reference->key, &run->cell[i]->key, f))
                    b->varies |= UINT64_C(1) << f;
            }
        }
    }
}

static void find_groups(struct dataset *d)
{
    d->group = arena_array(d->arena, d->n_rows ? d->n_rows : 1, sizeof(const char *));
    d->n_groups = 0;
    for (size_t i = 0; i < d->n_rows; i++) {
        size_t g = 0;
        while (g < d->n_groups && strcmp(d->group[g], d->row[i].group) != 0)
            g++;
        if (g == d->n_groups)
            d->group[d->n_groups++] = d->row[i].group;
        d->row[i].group = d->group[g];
    }
}

void dataset_make_rows(struct dataset *d)
{
    struct builder b = {.d = d};
    find_differences(&b);
    job_ladders_find(&b.job_ladders, d);
    for (size_t r = 0; r < d->n_runs; r++)
        add_run(&b, r);
    d->row = arena_array(d->arena, b.n ? b.n : 1, sizeof *d->row);
    if (b.n)
        memcpy(d->row, b.row, b.n * sizeof *d->row);
    d->n_rows = b.n;
    free(b.row);
    dataset_find_steps(d);
    find_groups(d);
    d->rows_made = true;
}

double row_percentile(const struct row *r, double p)
{
    if (p >= 100)
        return IS_KNOWN(&r->lat, LAT_F, max) ? (double)r->lat.max : NAN;
    if (!lat_supports(&r->lat, direction_samples(&r->cell->dir[r->dir]), p))
        return NAN;
    uint64_t ns;
    return lat_percentile(&r->lat, p, &ns) ? (double)ns : NAN;
}
