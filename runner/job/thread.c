/* The life of a job's thread around its loop. */
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "runner/job/job_internal.h"

static uint64_t timeval_ns(struct timeval t)
{
    return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_usec * NS_PER_US;
}

struct cpu_use cpu_use_now(int who)
{
    struct rusage ru;
    if (getrusage(who, &ru))
        return (struct cpu_use){0};
    return (struct cpu_use){.user_ns = timeval_ns(ru.ru_utime),
                            .system_ns = timeval_ns(ru.ru_stime),
                            .nvcsw = (uint64_t)ru.ru_nvcsw,
                            .nivcsw = (uint64_t)ru.ru_nivcsw};
}

struct cpu_use cpu_use_since(const struct cpu_use *before, int who)
{
    struct cpu_use now = cpu_use_now(who);
    return (struct cpu_use){.user_ns = now.user_ns - before->user_ns,
                            .system_ns = now.system_ns - before->system_ns,
                            .nvcsw = now.nvcsw - before->nvcsw,
                            .nivcsw = now.nivcsw - before->nivcsw};
}

static int pin(const struct job *j, struct error *err)
{
    const struct cell_run *run = j->run;
    if (run->n_cpus == 0)
        return 0;
    unsigned own = j->number % run->n_cpus;
    cpu_set_t set;
    CPU_ZERO(&set);
    for (unsigned i = 0; i < run->n_cpus; i++) {
        if (run->cpus_shared || i == own)
            CPU_SET(run->cpu[i], &set);
    }
    int rc = pthread_setaffinity_np(pthread_self(), sizeof set, &set);
    if (rc)
        return error_errno(err, ERR_USAGE, rc, "cannot run a job on CPU %u", run->cpu[own]);
    return 0;
}

static int set_up_slots(struct job *j, struct error *err)
{
    size_t len;
    if (__builtin_mul_overflow(j->buf_len, j->iodepth, &len))
        len = SIZE_MAX;
    void *arena = len == SIZE_MAX ? MAP_FAILED
                                  : mmap(NULL, len, PROT_READ | PROT_WRITE,
                                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (arena == MAP_FAILED)
        return error_set(err, ERR_DEVICE,
                         "not enough memory for %u buffers of %zu bytes; lower --iodepth, --bs or "
                         "--numjobs",
                         j->iodepth, j->buf_len);
    j->arena = arena;
    j->arena_len = len;
    j->io = xcalloc(j->iodepth, sizeof *j->io);
    j->free = xcalloc(j->iodepth, sizeof(struct io *));
    j->batch = xcalloc(j->iodepth, sizeof(struct io *));
    j->done = xcalloc(j->iodepth, sizeof(struct io *));
    for (unsigned i = 0; i < j->iodepth; i++) {
        struct io *io = &j->io[i];
        io->slot = i;
        io->file = (uint16_t)j->target;
        io->buf = (char *)arena + i * j->buf_len;
        j->free[j->iodepth - 1 - i] = io;
    }
    j->n_free = j->iodepth;
    return 0;
}

static int set_up(struct job *j, struct error *err)
{
    struct cell_run *run = j->run;
    /* waits end when they are due and not up to 50 us later */
    prctl(PR_SET_TIMERSLACK, 1);
    int rc = pin(j, err);
    if (rc == 0)
        rc = set_up_slots(j, err);
    if (rc)
        return rc;
    struct engine_env env = {.fd = run->fd,
                             .size = run->size,
                             .n_files = run->n_targets,
                             .iodepth = j->iodepth,
                             .arena = j->arena,
                             .buf_len = j->buf_len,
                             .options = run->options,
                             .job = run->first_job + j->number,
                             .shared = run->shared};
    return j->ops->create(&j->engine, &env, err);
}

/* Tells that the job is ready, or not; true when all are and the start is given. */
static bool pass_gate(struct job *j)
{
    struct cell_run *run = j->run;
    pthread_mutex_lock(&run->lock);
    run->n_ready++;
    pthread_cond_broadcast(&run->cond);
    while (run->gate == GATE_CLOSED)
        pthread_cond_wait(&run->cond, &run->lock);
    bool open = run->gate == GATE_OPEN;
    pthread_mutex_unlock(&run->lock);
    return open;
}

/* What the kernel may still write to is left alone: the buffers, and what the engine has of them. */
static void abandon(struct job *j)
{
    xabandon(j->engine);
    xabandon(j->io);
    xabandon(j->free);
    xabandon(j->batch);
    xabandon(j->done);
}

static void clean_up(struct job *j)
{
    if (j->stuck && !(j->ops->flags & ENGINE_NO_DEVICE)) {
        abandon(j);
        return;
    }
    j->ops->destroy(j->engine);
    j->engine = NULL;
    free(j->io);
    free(j->free);
    free(j->batch);
    free(j->done);
    if (j->arena)
        munmap(j->arena, j->arena_len);
}

void *job_thread(void *job)
{
    struct job *j = job;
    struct cell_run *run = j->run;
    int rc = set_up(j, &j->err);
    if (pass_gate(j) && rc == 0) {
        job_loop(j);
        job_drain(j);
        j->caveat = j->ops->caveat ? j->ops->caveat(j->engine) : NULL;
    }
    clean_up(j);
    pthread_mutex_lock(&run->lock);
    run->n_finished++;
    atomic_store(&j->finished, true);
    pthread_cond_broadcast(&run->cond);
    pthread_mutex_unlock(&run->lock);
    return NULL;
}
