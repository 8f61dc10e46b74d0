/* Order statistics of samples that stalls and spikes do not move far. */
#ifndef CORE_STATS_SAMPLE_STATS_H
#define CORE_STATS_SAMPLE_STATS_H

#include <stddef.h>

/* Mean of the two middle values for an even n; NaN for 0. */
double stat_median(const double *x, size_t n);
/* 1.4826 x median absolute deviation: the standard deviation for a normal x. */
double stat_robust_sd(const double *x, size_t n);
/* Running median over 7 values, mirrored at the ends. out has n elements; n >= 3. */
void stat_running_median(const double *x, size_t n, double *out);
/* Autocorrelation at lag 1 of x minus its mean; 0 for a constant x. */
double stat_lag1(const double *x, size_t n);

#endif
