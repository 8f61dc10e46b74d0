/*
 * The methods behind every judgement (docs/methods): numbers in, numbers out. Nothing here knows a
 * device, a picture or a sentence. Rates are per second, latencies ns, NaN is unknown.
 *
 * The thresholds marked "tuned" come from the simulations that docs/methods describes.
 */
#ifndef REPORT_ANALYSIS_ANALYSIS_H
#define REPORT_ANALYSIS_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/model/series.h"
#include "core/stats/burst.h"
#include "report/dataset/dataset.h"

struct arena;

/* ---- Depth: one pattern, one block size, growing queue depth ---------------------------------- */

/* A rung of the ladder, ascending in depth, iops > 0. */
struct rung {
    double depth;
    double iops;
    double se; /* relative standard error of iops; 0 when unknown */
};

/*
 * The knee: the first rung from which no later one lies 5 % or more higher for each doubling of the
 * depth. Index of the rung; n when every rung still gains (or there are under 2): no knee.
 */
size_t knee_find(const struct rung *r, size_t n);

/*
 * The rung that shows the level: the deepest that is no more than a tenth below the highest rate, as 0.90 is
 * delivered of a cap. n > 0.
 */
size_t level_rung(const struct rung *r, size_t n);

/* A step of a response curve: an open loop, ascending in iops; all above 0. */
struct response_step {
    double iops;
    double latency; /* mean, from the due time */
};

/*
 * The knee of a response curve: the step at which IOPS / latency ("power", Kleinrock 1979) is
 * highest. Up to it the rate grows faster than latency, past it latency does. The later one of equal
 * steps; n when there are none.
 */
size_t response_knee(const struct response_step *s, size_t n);

/* The steps that belong to one maximum (struct row), by rate. */
struct response {
    const struct row *maximum;
    const struct row **step;
    size_t n, knee; /* knee: n when a latency is not known */
};

/*
 * Those of `maximum` among n rows of its dataset; false when it has none. The array lives in the
 * arena.
 */
bool response_find(struct response *out, struct arena *a, const struct row *all, size_t n,
                   const struct row *maximum);
/* Share of the maximum that a step was asked to do. */
double response_share(const struct row *step);

enum saturation {
    SATURATION_UNKNOWN, /* one depth only */
    SATURATION_YES,     /* the rate does not grow with depth: something caps it */
    SATURATION_KNEE,    /* bending: latency grows, the rate still does */
    SATURATION_NO,      /* the rate grows with depth: latency is the limit */
};

struct saturated {
    enum saturation state;
    double latency_weight; /* 0..1: weight of "bound by latency, not by a cap" */
    double elasticity;     /* d ln X / d ln Q against the rung before (the first: to the next) */
    double inflation;      /* latency against that at the lowest depth, by Little's law */
};

/*
 * For each rung. e = ln(X2/X1)/ln(Q2/Q1), tol = min(0.1, 2 se(e)). e <= 0.15 + tol: saturated;
 * else weight = clamp((1.60 - inflation) / 0.50, 0, 1), 1 for the first rung (tuned). One rung:
 * unknown, weight 0.30. out has n elements.
 */
void saturation_find(const struct rung *r, size_t n, struct saturated *out);

/*
 * I/Os in flight by Little's law over the nominal depth, all directions of the cell: 1 in a closed
 * loop that keeps its slots full. The measured value when the cell has one. NaN when unknown or when
 * the load is rate-limited. Below 0.95 the depth was not reached and the rate says nothing about
 * the device.
 */
#define LITTLE_MIN 0.95
double little_ratio(const struct cell *c);
/*
 * True when the depth was not reached. I/Os that were in flight where the window began and ended move
 * the ratio by no more than the longest latency over the window, which short cells at a throttle need.
 */
bool depth_was_missed(const struct cell *c);

/* ---- Block size: the shape of the ceiling, without any list of limits -------------------------- */

enum plateau_model {
    PLATEAU_NONE,
    PLATEAU_IOPS, /* a constant number of I/Os a second */
    PLATEAU_BW,   /* a constant number of bytes a second */
    PLATEAU_BOTH, /* the lower of both: two caps with a knee between */
    PLATEAU_SOFT, /* 1/X = 1/C + bs/B: fixed cost and transfer time, no throttle */
};

/* The rate at one block size at a depth that saturates; ascending bs. */
struct plateau_column {
    double bs;
    double iops;
    double se; /* relative */
};

struct plateau {
    enum plateau_model model;
    double iops;    /* the IOPS ceiling, NaN when the model has none */
    double bw;      /* the byte ceiling, likewise */
    double knee_bs; /* bw / iops */
    double io_size; /* an I/O above this counts as several: 0, 16384 or 262144 */
    double bic;
    double margin; /* of bic to the next model; under 2 is undecided */
    /*
     * Size for which "a byte cap" and "I/Os counted per this size" are the same curve (bw equals
     * iops x size within 2 %; 16k, 64k, 128k, 256k); 0 when none.
     */
    double alias_io_size;
};

/*
 * Fits all models on ln X with a Huber loss and takes the lowest BIC. Needs three columns: *out is
 * PLATEAU_NONE with fewer, and when the best model misses a column by over a quarter. Cap error 0.2 % median, 0.7 % at the 95th percentile (simulated).
 */
void plateau_fit(const struct plateau_column *c, size_t n, struct plateau *out);

/* ---- Time: one cell's samples ------------------------------------------------------------------ */

/* A phase of one cell in seconds from the start of the measured part. */
struct time_phase {
    double start_s, end_s;
    double iops; /* median; NaN unknown */
    double bw;
    double cv; /* robust coefficient of variation of the rate */
};

/*
 * What one direction of one cell did over time. Samples shorter than a second are added up to seconds
 * first (a throttle pulses). It is one phase under 10 samples, or when the running median varies by no
 * more than 10 %. A burst needs 30 samples, or a fall by 40 % or more; in a cell that is too short for
 * seconds it is looked for in 30 samples of a half or a quarter second.
 */
struct timeline {
    struct time_phase *phase; /* owned */
    size_t n;
    double step_s;      /* seconds a sample */
    size_t n_samples;   /* after adding up */
    bool is_tested;     /* 30 samples or more: "steady" may be said */
    bool has_burst;     /* phase 0 is the burst, the last one sustained */
    struct burst burst; /* of I/Os; credits in I/Os */
    double burst_bytes; /* the same credits in bytes; NaN unknown */
    /*
     * When the bucket ran empty: credits / (burst - sustained), finer than the samples; NaN without a
     * burst.
     */
    double exhausted_s;
};
/* False (and an empty timeline) when the series is NULL or has no samples. */
bool timeline_find(const struct series *s, struct timeline *out);
void timeline_release(struct timeline *t);

/* ---- Known caps -------------------------------------------------------------------------------- */

/* A listed cap as it applies to one row. */
struct row_cap {
    const struct limit *limit;
    /*
     * The row's I/Os per second at which it binds: for all its devices, with I/Os above the counted
     * size counted as several, and this direction's share where reads and writes have one budget.
     */
    double iops;
    double iops_max; /* the same for the upper end of a cap whose unit is unsure; else iops */
    double total,
        total_max; /* the cap itself for all devices of the row, in the unit of its kind */
};

/*
 * The caps of the row's run that apply to it, lowest first; out has room for run->n_limits. None when
 * the row has no rate. A disk's caps add up over the devices of the row; when one of several
 * devices has no such cap there is none for the set.
 */
size_t row_caps(const struct row *r, struct row_cap *out);
/*
 * The same where directions were measured over other times, which row_caps() leaves out: as if the others
 * had been idle. A rate above such a cap is above it whatever they did; below it nothing is known.
 */
size_t row_caps_at_most(const struct row *r, struct row_cap *out);
/*
 * Share of the row in what the budget of a cap sees: all directions unless it is of one, all devices
 * unless it is that of a disk. NaN when the rates of the directions cannot be added up, or jobs beside
 * it had their part.
 */
double row_share_of_budget(const struct row *r, const struct limit *l);

/* ---- All of it for one run --------------------------------------------------------------------- */

/* What is known about one row beyond its figures. */
struct row_facts {
    const struct row *row;
    struct saturated saturated;
    double deeper; /* most that a deeper queue gives, as a multiple; NaN: none deeper */
    double little; /* little_ratio of its first repeat */
    double cpu;    /* busiest job thread, share of a CPU; NaN unknown */
    double cv, se; /* robust, of the last phase; NaN unknown */
    double
        rate_now; /* IOPS of the last phase (its level when that is not the mean; the row's without samples) */
    double
        level; /* IOPS as caps are judged by: the median of the last phase, which stalls do not move; rate_now of few samples */
    double offered;           /* IOPS that the job was told to keep; NaN: it was free */
    bool rate_held;           /* an own rate limit was reached (99 % or more of what was offered) */
    struct timeline timeline; /* of the first repeat */
};

/* Rows that differ in depth only, ascending. */
struct ladder {
    uint64_t bs;
    struct row_facts **rung;
    size_t n;
    size_t knee; /* index; n: none */
    size_t top;  /* level_rung() */
};

/* Rows of one group: a curve family. */
struct family {
    const char *group;
    struct ladder *ladder; /* ascending bs; rows without one block size are left out */
    size_t n;
    struct plateau plateau; /* over the saturated deepest rungs */
};

struct analysis {
    struct row_facts *facts; /* one a row of the run, in row order; failed rows included */
    size_t n_facts;
    struct family *family;
    size_t n_families;
};

/* Rows of one run of the dataset, which must outlive the analysis. */
struct analysis *analysis_create(struct dataset *d, size_t run);
void analysis_destroy(struct analysis *a);

/* A device's share of cells that loaded several together: the whole speaks for it. */
bool family_is_share(const struct family *f);
/* How many devices its cells load at once. */
size_t family_devices(const struct family *f);
/*
 * The family with most cells: the one that the run is about; of several, devices together before those
 * devices alone. NULL: there is none.
 */
const struct family *analysis_main_family(const struct analysis *a);

#endif
