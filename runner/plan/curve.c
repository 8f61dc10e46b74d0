/* The steps of a response curve: rates as shares of a maximum that is measured before them. */
#include <math.h>

#include "runner/plan/plan.h"

/* To four digits: a rate that can be read and typed again, off by 0.05 % at most. */
static double four_digits(double v)
{
    if (!(v > 0))
        return 0;
    double places = 3 - floor(log10(v));
    double scale = pow(10, fabs(places));
    return places > 0 ? round(v * scale) / scale : round(v / scale) * scale;
}

static double iops_of(const struct cell *c, enum dir dir)
{
    const struct direction *d = &c->dir[dir];
    return IS_KNOWN(d, DIRECTION, iops) ? d->iops : 0;
}

static bool same_load(const struct plan_cell *a, const struct plan_cell *b)
{
    return a->device == b->device && a->rw == b->rw && a->rwmixread == b->rwmixread &&
           a->bs == b->bs && a->iodepth == b->iodepth && a->numjobs == b->numjobs;
}

/* What the maximum came to, for each job: of the reads (or of the only direction), of the writes. */
static bool find_maximum(double out[2], const struct plan *p, const struct plan_cell *cell,
                         const struct cell *measured)
{
    size_t first;
    double jobs = (double)cell->numjobs * (double)plan_cell_devices(p, cell, &first);
    bool mixed = rw_is_mixed(cell->rw);
    double reads = iops_of(measured, DIR_READ), writes = iops_of(measured, DIR_WRITE);
    out[0] = (mixed ? reads : reads + writes + iops_of(measured, DIR_TRIM)) / jobs;
    out[1] = mixed ? writes / jobs : 0;
    return out[0] > 0 && (!mixed || out[1] > 0);
}

void plan_set_maximum(struct plan *p, uint64_t ordinal, const struct cell *measured)
{
    double maximum[2];
    const struct plan_cell *cell = &p->cell[ordinal];
    size_t steps = p->axes.curve.n;
    if (steps == 0 || cell->percent || !find_maximum(maximum, p, cell, measured))
        return;
    /* repeats have the rates of the first maximum, so that they are repeats of each other */
    for (size_t first = 0; first < p->n; first += 1 + steps) {
        if (!same_load(cell, &p->cell[first]))
            continue;
        for (size_t i = first + 1; i <= first + steps; i++) {
            struct plan_cell *step = &p->cell[i];
            for (size_t d = 0; d < 2 && !step->done; d++) {
                if (!(step->rate[d] > 0))
                    step->rate[d] = four_digits(maximum[d] * (double)step->percent / 100);
            }
        }
    }
}

void plan_take_rate(struct plan_cell *step, const struct cell *stored)
{
    double rate = cell_key_rate_iops(&stored->key, rw_reads(step->rw));
    if (!step->percent || !(rate > 0)) /* without: it failed, as it had no maximum */
        return;
    step->rate[0] = rate;
    step->rate[1] = rw_is_mixed(step->rw) ? cell_key_rate_iops(&stored->key, false) : 0;
}

bool plan_rate_is_known(const struct plan_cell *cell)
{
    return !cell->percent || (cell->rate[0] > 0 && (!rw_is_mixed(cell->rw) || cell->rate[1] > 0));
}
