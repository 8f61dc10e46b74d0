#ifndef RUNNER_JOBFILE_JOIN_INTERNAL_H
#define RUNNER_JOBFILE_JOIN_INTERNAL_H

#include "runner/jobfile/jobfile.h"

/*
 * Sections of a group with the same settings and times become one job: on the same files one with the
 * sum of their numjobs, on files of their own one with all the files. Said in the note.
 */
void jobfile_join(struct jobfile *f);

/* Frees what a job holds. */
void jobfile_job_release(struct jobfile_job *job);

#endif
