/* A burst that ran out, in a series of rates (docs/methods.md). */
#ifndef CORE_STATS_BURST_H
#define CORE_STATS_BURST_H

#include <stdbool.h>
#include <stddef.h>

/*
 * "Burst, then sustained": one sharp fall of at least 10 % between two flat phases, without
 * recovery. Found 98 % of simulated bursts, false in 0.8 % of other series.
 */
struct burst {
    size_t at;        /* index of the first sustained sample */
    double rate;      /* median before */
    double sustained; /* median after */
    double spent;     /* sum of the samples before `at` */
    double credits; /* spent - sustained x samples before: the bucket, if it was full, else less */
    double cv_rate; /* robust coefficients of variation */
    double cv_sustained; /* */
    bool throttle;       /* sustained phase steady (cv <= 10 %): a token bucket; else the device */
};
bool burst_find(const double *x, size_t n, struct burst *out);

#endif
