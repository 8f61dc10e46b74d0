/*
 * A runtime for every cell so that the whole plan fits into a given time, and what a reader of the
 * results gives up for it.
 */
#ifndef RUNNER_PLAN_BUDGET_H
#define RUNNER_PLAN_BUDGET_H

#include "core/base/error.h"
#include "core/base/strbuf.h"
#include "runner/plan/plan.h"

/*
 * Sets runtime_ns, and ramp_ns unless it is given: rounds and `until` count at their longest, and
 * opening and draining a cell as a tenth of a second. ERR_USAGE when less than a second is left for
 * each cell.
 */
int plan_fit_budget(struct plan_axes *axes, uint64_t budget_ns, bool ramp_given, struct error *err);
/* Appends a sentence a line for each thing that such short cells cannot give; nothing for long ones. */
void plan_budget_gives_up(struct strbuf *out, const struct plan_axes *axes);

#endif
