#include "store/import/fio_log_ios.h"

#include "core/base/clock.h"
#include "core/base/xalloc.h"

enum {
    FIRST_MS = 125, /* doubles until BINS_MAX intervals are enough */
    WANTED_MS = 1000,
    BINS_MAX = 4096,
    BINS_MIN = 1024, /* of logs with fewer I/Os */
    BINS_FEW = 8,    /* shorter intervals are kept where 1 s would leave less */
};

void log_ios_init(struct log_ios *s)
{
    *s = (struct log_ios){.interval_ms = FIRST_MS};
}

void log_ios_release(struct log_ios *s)
{
    for (unsigned d = 0; d < LOG_DIRECTIONS; d++) {
        free(s->dir[d].bin);
        free(s->dir[d].hist);
        for (int k = 0; k < LAT_KIND_COUNT; k++)
            free(s->dir[d].lat[k]);
    }
    *s = (struct log_ios){0};
}

static void add_bin(struct log_ios_bin *to, const struct log_ios_bin *from)
{
    to->ios += from->ios;
    to->bytes += from->bytes;
    to->lat_sum += from->lat_sum;
    to->lat_max = to->lat_max > from->lat_max ? to->lat_max : from->lat_max;
}

static void add_row(uint32_t *to, const uint32_t *from)
{
    for (unsigned i = 0; i < SERIES_HIST_BUCKETS; i++)
        to[i] = from[i] > UINT32_MAX - to[i] ? UINT32_MAX : to[i] + from[i];
}

/* Two intervals become one. */
static void halve(struct log_ios_direction *d)
{
    for (size_t i = 1; i < d->n; i++) {
        if (i % 2) {
            add_bin(&d->bin[i / 2], &d->bin[i]);
        } else {
            d->bin[i / 2] = d->bin[i];
        }
        if (!d->hist)
            continue;
        uint32_t *to = d->hist + i / 2 * SERIES_HIST_BUCKETS;
        uint32_t *from = d->hist + i * SERIES_HIST_BUCKETS;
        if (i % 2)
            add_row(to, from);
        else
            memcpy(to, from, SERIES_HIST_BUCKETS * sizeof *to);
    }
    d->n = (d->n + 1) / 2;
}

static void double_interval(struct log_ios *s)
{
    for (unsigned d = 0; d < LOG_DIRECTIONS; d++)
        halve(&s->dir[d]);
    s->interval_ms *= 2;
}

static void reach(struct log_ios_direction *d, size_t n)
{
    size_t had = d->room;
    GROW(d->bin, n, d->room);
    if (d->hist && d->room > had)
        d->hist = xrealloc(d->hist, d->room, SERIES_HIST_BUCKETS * sizeof *d->hist);
    if (n <= d->n)
        return;
    memset(d->bin + d->n, 0, (n - d->n) * sizeof *d->bin);
    if (d->hist)
        memset(d->hist + d->n * SERIES_HIST_BUCKETS, 0,
               (n - d->n) * SERIES_HIST_BUCKETS * sizeof *d->hist);
    d->n = n;
}

/* Intervals that the log may have so far: memory grows with what is in it, not with its times. */
static uint64_t bins_max(const struct log_ios *s)
{
    uint64_t ios = 0;
    for (unsigned d = 0; d < LOG_DIRECTIONS; d++)
        ios += s->dir[d].ios;
    return ios < (BINS_MAX - BINS_MIN) / 4 ? BINS_MIN + 4 * ios : BINS_MAX;
}

void log_ios_count(struct log_ios *s, const struct fio_log_row *row, uint64_t ms, uint64_t ns)
{
    struct log_ios_direction *d = &s->dir[row->dir];
    while (ms / s->interval_ms >= bins_max(s))
        double_interval(s);
    size_t at = (size_t)(ms / s->interval_ms);
    reach(d, at + 1);
    if (ns > 0 && !d->hist)
        d->hist = xcalloc(d->room * SERIES_HIST_BUCKETS, sizeof *d->hist);
    struct log_ios_bin *b = &d->bin[at];
    if (__builtin_add_overflow(d->bytes, row->bs, &d->bytes) ||
        __builtin_add_overflow(b->lat_sum, ns, &b->lat_sum)) {
        s->too_large = true;
        return;
    }
    d->bs = d->ios == 0 || d->bs == row->bs ? row->bs : 0;
    d->ios++;
    b->ios++;
    b->bytes += row->bs;
    b->lat_max = b->lat_max > ns ? b->lat_max : ns;
    if (ns > 0)
        d->hist[at * SERIES_HIST_BUCKETS + hist_index(ns) / 8]++;
    s->end_ms = s->end_ms > ms ? s->end_ms : ms;
}

void log_ios_latency(struct log_ios *s, unsigned dir, enum lat_kind kind, uint64_t ns)
{
    struct hist **h = &s->dir[dir].lat[kind];
    uint64_t sum;
    if (!*h) {
        *h = xmalloc(sizeof **h);
        hist_init(*h);
    }
    if (__builtin_add_overflow((*h)->sum, ns, &sum))
        s->too_large = true;
    else
        hist_add(*h, ns);
}

void log_ios_settle(struct log_ios *s)
{
    while (s->interval_ms < WANTED_MS && s->end_ms / (2 * s->interval_ms) >= BINS_FEW)
        double_interval(s);
    /* what an interval has before its end is no full interval */
    size_t full = (size_t)((s->end_ms + s->interval_ms / 20) / s->interval_ms);
    for (unsigned d = 0; d < LOG_DIRECTIONS; d++) {
        if (s->dir[d].n > 0 && s->dir[d].n < full)
            reach(&s->dir[d], full);
        s->dir[d].n = s->dir[d].n < full ? s->dir[d].n : full;
    }
}

void log_ios_series(const struct log_ios *s, unsigned dir, struct series *out)
{
    const struct log_ios_direction *d = &s->dir[dir];
    *out = (struct series){.interval_ns = s->interval_ms * NS_PER_MS};
    if (d->n == 0 || s->end_ms > INT64_MAX / NS_PER_MS)
        return;
    out->point = xcalloc(d->n, sizeof *out->point);
    out->n = out->room = d->n;
    if (d->hist) {
        out->hist = xcalloc(d->n * SERIES_HIST_BUCKETS, sizeof *out->hist);
        memcpy(out->hist, d->hist, d->n * SERIES_HIST_BUCKETS * sizeof *out->hist);
    }
    for (size_t i = 0; i < d->n; i++) {
        const uint32_t *row = d->hist ? d->hist + i * SERIES_HIST_BUCKETS : NULL;
        out->point[i] = (struct series_point){
            .end_ns = (i + 1) * out->interval_ns,
            .len_ns = out->interval_ns,
            .ios = d->bin[i].ios,
            .bytes = d->bin[i].bytes,
            .lat_sum_ns = d->bin[i].lat_sum,
            .lat_max_ns = d->bin[i].lat_max,
            .lat_p50_ns = row ? series_hist_percentile(row, 50) : 0,
            .lat_p99_ns = row ? series_hist_percentile(row, 99) : 0,
        };
    }
}
