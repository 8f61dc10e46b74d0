/*
 * The mean of a series of samples over time, and how sure it is. Samples of one measurement are not
 * independent: what counts is how many independent ones they are worth (Geyer 1992, initial positive
 * sequence; docs/methods.md).
 */
#ifndef CORE_STATS_MEAN_INTERVAL_H
#define CORE_STATS_MEAN_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>

/* NaN for none. */
double mean_of(const double *x, size_t n);

/*
 * Effective number of independent values: n / (1 + 2 sum rho_k), pairs of autocorrelations added
 * while positive. Never above n.
 */
double effective_n(const double *x, size_t n);

/*
 * Mean of one autocorrelated series with its 95 % interval, t(n_eff - 1). It says nothing about
 * differences between repeats. False (NaN) with under 3 values.
 */
struct mean_interval {
    double mean, lo, hi, n_eff;
};
bool interval_of_mean(const double *x, size_t n, struct mean_interval *out);

#endif
