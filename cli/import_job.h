/*
 * What a job file adds to results that do not tell their settings (fio's text output, above all its
 * totals): the settings of the jobs that made them.
 */
#ifndef CLI_IMPORT_JOB_H
#define CLI_IMPORT_JOB_H

#include "core/model/run.h"
#include "runner/jobfile/jobfile.h"

/* The device of the jobs when they have one and the run names none. */
void import_job_add_device(const struct jobfile *f, struct run *run);
/*
 * Settings that are unknown in the cell: of the job of its name; for totals over all jobs, of the one
 * that reads and the one that writes (what they do not agree on stays unknown). I/Os follow from bytes
 * where the block size is known then, and are marked as assumed.
 */
void import_job_add_settings(const struct jobfile *f, const struct run *run, struct cell *cell);

#endif
