#include "report/diagnosis/rule.h"

/* 99 % or more of what the job was told to offer: a lower bound for every cap, and no plateau. */
static bool evaluate(const struct rule_input *in, struct finding *finding)
{
    const struct row_facts *f = in->facts;
    if (!f->rate_held)
        return false;
    finding->binds = BINDS_RATE;
    finding->confidence = CONFIDENCE_CERTAIN;
    return true;
}

const struct rule rule_rate_limited = {
    "rate_limited",
    "held by the job's own rate limit, not by the device",
    evaluate,
};
