/*
 * Executes the jobs of a job file: those of a group at the same time, group after group, each job a
 * cell in the sink as soon as its group is finished.
 *
 * Thread rule: as sweep.h.
 */
#ifndef RUNNER_SWEEP_LOADS_H
#define RUNNER_SWEEP_LOADS_H

#include "runner/jobfile/jobfile.h"
#include "runner/sweep/sweep.h"

struct loads_state {
    size_t group, n_groups; /* running, from 1 */
    size_t first, n;        /* its jobs in the file */
    uint64_t elapsed_ns;    /* since the first group began */
    uint64_t left_ns;       /* until the end, as the file says */
};

/* Who looks on. Each may be NULL. */
struct loads_watch {
    void (*tick)(void *arg, const struct loads_state *s, const struct job_progress *p);
    void (*cell_ends)(void *arg, const struct loads_state *s, const struct cell *cell);
    void *arg;
};

struct loads_spec {
    const struct jobfile *file;        /* all runtimes set */
    size_t *const *used;               /* used[i][k]: the target that file k of job i is */
    const struct sweep_target *target; /* run->device[i] is target[i] */
    struct run *run;                   /* all set but id, status and end */
    struct sink *sink;
    const struct sysroot *sysroot;
    bool stop_on_error; /* end with the first group that has a failed cell */
    const atomic_int *stop;
    struct loads_watch watch;
};

/*
 * Checks every job: engine, memory, alignment and extents on its targets. ERR_USAGE with the job;
 * sentences for what works but is slow are appended to *warning.
 */
int loads_check(const struct loads_spec *spec, struct strbuf *warning, struct error *err);

/* Time of a group, and of all of them, ns. */
uint64_t loads_group_ns(const struct jobfile *f, size_t group);
uint64_t loads_ns(const struct jobfile *f);
/* What the jobs write to a target, ramps included, each in its own time. */
void loads_writes(struct plan_writes *out, const struct loads_spec *spec, size_t target);

/*
 * Runs them. What is filled in and returned is as of sweep_run(). A cell's name is the job's; its
 * `extra` keeps what the cell alone does not tell: group, startdelay_ns, runtime_ns, interval_ns.
 */
int loads_run(struct sweep_outcome *out, const struct loads_spec *spec, struct error *err);

/* What `extra` of such a cell says; false when it is a cell of another kind. */
bool loads_cell_times(struct jobfile_times *times, uint64_t *group, const struct cell *cell);

#endif
