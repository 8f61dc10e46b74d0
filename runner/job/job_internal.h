/*
 * One job, and the run of a cell that it is part of.
 *
 * A cell_run and all it points to may outlive the call that made it: a thread that is blocked in
 * the kernel on a dead device cannot be ended, so the run is then left to it (see group.c).
 */
#ifndef RUNNER_JOB_JOB_INTERNAL_H
#define RUNNER_JOB_JOB_INTERNAL_H

#include <pthread.h>

#include "runner/job/arrivals_internal.h"
#include "runner/job/job.h"
#include "runner/job/recorder_internal.h"
#include "runner/workload/workload.h"

enum gate { GATE_CLOSED, GATE_OPEN, GATE_ABORTED };

/* How soon the jobs are to end. */
enum stop {
    STOP_NO,
    STOP_ENOUGH, /* enough is known: the window ends as it does when its time is over */
    STOP_SOON,   /* with the interval that is being measured, so that it counts */
    STOP_NOW,    /* one of them has given up: the load is not the cell's any more */
    STOP_HARD,   /* and without the I/Os in flight */
};

/* CPU use of a thread or of the process. */
struct cpu_use {
    uint64_t user_ns, system_ns;
    uint64_t nvcsw, nivcsw;
};

/* What must be known for the window to end, and the samples so far (until_internal.h). */
struct until {
    double half;     /* of the interval of the mean, over the mean; 0: a burst that ran out */
    uint64_t min_ns; /* not before */
    double *iops;    /* NULL: the time ends the cell */
    size_t n, next_look;
};

struct job {
    /* the loop's own, no other thread looks */
    const struct engine_ops *ops;
    struct engine *engine;
    struct workload *load;
    struct io **free; /* a stack: the slot used last is the one in the cache */
    unsigned n_free;
    struct io **batch; /* prepared and not taken yet, oldest first */
    unsigned n_batch;
    struct io **done;
    unsigned inflight;
    unsigned failed_in_a_row;
    uint64_t now;
    uint64_t edge;       /* from then on a batch has more to do than to be recorded */
    uint64_t start;      /* of the ramp */
    uint64_t begin, end; /* of the window, nominal */
    uint64_t first;      /* when it really began */
    uint64_t slack;
    /* between completions: the last one, the longest of this period and of the one before */
    uint64_t pause, pause_longest, pause_before;
    uint64_t last_completion, pause_period_end;
    bool paced; /* I/Os start when they are due or after a pause, not when a slot is free */
    bool held;  /* the load must know the time */
    uint64_t thinktime_ns, not_before;
    uint64_t looked_ns; /* in the window: time spent looking for the next I/O to be due */
    struct arrivals arrivals;
    /* of the thread, and of the process: at the start of the window; after the loop: in it */
    struct cpu_use cpu, process_cpu;
    struct recorder rec;

    /* set up before the gate, read after the join */
    struct cell_run *run;
    struct io *io;
    void *arena;
    size_t arena_len;
    size_t buf_len;
    unsigned number; /* among all jobs of the cell */
    unsigned target;
    unsigned iodepth;
    pthread_t thread;
    struct error err;                   /* of setting up */
    int first_errno;                    /* of the first failed I/O */
    uint64_t failed_ios;                /* ramp and drain included */
    unsigned sampled_reads, zero_reads; /* reads whose data was looked at; those of nothing but 0 */
    bool gone;                          /* ended because of failures */
    bool cut;                           /* ended before its time */
    uint64_t kept_ns;    /* age of the oldest I/O in flight at the end of the window */
    unsigned stuck;      /* I/Os that did not return */
    const char *caveat;  /* of the engine, or NULL */
    uint64_t runtime_ns; /* of the window, as it came out */
    atomic_bool finished;
};

struct cell_run {
    /* fixed before the threads start */
    const struct engine_ops *ops;
    char *options;
    unsigned n_targets;
    int *fd; /* own duplicates: a left-behind thread must never meet a number used anew */
    uint64_t *size;
    struct workload_spec load;
    unsigned iodepth;
    uint64_t delay_ns, ramp_ns, runtime_ns, interval_ns, hang_ns;
    unsigned *cpu;
    unsigned n_cpus;
    bool cpus_shared;
    struct engine_shared *shared;
    bool owns_shared;
    struct buffer_pool *pool;
    struct series *(*series)[DIR_COUNT]; /* of each target */
    struct job *job;
    unsigned n_jobs;
    unsigned first_job; /* number of its first job among all of the group */
    bool alone;         /* no other cell runs at the same time */

    struct until until;

    atomic_int stop; /* enum stop */

    pthread_mutex_t lock; /* of all below */
    pthread_cond_t cond;
    enum gate gate;
    uint64_t start; /* when the gate opened */
    unsigned n_ready, n_finished;
};

/* Everything but the threads. ERR_USAGE, ERR_DEVICE. */
int cell_run_create(struct cell_run **out, const struct job_spec *spec, const struct cell *cell,
                    struct error *err);
void cell_run_destroy(struct cell_run *run);

/* The thread's function: sets up, waits for the gate, runs, drains, cleans up. */
void *job_thread(void *job);
/* The loop: from job->now until the window is over or the job cannot go on. */
void job_loop(struct job *j);
/* Waits for the I/Os in flight, at most hang_ns; what is left is job->stuck. */
void job_drain(struct job *j);

/* who: RUSAGE_THREAD or RUSAGE_SELF. */
struct cpu_use cpu_use_now(int who);
struct cpu_use cpu_use_since(const struct cpu_use *before, int who);

/* Fills the cell in from the finished jobs. `missing` jobs are still blocked. */
void result_fill(struct cell *cell, struct cell_run *run, const struct job_spec *spec,
                 unsigned missing);

/* Below this share of the asked depth the job did not keep its slots busy (Little's law). */
#define JOB_DEPTH_REACHED_MIN 0.95
/* Above this share of a CPU a job may be what limits, and not the device. */
#define JOB_CPU_BUSY_MIN 0.8
/* An I/O in flight at the end that is older than this, and than any that came back took, is one that
 * the latencies lack. */
#define JOB_KEPT_MIN_NS NS_PER_S
/* From this share of zeros among the sampled reads on, blocks without data made the result. */
#define JOB_ZERO_READS_MIN 0.05
/* Below this share of the asked rate the load was not the one asked for. */
#define JOB_RATE_SUSTAINED_MIN 0.99

#endif
