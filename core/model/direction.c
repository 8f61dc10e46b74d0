#include "core/model/direction.h"

#include <math.h>

#include "core/base/xalloc.h"

const char *const dir_names[DIR_COUNT + 1] = {"read", "write", "trim", "mixed", "sync", NULL};
const char *const lat_kind_names[LAT_KIND_COUNT + 1] = {"slat", "clat", "lat", NULL};

/* Where they are not counted, a mean or percentiles tell that there were some. */
static bool lat_has_samples(const struct lat *l)
{
    if (l->hist && hist_n(l->hist) > 0)
        return true;
    if (IS_KNOWN(l, LAT_F, n))
        return l->n > 0;
    return (IS_KNOWN(l, LAT_F, mean) && l->mean > 0) || l->n_reported > 0;
}

bool direction_is_used(const struct direction *d)
{
    if ((IS_KNOWN(d, DIRECTION, ios) && d->ios > 0) ||
        (IS_KNOWN(d, DIRECTION, bytes) && d->bytes > 0) ||
        (IS_KNOWN(d, DIRECTION, iops) && d->iops > 0) || (IS_KNOWN(d, DIRECTION, bw) && d->bw > 0))
        return true;
    if (d->series && d->series->n > 0 && d->series->missing & SERIES_NO_IOS)
        return true;
    for (int k = 0; k < LAT_KIND_COUNT; k++)
        if (lat_has_samples(&d->lat[k]))
            return true;
    return false;
}

void lat_release(struct lat *l)
{
    free(l->hist);
    free(l->reported);
    *l = (struct lat){0};
}

void direction_release(struct direction *d)
{
    for (int k = 0; k < LAT_KIND_COUNT; k++)
        lat_release(&d->lat[k]);
    if (d->series)
        series_release(d->series);
    free(d->series);
    *d = (struct direction){0};
}

static void lat_copy(struct lat *to, const struct lat *from)
{
    *to = *from;
    to->hist = NULL;
    to->reported = NULL;
    if (from->hist) {
        to->hist = xmalloc(sizeof *to->hist);
        *to->hist = *from->hist;
    }
    if (from->n_reported > 0) {
        to->reported = xcalloc(from->n_reported, sizeof *to->reported);
        memcpy(to->reported, from->reported, from->n_reported * sizeof *to->reported);
    }
}

void direction_copy(struct direction *to, const struct direction *from)
{
    *to = *from;
    for (int k = 0; k < LAT_KIND_COUNT; k++)
        lat_copy(&to->lat[k], &from->lat[k]);
    to->series = NULL;
    if (from->series) {
        to->series = xcalloc(1, sizeof *to->series);
        series_copy(to->series, from->series);
    }
}

void lat_from_hist(struct lat *l)
{
    uint64_t n = hist_n(l->hist);
    SET(l, LAT_F, n, n);
    if (n == 0)
        return;
    SET(l, LAT_F, min, l->hist->min);
    SET(l, LAT_F, max, l->hist->max);
    SET(l, LAT_F, mean, hist_mean(l->hist));
    if (n > 1)
        SET(l, LAT_F, stddev, hist_stddev(l->hist));
}

bool lat_percentile(const struct lat *l, double p, uint64_t *ns)
{
    if (l->hist && hist_n(l->hist) > 0) {
        *ns = hist_percentile(l->hist, p);
        return true;
    }
    for (size_t i = 0; i < l->n_reported; i++) {
        if (fabs(l->reported[i].p - p) <= 1e-6) {
            *ns = l->reported[i].ns;
            return true;
        }
    }
    return false;
}

uint64_t direction_samples(const struct direction *d)
{
    if (IS_KNOWN(d, DIRECTION, ios))
        return d->ios;
    if (!IS_KNOWN(d, DIRECTION, iops) || !IS_KNOWN(d, DIRECTION, runtime_ns))
        return 0;
    double n = d->iops * ((double)d->runtime_ns / 1e9);
    return n < 0x1p63 ? (uint64_t)n : UINT64_MAX;
}

bool lat_supports(const struct lat *l, uint64_t ios, double p)
{
    if (l->hist)
        return hist_supports(l->hist, p);
    uint64_t n = IS_KNOWN(l, LAT_F, n) ? l->n : ios;
    return n == 0 || percentile_has_samples(n, p);
}

static bool lat_is_known(const struct lat *l)
{
    return l->known != 0 || l->hist || l->n_reported > 0;
}

/* How much is known of a latency: its distribution is worth more than its mean. */
static int lat_rank(const struct lat *l)
{
    return l->hist || l->n_reported > 0 ? 2 : lat_is_known(l);
}

enum lat_kind direction_main_lat(const struct direction *d, bool rate_limited)
{
    int lat = lat_rank(&d->lat[LAT_LAT]), clat = lat_rank(&d->lat[LAT_CLAT]);
    if (lat == 0 && clat == 0)
        return LAT_KIND_COUNT;
    if (lat == clat)
        return rate_limited ? LAT_LAT : LAT_CLAT;
    return lat > clat ? LAT_LAT : LAT_CLAT;
}
