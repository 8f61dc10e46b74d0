#include "report/diagnosis/rule.h"

/*
 * The order is part of the method: what the load itself was told comes first, then the machine that
 * makes it; a known cap before latency, since at a cap latency is only the queue.
 */
const struct rule *const rule_table[] = {
    &rule_rate_limited, &rule_cpu_bound, &rule_known_cap, &rule_depth_too_low, &rule_level, NULL,
};
