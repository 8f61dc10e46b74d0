/*
 * Change points of a series of rates (docs/methods.md): optimal partition by PELT (Killick 2012), with
 * a penalty that knows how the noise is correlated. Thresholds are tuned by simulation.
 */
#ifndef CORE_STATS_SEGMENTS_H
#define CORE_STATS_SEGMENTS_H

#include <stddef.h>

/* A piece of the series: samples start .. end - 1. */
struct segment {
    size_t start, end;
    double level; /* exp of the median of ln(value) */
};

/*
 * Optimal partition: minimises the sum of squares within segments plus penalty for each, segments of
 * at least min_len values. Writes the starts (the first is 0) and returns their number; starts has
 * room for n / min_len + 1.
 */
size_t partition_l2(const double *y, size_t n, double penalty, size_t min_len, size_t *starts);

/*
 * Change points of a series of rates (> 0): spikes clipped, penalty from the long-run variance of
 * the residuals, cuts of under 5 % or under 4 standard errors dropped. Returns an array of *n_out
 * segments (at least 1 when n > 0), free with free().
 */
struct segment *segments_find(const double *x, size_t n, size_t *n_out);

#endif
