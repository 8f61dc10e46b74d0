/*
 * The plan of a sweep: from the axes of a matrix to an ordered list of cells with their exact
 * duration. The same axes always give the same cells in the same order, so the axes are all that is
 * kept (as JSON, with the run), and a resumed run finds out what is left from the cells it has.
 *
 * Order: every cell once, then all of them again for the next repeat, never back to back, so that
 * drift shows as a difference between repeats. Inside a repeat: device by device, then rw, rwmixread
 * (mixed patterns only), bs, iodepth, numjobs, the last turning fastest, each in the order given.
 * Burst credits make the order part of the result; PLAN_SHUFFLED breaks it up, anew in each repeat,
 * by the seed.
 *
 * With a curve each of these cells is the maximum (a closed loop at its depth) of an open loop at
 * shares of it, whose cells follow at once: the response curve. Their rates are known when the
 * maximum is, so a shuffled plan moves a curve as a whole.
 *
 * The cells of a suite are measured in rounds, device by device, so they are shuffled within those;
 * the long measurement for the histogram of a device ends its cells.
 */
#ifndef RUNNER_PLAN_PLAN_H
#define RUNNER_PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/range.h"
#include "core/model/cell.h"
#include "core/model/suite.h"

#define PLAN_MAX_CELLS UINT64_C(100000)
#define PLAN_MAX_NS    (UINT64_C(366) * 86400 * UINT64_C(1000000000))
/* Seeds pass through JSON, whose numbers are doubles. */
#define PLAN_MAX_SEED ((UINT64_C(1) << 53) - 1)

enum plan_order { PLAN_IN_ORDER, PLAN_SHUFFLED };
extern const char *const plan_order_names[]; /* "plan", "shuffle"; NULL-terminated */

/* What was asked for. Ranges are owned by whoever has the struct: plan_axes_release. */
struct plan_axes {
    enum rw rw[RW_COUNT];
    size_t n_rw;
    struct range rwmixread; /* percent; empty: 50 */
    struct range bs;        /* with base.bs_text one value: the largest of those sizes */
    struct range iodepth;
    struct range numjobs;
    struct range curve; /* percent of each cell's maximum, measured after it; empty: none */
    uint64_t repeats;
    size_t n_devices;
    bool together; /* every cell loads all devices at once; else each has cells of its own */
    bool alone;    /* with together: each device by itself, too, before all at once */
    enum plan_order order;
    uint64_t seed;
    uint64_t runtime_ns;  /* of the measured part of a cell (of a round); with `until` at most */
    uint64_t ramp_ns;     /* before it */
    uint64_t interval_ns; /* of the series */
    double until; /* above 0: a cell ends when half the interval of its mean IOPS, over the mean, is
                   * no more (job.h), but not before min_runtime_ns */
    bool drain;   /* or when a burst has run out and what lasts was seen (job.h) */
    uint64_t min_runtime_ns;
    bool steady; /* a cell is measured in rounds until its value is steady (core/stats/steady.h) */
    uint64_t budget_ns;        /* what the runtime was chosen for; 0: it was given */
    const struct suite *suite; /* all cells are, and one of them is followed; NULL: none */
    uint64_t
        histogram_rounds; /* of a suite: then its load once more for so many runtimes; 0: not */
    struct cell_key base; /* its known fields hold for every cell */
};

struct plan_cell {
    uint64_t ordinal; /* place in the plan, from 0 */
    uint64_t repeat;  /* from 1 */
    size_t device;    /* index of its device; n_devices: all of them together */
    enum rw rw;
    uint64_t rwmixread; /* counts for mixed patterns only */
    uint64_t bs;
    uint64_t iodepth;
    uint64_t numjobs;
    uint64_t percent; /* a step of a curve: of the maximum; else 0 */
    double rate[2];   /* its I/Os per second and job: of reads (or all), of the writes of a mix;
                       * 0: the maximum is not known yet */
    bool histogram;   /* measured once, after the rounds of the others */
    bool done;
};

struct plan {
    struct plan_axes axes;
    struct plan_cell *cell; /* in the order of execution */
    size_t n;
};

void plan_axes_release(struct plan_axes *axes);
/* Measurements that the axes make, at most: cells with all their rounds; a long one counts as many. */
uint64_t plan_measurements(const struct plan_axes *axes);

/*
 * Takes the axes over (also when it fails, then they are released). ERR_USAGE for an axis without
 * values, for more than PLAN_MAX_CELLS cells or PLAN_MAX_NS, and for a suite without the cell that
 * it follows.
 */
int plan_create(struct plan **out, struct plan_axes *axes, struct error *err);
void plan_destroy(struct plan *p);

/*
 * The key of a cell: base and axes, less what says nothing about its pattern, so that the same load
 * has the same key in every sweep: the distribution of a sequential pattern, sync calls and contents
 * of buffers where nothing is written, the writes' block size and rate of a pattern that does not
 * mix (one that only writes takes the writes' rate for its own). With base.bs_text bs is not in the
 * key. *out must be empty; fields_release(&cell_key_fields, out).
 */
void plan_key(struct cell_key *out, const struct plan *p, const struct plan_cell *cell);

/*
 * A cell of the plan was measured: when it is the maximum of a curve, its steps get their rates, also
 * those of later repeats. Steps that have one keep it.
 */
void plan_set_maximum(struct plan *p, uint64_t ordinal, const struct cell *measured);
/* False for a step whose maximum is not known. */
bool plan_rate_is_known(const struct plan_cell *cell);
/* The step takes over the rate it was measured at. */
void plan_take_rate(struct plan_cell *step, const struct cell *stored);

/* The devices of a cell are *first and those after it; returns how many, several when it loads all. */
size_t plan_cell_devices(const struct plan *p, const struct plan_cell *cell, size_t *first);

/*
 * Time of one cell (of one round of it), and of all that are not done: at most, where the plan
 * leaves it open (`until`, rounds), and at least. Exact but for opening and draining.
 */
uint64_t plan_cell_ns(const struct plan *p);
/* Its measured part, at most. */
uint64_t plan_runtime_ns(const struct plan *p, const struct plan_cell *cell);
/* How often a cell is measured, at most. */
uint64_t plan_rounds(const struct plan *p, const struct plan_cell *cell);
uint64_t plan_left_ns(const struct plan *p);
uint64_t plan_left_least_ns(const struct plan *p);
size_t plan_left(const struct plan *p);
/* True when the cells are measured in rounds: at least STEADY_WINDOW, at most STEADY_ROUNDS_MAX. */
bool plan_has_rounds(const struct plan *p);

/* What the cells that are left write to one device at most, ramps and all rounds included. */
struct plan_writes {
    uint64_t ns;      /* time in which they write */
    uint64_t open_ns; /* of it, without a known rate, a step of a curve by its share: how
                       * much is up to the device */
    double bytes;     /* of the others, at most: a device may not keep the rate up */
    uint64_t trim_ns; /* time in which they trim */
};
void plan_writes(struct plan_writes *out, const struct plan *p, size_t device);
/*
 * Adds a load on one device that lasts so long. `bs` is its largest block, for a key that has not
 * one size; `percent` that of a step of a curve, else 0.
 */
void plan_writes_add(struct plan_writes *w, const struct cell_key *key, uint64_t bs, uint64_t ns,
                     uint64_t percent);

/*
 * Marks the cell of the plan that this stored cell is (ordinal, repeat, devices and key must agree)
 * as done. False when the plan has no such cell. Only complete cells count as done; others are
 * recognised and stay to be measured again.
 */
bool plan_mark(struct plan *p, const struct cell *stored);

/* The axes as JSON text, one line; free with free(). */
char *plan_to_json(const struct plan *p);
/* Makes the plan again from that text. ERR_STORE when it is none, or of a newer version. */
int plan_from_json(struct plan **out, const char *json, struct error *err);

#endif
