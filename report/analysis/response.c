#include <math.h>
#include <stdlib.h>

#include "core/base/arena.h"
#include "report/analysis/analysis.h"

static int by_rate(const void *a, const void *b)
{
    const struct row *x = *(const struct row *const *)a, *y = *(const struct row *const *)b;
    return (x->iops > y->iops) - (x->iops < y->iops);
}

double response_share(const struct row *step)
{
    const struct cell_key *key = &step->cell->key;
    double jobs = IS_KNOWN(key, CELL_KEY, numjobs) ? (double)key->numjobs : 1;
    double iops = cell_key_rate_iops(key, step->dir == DIR_READ);
    double bw = cell_key_rate_bw(key, step->dir == DIR_READ);
    if (step->part == 0 && step->cell->n_devices > 1)
        jobs *= (double)step->cell->n_devices;
    return iops > 0 ? iops * jobs / step->maximum->iops : bw * jobs / step->maximum->bw;
}

size_t response_knee(const struct response_step *s, size_t n)
{
    size_t best = n;
    for (size_t i = 0; i < n; i++) {
        if (best == n || s[i].iops / s[i].latency >= s[best].iops / s[best].latency)
            best = i;
    }
    return best;
}

static size_t find_knee(struct arena *a, const struct response *r)
{
    struct response_step *s = arena_array(a, r->n, sizeof *s);
    for (size_t i = 0; i < r->n; i++) {
        const struct lat *lat = &r->step[i]->lat;
        if (!IS_KNOWN(lat, LAT_F, mean) || !(lat->mean > 0))
            return r->n;
        s[i] = (struct response_step){r->step[i]->iops, lat->mean};
    }
    return response_knee(s, r->n);
}

bool response_find(struct response *out, struct arena *a, const struct row *all, size_t n,
                   const struct row *maximum)
{
    struct response r = {.maximum = maximum};
    for (size_t i = 0; i < n; i++)
        r.n += all[i].maximum == maximum && all[i].n_repeats && all[i].iops > 0;
    if (r.n == 0)
        return false;
    r.step = arena_array(a, r.n, sizeof(const struct row *));
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        if (all[i].maximum == maximum && all[i].n_repeats && all[i].iops > 0)
            r.step[k++] = &all[i];
    }
    qsort(r.step, r.n, sizeof(const struct row *), by_rate);
    r.knee = find_knee(a, &r);
    *out = r;
    return true;
}
