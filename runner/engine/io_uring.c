/*
 * io_uring through liburing. By default buffers and files are registered, so that the kernel need
 * not look them up for every I/O; the ring is made for one submitting thread with completions run
 * when we ask for them (DEFER_TASKRUN, Linux 6.1), and without where the kernel is older.
 */
#include <dirent.h>
#include <errno.h>
#include <liburing.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/sysroot.h"
#include "core/base/xalloc.h"
#include "runner/engine/options_internal.h"
#include "runner/engine/sync_io_internal.h"

/* A registered buffer may have this size (io_uring/rsrc.c). */
#define FIXED_BUFFER_MAX ((size_t)1 << 30)

struct uring_config {
    bool fixedbufs, registerfiles, hipri, sqpoll;
    uint64_t sqpoll_cpu, sqpoll_idle;
};

#define AT(member) offsetof(struct uring_config, member)

static const struct engine_option uring_options[] = {
    {"fixedbufs", ENGINE_OPT_BOOL, AT(fixedbufs), "registered buffers (1)"},
    {"registerfiles", ENGINE_OPT_BOOL, AT(registerfiles), "registered files (1)"},
    {"hipri", ENGINE_OPT_BOOL, AT(hipri), "poll for completions; the device must be able to (0)"},
    {"sqthread_poll", ENGINE_OPT_BOOL, AT(sqpoll), "a kernel thread takes what is submitted (0)"},
    {"sqthread_poll_cpu", ENGINE_OPT_U64, AT(sqpoll_cpu), "the CPU of that thread (any)"},
    {"sqthread_poll_idle", ENGINE_OPT_TIME, AT(sqpoll_idle),
     "it sleeps after so long without work (1s)"},
    {NULL, ENGINE_OPT_BOOL, 0, NULL},
};

struct engine {
    struct io_uring ring;
    const int *fd;
    struct uring_config config;
    unsigned iodepth;
    unsigned buffer_shift; /* a registered buffer holds the memory of 1 << this slots */
    unsigned enter_flags;  /* how ring.enter_ring_fd is meant */
    unsigned unsubmitted;  /* in the queue, not taken by the kernel yet */
    unsigned inflight;     /* those included */
    int broken;            /* the ring's own failure, -errno */
    struct sync_queue sync;
};

static void why_not(int errnum, char *why, size_t n)
{
    uint64_t disabled = 0;
    if (errnum == ENOSYS)
        snprintf(why, n, "this kernel has no io_uring (Linux 5.11 or later is needed)");
    else if (sysroot_read_u64(&sysroot_system, &disabled, "/proc/sys/kernel/io_uring_disabled") &&
             disabled)
        snprintf(why, n, "it is switched off by the sysctl kernel.io_uring_disabled=%llu",
                 (unsigned long long)disabled);
    else if (errnum == EPERM)
        snprintf(why, n, "the kernel forbids it here (a container's seccomp filter?)");
    else
        snprintf(why, n, "io_uring_setup failed with error %d", errnum);
}

static bool uring_supported(char *why, size_t n)
{
    struct io_uring ring;
    struct io_uring_params p = {0};
    int rc = io_uring_queue_init_params(1, &ring, &p);
    if (rc) {
        why_not(-rc, why, n);
        return false;
    }
    io_uring_queue_exit(&ring);
    if (!(p.features & IORING_FEAT_EXT_ARG)) {
        snprintf(why, n, "Linux 5.11 or later is needed");
        return false;
    }
    return true;
}

static int make_ring(struct engine *e, struct error *err)
{
    const struct uring_config *c = &e->config;
    /* from what newer kernels can do to what all can */
    static const unsigned task_flags[] = {IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
                                          IORING_SETUP_COOP_TASKRUN, 0};
    unsigned flags = (c->hipri ? IORING_SETUP_IOPOLL : 0) | IORING_SETUP_CLAMP;
    if (c->sqpoll)
        flags |= IORING_SETUP_SQPOLL;
    if (c->sqpoll_cpu != UINT64_MAX)
        flags |= IORING_SETUP_SQ_AFF;
    int rc = -EINVAL;
    for (size_t i = c->sqpoll ? 2 : 0; i < 3 && rc == -EINVAL; i++) {
        struct io_uring_params p = {.flags = flags | task_flags[i],
                                    .sq_thread_cpu = (unsigned)c->sqpoll_cpu,
                                    .sq_thread_idle = (unsigned)(c->sqpoll_idle / NS_PER_MS)};
        rc = io_uring_queue_init_params(e->iodepth, &e->ring, &p);
    }
    if (rc == 0)
        return 0;
    char why[256];
    if (rc == -ENOMEM)
        snprintf(why, sizeof why, "not enough locked memory (see ulimit -l)");
    else
        why_not(-rc, why, sizeof why);
    return error_set(err, ERR_DEVICE, "io_uring: no ring of %u I/Os: %s", e->iodepth, why);
}

static int register_failed(struct error *err, int errnum, size_t bytes)
{
    struct rlimit limit = {0};
    getrlimit(RLIMIT_MEMLOCK, &limit);
    int rc = error_errno(err, ERR_DEVICE, errnum,
                         "io_uring: cannot register %zu bytes of buffers (the locked-memory limit "
                         "is %llu)",
                         bytes, (unsigned long long)limit.rlim_cur);
    error_hint(err,
               "Raise it (ulimit -l), lower --bs or --iodepth, or use the option fixedbufs=0.");
    return rc;
}

static int register_buffers(struct engine *e, const struct engine_env *env, struct error *err)
{
    while ((size_t)1 << e->buffer_shift < env->iodepth &&
           env->buf_len << (e->buffer_shift + 1) <= FIXED_BUFFER_MAX)
        e->buffer_shift++;
    size_t per = (size_t)1 << e->buffer_shift;
    unsigned n = (unsigned)((env->iodepth + per - 1) / per);
    struct iovec *iov = xcalloc(n, sizeof *iov);
    for (unsigned i = 0; i < n; i++) {
        size_t first = i * per, slots = env->iodepth - first < per ? env->iodepth - first : per;
        iov[i].iov_base = (char *)env->arena + first * env->buf_len;
        iov[i].iov_len = slots * env->buf_len;
    }
    int rc = io_uring_register_buffers(&e->ring, iov, n);
    free(iov);
    return rc ? register_failed(err, -rc, env->iodepth * env->buf_len) : 0;
}

static int register_all(struct engine *e, const struct engine_env *env, struct error *err)
{
    int rc = 0;
    if (e->config.fixedbufs)
        rc = register_buffers(e, env, err);
    if (rc == 0 && e->config.registerfiles) {
        rc = io_uring_register_files(&e->ring, env->fd, env->n_files);
        if (rc)
            rc = error_errno(err, ERR_DEVICE, -rc, "io_uring: cannot register %u files",
                             env->n_files);
    }
    /* a gain where the kernel can, no loss else */
    if (rc == 0 && io_uring_register_ring_fd(&e->ring) == 1)
        e->enter_flags = IORING_ENTER_REGISTERED_RING;
    return rc;
}

static void uring_destroy(struct engine *e);

static int uring_create(struct engine **out, const struct engine_env *env, struct error *err)
{
    struct engine *e = xcalloc(1, sizeof *e);
    e->config = (struct uring_config){.fixedbufs = true,
                                      .registerfiles = true,
                                      .sqpoll_cpu = UINT64_MAX,
                                      .sqpoll_idle = NS_PER_S};
    e->fd = env->fd;
    e->iodepth = env->iodepth;
    sync_queue_init(&e->sync, env->iodepth);
    int rc = engine_parse_options(&engine_io_uring, env->options, &e->config, err);
    if (rc == 0)
        rc = make_ring(e, err);
    if (rc) {
        sync_queue_release(&e->sync);
        free(e);
        return rc;
    }
    rc = register_all(e, env, err);
    if (rc) {
        uring_destroy(e);
        return rc;
    }
    *out = e;
    return 0;
}

/* False when the ring has no such operation. */
static bool has_operation(const struct engine *e, const struct io *io)
{
    if (io->dir == DIR_SYNC)
        return !e->config.hipri;
    return io->dir == DIR_READ || io->dir == DIR_WRITE;
}

static void prepare(struct engine *e, struct io_uring_sqe *sqe, struct io *io)
{
    int fd = e->config.registerfiles ? io->file : e->fd[io->file];
    if (io->dir == DIR_SYNC)
        io_uring_prep_fsync(sqe, fd, io->flags & IO_DATASYNC ? IORING_FSYNC_DATASYNC : 0);
    else if (!e->config.fixedbufs && io->dir == DIR_READ)
        io_uring_prep_read(sqe, fd, io->buf, io->len, io->offset);
    else if (!e->config.fixedbufs)
        io_uring_prep_write(sqe, fd, io->buf, io->len, io->offset);
    else if (io->dir == DIR_READ)
        io_uring_prep_read_fixed(sqe, fd, io->buf, io->len, io->offset,
                                 (int)(io->slot >> e->buffer_shift));
    else
        io_uring_prep_write_fixed(sqe, fd, io->buf, io->len, io->offset,
                                  (int)(io->slot >> e->buffer_shift));
    if (e->config.registerfiles)
        io_uring_sqe_set_flags(sqe, IOSQE_FIXED_FILE);
    io_uring_sqe_set_data(sqe, io);
}

/* Hands the queue to the kernel; what it does not take now stays queued for the next call. */
static void flush(struct engine *e)
{
    bool plain = e->config.sqpoll || e->config.hipri;
    int rc = plain ? io_uring_submit(&e->ring) : io_uring_submit_and_get_events(&e->ring);
    if (rc >= 0)
        e->unsubmitted = e->config.sqpoll ? 0 : e->unsubmitted - (unsigned)rc;
    else if (rc != -EAGAIN && rc != -EBUSY && rc != -EINTR)
        e->broken = rc;
}

static int uring_submit(struct engine *e, struct io **io, unsigned n)
{
    unsigned k = 0;
    while (k < n && has_operation(e, io[k])) {
        struct io_uring_sqe *sqe = io_uring_get_sqe(&e->ring);
        if (!sqe)
            break;
        prepare(e, sqe, io[k++]);
    }
    if (k == 0) {
        if (n == 0 || has_operation(e, io[0]))
            return 0;
        sync_queue_do(&e->sync, e->fd[io[0]->file], io[0]);
        return 1;
    }
    e->unsubmitted += k;
    e->inflight += k;
    flush(e);
    return (int)k;
}

static unsigned take_completions(struct engine *e, struct io **done, unsigned max)
{
    unsigned n = io_uring_cq_ready(&e->ring);
    if (n == 0)
        return 0;
    if (n > max)
        n = max;
    unsigned head = *e->ring.cq.khead, mask = e->ring.cq.ring_mask;
    for (unsigned i = 0; i < n; i++) {
        const struct io_uring_cqe *cqe = &e->ring.cq.cqes[(head + i) & mask];
        done[i] = io_uring_cqe_get_data(cqe);
        done[i]->result = cqe->res;
    }
    io_uring_cq_advance(&e->ring, n);
    e->inflight -= n;
    return n;
}

/*
 * The bare call: every caller has looked into the ring before and looks again after, as
 * io_uring_wait_cqes would once more.
 */
static int wait_in_kernel(struct engine *e, unsigned min, uint64_t timeout_ns)
{
    struct __kernel_timespec ts = {.tv_sec = (long long)(timeout_ns / NS_PER_S),
                                   .tv_nsec = (long long)(timeout_ns % NS_PER_S)};
    struct io_uring_getevents_arg arg = {.ts = timeout_ns == UINT64_MAX ? 0 : (uintptr_t)&ts};
    if (e->unsubmitted)
        flush(e);
    if (e->broken)
        return e->broken;
    int rc = io_uring_enter2((unsigned)e->ring.enter_ring_fd, 0, min,
                             IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG | e->enter_flags,
                             (sigset_t *)(void *)&arg, sizeof arg);
    return rc == -ETIME || rc == -EAGAIN ? 0 : rc;
}

static int uring_reap(struct engine *e, struct io **done, unsigned min, unsigned max,
                      uint64_t timeout_ns)
{
    unsigned n = e->sync.n ? sync_queue_take(&e->sync, done, max) : 0;
    n += take_completions(e, done + n, max - n);
    if (n >= min || n == max)
        return (int)n;
    int rc = wait_in_kernel(e, min - n, timeout_ns);
    n += take_completions(e, done + n, max - n);
    return n || rc >= 0 ? (int)n : rc;
}

/*
 * Where a file or device cannot do an I/O without blocking, the kernel hands it to worker threads
 * of this thread, named iou-wrk-<its id>: what is measured then is a thread pool.
 */
static const char *uring_caveat(struct engine *e)
{
    char own[32];
    const char *found = NULL;
    (void)e;
    snprintf(own, sizeof own, "iou-wrk-%d", (int)gettid());
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *d; tasks && !found && (d = readdir(tasks));) {
        char *name = sysroot_read(&sysroot_system, "/proc/self/task/%s/comm", d->d_name);
        if (name && strcmp(name, own) == 0)
            found = "io-uring-workers";
        free(name);
    }
    if (tasks)
        closedir(tasks);
    return found;
}

/* Closing the ring does not wait until the kernel is done with the buffers: so we do. */
static void drain(struct engine *e)
{
    struct io *done[64];
    while (e->inflight && !e->broken) {
        int rc = wait_in_kernel(e, 1, UINT64_MAX);
        if (take_completions(e, done, 64) == 0 && rc < 0 && rc != -EINTR)
            return;
    }
}

static void uring_destroy(struct engine *e)
{
    if (!e)
        return;
    drain(e);
    io_uring_queue_exit(&e->ring);
    sync_queue_release(&e->sync);
    free(e);
}

const struct engine_ops engine_io_uring = {
    .name = "io_uring",
    .summary = "io_uring with registered buffers and files",
    .option = uring_options,
    .flags = ENGINE_HELPERS,
    .supported = uring_supported,
    .create = uring_create,
    .submit = uring_submit,
    .reap = uring_reap,
    .destroy = uring_destroy,
    .caveat = uring_caveat,
};
