/*
 * Executes a plan: cell after cell through runner/job, each into the sink as soon as it is
 * finished, so that nothing but the running cell can be lost.
 *
 * Thread rule: one sweep a thread; the watch functions are called on it. *stop may be set from
 * anywhere.
 */
#ifndef RUNNER_SWEEP_SWEEP_H
#define RUNNER_SWEEP_SWEEP_H

#include <stdatomic.h>

#include "core/model/sink.h"
#include "core/stats/steady.h"
#include "runner/fio_exec/fio_exec.h"
#include "runner/job/job.h"
#include "runner/plan/plan.h"
#include "runner/sweep/precondition.h"
#include "runner/sweep/target.h"

/* Where a sweep is. */
struct sweep_state {
    const struct plan *plan;
    const struct plan_cell *cell; /* running, or just finished */
    size_t planned;               /* cells of this sweep, without those done before */
    size_t number;                /* of this cell among them, from 1 */
    uint64_t round;               /* of this cell, from 1; 0: the plan has no rounds */
    uint64_t elapsed_ns;          /* since the first cell began */
    uint64_t
        left_ns; /* until the end, by how long cells really took so far; with rounds at least */
};

/* How far the preconditioning of a target is. */
struct sweep_filling {
    const char *path;
    uint64_t done, total; /* bytes */
    uint64_t elapsed_ns;
};

/* Who looks on. Each may be NULL. */
struct sweep_watch {
    void (*cell_begins)(void *arg, const struct sweep_state *s);
    void (*tick)(void *arg, const struct sweep_state *s, const struct job_progress *p);
    void (*cell_ends)(void *arg, const struct sweep_state *s, const struct cell *cell);
    /* Values of the cell that is followed: of all n rounds so far; s->cell is that cell. */
    void (*round_ends)(void *arg, const struct sweep_state *s, const double *value, size_t n);
    void (*precondition)(void *arg, const struct sweep_filling *f);
    void *arg;
};

/*
 * The rounds of a cell that are in the sink, in their order, from `first` on: each is handed to fn,
 * which may move things out of it; with `whole` it has histograms and series.
 */
struct sweep_rounds {
    int (*each)(void *arg, uint64_t ordinal, uint64_t first, bool whole,
                int (*fn)(struct cell *cell, void *fn_arg), void *fn_arg, struct error *err);
    void *arg;
};

struct sweep_spec {
    struct plan *plan; /* cells that are done are passed over, and marked as they get done */
    struct run *run;   /* all set but id, status and end; device[i] is target[i]; id set: goes on */
    const struct sweep_target *target; /* as many as the plan has devices */
    struct sink *sink;
    const struct sysroot *sysroot;  /* for the kernel's counters */
    struct sweep_rounds rounds;     /* for a plan with rounds */
    enum precondition precondition; /* of a run that is not resumed */
    bool
        purge; /* empty the targets before that, where they can be; note what was done in any case */
    fio_reader read_fio;    /* for the engine fio; NULL: it cannot be used */
    bool stop_on_error;     /* end with the first cell that fails */
    const atomic_int *stop; /* not 0: end the running cell, keep it as partial, and stop */
    struct sweep_watch watch;
};

struct sweep_outcome {
    bool begun;      /* the sink took the run: it is there, and ours */
    size_t complete; /* cells of this sweep by what became of them */
    size_t partial;
    size_t failed;
    size_t left; /* of the plan, still not complete */
    bool interrupted;
    char first_failure[512]; /* of the first cell that is not complete for a reason of its own */
};

/*
 * Checks what needs no target: the engine and its options, memory for the buffers of each cell.
 * ERR_USAGE with the cell.
 */
int sweep_check_plan(const struct plan *plan, const struct sysroot *sr, struct error *err);
/*
 * Checks every cell against its targets: alignment and extents. ERR_USAGE with the cell; sentences
 * for what works but is slow are appended to *warning, a line each.
 */
int sweep_check_targets(const struct plan *plan, const struct sweep_target *target,
                        struct strbuf *warning, struct error *err);

/*
 * Runs it. A plan with rounds puts every round into the sink as a cell that has `round`, so that a
 * sweep that is resumed goes on in the middle; when the value that is followed is steady, or after
 * STEADY_ROUNDS_MAX rounds, the result: the sum of the last STEADY_WINDOW, with `rounds`, `steady`,
 * `steady_range`, `steady_slope`, `round_values`. *out is filled in whatever happens. 0: all cells complete. ERR_INTERRUPTED: *stop was
 * set. ERR_DEVICE: cells failed or have failed I/Os (they are kept and marked). Errors of the sink
 * end the sweep and are passed on.
 */
int sweep_run(struct sweep_outcome *out, const struct sweep_spec *spec, struct error *err);

#endif
