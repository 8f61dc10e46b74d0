/*
 * Caps that a run went past. What is delivered of a cap is at most some percent above it, so what lies
 * farther above was not held by it; and a cap that one load of a run passes holds no other load either,
 * unless a cache of the host served the first, or credits that are not listed ran out between the two.
 */
#ifndef REPORT_DIAGNOSIS_PASSED_H
#define REPORT_DIAGNOSIS_PASSED_H

#include "report/analysis/analysis.h"

/* Above this factor a rate is held by something else; more where the rate is noisy (se: relative). */
double passed_factor(double se);

/* A rate is above all that is listed of one owner, kind and cache path. */
struct passed_cap {
    const struct limit *limit; /* the highest of them */
    double total;              /* its value for all devices of the row, in the unit of its kind */
    double over;               /* rate / cap - 1 */
};
/*
 * Those that `rate` of the row is above by more than the factor; room for run->n_limits. Where the other
 * directions were measured over other times they count as idle: more of the budget was used, not less.
 * Sequential I/Os may be merged on the way, so they pass no cap of IOPS.
 */
size_t caps_passed(const struct row *r, double rate, double factor, struct passed_cap *out);
/* True when both are of one owner, kind, direction and path: base and burst figures. */
bool is_like(const struct limit *a, const struct limit *b);

/* A cache of the host may serve I/Os that no disk sees. */
bool is_host_cached(const struct run *run);

enum doubt {
    DOUBT_NONE,
    DOUBT_BEFORE,  /* passed before this row only: it may be what is left of an unlisted burst */
    DOUBT_REFUTED, /* passed by another row: it cannot hold this one */
};

struct passed;
/* What the rows of a run say of each of its limits. */
struct passed *passed_create(const struct analysis *a, const struct run *run);
/* Accepts NULL. */
void passed_destroy(struct passed *p);
/* p may be NULL: no doubt. */
enum doubt passed_doubt(const struct passed *p, const struct limit *l, const struct row *r);

/*
 * What a cap let through at once at the start of the row, as a share of what it lets through in its time:
 * while nothing is asked of it, a throttle saves up for 100 ms (blk-throttle's slice, a tenth of a second).
 * 0 with a ramp, which uses that up, and where the time is not known.
 */
double saved_up(const struct row *r);
/* So short that it moves a rate by a tenth. */
#define SAVED_UP_SHORT 0.1

#endif
