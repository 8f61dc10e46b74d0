/*
 * Which listed cap held each observation of a run. Hidden state: for each kind of cap with a burst
 * figure, whether credits are left (with several devices also "one spent, others not"); it changes
 * slowly over the run. Enumerated worlds: the host-cache path, how unsure units are meant, whether
 * large I/Os count as several. For each world and state the lowest cap is predicted; what is seen is
 * a hit of it, an unlisted ceiling below it, the generator's CPU, or latency. Forward-backward over
 * time, worlds weighted by how well they explain everything.
 *
 * What the volumes counted themselves weighs hits and unlisted ceilings, and decides between caps at one
 * place.
 *
 * Simulated: 96.9 % of verdicts right, 98.6 % where a listed cap binds; a posterior of 0.97 or more
 * is right in 98 %. Each constant moved by half changes that by at most 0.8 points.
 */
#ifndef REPORT_DIAGNOSIS_ATTRIBUTION_H
#define REPORT_DIAGNOSIS_ATTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>

#include "core/model/limit.h"

/* A kind of cap: owner x (IOPS, bytes). */
enum { CAP_SLOTS = OWNER_COUNT * CAP_COUNT };
#define CAP_SLOT(owner, kind) ((size_t)(owner)*CAP_COUNT + (size_t)(kind))

/* Explanations: slot x (base, burst), then what is no listed cap. */
enum {
    LABEL_CAPS = CAP_SLOTS * PHASE_COUNT,
    LABEL_UNEXPLAINED = LABEL_CAPS,
    LABEL_CPU,
    LABEL_LATENCY,
    LABEL_COUNT,
};
#define CAP_LABEL(slot, phase) ((slot)*PHASE_COUNT + (size_t)(phase))

struct observation {
    double iops;
    double se;             /* relative standard error */
    double latency_weight; /* of saturation_find() */
    bool knee;             /* bending: a hit may be somewhat low */
    double cpu;            /* share of a CPU of the busiest thread; NaN unknown */
    size_t devices;
    const double *exceeded; /* of exceeded_find(); NULL: not counted */
};

/* One way in which the list of limits may be meant. */
struct world {
    enum limit_path path;
    bool upper[OWNER_COUNT];     /* unsure units: 2^20 rather than 10^6 */
    double counted[OWNER_COUNT]; /* where it is unknown: struct counting's size */
};

/* One way to count I/Os, and how likely it is before anything is seen. */
struct counting {
    double size; /* an I/O above it counts as several; 0: each is one */
    double prior;
};

/* What is unknown about the list; paths and units are as likely as the others of their kind. */
struct worlds {
    enum limit_path path[PATH_COUNT];
    size_t n_paths; /* at least 1 */
    bool unsure_unit[OWNER_COUNT];
    const struct counting *counting[OWNER_COUNT]; /* priors of one owner add up to 1 */
    size_t n_countings[OWNER_COUNT];              /* at least 1 */
};

/* Caps of one observation in one world, as I/Os per second; INFINITY where none is listed. */
struct predicted {
    double cap[CAP_SLOTS][PHASE_COUNT];
};
typedef void predict_fn(void *arg, size_t observation, const struct world *w,
                        struct predicted *out);

struct attribution {
    double (*posterior)[LABEL_COUNT]; /* of each observation */
    size_t n;
    struct world best; /* the most likely world, and how likely */
    double best_weight;
    double path_weight[PATH_COUNT];
};

/*
 * n observations in order of time. one_side_missing: no limit of a whole side (disk, or VM and host)
 * is listed, so an unlisted ceiling is more likely. Free with attribution_release().
 */
void attribute(struct attribution *out, const struct observation *o, size_t n,
               const struct worlds *worlds, bool one_side_missing, predict_fn *predict, void *arg);
void attribution_release(struct attribution *a);

#endif
