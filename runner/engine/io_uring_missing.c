/* Stands for io_uring.c in a build without liburing, so that the engine is listed and says why. */
#include "runner/engine/engine.h"

static bool uring_supported(char *why, size_t n)
{
    snprintf(why, n,
             "this blkmatrix was built without liburing (install liburing-dev and build "
             "again)");
    return false;
}

static int uring_create(struct engine **out, const struct engine_env *env, struct error *err)
{
    char why[128];
    (void)out, (void)env;
    uring_supported(why, sizeof why);
    return error_set(err, ERR_DEVICE, "io_uring: %s", why);
}

static int uring_submit(struct engine *e, struct io **io, unsigned n)
{
    (void)e, (void)io, (void)n;
    return 0;
}

static int uring_reap(struct engine *e, struct io **done, unsigned min, unsigned max,
                      uint64_t timeout_ns)
{
    (void)e, (void)done, (void)min, (void)max, (void)timeout_ns;
    return 0;
}

static void uring_destroy(struct engine *e)
{
    (void)e;
}

const struct engine_ops engine_io_uring = {
    .name = "io_uring",
    .summary = "io_uring (not in this build)",
    .supported = uring_supported,
    .create = uring_create,
    .submit = uring_submit,
    .reap = uring_reap,
    .destroy = uring_destroy,
};
