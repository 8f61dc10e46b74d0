#ifndef RUNNER_FIO_EXEC_FIO_ARGS_INTERNAL_H
#define RUNNER_FIO_EXEC_FIO_ARGS_INTERNAL_H

#include "runner/job/job.h"

/* The words of a command line; NULL-terminated for exec. */
struct fio_args {
    char **word;
    size_t n, room;
};

/* fio's command line for the cell on the file that opens as `path`. ERR_USAGE when it has none. */
int fio_args_make(struct fio_args *out, const struct job_spec *spec, const struct cell *cell,
                  const char *path, struct error *err);
void fio_args_release(struct fio_args *a);

#endif
