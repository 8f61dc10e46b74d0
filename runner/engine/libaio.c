/*
 * Linux native AIO through libaio: batches in with io_submit, completions out of the ring that the
 * kernel shares with us, without a system call while there are any. The ring's layout is kernel
 * ABI (fs/aio.c, struct aio_ring; fio's userspace_reap and libaio's own io_getevents read it too).
 */
#include <errno.h>
#include <libaio.h>
#include <stdatomic.h>

#include "core/base/clock.h"
#include "core/base/sysroot.h"
#include "core/base/xalloc.h"
#include "runner/engine/engine.h"
#include "runner/engine/sync_io_internal.h"

#define AIO_RING_MAGIC 0xa10a10a1u

struct aio_ring {
    unsigned id;
    unsigned nr; /* entries */
    atomic_uint head;
    atomic_uint tail;
    unsigned magic;
    unsigned compat_features;
    unsigned incompat_features;
    unsigned header_length;
    struct io_event event[];
};

struct engine {
    const int *fd;
    io_context_t ctx;
    struct aio_ring *ring; /* NULL: not the layout we know, always ask the kernel */
    unsigned iodepth;
    struct iocb *cb;        /* a slot each */
    struct iocb **batch;    /* pointers for one io_submit */
    struct io_event *event; /* for io_getevents */
    struct sync_queue sync;
};

static int setup_failed(struct error *err, int errnum, unsigned iodepth)
{
    uint64_t max = 0, used = 0;
    if (errnum == EAGAIN && sysroot_read_u64(&sysroot_system, &max, "/proc/sys/fs/aio-max-nr") &&
        sysroot_read_u64(&sysroot_system, &used, "/proc/sys/fs/aio-nr")) {
        int rc = error_set(err, ERR_DEVICE,
                           "libaio: the kernel has no room for %u more I/Os in flight: "
                           "fs.aio-max-nr is %llu and %llu are taken",
                           iodepth, (unsigned long long)max, (unsigned long long)used);
        error_hint(err, "Raise it (sysctl fs.aio-max-nr=%llu), or lower --iodepth or --numjobs.",
                   (unsigned long long)(max < 524288 ? 1048576 : max * 2));
        return rc;
    }
    return error_errno(err, ERR_DEVICE, errnum,
                       "libaio: cannot set up %u I/Os in flight (io_setup)", iodepth);
}

static bool libaio_supported(char *why, size_t n)
{
    io_context_t ctx = NULL;
    int rc = io_setup(1, &ctx);
    if (rc == 0) {
        io_destroy(ctx);
        return true;
    }
    if (rc == -ENOSYS)
        snprintf(why, n, "this kernel is built without CONFIG_AIO");
    else if (rc == -EAGAIN)
        snprintf(why, n, "the limit fs.aio-max-nr is used up by other programs");
    else
        snprintf(why, n, "io_setup failed with error %d", -rc);
    return false;
}

static int libaio_create(struct engine **out, const struct engine_env *env, struct error *err)
{
    int rc = engine_check_options(&engine_libaio, env->options, NULL, err);
    if (rc)
        return rc;
    io_context_t ctx = NULL;
    rc = io_setup((int)env->iodepth, &ctx);
    if (rc)
        return setup_failed(err, -rc, env->iodepth);
    struct engine *e = xcalloc(1, sizeof *e);
    e->fd = env->fd;
    e->ctx = ctx;
    e->iodepth = env->iodepth;
    e->cb = xcalloc(env->iodepth, sizeof *e->cb);
    e->batch = xcalloc(env->iodepth, sizeof(struct iocb *));
    e->event = xcalloc(env->iodepth, sizeof *e->event);
    sync_queue_init(&e->sync, env->iodepth);
    /* The context handle is the address of the ring. */
    struct aio_ring *ring = (struct aio_ring *)(void *)ctx;
    if (ring->magic == AIO_RING_MAGIC && ring->incompat_features == 0 &&
        ring->header_length == sizeof *ring)
        e->ring = ring;
    *out = e;
    return 0;
}

/* False when native AIO has no such operation. */
static bool prepare(struct engine *e, struct io *io)
{
    struct iocb *cb = &e->cb[io->slot];
    int fd = e->fd[io->file];
    switch (io->dir) {
    case DIR_READ:
        io_prep_pread(cb, fd, io->buf, io->len, (long long)io->offset);
        break;
    case DIR_WRITE:
        io_prep_pwrite(cb, fd, io->buf, io->len, (long long)io->offset);
        break;
    case DIR_SYNC:
        if (io->flags & IO_DATASYNC)
            io_prep_fdsync(cb, fd);
        else
            io_prep_fsync(cb, fd);
        break;
    default:
        return false;
    }
    cb->data = io;
    return true;
}

static int libaio_submit(struct engine *e, struct io **io, unsigned n)
{
    unsigned k = 0;
    while (k < n && prepare(e, io[k])) {
        e->batch[k] = &e->cb[io[k]->slot];
        k++;
    }
    if (k == 0) {
        if (n == 0)
            return 0;
        sync_queue_do(&e->sync, e->fd[io[0]->file], io[0]);
        return 1;
    }
    int rc;
    do {
        rc = io_submit(e->ctx, (long)k, e->batch);
    } while (rc == -EINTR);
    return rc == -EAGAIN ? 0 : rc;
}

static struct io *finished(const struct io_event *ev)
{
    struct io *io = ev->data;
    io->result = (int32_t)(int64_t)ev->res;
    return io;
}

/* Everything that is in the shared ring, up to max. The kernel writes tail, we write head. */
static unsigned take_from_ring(struct engine *e, struct io **done, unsigned max)
{
    struct aio_ring *ring = e->ring;
    if (!ring)
        return 0;
    unsigned head = atomic_load_explicit(&ring->head, memory_order_relaxed);
    unsigned tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
    unsigned n = 0;
    while (head != tail && n < max) {
        done[n++] = finished(&ring->event[head]);
        if (++head == ring->nr)
            head = 0;
    }
    if (n)
        atomic_store_explicit(&ring->head, head, memory_order_release);
    return n;
}

static int wait_in_kernel(struct engine *e, struct io **done, unsigned min, unsigned max,
                          uint64_t timeout_ns)
{
    struct timespec ts = {.tv_sec = (time_t)(timeout_ns / NS_PER_S),
                          .tv_nsec = (long)(timeout_ns % NS_PER_S)};
    int rc =
        io_getevents(e->ctx, (long)min, (long)max, e->event, timeout_ns == UINT64_MAX ? NULL : &ts);
    for (int i = 0; i < rc; i++)
        done[i] = finished(&e->event[i]);
    return rc;
}

static int libaio_reap(struct engine *e, struct io **done, unsigned min, unsigned max,
                       uint64_t timeout_ns)
{
    if (max > e->iodepth)
        max = e->iodepth;
    unsigned n = sync_queue_take(&e->sync, done, max);
    n += take_from_ring(e, done + n, max - n);
    if (n >= min || n == max)
        return (int)n;
    int rc = wait_in_kernel(e, done + n, min - n, max - n, timeout_ns);
    if (rc < 0)
        return n ? (int)n : rc;
    return (int)n + rc;
}

static void libaio_destroy(struct engine *e)
{
    if (!e)
        return;
    io_destroy(e->ctx); /* waits for everything in flight */
    free(e->cb);
    free(e->batch);
    free(e->event);
    sync_queue_release(&e->sync);
    free(e);
}

const struct engine_ops engine_libaio = {
    .name = "libaio",
    .summary = "Linux native AIO; asynchronous with O_DIRECT only",
    .supported = libaio_supported,
    .create = libaio_create,
    .submit = libaio_submit,
    .reap = libaio_reap,
    .destroy = libaio_destroy,
};
