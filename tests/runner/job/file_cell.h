/* Cells on a scratch file through every engine that works on files, for the tests of this folder. */
#ifndef TESTS_RUNNER_JOB_FILE_CELL_H
#define TESTS_RUNNER_JOB_FILE_CELL_H

#include <fcntl.h>
#include <unistd.h>

#include "tests/runner/job/sim_cell.h"

enum { FILE_BYTES = 8 << 20 };

static inline int scratch_file(void)
{
    char path[] = "/tmp/blkmatrix-job-XXXXXX";
    int fd = mkostemp(path, O_CLOEXEC);
    cr_assert(fd >= 0);
    unlink(path);
    cr_assert_eq(ftruncate(fd, FILE_BYTES), 0);
    return fd;
}

static inline struct cell *file_cell(const struct engine_ops *ops, enum rw rw, uint64_t bs)
{
    struct cell *c = sim_cell(rw, bs, 8, 2, "");
    free(c->key.engine);
    free(c->key.engine_options);
    c->key.engine = xstrdup(ops->name);
    c->key.engine_options = NULL;
    SET(&c->key, CELL_KEY, direct, false);
    return c;
}

static inline const struct engine_ops *file_engine(size_t i)
{
    char why[256];
    const struct engine_ops *ops = engine_registry[i];
    if (!ops || ops->flags & (ENGINE_NO_DEVICE | ENGINE_WHOLE_CELL) ||
        !ops->supported(why, sizeof why))
        return NULL;
    return ops;
}

#endif
