/*
 * Presets of axes after the tests of SNIA's performance test specification (PTS 2.0.2), as far as
 * implementations of it and general knowledge tell: "PTS-style", not compliant. In each round every
 * cell is measured once; one cell is followed, and when its value is steady (core/stats/steady.h)
 * the last rounds of all cells are the result.
 */
#ifndef RUNNER_PLAN_SUITE_H
#define RUNNER_PLAN_SUITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/model/cell.h"

struct plan_suite {
    const char *name;
    const char *summary;
    const char *rw;        /* in order of execution, comma between */
    const char *rwmixread; /* of randrw; range text */
    const char *bs;
    const char *iodepth; /* what the operator may choose otherwise */
    enum rw followed_rw;
    uint64_t followed_bs;
    bool follows_latency; /* the mean latency of that cell; else its IOPS */
};

/* NULL when there is none of that name. */
const struct plan_suite *plan_suite_find(const char *name);
extern const struct plan_suite plan_suites[]; /* the last has no name */
extern const char *const plan_suite_names[];  /* "none", then theirs; NULL-terminated */

/* The value of a measured cell that is followed; NaN: unknown. suite NULL: its IOPS. */
double plan_suite_value(const struct plan_suite *suite, const struct cell *cell);

#endif
