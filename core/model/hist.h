/*
 * Latency histogram with fio's geometry, so that json+ bins come in without loss.
 *
 * Values are nanoseconds. 64 steps an octave, 29 groups, 1856 buckets: below 128 ns a bucket holds
 * one value, above it a bucket is at most 1/64 of its value wide, so its middle is off by at most
 * 1/128 (0.78 %). The last bucket also holds everything above its start (17,045,651,456 ns and up),
 * so n, min, max, sum and sum of squares are kept exactly beside the counts. v < 128:   index v
 *   otherwise: e = msb(v) - 6, index min((e + 1) * 64 + ((v >> e) & 63), 1855)
 * Source: axboe/fio stat.h (plat_val_to_idx, plat_idx_to_val).
 *
 * Not thread-safe: every job has its own and they are merged after the join.
 */
#ifndef CORE_MODEL_HIST_H
#define CORE_MODEL_HIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/strbuf.h"

#define HIST_BITS    6
#define HIST_GROUPS  29
#define HIST_BUCKETS 1856

/* Sums of squares of ns overflow 64 bits within seconds; the type is a GNU extension. */
__extension__ typedef unsigned __int128 hist_u128;

struct hist {
    uint64_t min; /* UINT64_MAX while empty */
    uint64_t max; /* 0 while empty */
    uint64_t sum;
    hist_u128 sum_sq;
    uint64_t count[HIST_BUCKETS];
};

void hist_init(struct hist *h);

static inline unsigned hist_index(uint64_t v)
{
    if (v < 128)
        return (unsigned)v;
    unsigned e = 63u - (unsigned)__builtin_clzll(v) - HIST_BITS;
    unsigned i = ((e + 1) << HIST_BITS) + (unsigned)(v >> e & 63);
    return i < HIST_BUCKETS - 1 ? i : HIST_BUCKETS - 1;
}

/* Records one value. O(1), no branch on the data but the first octave. */
static inline void hist_add(struct hist *h, uint64_t v)
{
    h->count[hist_index(v)]++;
    h->sum += v;
    h->sum_sq += (hist_u128)v * v;
    if (v < h->min)
        h->min = v;
    if (v > h->max)
        h->max = v;
}

/* Smallest value of bucket i, its width (values lo .. lo + width - 1), and its middle. */
uint64_t hist_lo(unsigned i);
uint64_t hist_width(unsigned i);
uint64_t hist_mid(unsigned i);

/* Number of values: the sum of the counts. O(buckets). */
uint64_t hist_n(const struct hist *h);
/* Mean and sample standard deviation (n - 1) from the exact sums; NaN for n = 0 (and 1 for stddev).
 */
double hist_mean(const struct hist *h);
double hist_stddev(const struct hist *h);

/* Adds all of `from` to `to`. */
void hist_merge(struct hist *to, const struct hist *from);

/*
 * Adds count values to the bucket that holds v, as when reading bins: sum and sum_sq grow by those
 * of the bucket's middle; min and max by v. Callers that know exact figures set them afterwards.
 */
void hist_add_bin(struct hist *h, uint64_t v, uint64_t count);

/*
 * The smallest bucket whose cumulative count reaches p/100 of n; its middle, clamped to min..max.
 * p in 0..100; 100 is max. 0 when empty. Error at most 0.78 % of the value.
 */
uint64_t hist_percentile(const struct hist *h, double p);
/* True when at least 10 values lie beyond percentile p: below that it is not worth showing. */
bool hist_supports(const struct hist *h, double p);
/* The same of any n values. */
bool percentile_has_samples(uint64_t n, double p);
/* Bounds of the share of values above v: those surely above, and those that may be (same bucket).
 */
void hist_share_above(const struct hist *h, uint64_t v, double *lo, double *hi);

/*
 * Confidence interval of a percentile: ranks n q -+ z sqrt(n q (1-q) deff), value lo of the lower
 * bucket, last value of the upper. deff >= 1 is the design effect for bursts (methods 2.5).
 */
void hist_percentile_ci(const struct hist *h, double p, double z, double deff, uint64_t *lo,
                        uint64_t *hi);

/* Kolmogorov-Smirnov distance and Wasserstein distance of ln(value) between two (bucket middles).
 */
double hist_ks(const struct hist *a, const struct hist *b);
double hist_wasserstein_ln(const struct hist *a, const struct hist *b);

/*
 * Compact bytes: 'H' 0x01 0x06, then LEB128 varints: number of nonzero buckets, then (index delta,
 * count) ascending, the first delta from 0. Appended to out. min, max, sums are not in it.
 */
void hist_encode(struct strbuf *out, const struct hist *h);
/*
 * Reads hist_encode's bytes; counts only, min/max/sums are estimated from the buckets (set them
 * from the record after). ERR_STORE when the bytes are damaged; *h is then unspecified.
 */
int hist_decode(struct hist *h, const void *bytes, size_t n, struct error *err);

#endif
