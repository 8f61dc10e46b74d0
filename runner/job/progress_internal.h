/* Reading the state of running jobs from the thread that watches them. */
#ifndef RUNNER_JOB_PROGRESS_INTERNAL_H
#define RUNNER_JOB_PROGRESS_INTERNAL_H

#include "runner/job/job_internal.h"

/* What the last call saw. */
struct progress_state {
    uint64_t last_ns;
    uint64_t last_ios, last_bytes;
};

void progress_read(struct job_progress *out, const struct cell_run *run,
                   struct progress_state *state, uint64_t now);

/* Samples that all jobs of the targets first..last have closed. */
size_t closed_intervals(const struct cell_run *run, unsigned first, unsigned last);

/*
 * Percentile p (0..100) of an interval histogram: the middle of the smallest bucket whose
 * cumulative count reaches it; 0 when empty. The counts are read one by one, atomically.
 */
uint64_t interval_percentile(const uint64_t count[SERIES_HIST_BUCKETS], double p);

#endif
