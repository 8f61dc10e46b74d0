/*
 * Tests after SNIA's performance test specification (PTS 2.0.2), as far as implementations of it
 * and general knowledge tell: "PTS-style", not compliant. A suite is a preset of axes. In each round
 * every cell is measured once; one cell is followed, and when its value is steady
 * (core/stats/steady.h) the last rounds of all cells are the result. A suite may end with one long
 * measurement of the followed load, for the histogram of its latencies.
 */
#ifndef CORE_MODEL_SUITE_H
#define CORE_MODEL_SUITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/model/cell.h"

struct run;

struct suite {
    const char *name;
    const char *summary;
    const char *rw;        /* in order of execution, comma between */
    const char *rwmixread; /* of randrw; range text */
    const char *bs;
    const char *iodepth; /* what the operator may choose otherwise */
    enum rw followed_rw;
    uint64_t followed_bs;
    bool follows_latency;      /* the mean latency of that cell; else its IOPS */
    unsigned histogram_rounds; /* length of the long measurement, in rounds; 0: there is none */
};

/* `stage` of the cell that is the long measurement (core/model/cell.h). */
#define STAGE_HISTOGRAM "histogram"

/* NULL when there is none of that name. */
const struct suite *suite_find(const char *name);
extern const struct suite suites[];     /* the last has no name */
extern const char *const suite_names[]; /* "none", then theirs; NULL-terminated */

/* The suite that the run's plan names; NULL: none, or one that this program does not know. */
const struct suite *suite_of_run(const struct run *run);
bool suite_follows(const struct suite *suite, enum rw rw, uint64_t bs);

/*
 * True when cells of this load are judged by their mean latency: in a suite as it says, and
 * elsewhere under a rate of their own, which the IOPS would only repeat.
 */
bool suite_judges_latency(const struct suite *suite, const struct cell_key *key);
/* The value of a measured cell that must get steady, IOPS or ns; NaN: unknown. suite may be NULL. */
double suite_value(const struct suite *suite, const struct cell *cell);

#endif
