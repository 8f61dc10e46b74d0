/*
 * The nearest listed cap within reach. What devices deliver of a published figure lies between 0.90
 * (the promise of some clouds) and 1.06 (short of a measured carry-over); a binding cap can only be
 * the lowest of its kind, so caps that were clearly exceeded are out.
 */
#include "report/diagnosis/rule.h"

#include <math.h>

#include "core/base/xalloc.h"

#define REACHED   0.90
#define EXCEEDED  1.03
#define TIED      1.02
#define TIGHT     0.97
#define KNEE_MOST 0.5

static enum binds binds_of(const struct limit *l)
{
    static const enum binds table[OWNER_COUNT][CAP_COUNT] = {
        [OWNER_DISK] = {BINDS_DISK_IOPS, BINDS_DISK_BW},
        [OWNER_VM] = {BINDS_VM_IOPS, BINDS_VM_BW},
        [OWNER_HOST] = {BINDS_HOST_IOPS, BINDS_HOST_BW},
    };
    return table[l->owner][l->kind];
}

static bool within_reach(const struct row_cap *cap, double rate)
{
    return rate >= REACHED * cap->iops && rate <= EXCEEDED * cap->iops_max;
}

/* How far the rate is from the cap; 0 inside the band of an unsure unit. */
static double distance(const struct row_cap *cap, double rate)
{
    if (rate < cap->iops)
        return log(cap->iops / rate);
    return rate > cap->iops_max ? log(rate / cap->iops_max) : 0;
}

/* Which end of the band of an unsure unit is nearer. */
static bool upper_reading(const struct row_cap *cap, double rate)
{
    return rate * rate > cap->iops * cap->iops_max;
}

static bool has_burst(const struct row_cap *cap, size_t n, const struct limit *base)
{
    for (size_t i = 0; i < n; i++) {
        const struct limit *l = cap[i].limit;
        if (l->phase == PHASE_BURST && l->owner == base->owner && l->kind == base->kind)
            return true;
    }
    return false;
}

/*
 * What holds the row without credits: the lowest base cap that it exceeded, where a burst figure of
 * the same owner and kind stands beside it. cap is sorted, lowest first.
 */
static void find_sustained(const struct row_cap *cap, size_t n, double rate,
                           struct finding *finding)
{
    for (size_t i = 0; i < n; i++) {
        const struct limit *l = cap[i].limit;
        if (l->phase == PHASE_BASE && rate > EXCEEDED * cap[i].iops_max && has_burst(cap, n, l)) {
            finding->sustained = cap[i].iops;
            finding->base = l;
            return;
        }
    }
}

static bool evaluate(const struct row_facts *f, struct finding *finding)
{
    struct row_cap *cap = xcalloc(f->row->run->n_limits + 1, sizeof *cap);
    size_t n = row_caps(f->row, cap);
    const struct row_cap *best = NULL;
    double rate = f->rate_now;
    for (size_t i = 0; i < n; i++) {
        if (within_reach(&cap[i], rate) &&
            (!best || distance(&cap[i], rate) < distance(best, rate)))
            best = &cap[i];
    }
    bool tight = best && rate >= TIGHT * best->iops; /* under the lower reading of its unit */
    bool fires = best && (tight || !(f->saturated.latency_weight > KNEE_MOST));
    if (fires) {
        finding->binds = binds_of(best->limit);
        finding->limit = best->limit;
        bool upper = upper_reading(best, rate);
        finding->cap = upper ? best->total_max : best->total;
        finding->share = rate / (upper ? best->iops_max : best->iops);
        find_sustained(cap, n, rate, finding);
        finding->confidence = CONFIDENCE_LIKELY;
        if (tight && f->saturated.state == SATURATION_YES)
            finding->confidence = CONFIDENCE_CERTAIN;
        for (size_t i = 0; i < n; i++) {
            double ratio = cap[i].iops / best->iops;
            if (&cap[i] != best && within_reach(&cap[i], rate) &&
                binds_of(cap[i].limit) != finding->binds && ratio <= TIED && ratio >= 1 / TIED)
                finding->also |= 1u << binds_of(cap[i].limit);
        }
    }
    free(cap);
    return fires;
}

const struct rule rule_known_cap = {
    "known_cap",
    "a listed cap binds",
    evaluate,
};
