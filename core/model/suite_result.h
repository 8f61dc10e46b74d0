/*
 * What a suite came to (core/model/suite.h): the tables of its test and the facts of its steady
 * state, one result for each device (or set of devices) and repeat. Figures are of the last
 * STEADY_WINDOW rounds, which the cells hold together.
 */
#ifndef CORE_MODEL_SUITE_RESULT_H
#define CORE_MODEL_SUITE_RESULT_H

#include <cjson/cJSON.h>

#include "core/base/numfmt.h"
#include "core/base/strbuf.h"
#include "core/model/suite.h"
#include "core/stats/steady.h"

enum suite_measure {
    SUITE_IOPS,
    SUITE_MEAN, /* latencies, ns: reads and writes of a mix together */
    SUITE_P99_9,
    SUITE_P99_999,
    SUITE_MAX,
    SUITE_MEASURES,
};
extern const char *const suite_measure_names[SUITE_MEASURES];  /* in JSON: "iops", "mean_ns" ... */
extern const char *const suite_measure_titles[SUITE_MEASURES]; /* for people: "IOPS" ... */

/* One load. NaN: unknown, or too few I/Os lie beyond a percentile (hist_supports). */
struct suite_point {
    unsigned reads; /* percent of the I/Os */
    uint64_t bs;
    double value[SUITE_MEASURES];
};

/* The long measurement. */
struct suite_histogram {
    bool known;
    uint64_t ios;
    uint64_t runtime_ns;
    struct suite_point point;
};

struct suite_result {
    size_t *device; /* indexes into run.device */
    size_t n_devices;
    uint64_t repeat;
    struct suite_point *point;
    size_t n_points, point_room;
    unsigned *reads; /* the axes of the tables, ascending: first those that only write */
    uint64_t *bs;
    size_t n_reads, n_bs;
    /* of the load that is followed */
    double round[STEADY_ROUNDS_MAX]; /* its value in each round */
    size_t n_rounds;                 /* 0: its result is not there */
    struct steady steady;            /* of the last of them */
    struct suite_histogram histogram;
};

struct suite_results {
    const struct suite *suite; /* NULL: the run is of none, and there are no results */
    struct suite_result *result;
    size_t n, room;
};

/* All zero before; suite_results_release() after. */
void suite_results_begin(struct suite_results *r, const struct run *run);
/* Cells in any order, with their histograms; what is no complete result is passed over. */
void suite_results_add(struct suite_results *r, const struct cell *cell);
/* Makes the axes, when all cells were added. */
void suite_results_end(struct suite_results *r);
void suite_results_release(struct suite_results *r);

/* Which tables a test has, in their order. */
size_t suite_tables(const struct suite *suite, enum suite_measure table[SUITE_MEASURES]);
/* NaN where there is no such load, or its value is unknown. */
double suite_result_at(const struct suite_result *r, enum suite_measure m, unsigned reads,
                       uint64_t bs);
/* True when a table of it would not be empty. */
bool suite_knows(const struct suite_result *r, enum suite_measure m);
/* Says which tables would be, and why; nothing when none is. */
void suite_left_out(struct strbuf *out, const struct suite *suite, const struct suite_result *r);
/* The long measurement in a few sentences. */
void suite_histogram_words(struct strbuf *out, const struct suite_histogram *h);
/* "3,498" or "412 µs"; "–" for NaN. Returns buf. */
char *suite_format(char buf[NUMFMT_MAX], enum suite_measure m, double value);
/* What is followed: "IOPS of randwrite 4k". */
void suite_followed_words(struct strbuf *out, const struct suite *suite);
/* A sentence or two on the steady state, with SNIA's bounds and the fitted line. */
void suite_verdict(struct strbuf *out, const struct suite *suite, const struct suite_result *r);
/* The first and the last round of the window, from 1; false without one. */
bool suite_window(const struct suite_result *r, size_t *first, size_t *last);

/* Member "suite" of obj: null when the run is of none. */
void suite_results_to_json(cJSON *obj, const struct suite_results *r);

#endif
