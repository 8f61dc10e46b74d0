/* A sweep on its way, and what its parts do for each other. */
#ifndef RUNNER_SWEEP_SWEEP_INTERNAL_H
#define RUNNER_SWEEP_SWEEP_INTERNAL_H

#include "runner/sweep/counters_internal.h"
#include "runner/sweep/sweep.h"
#include "runner/sweep/volumes.h"

struct sweep {
    const struct sweep_spec *spec;
    struct sweep_outcome *outcome;
    struct engine_shared *shared; /* the simulated device, over all cells */
    unsigned *cpu;                /* the jobs are bound to; NULL: to none */
    unsigned n_cpus;
    bool cpus_shared;
    struct sweep_state state;
    size_t
        runs; /* measurements before the running one: a cell, or a round of one; a long one is many */
    size_t runs_left;        /* with it, as far as is known */
    size_t weight;           /* as how many the running one counts */
    const struct cell *cell; /* the running one */
    uint64_t began_ns;
    uint64_t cell_began_ns;
    struct counters before; /* of the running cell, from the start of its window on */
    struct volumes *volumes;
};

/* sweep.c */

bool sweep_is_stopped(const struct sweep *s);
/* False when it was stopped, or a cell failed and that is to be the end. */
bool sweep_goes_on(const struct sweep *s);
/* Measures once; the cell (empty before) holds the result, or why there is none. */
void sweep_measure(struct sweep *s, struct cell *cell, struct plan_cell *planned);
/* Puts a result into the sink, counts it, and tells who looks on. */
int sweep_keep(struct sweep *s, struct cell *cell, struct plan_cell *planned, struct error *err);

/* rounds.c: all cells of a plan that is measured in rounds. */
int rounds_run(struct sweep *s, struct error *err);

/* window.c */

/*
 * Adds a round to the sum of those before, as if they were one measurement: counts and histograms
 * added up, samples one after another. The first one moves into the empty sum.
 */
void window_add(struct cell *sum, struct cell *round);

/* precondition.c: writes as the spec asks, and notes in the run's devices what was done. */
int precondition_run(struct sweep *s, struct error *err);

#endif
