/* The smallest engine: one pread or pwrite at a time, done inside submit. */
#include <errno.h>

#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "runner/engine/engine.h"
#include "runner/engine/sync_io_internal.h"

struct engine {
    const int *fd;
    struct io *done; /* finished by submit, not yet reaped */
};

static bool psync_supported(char *why, size_t n)
{
    (void)why, (void)n;
    return true;
}

static int psync_create(struct engine **out, const struct engine_env *env, struct error *err)
{
    int rc = engine_check_options(&engine_psync, env->options, NULL, err);
    if (rc)
        return rc;
    struct engine *e = xcalloc(1, sizeof *e);
    e->fd = env->fd;
    *out = e;
    return 0;
}

static int psync_submit(struct engine *e, struct io **io, unsigned n)
{
    if (n == 0 || e->done)
        return 0;
    sync_io(e->fd[io[0]->file], io[0]);
    e->done = io[0];
    return 1;
}

/* Waits without I/O; a signal ends it early, as in the engines that wait in the kernel. */
static int pause_for(uint64_t timeout_ns)
{
    if (timeout_ns == 0)
        return 0;
    uint64_t now = clock_now_ns(), end = now + timeout_ns;
    clock_sleep_until(end < now ? UINT64_MAX / 2 : end);
    return clock_now_ns() < end ? -EINTR : 0;
}

static int psync_reap(struct engine *e, struct io **done, unsigned min, unsigned max,
                      uint64_t timeout_ns)
{
    if (!e->done || max == 0)
        return min ? pause_for(timeout_ns) : 0;
    done[0] = e->done;
    e->done = NULL;
    return 1;
}

static void psync_destroy(struct engine *e)
{
    free(e);
}

const struct engine_ops engine_psync = {
    .name = "psync",
    .summary = "pread and pwrite, one I/O at a time",
    .flags = ENGINE_SYNC,
    .supported = psync_supported,
    .create = psync_create,
    .submit = psync_submit,
    .reap = psync_reap,
    .destroy = psync_destroy,
};
