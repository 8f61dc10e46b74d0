#include "report/analysis/analysis.h"

#include <math.h>

/* I/Os in flight of one direction; NaN when its latency is unknown. */
static double in_flight(const struct direction *d)
{
    const struct lat *whole = &d->lat[LAT_LAT], *completion = &d->lat[LAT_CLAT];
    if (!IS_KNOWN(d, DIRECTION, iops))
        return NAN;
    if (IS_KNOWN(whole, LAT_F, mean))
        return d->iops * whole->mean / 1e9;
    return IS_KNOWN(completion, LAT_F, mean) ? d->iops * completion->mean / 1e9 : NAN;
}

double little_ratio(const struct cell *c)
{
    if (cell_is_rate_limited(c) || IS_KNOWN(&c->key, CELL_KEY, thinktime_ns))
        return NAN;
    if (IS_KNOWN(c, CELL, little_ratio))
        return c->little_ratio;
    if (!IS_KNOWN(&c->key, CELL_KEY, iodepth))
        return NAN;
    double jobs = IS_KNOWN(&c->key, CELL_KEY, numjobs) ? (double)c->key.numjobs : 1;
    double depth = (double)c->key.iodepth * jobs;
    if (c->together && c->n_devices > 1)
        depth *= (double)c->n_devices;
    double sum = 0;
    bool any = false;
    for (enum dir dir = 0; dir < DIR_SYNC; dir++) {
        if (!direction_is_used(&c->dir[dir]))
            continue;
        sum += in_flight(&c->dir[dir]);
        any = true;
    }
    return any && depth > 0 ? sum / depth : NAN;
}

/* The longest I/O of any direction; 0 when it is not known. */
static double longest(const struct cell *c)
{
    uint64_t most = 0;
    for (enum dir dir = 0; dir < DIR_SYNC; dir++) {
        for (enum lat_kind kind = LAT_CLAT; kind < LAT_KIND_COUNT; kind++) {
            const struct lat *l = &c->dir[dir].lat[kind];
            if (IS_KNOWN(l, LAT_F, max) && l->max > most)
                most = l->max;
        }
    }
    return (double)most;
}

bool depth_was_missed(const struct cell *c)
{
    double slack = 0;
    if (IS_KNOWN(c, CELL, runtime_ns) && c->runtime_ns > 0)
        slack = longest(c) / (double)c->runtime_ns;
    return little_ratio(c) < LITTLE_MIN - slack;
}
