/*
 * Ranks 1 .. n with weight k^-theta, theta > 0, drawn exactly in O(1) without a table: rejection-
 * inversion (W. Hörmann, G. Derflinger, "Rejection-inversion to generate variates from monotone
 * discrete distributions", ACM TOMACS 6(3), 1996).
 */
#ifndef RUNNER_WORKLOAD_ZIPF_INTERNAL_H
#define RUNNER_WORKLOAD_ZIPF_INTERNAL_H

#include "core/base/rng.h"

struct zipf {
    uint64_t n;
    double theta;
    double h_low, h_high; /* integral of the weight up to 3/2 less 1, and up to n + 1/2 */
    double accept;        /* k - x below it needs no test */
};

void zipf_init(struct zipf *z, uint64_t n, double theta);
uint64_t zipf_rank(const struct zipf *z, struct rng *rng);

#endif
