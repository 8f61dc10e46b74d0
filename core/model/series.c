#include "core/model/series.h"

#include <math.h>

#include "core/base/xalloc.h"

void series_release(struct series *s)
{
    free(s->point);
    free(s->hist);
    *s = (struct series){0};
}

struct series_point *series_append(struct series *s)
{
    GROW(s->point, s->n + 1, s->room);
    if (s->hist) {
        s->hist = xrealloc(s->hist, s->n + 1, SERIES_HIST_BUCKETS * sizeof *s->hist);
        memset(s->hist + s->n * SERIES_HIST_BUCKETS, 0, SERIES_HIST_BUCKETS * sizeof *s->hist);
    }
    s->point[s->n] = (struct series_point){0};
    return &s->point[s->n++];
}

void series_copy(struct series *to, const struct series *from)
{
    series_release(to);
    to->interval_ns = from->interval_ns;
    to->missing = from->missing;
    to->n = to->room = from->n;
    if (from->n == 0)
        return;
    to->point = xmalloc(from->n * sizeof *to->point);
    memcpy(to->point, from->point, from->n * sizeof *to->point);
    if (from->hist) {
        size_t bytes = from->n * SERIES_HIST_BUCKETS * sizeof *to->hist;
        to->hist = xmalloc(bytes);
        memcpy(to->hist, from->hist, bytes);
    }
}

static double per_second(uint64_t amount, uint64_t len_ns)
{
    return len_ns > 0 ? (double)amount * 1e9 / (double)len_ns : NAN;
}

double series_iops(const struct series *s, size_t i)
{
    return s->missing & SERIES_NO_IOS ? NAN : per_second(s->point[i].ios, s->point[i].len_ns);
}

double series_bw(const struct series *s, size_t i)
{
    return s->missing & SERIES_NO_BYTES ? NAN : per_second(s->point[i].bytes, s->point[i].len_ns);
}

double series_lat_mean(const struct series *s, size_t i)
{
    const struct series_point *p = &s->point[i];
    if (s->missing & SERIES_NO_IOS)
        return p->lat_sum_ns > 0 ? (double)p->lat_sum_ns : NAN;
    return p->ios > 0 && p->lat_sum_ns > 0 ? (double)p->lat_sum_ns / (double)p->ios : NAN;
}

uint64_t series_hist_mid(unsigned bucket)
{
    unsigned first = bucket * 8, last = first + 7;
    return (hist_lo(first) + hist_lo(last) + hist_width(last)) / 2;
}

uint64_t series_hist_percentile(const uint32_t *row, double p)
{
    uint64_t n = 0, seen = 0;
    for (unsigned i = 0; i < SERIES_HIST_BUCKETS; i++)
        n += row[i];
    for (unsigned i = 0; i < SERIES_HIST_BUCKETS; i++) {
        seen += row[i];
        if (row[i] > 0 && (double)seen >= p / 100 * (double)n)
            return series_hist_mid(i);
    }
    return 0;
}
