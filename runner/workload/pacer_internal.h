/*
 * Instants at which I/Os are due under a rate. Each is the one before plus a gap that depends on
 * nothing that happens, so an I/O that is late does not move the later ones. Gaps are even, or
 * exponential with the same mean (arrivals of many independent users: a Poisson process).
 */
#ifndef RUNNER_WORKLOAD_PACER_INTERNAL_H
#define RUNNER_WORKLOAD_PACER_INTERNAL_H

#include <stdbool.h>

#include "core/base/rng.h"

struct pacer {
    double ns_per_io;   /* 0: counts bytes */
    double ns_per_byte; /* 0: counts I/Os; both 0: no pace, always due */
    double next;        /* ns since the start of the load */
    bool poisson;
    struct rng rng;
};

/* `share` (0..1) shifts the first arrival by that part of a gap. `bytes`: of a typical I/O. */
void pacer_init(struct pacer *p, double iops, double bytes_per_s, bool poisson, uint64_t seed,
                double share, double bytes);
/* Moves on to the next arrival, after an I/O of so many bytes. */
void pacer_advance(struct pacer *p, uint32_t bytes);

#endif
