/* The files of a section, and its load divided among them. */
#ifndef RUNNER_JOBFILE_FILES_INTERNAL_H
#define RUNNER_JOBFILE_FILES_INTERNAL_H

#include "runner/jobfile/jobfile.h"
#include "store/import/fio_options.h"

/*
 * Fills file, n_files, makes_files of a job whose name and key are set, and divides the key's load
 * by the files. A line is appended to *note where the division is worth a word. ERR_INPUT when the
 * files cannot be, or the load cannot be divided.
 */
int job_files_set(struct jobfile_job *job, const struct fio_options *o, struct strbuf *note,
                  struct error *err);

/* Calls add for each name of a list joined by ':', where "\:" is a colon of a name; stops below 0. */
int job_files_split(const char *list, int (*add)(void *arg, const char *name, struct error *err),
                    void *arg, struct error *err);

#endif
