/*
 * Samples of one direction over time (default one a second): deltas of counters, never averages of
 * averages. The partial last interval of a cell is not in it.
 */
#ifndef CORE_MODEL_SERIES_H
#define CORE_MODEL_SERIES_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/strbuf.h"
#include "core/model/hist.h"

/* Interval histograms keep 8 steps an octave: hist buckets merged by 8; error 1/16. */
#define SERIES_HIST_BUCKETS (HIST_BUCKETS / 8)

/* What no point of a series states, because its source did not: it is 0 there. */
#define SERIES_NO_IOS   1u
#define SERIES_NO_BYTES 2u

struct series_point {
    uint64_t end_ns; /* end of the interval, since the start of the measured part */
    uint64_t len_ns; /* its true length (jitter matters) */
    uint64_t ios;
    uint64_t bytes;
    /* sum over the I/Os that completed in it (with SERIES_NO_IOS their mean); 0: unknown */
    uint64_t lat_sum_ns;
    uint64_t lat_max_ns;
    uint64_t lat_p50_ns; /* from the interval histogram; 0 when unknown */
    uint64_t lat_p99_ns;
    uint64_t inflight; /* at the end of the interval; 0 when unknown */
};

struct series {
    uint64_t interval_ns; /* nominal */
    unsigned missing;     /* SERIES_NO_... */
    struct series_point *point;
    size_t n;
    size_t room;
    uint32_t *hist; /* n * SERIES_HIST_BUCKETS counts, or NULL */
};

void series_release(struct series *s);
struct series_point *series_append(struct series *s);
void series_copy(struct series *to, const struct series *from);
/* I/Os per second, bytes per second, mean latency (ns) of point i; NaN when unknown. */
double series_iops(const struct series *s, size_t i);
double series_bw(const struct series *s, size_t i);
double series_lat_mean(const struct series *s, size_t i);
/* Middle of an interval histogram bucket, ns. */
uint64_t series_hist_mid(unsigned bucket);
/* Percentile p (0..100) of one interval histogram: the middle of its bucket; 0 when it is empty. */
uint64_t series_hist_percentile(const uint32_t *row, double p);

/*
 * Compact bytes: 'S' 0x01 ('S' 0x02 and `missing` when that is not 0), LEB128 interval_ns and n, then
 * for each point the members in order, ends and lengths as zigzag differences from the nominal grid.
 * Histograms: 'T' 0x01, n, then per point number of nonzero buckets and (index delta, count).
 */
void series_encode(struct strbuf *out, const struct series *s);
int series_decode(struct series *s, const void *bytes, size_t n, struct error *err);
void series_encode_hist(struct strbuf *out, const struct series *s);
/* After series_decode: fills s->hist. */
int series_decode_hist(struct series *s, const void *bytes, size_t n, struct error *err);

#endif
