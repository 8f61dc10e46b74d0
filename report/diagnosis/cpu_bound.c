#include "report/diagnosis/rule.h"

#include <math.h>

/* Logistic in the share of one CPU that the busiest thread used: half at 90 % (tuned). */
#define CPU_FULL  0.90
#define CPU_WIDTH 0.015

static bool evaluate(const struct rule_input *in, struct finding *finding)
{
    const struct row_facts *f = in->facts;
    if (!isfinite(f->cpu))
        return false;
    double weight = 1 / (1 + exp(-(f->cpu - CPU_FULL) / CPU_WIDTH));
    if (weight < 0.5)
        return false;
    finding->binds = BINDS_CPU;
    finding->confidence = weight > 0.97 ? CONFIDENCE_CERTAIN : CONFIDENCE_LIKELY;
    return true;
}

const struct rule rule_cpu_bound = {
    "cpu_bound",
    "the load generator's CPU was full",
    evaluate,
};
