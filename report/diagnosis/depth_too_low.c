#include "report/diagnosis/rule.h"

#include <math.h>

/* A rung that no deeper one beats by this much lies on the plateau already. */
#define STILL_HELPS 1.05

/* Without a list an unlisted ceiling is as likely as latency at this weight of it. */
#define EVEN_WEIGHT 0.2

/* The bend of the curve: it is latency as long as that has not grown by much. */
static bool is_latency(const struct rule_input *in)
{
    if (in->posterior)
        return in->posterior[LABEL_LATENCY] > in->posterior[LABEL_UNEXPLAINED];
    return in->facts->saturated.latency_weight > EVEN_WEIGHT;
}

/*
 * The rate still grows with depth: latency is what limits it, and deeper queues help. In the bend of
 * the curve, where latency has begun to grow as well, that is less sure, unless a deeper queue was tried.
 */
static bool evaluate(const struct rule_input *in, struct finding *finding)
{
    const struct row_facts *f = in->facts;
    enum saturation state = f->saturated.state;
    bool helps = f->deeper >= STILL_HELPS, unknown = isnan(f->deeper);
    if (state != SATURATION_NO && state != SATURATION_KNEE)
        return false;
    if (!helps && !(unknown && (state == SATURATION_NO || is_latency(in))))
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
