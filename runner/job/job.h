/*
 * Runs the jobs of one cell: numjobs threads a target, each with its own engine, for the ramp and
 * then the measured window, and fills in the cell.
 *
 * A job's loop: prepare an I/O for every free slot, submit the batch, read the clock, reap
 * everything that is there, read the clock, record. It allocates nothing, takes no lock and makes
 * no system call beyond those of submit and reap. The three latencies (runner/README.md):
 * slat = issue - start, clat = complete - issue, lat = complete - start; an engine that is
 * ENGINE_SYNC has no slat, and its clat is its lat.
 *
 * I/Os count when they complete inside the window. It begins with the first completion after the
 * ramp (not counted) and ends with the first one after `runtime` (counted), so that a rate is
 * measured from completion to completion; runtime_ns says how long it was. Failed I/Os are counted
 * apart and are in no latency.
 *
 * Thread rule: job_run_cell and job_run_group are called from one thread at a time, block until
 * the cells are done, and call `progress` and `window_begins` on that thread. *stop may be set from anywhere, also a signal handler.
 */
#ifndef RUNNER_JOB_JOB_H
#define RUNNER_JOB_JOB_H

#include <stdatomic.h>

#include "core/base/error.h"
#include "core/model/cell.h"
#include "runner/engine/engine.h"

/* One device or file; the caller opens it as the cell asks (O_DIRECT, O_SYNC) and closes it. */
struct job_target {
    int fd;            /* -1 for an engine that is ENGINE_NO_DEVICE */
    uint64_t size;     /* usable bytes */
    const char *label; /* for messages: the path */
};

/* The state of a cell while it runs. */
struct job_progress {
    uint64_t elapsed_ns; /* since the start */
    uint64_t total_ns;   /* delay, ramp and runtime */
    bool ramping;
    uint64_t ios[DIR_COUNT]; /* completed since the start, ramp included */
    uint64_t bytes[DIR_COUNT];
    double iops, bw;     /* over the time since the last call, all directions */
    uint64_t lat_p99_ns; /* of the last full interval, all jobs and directions; 0: not yet */
};

struct job_spec {
    const struct job_target *target;
    unsigned n_targets; /* above 1: loaded together, numjobs jobs on each */
    uint64_t delay_ns;  /* nothing is done for so long after the start; then the ramp begins */
    uint64_t ramp_ns;
    uint64_t runtime_ns;
    uint64_t interval_ns; /* of the series; 0: 1 s */
    /*
     * Above 0: the window ends before runtime_ns, but not before min_runtime_ns, when half of the
     * 95 % interval of the mean IOPS is no more than this share of the mean (docs/methods.md).
     */
    double until;
    /*
     * The window ends likewise when a burst has run out in it and 30 samples of what lasts are there
     * (core/stats/burst.h). In place of `until`.
     */
    bool drain;
    uint64_t min_runtime_ns;
    uint64_t run_seed;   /* with cell->ordinal and cell->repeat makes the seeds of the jobs */
    uint64_t hang_ns;    /* how long to wait for I/Os that do not return; 0: 60 s */
    const unsigned *cpu; /* job j runs on cpu[j % n_cpus] only; NULL: anywhere */
    unsigned n_cpus;
    bool cpus_shared;             /* no: each job on any of them */
    struct engine_shared *shared; /* simulated device kept over cells; NULL: one for this cell */
    /* 1: end with the running interval, at most 1 s; 2: at once, without the I/Os in flight. What
     * was measured is kept. May be NULL. */
    const atomic_int *stop;
    void (*progress)(void *arg, const struct job_progress *p); /* 4 times a second; may be NULL */
    /* once, when the ramp or the delay is over: what is counted elsewhere can begin here, and does with the call where
     * there is neither; may be NULL */
    void (*window_begins)(void *arg);
    void *progress_arg; /* of both */
};

/*
 * Measures one cell. Taken from *cell: key (rw, bs, iodepth, numjobs, engine, engine_options and
 * what else it knows), ordinal, repeat. Filled in: status and error, started_ns, runtime_ns,
 * ramp_ns, CPU, depth, Little's ratio, with `until` ci_half and n_eff, with it or `drain` ended_by, the directions with histograms and series, parts when there
 * are several targets, caveats.
 *
 * Returns 0 whenever there is a result to keep, also a bad one: cell->status is STATUS_PARTIAL
 * when it was stopped early or some I/Os failed, STATUS_FAILED when the device went away, hangs,
 * or nothing could be done; error_code and error then say why. ERR_USAGE when the settings cannot
 * be, ERR_DEVICE when the jobs could not start; the cell then has no figures.
 */
int job_run_cell(const struct job_spec *spec, struct cell *cell, struct error *err);

/*
 * Measures n cells at the same time: all start at one instant, each with its own delay, ramp and
 * runtime, and each is filled in as by job_run_cell. The progress function of the first is told of
 * all together. An engine that simulates a device needs spec[].shared, the same one for all. CPU
 * time that only the process knows (ENGINE_HELPERS) is unknown then. When a cell cannot start none
 * does, and no cell has figures.
 */
int job_run_group(const struct job_spec *spec, struct cell *const *cell, unsigned n,
                  struct error *err);

#endif
