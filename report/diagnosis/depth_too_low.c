#include "report/diagnosis/rule.h"

/* A rung that no deeper one beats by this much lies on the plateau already. */
#define STILL_HELPS 1.05

/*
 * The rate still grows with depth: latency is what limits it, and deeper queues help. In the bend of
 * the curve, where latency has begun to grow as well, that is less sure.
 */
static bool evaluate(const struct rule_input *in, struct finding *finding)
{
    const struct row_facts *f = in->facts;
    enum saturation state = f->saturated.state;
    if ((state != SATURATION_NO && state != SATURATION_KNEE) || f->deeper < STILL_HELPS)
        return false;
    finding->binds = BINDS_LATENCY;
    finding->confidence = state == SATURATION_NO              ? CONFIDENCE_CERTAIN
                          : f->saturated.latency_weight > 0.5 ? CONFIDENCE_LIKELY
                                                              : CONFIDENCE_POSSIBLE;
    return true;
}

const struct rule rule_depth_too_low = {
    "depth_too_low",
    "no cap binds: latency does, deeper queues still help",
    evaluate,
};
