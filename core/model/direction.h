/* One direction (read, write, trim ...) of a cell: counts, rates, the three latencies, the series.
 */
#ifndef CORE_MODEL_DIRECTION_H
#define CORE_MODEL_DIRECTION_H

#include "core/model/field.h"
#include "core/model/hist.h"
#include "core/model/series.h"

enum dir {
    DIR_READ,
    DIR_WRITE,
    DIR_TRIM,
    DIR_MIXED, /* only imported: fio's unified_rw_reporting adds all directions up */
    DIR_SYNC,  /* fsync and fdatasync calls: latency and count only */
    DIR_COUNT,
};
extern const char *const dir_names[DIR_COUNT + 1]; /* "read" ... */

enum lat_kind {
    LAT_SLAT, /* submission: start to the return of the submit call */
    LAT_CLAT, /* completion: from there to the reaping */
    LAT_LAT,  /* both: start (under a rate: the instant it was due) to the reaping */
    LAT_KIND_COUNT,
};
extern const char *const lat_kind_names[LAT_KIND_COUNT + 1]; /* "slat" "clat" "lat" */

/* clang-format off */
#define LAT_FIELDS(X) \
    X(U64,  n,      COUNT, "samples") \
    X(U64,  min,    NS,    "smallest") \
    X(U64,  max,    NS,    "largest") \
    X(F64,  mean,   NS,    "mean") \
    X(F64,  stddev, NS,    "standard deviation")

#define DIRECTION_FIELDS(X) \
    X(U64,  ios,          COUNT,       "completed I/Os") \
    X(U64,  bytes,        BYTES,       "bytes they moved") \
    X(U64,  runtime_ns,   NS,          "time they are counted over") \
    X(F64,  iops,         IOPS,        "ios / runtime") \
    X(F64,  bw,           BYTES_PER_S, "bytes / runtime") \
    X(U64,  short_ios,    COUNT,       "I/Os that moved less than asked") \
    X(U64,  failed_ios,   COUNT,       "I/Os that failed") \
    X(F64,  iops_min,     IOPS,        "smallest sampled rate") \
    X(F64,  iops_max,     IOPS,        "largest sampled rate") \
    X(F64,  iops_mean,    IOPS,        "mean of the sampled rates") \
    X(F64,  iops_stddev,  IOPS,        "standard deviation of the sampled rates") \
    X(F64,  bw_min,       BYTES_PER_S, "smallest sampled bandwidth") \
    X(F64,  bw_max,       BYTES_PER_S, "largest sampled bandwidth") \
    X(F64,  bw_mean,      BYTES_PER_S, "mean of the sampled bandwidths") \
    X(F64,  bw_stddev,    BYTES_PER_S, "standard deviation of the sampled bandwidths") \
    X(U64,  rate_samples, COUNT,       "number of those samples") \
    X(F64,  offered_iops, IOPS,        "I/Os per second that a rate-limited load was due to issue") \
    X(U64,  backlog_max,  COUNT,       "most I/Os due and not issued at one time") \
    X(F64,  late_share,   RATIO,       "share of I/Os issued later than one gap after they were due")
/* clang-format on */

struct lat_point {
    double p; /* 0..100 */
    uint64_t ns;
};

struct lat {
    uint64_t known;
    LAT_FIELDS(FIELD_MEMBER)
    struct hist *hist;          /* exact, or NULL: never made from percentiles */
    struct lat_point *reported; /* percentiles as an imported file states them, ascending */
    size_t n_reported;
};

struct direction {
    uint64_t known;
    DIRECTION_FIELDS(FIELD_MEMBER)
    struct lat lat[LAT_KIND_COUNT];
    struct series *series; /* or NULL */
};

#define LAT_ENUM(type, name, unit, help)       LAT_F_##name,
#define DIRECTION_ENUM(type, name, unit, help) DIRECTION_##name,
enum { LAT_FIELDS(LAT_ENUM) LAT_FIELD_COUNT };
enum { DIRECTION_FIELDS(DIRECTION_ENUM) DIRECTION_FIELD_COUNT };
extern const struct field_set lat_fields;
extern const struct field_set direction_fields;

/*
 * True when the direction did anything: I/Os, bytes, their rates (all that some sources state) or
 * latency samples known and above zero (or a mean of uncounted ones), or a series without counts of I/Os.
 */
bool direction_is_used(const struct direction *d);
void direction_release(struct direction *d);
/* Deep copy; *to must be empty ({0}). */
void direction_copy(struct direction *to, const struct direction *from);

/* Fills rate_samples and the figures of the sampled rates from the series; nothing without one. */
void direction_set_samples(struct direction *d);

/* Fills n, min, max, mean, stddev from the histogram's exact sums (l->hist must be set). */
void lat_from_hist(struct lat *l);
/*
 * Percentile p (0..100) from the histogram, else the reported one within 1e-6 of p. False when
 * neither is there.
 */
bool lat_percentile(const struct lat *l, double p, uint64_t *ns);
void lat_release(struct lat *l);
/* I/Os of a direction as samples: as counted, else its rate over its time (terse output states no count); 0: unknown. */
uint64_t direction_samples(const struct direction *d);
/*
 * Do enough samples stand behind a percentile to show it (hist_supports)? The rule is the same for a
 * histogram and for what a source reports, where the I/Os of the direction (direction_samples) count if it
 * states no samples; 0: not known either, and then what is reported stands.
 */
bool lat_supports(const struct lat *l, uint64_t ios, double p);

/*
 * The latency that stands for a cell: lat when the load was rate-limited, else clat (what fio
 * shows); the other one when only that is known, or only of that more than a mean (an imported file
 * has percentiles of one of them). LAT_KIND_COUNT when no latency is known.
 */
enum lat_kind direction_main_lat(const struct direction *d, bool rate_limited);

#endif
