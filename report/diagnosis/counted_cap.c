/*
 * The volumes themselves counted that a cap was exceeded, and no listed cap of that kind explains the
 * rate: the list is wrong or has none. Which cap it is they say; which figure it has they do not.
 */
#include <math.h>

#include "core/base/xalloc.h"
#include "report/diagnosis/exceeded.h"
#include "report/diagnosis/rule.h"

/* A listed figure this near is the one that is meant. */
#define NEAR 1.10

static void find_limit(const struct rule_input *in, size_t slot, struct finding *finding)
{
    struct world_cap *cap = xcalloc(in->facts->row->run->n_limits + 1, sizeof *cap);
    size_t n = in->world ? world_caps(in->facts, in->world, NULL, cap) : 0;
    for (size_t i = 0; i < n; i++) {
        double share = in->facts->rate_now / cap[i].iops;
        if (cap[i].slot != slot || share > NEAR || share < 1 / NEAR)
            continue;
        finding->limit = cap[i].limit;
        finding->cap = cap[i].total;
        finding->share = share;
        break;
    }
    free(cap);
}

/* A listed cap explains the rate, and a cap of its kind was exceeded: no more is to be said. */
static bool is_explained(const struct rule_input *in, const struct finding *finding)
{
    struct finding known = *finding;
    if (!rule_known_cap.evaluate(in, &known))
        return false;
    size_t slot = 0;
    while (slot < CAP_SLOTS && binds_of_slot[slot] != known.binds)
        slot++;
    return slot < CAP_SLOTS && exceeded_confirms(in->exceeded, slot);
}

static bool evaluate(const struct rule_input *in, struct finding *finding)
{
    size_t slot = exceeded_most(in->exceeded);
    if (slot == CAP_SLOTS || is_explained(in, finding))
        return false;
    finding->binds = binds_of_slot[slot];
    for (size_t other = 0; other < CAP_SLOTS; other++) {
        if (other != slot && exceeded_confirms(in->exceeded, other))
            finding->also |= 1u << binds_of_slot[other];
    }
    finding->confidence = CONFIDENCE_LIKELY;
    find_limit(in, slot, finding);
    return true;
}

const struct rule rule_counted_cap = {
    "counted_cap",
    "the volume counted that a cap was exceeded",
    evaluate,
};
