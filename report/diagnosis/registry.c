#include "report/diagnosis/rule.h"

/*
 * The order is part of the method: what the load itself was told comes first. A known cap, whose
 * model has weighed the generator's CPU and latency already, comes before those two; what volumes
 * counted themselves comes before it where it says otherwise. Of a job with others beside it only what
 * is its own is judged: no cap is (the model leaves it out), no latency, no level.
 */
const struct rule *const rule_table[] = {
    &rule_rate_limited,  &rule_counted_cap,   &rule_known_cap,  &rule_pauses, &rule_cpu_bound,
    &rule_beside_others, &rule_depth_too_low, &rule_short_cell, &rule_level,  NULL,
};
