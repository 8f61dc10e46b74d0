#include "report/diagnosis/rule.h"

#include <math.h>

bool is_bend(const struct row_facts *f)
{
    return f->saturated.state == SATURATION_KNEE && isnan(f->deeper);
}

/*
 * It levels off, and nothing that is known explains it. With one depth only even that is not sure:
 * latency and a ceiling look alike.
 */
static bool evaluate(const struct rule_input *in, struct finding *finding)
{
    const struct row_facts *f = in->facts;
    if (!(f->rate_now > 0))
        return false;
    finding->binds = BINDS_UNEXPLAINED;
    if (f->offered > 0) { /* and less came: it is the device side, by latency or a cap */
        finding->confidence = CONFIDENCE_LIKELY;
        return true;
    }
    switch (f->saturated.state) {
    case SATURATION_YES:
        finding->confidence = CONFIDENCE_CERTAIN;
        break;
    case SATURATION_KNEE:
        finding->confidence = is_bend(f) ? CONFIDENCE_POSSIBLE : CONFIDENCE_LIKELY;
        break;
    default:
        finding->confidence = CONFIDENCE_UNKNOWN;
    }
    enum confidence most = unlisted_at_most(in);
    if (finding->confidence > most)
        finding->confidence = most;
    return true;
}

const struct rule rule_level = {
    "level",
    "the rate levels off and no known cap explains it",
    evaluate,
};
