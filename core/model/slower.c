#include "core/model/slower.h"

bool lat_slower_than(struct share *out, const struct lat *l, uint64_t ns)
{
    if (!l->hist || hist_n(l->hist) == 0)
        return false;
    hist_share_above(l->hist, ns, &out->lo, &out->hi);
    return true;
}

/* False when any direction that did something has no histogram: the rest is not the cell. */
static bool from_histograms(struct share *out, const struct cell *c, uint64_t ns)
{
    double n = 0, lo = 0, hi = 0;
    for (int i = 0; i < DIR_SYNC; i++) {
        const struct direction *d = &c->dir[i];
        if (!direction_is_used(d))
            continue;
        enum lat_kind kind = direction_main_lat(d, cell_is_rate_limited(c));
        struct share one;
        if (kind == LAT_KIND_COUNT || !lat_slower_than(&one, &d->lat[kind], ns))
            return false;
        double of = (double)hist_n(d->lat[kind].hist);
        n += of;
        lo += one.lo * of;
        hi += one.hi * of;
    }
    if (n == 0)
        return false;
    *out = (struct share){lo / n, hi / n};
    return true;
}

static bool from_buckets(struct share *out, const struct cell *c, uint64_t ns)
{
    *out = (struct share){0, 0};
    for (size_t i = 0; i < c->n_buckets; i++) {
        const struct lat_bucket *b = &c->bucket[i];
        if (b->lo_ns >= ns)
            out->lo += b->share;
        if (b->hi_ns > ns)
            out->hi += b->share;
    }
    return c->n_buckets > 0;
}

bool cell_slower_than(struct share *out, const struct cell *c, uint64_t ns)
{
    return from_histograms(out, c, ns) || from_buckets(out, c, ns);
}
