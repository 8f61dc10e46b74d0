/*
 * Steady state as SNIA's performance test specification has it (PTS 2.0.2, 2.1.24): a load is
 * measured in rounds until one value a round has settled. The window of the last rounds is the
 * result.
 */
#ifndef CORE_STATS_STEADY_H
#define CORE_STATS_STEADY_H

#include <stdbool.h>
#include <stddef.h>

#define STEADY_WINDOW     5    /* rounds */
#define STEADY_ROUNDS_MAX 25   /* then it is given up: not steady */
#define STEADY_RANGE_MAX  0.20 /* of the mean */
#define STEADY_SLOPE_MAX  0.10 /* of the mean, over the window */

/* The last STEADY_WINDOW of n rounds; known from that many on, where their mean is above 0. */
struct steady {
    bool known, steady;
    double range;     /* (max - min) / mean; at most STEADY_RANGE_MAX */
    double excursion; /* |least-squares slope| x 4 / mean; at most STEADY_SLOPE_MAX */
    double mean, slope;
};
void steady_check(const double *y, size_t n, struct steady *out);

#endif
