/* A listed cap holds it, with a posterior of one half or more. */
#include "report/diagnosis/rule.h"

#include <math.h>

#include "core/base/xalloc.h"
#include "report/diagnosis/exceeded.h"

#define CERTAIN  0.97
#define LIKELY   0.90
#define POSSIBLE 0.50

#define EXCEEDED 1.03 /* a cap that was passed by so much does not hold */
#define TIED     1.02

const enum binds binds_of_slot[CAP_SLOTS] = {
    [CAP_SLOT(OWNER_DISK, CAP_IOPS)] = BINDS_DISK_IOPS,
    [CAP_SLOT(OWNER_DISK, CAP_BW)] = BINDS_DISK_BW,
    [CAP_SLOT(OWNER_VM, CAP_IOPS)] = BINDS_VM_IOPS,
    [CAP_SLOT(OWNER_VM, CAP_BW)] = BINDS_VM_BW,
    [CAP_SLOT(OWNER_HOST, CAP_IOPS)] = BINDS_HOST_IOPS,
    [CAP_SLOT(OWNER_HOST, CAP_BW)] = BINDS_HOST_BW,
};

enum confidence confidence_of(double posterior)
{
    return posterior >= CERTAIN  ? CONFIDENCE_CERTAIN
           : posterior >= LIKELY ? CONFIDENCE_LIKELY
                                 : CONFIDENCE_POSSIBLE;
}

static size_t best_label(const double *posterior)
{
    size_t best = 0;
    for (size_t i = 1; i < LABEL_COUNT; i++) {
        if (posterior[i] > posterior[best])
            best = i;
    }
    return best;
}

static const struct world_cap *find_cap(const struct world_cap *cap, size_t n, size_t label)
{
    for (size_t i = 0; i < n; i++) {
        if (CAP_LABEL(cap[i].slot, cap[i].limit->phase) == label)
            return &cap[i];
    }
    return NULL;
}

static bool has_burst(const struct world_cap *cap, size_t n, size_t slot)
{
    return find_cap(cap, n, CAP_LABEL(slot, PHASE_BURST)) != NULL;
}

/*
 * What holds the row without credits: the lowest base cap that it exceeded, where a burst figure of
 * the same owner and kind stands beside it. cap is sorted, lowest first.
 */
static void find_sustained(const struct world_cap *cap, size_t n, double rate,
                           struct finding *finding)
{
    for (size_t i = 0; i < n; i++) {
        if (cap[i].limit->phase == PHASE_BASE && rate > EXCEEDED * cap[i].iops &&
            has_burst(cap, n, cap[i].slot)) {
            finding->sustained = cap[i].iops;
            finding->base = cap[i].limit;
            return;
        }
    }
}

/* Other caps at the same place: only what volumes count themselves can tell which of them holds. */
static unsigned ties(const struct rule_input *in, const struct world_cap *cap, size_t n,
                     const struct world_cap *best)
{
    unsigned also = 0;
    double rate = in->facts->rate_now;
    for (size_t i = 0; i < n; i++) {
        double ratio = cap[i].iops / best->iops;
        if (cap[i].slot != best->slot && ratio <= TIED && ratio >= 1 / TIED &&
            rate <= EXCEEDED * cap[i].iops && !exceeded_refutes(in->exceeded, cap[i].slot))
            also |= 1u << binds_of_slot[cap[i].slot];
    }
    return also;
}

/* Where the list is wrong about one cap, it may be about another; a burst may be missing on it. */
static enum confidence doubted(const struct rule_input *in, const struct limit *l,
                               enum confidence confidence)
{
    const struct row_facts *f = in->facts;
    struct passed_cap *own = xcalloc(f->row->run->n_limits + 1, sizeof *own);
    size_t n = caps_passed(f->row, f->rate_now, passed_factor(f->se), own), others = 0;
    for (size_t i = 0; i < n; i++)
        others += !(own[i].limit->owner == OWNER_DISK && is_host_cached(f->row->run)) &&
                  own[i].limit->owner != l->owner;
    free(own);
    enum confidence most = passed_doubt(in->passed, l, f->row) != DOUBT_NONE ? CONFIDENCE_POSSIBLE
                           : others > 0                                      ? CONFIDENCE_LIKELY
                                                                             : CONFIDENCE_CERTAIN;
    return confidence < most ? confidence : most;
}

static void describe(const struct rule_input *in, size_t label, double posterior,
                     struct finding *finding)
{
    struct world_cap *cap = xcalloc(in->facts->row->run->n_limits + 1, sizeof *cap);
    size_t n = world_caps(in->facts, in->world, in->passed, cap);
    const struct world_cap *best = find_cap(cap, n, label);
    double rate = in->facts->rate_now;
    if (best && rate > passed_factor(in->facts->se) * best->iops)
        best = NULL;
    if (best) {
        finding->limit = best->limit;
        finding->cap = best->total;
        finding->share = rate / best->iops;
        finding->also = ties(in, cap, n, best);
        find_sustained(cap, n, rate, finding);
    }
    finding->binds = best ? binds_of_slot[best->slot] : BINDS_UNKNOWN;
    finding->confidence = confidence_of(posterior);
    if (best)
        finding->confidence = doubted(in, best->limit, finding->confidence);
    /* two sources that disagree: the rate is that of the cap, and the volume was never above it */
    if (best && exceeded_refutes(in->exceeded, best->slot))
        finding->confidence = CONFIDENCE_POSSIBLE;
    free(cap);
}

const struct limit *posterior_limit(const struct row_facts *f, const struct world *w,
                                    const double *posterior)
{
    size_t label = best_label(posterior);
    if (label >= LABEL_CAPS || posterior[label] < POSSIBLE)
        return NULL;
    struct world_cap *cap = xcalloc(f->row->run->n_limits + 1, sizeof *cap);
    const struct world_cap *best = find_cap(cap, world_caps(f, w, NULL, cap), label);
    const struct limit *limit = best ? best->limit : NULL;
    free(cap);
    return limit;
}

static bool evaluate(const struct rule_input *in, struct finding *finding)
{
    if (!in->posterior)
        return false;
    size_t label = best_label(in->posterior);
    if (label >= LABEL_CAPS || in->posterior[label] < POSSIBLE)
        return false;
    describe(in, label, in->posterior[label], finding);
    return finding->binds != BINDS_UNKNOWN;
}

const struct rule rule_known_cap = {
    "known_cap",
    "a listed cap binds",
    evaluate,
};
