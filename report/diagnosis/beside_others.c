/* Other jobs ran beside it: what a cap saw is the sum of all of them, so the rate of one tells nothing. */
#include "report/diagnosis/rule.h"

bool is_beside_others(const struct row *r)
{
    return cell_has_caveat(r->cell, "beside-others");
}

static bool evaluate(const struct rule_input *in, struct finding *finding)
{
    finding->binds = BINDS_UNKNOWN;
    finding->confidence = CONFIDENCE_UNKNOWN;
    return is_beside_others(in->facts->row);
}

const struct rule rule_beside_others = {
    "beside_others",
    "other jobs ran at the same time: what holds one of them cannot be told",
    evaluate,
};
