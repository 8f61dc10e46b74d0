#include "store/import/fio_log_grid.h"

#include <math.h>

#include "core/base/clock.h"
#include "core/base/xalloc.h"

enum { DISTANCES_MAX = 4096 };

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void log_stream_add(struct log_stream *s, uint32_t ms, uint64_t value, uint64_t max)
{
    GROW(s->ms, s->n + 1, s->room);
    GROW(s->value, s->n + 1, s->room_value);
    if (max > 0 || s->max) {
        size_t had = s->room_max;
        GROW(s->max, s->n + 1, s->room_max);
        memset(s->max + had, 0, (s->room_max - had) * sizeof *s->max);
        s->max[s->n] = max;
    }
    s->ms[s->n] = ms;
    s->value[s->n++] = value;
}

void log_stream_release(struct log_stream *s)
{
    free(s->ms);
    free(s->value);
    free(s->max);
    *s = (struct log_stream){0};
}

uint64_t log_stream_interval(const struct log_stream *s)
{
    uint64_t distance[DISTANCES_MAX];
    size_t n = 0, step = s->n / DISTANCES_MAX + 1;
    for (size_t i = 0; i < s->n && n < DISTANCES_MAX; i += step) {
        uint64_t before = i ? s->ms[i - 1] : 0;
        if (s->ms[i] > before)
            distance[n++] = s->ms[i] - before;
    }
    if (n == 0)
        return 0;
    qsort(distance, n, sizeof *distance, by_size);
    return distance[n / 2];
}

static void add_edge(struct grid *g, uint64_t end_ms)
{
    GROW(g->bin, g->n + 1, g->room);
    g->bin[g->n++] = (struct grid_bin){.end_ms = end_ms};
}

/* A window that ends there; before it one without I/O where more time than a window has passed. */
static void extend(struct grid *g, uint64_t end_ms)
{
    uint64_t last = g->n ? g->bin[g->n - 1].end_ms : 0;
    if (end_ms <= last || end_ms - last + g->slack_ms < g->interval_ms)
        return; /* what is left at the end of a job is no full window */
    if (end_ms - last > g->interval_ms + g->slack_ms && end_ms - last > 2 * g->slack_ms)
        add_edge(g, end_ms - 2 * g->slack_ms);
    add_edge(g, end_ms);
}

void grid_make(struct grid *g, const struct log_stream *s)
{
    uint64_t own = log_stream_interval(s);
    *g = (struct grid){.interval_ms = own * (s->n / GRID_WINDOWS + 1), .slack_ms = (own + 1) / 2};
    for (size_t i = 0; i < s->n && own > 0; i++)
        extend(g, s->ms[i]);
}

void grid_release(struct grid *g)
{
    free(g->bin);
    free(g->hist);
    *g = (struct grid){0};
}

/* The first window that ends behind the instant; g->n: none. */
static size_t find_bin(const struct grid *g, uint64_t ms)
{
    size_t lo = 0, hi = g->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (g->bin[mid].end_ms > ms)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

static uint64_t start_of(const struct grid *g, size_t i)
{
    return i ? g->bin[i - 1].end_ms : 0;
}

/* An edge within a tenth of a window, else the instant itself. */
static uint64_t snap(const struct grid *g, uint64_t ms)
{
    size_t i = find_bin(g, ms);
    uint64_t near = g->interval_ms / 10, before = start_of(g, i);
    if (ms >= before && ms - before <= near)
        return before;
    return i < g->n && g->bin[i].end_ms - ms <= near ? g->bin[i].end_ms : ms;
}

static void add_window(struct grid *g, uint64_t from, uint64_t to, const struct log_stream *s,
                       size_t row, enum grid_value value)
{
    for (size_t i = find_bin(g, from); i < g->n && start_of(g, i) < to; i++) {
        struct grid_bin *b = &g->bin[i];
        uint64_t lo = start_of(g, i), hi = b->end_ms;
        lo = lo > from ? lo : from;
        hi = hi < to ? hi : to;
        if (hi <= lo)
            continue;
        b->job[value] += (double)s->value[row] * (double)(hi - lo);
        if (value != GRID_LATENCY)
            continue;
        b->lat_ms += (double)(hi - lo);
        if (s->max && s->max[row] > b->lat_max)
            b->lat_max = s->max[row];
    }
}

void grid_add(struct grid *g, const struct log_stream *s, enum grid_value value)
{
    uint64_t own = log_stream_interval(s), last = 0;
    for (size_t i = 0; i < s->n; i++) {
        uint64_t to = s->ms[i], from = last;
        if (to <= last)
            continue;
        if (to - from > own + own / 2)
            from = to - own; /* windows without I/O have no row */
        last = to;
        extend(g, to);
        from = snap(g, from);
        to = snap(g, to);
        if (from < to)
            add_window(g, from, to, s, i, value);
        g->end_ms[value] = to > g->end_ms[value] ? to : g->end_ms[value];
    }
}

static size_t nearest_bin(const struct grid *g, uint64_t ms)
{
    size_t i = find_bin(g, ms);
    if (i == g->n || (i > 0 && ms - start_of(g, i) < g->bin[i].end_ms - ms))
        return i ? i - 1 : 0;
    return i;
}

static void add_count(uint32_t *to, uint64_t count)
{
    *to = count > UINT32_MAX - *to ? UINT32_MAX : *to + (uint32_t)count;
}

void grid_add_hist(struct grid *g, uint64_t ms, const struct fio_log_reader *r,
                   const uint64_t *count)
{
    extend(g, ms);
    if (g->n == 0)
        return;
    if (g->hist_n < g->n) {
        g->hist = xrealloc(g->hist, g->n, SERIES_HIST_BUCKETS * sizeof *g->hist);
        size_t had = g->hist_n;
        memset(g->hist + had * SERIES_HIST_BUCKETS, 0,
               (g->n - had) * SERIES_HIST_BUCKETS * sizeof *g->hist);
        g->hist_n = g->n;
    }
    size_t at = nearest_bin(g, ms);
    uint32_t *row = g->hist + at * SERIES_HIST_BUCKETS;
    for (size_t i = 0; i < r->n_counts; i++) {
        if (count[i] == 0)
            continue;
        uint64_t v = hist_mid((unsigned)(i << r->coarse)) * (r->microseconds ? 1000 : 1);
        add_count(&row[hist_index(v) / 8], count[i]);
        g->bin[at].hist_n += count[i];
    }
}

/* Latencies of one job weigh what it did; I/Os, else bytes, else it must be the only job. */
void grid_end_job(struct grid *g)
{
    for (size_t i = 0; i < g->n; i++) {
        struct grid_bin *b = &g->bin[i];
        double len = (double)(b->end_ms - start_of(g, i));
        double weight = b->job[GRID_IOPS] > 0        ? b->job[GRID_IOPS]
                        : b->job[GRID_KIB_PER_S] > 0 ? b->job[GRID_KIB_PER_S]
                                                     : 1;
        b->iops += b->job[GRID_IOPS] / len;
        b->kib += b->job[GRID_KIB_PER_S] / len;
        if (b->lat_ms > 0) {
            b->lat += b->job[GRID_LATENCY] / b->lat_ms * weight;
            b->weight += weight;
        }
        b->lat_ms = 0;
        memset(b->job, 0, sizeof b->job);
    }
}

/*
 * I/Os of a window from its rate. fio rounds rates down, and logs the end of a window some ms off: the number and length
 * that give exactly its figure are the true ones, where there are such.
 */
static double count_of(double rate, double *ms)
{
    static const double off[] = {0, -1, 1, -2, 2};
    for (size_t i = 0; i < sizeof off / sizeof *off && rate == floor(rate); i++) {
        double len = *ms + off[i], n = ceil(rate * len / 1000 - 1e-9);
        if (len > 0 && floor(n * 1000 / len + 1e-9) == rate) {
            *ms = len;
            return n;
        }
    }
    return round(rate * *ms / 1000);
}

static bool set_point(const struct grid *g, size_t i, unsigned missing, struct series_point *p)
{
    const struct grid_bin *b = &g->bin[i];
    double ms = (double)(b->end_ms - start_of(g, i));
    double ios = missing & SERIES_NO_IOS ? 0 : count_of(b->iops, &ms);
    double bytes = missing & SERIES_NO_BYTES ? 0 : round(b->kib * 1024 * ms / 1000);
    double lat = b->weight > 0 ? b->lat / b->weight : 0;
    double sum = missing & SERIES_NO_IOS ? lat : lat * ios;
    if (!(ios < 0x1p53 && bytes < 0x1p63 && sum < 0x1p63) || b->end_ms > INT64_MAX / NS_PER_MS)
        return false;
    *p = (struct series_point){.end_ns = b->end_ms * NS_PER_MS,
                               .len_ns = (uint64_t)ms * NS_PER_MS,
                               .ios = (uint64_t)ios,
                               .bytes = (uint64_t)bytes,
                               .lat_sum_ns = (uint64_t)round(sum),
                               .lat_max_ns = b->lat_max};
    return true;
}

void grid_take_counts(struct grid *g)
{
    for (size_t i = 0; i < g->n; i++) {
        struct grid_bin *b = &g->bin[i];
        b->iops = (double)b->hist_n * 1000 / (double)(b->end_ms - start_of(g, i));
    }
}

/* At the end of a job logs with longer windows than those of its rates go on. */
static bool is_covered(const struct grid *g, size_t i)
{
    for (int v = GRID_IOPS; v <= GRID_KIB_PER_S; v++) {
        if (g->end_ms[v] > 0 && g->bin[i].end_ms > g->end_ms[v])
            return false;
    }
    return true;
}

bool grid_series(struct grid *g, unsigned missing, struct series *out)
{
    *out = (struct series){.interval_ns = g->interval_ms * NS_PER_MS, .missing = missing};
    for (size_t i = 0; i < g->n && is_covered(g, i); i++) {
        struct series_point *p = series_append(out);
        if (!set_point(g, i, missing, p)) {
            series_release(out);
            return false;
        }
        if (g->hist && i < g->hist_n) {
            const uint32_t *row = g->hist + i * SERIES_HIST_BUCKETS;
            p->lat_p50_ns = series_hist_percentile(row, 50);
            p->lat_p99_ns = series_hist_percentile(row, 99);
        }
    }
    if (g->hist && out->n > 0) {
        out->hist = xrealloc(g->hist, out->n, SERIES_HIST_BUCKETS * sizeof *out->hist);
        if (g->hist_n < out->n)
            memset(out->hist + g->hist_n * SERIES_HIST_BUCKETS, 0,
                   (out->n - g->hist_n) * SERIES_HIST_BUCKETS * sizeof *out->hist);
        g->hist = NULL;
        g->hist_n = 0;
    }
    return true;
}
