/*
 * Ends a cell once its mean is known well enough: when the 95 % interval of the mean IOPS, which
 * counts autocorrelated samples for what they are worth (core/stats/mean_interval.h), has become as
 * narrow as asked for; or once a burst has run out and what lasts has been seen. Looked at whenever the jobs have closed a sample; on the thread that watches
 * them, so that no job does the arithmetic, or under a clock of the engine's own, which stands still
 * meanwhile, on the job that closed it.
 */
#ifndef RUNNER_JOB_UNTIL_INTERNAL_H
#define RUNNER_JOB_UNTIL_INTERNAL_H

#include "runner/job/job_internal.h"

void until_create(struct cell_run *run, const struct job_spec *spec);
void until_release(struct cell_run *run);
/* Tells the jobs to end when it is enough. */
void until_look(struct cell_run *run);
/* Puts into the finished cell what was reached. */
void until_fill(struct cell *cell, struct cell_run *run);

#endif
