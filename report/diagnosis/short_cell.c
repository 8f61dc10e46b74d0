/*
 * A rate above a listed cap by no more than a throttle saves up while nothing is asked of it: in a cell of
 * some tenths of a second that is a large part of the whole. It may be that cap; no more can be said.
 */
#include "core/base/xalloc.h"
#include "report/diagnosis/rule.h"

/* What is delivered of a cap as published, at least. */
#define REACHED 0.90

static bool evaluate(const struct rule_input *in, struct finding *finding)
{
    const struct row *r = in->facts->row;
    double saved = saved_up(r), rate = in->facts->rate_now;
    if (!in->world || saved < SAVED_UP_SHORT)
        return false;
    struct world_cap *cap = xcalloc(r->run->n_limits + 1, sizeof *cap);
    size_t n = world_caps(in->facts, in->world, in->passed, cap);
    bool fits = n > 0 && rate >= REACHED * cap[0].iops && rate <= (1 + saved) * cap[0].iops;
    if (fits) {
        finding->binds = binds_of_slot[cap[0].slot];
        finding->limit = cap[0].limit;
        finding->cap = cap[0].total;
        finding->share = rate / cap[0].iops;
        finding->confidence = CONFIDENCE_POSSIBLE;
    }
    free(cap);
    return fits;
}

const struct rule rule_short_cell = {
    "short_cell",
    "a listed cap, and what it had saved up before a short cell",
    evaluate,
};
