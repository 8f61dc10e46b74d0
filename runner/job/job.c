/* Starts the jobs of a cell, watches them, and joins them. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "runner/job/job_internal.h"
#include "runner/job/progress_internal.h"

#define TICK_NS         (50 * NS_PER_MS)
#define PROGRESS_NS     (250 * NS_PER_MS)
#define HANG_DEFAULT_NS (60 * NS_PER_S)
/* A job's own waiting ends after hang_ns; a thread that needs this much more is blocked. */
#define BLOCKED_NS (5 * NS_PER_S)

static void run_destroy(struct cell_run *run)
{
    for (unsigned i = 0; i < run->n_jobs; i++) {
        recorder_release(&run->job[i].rec);
        arrivals_release(&run->job[i].arrivals);
        workload_destroy(run->job[i].load);
    }
    for (unsigned t = 0; t < run->n_targets; t++) {
        if (run->fd[t] >= 0)
            close(run->fd[t]);
        for (int d = 0; d < DIR_COUNT; d++)
            shared_series_destroy(run->series[t][d]);
    }
    if (run->owns_shared && run->ops->share_destroy)
        run->ops->share_destroy(run->shared);
    buffer_pool_destroy(run->pool);
    workload_spec_release(&run->load);
    pthread_cond_destroy(&run->cond);
    pthread_mutex_destroy(&run->lock);
    free(run->job);
    free(run->series);
    free(run->fd);
    free(run->size);
    free(run->cpu);
    free(run->options);
    free(run);
}

static int find_engine(const struct engine_ops **out, const struct cell_key *key, struct error *err)
{
    const char *name = key->engine ? key->engine : "libaio";
    const struct engine_ops *ops = engine_find(name);
    if (!ops)
        return error_set(err, ERR_USAGE, "there is no engine \"%s\"", name);
    char why[256] = "";
    if (!ops->supported(why, sizeof why))
        return error_set(err, ERR_DEVICE, "engine %s cannot work here: %s", name, why);
    *out = ops;
    return 0;
}

/* Own descriptors; the run owns what it opened so far also on failure. */
static int copy_targets(struct cell_run *run, const struct job_spec *spec, struct error *err)
{
    run->fd = xcalloc(spec->n_targets, sizeof *run->fd);
    run->size = xcalloc(spec->n_targets, sizeof *run->size);
    run->series = xcalloc(spec->n_targets, sizeof *run->series);
    for (unsigned t = 0; t < spec->n_targets; t++) {
        const struct job_target *target = &spec->target[t];
        run->fd[t] = -1;
        run->size[t] = target->size;
        run->n_targets = t + 1;
        if (run->ops->flags & ENGINE_NO_DEVICE)
            continue;
        run->fd[t] = fcntl(target->fd, F_DUPFD_CLOEXEC, 0);
        if (run->fd[t] < 0)
            return error_errno(err, ERR_DEVICE, errno, "%s: cannot duplicate its descriptor",
                               target->label ? target->label : "target");
    }
    return 0;
}

static int read_key(struct cell_run *run, const struct cell_key *key, struct error *err)
{
    uint64_t size = run->size[0];
    for (unsigned t = 1; t < run->n_targets; t++)
        size = run->size[t] < size ? run->size[t] : size;
    int rc = workload_spec_from_key(&run->load, key, size, err);
    if (rc)
        return rc;
    uint64_t depth = IS_KNOWN(key, CELL_KEY, iodepth) ? key->iodepth : 1;
    uint64_t jobs = IS_KNOWN(key, CELL_KEY, numjobs) ? key->numjobs : 1;
    if (depth < 1 || depth > 65536 || jobs < 1 || jobs > 4096)
        return error_set(err, ERR_USAGE,
                         "iodepth must be from 1 to 65536 and numjobs from 1 to 4096, not %llu and "
                         "%llu",
                         (unsigned long long)depth, (unsigned long long)jobs);
    run->iodepth = run->ops->flags & ENGINE_SYNC ? 1 : (unsigned)depth;
    run->n_jobs = (unsigned)jobs * run->n_targets;
    return 0;
}

static void make_jobs(struct cell_run *run, const struct job_spec *spec, const struct cell *cell)
{
    size_t buf_len = ((size_t)workload_max_bs(&run->load) + 4095) / 4096 * 4096;
    unsigned per_target = run->n_jobs / run->n_targets;
    size_t points = (size_t)(run->runtime_ns / run->interval_ns);
    for (unsigned t = 0; t < run->n_targets; t++) {
        for (enum dir d = DIR_READ; d < DIR_COUNT; d++) {
            if (workload_uses(&run->load, d))
                run->series[t][d] = shared_series_create(points, run->interval_ns);
        }
    }
    run->job = xcalloc(run->n_jobs, sizeof *run->job);
    for (unsigned i = 0; i < run->n_jobs; i++) {
        struct job *j = &run->job[i];
        uint64_t seed = workload_seed(spec->run_seed, cell->ordinal, cell->repeat, i);
        j->run = run;
        j->ops = run->ops;
        j->number = i;
        j->target = i / per_target;
        j->iodepth = run->iodepth;
        j->buf_len = buf_len;
        j->load = workload_create(&run->load, seed, i % per_target, per_target, run->pool);
        j->thinktime_ns = run->load.thinktime_ns;
        j->paced = workload_is_open(&run->load) || j->thinktime_ns;
        if (workload_is_open(&run->load))
            arrivals_init(&j->arrivals, j->load);
        recorder_init(&j->rec, run->series[j->target], (run->ops->flags & ENGINE_SYNC) != 0);
        for (enum dir d = DIR_READ; d < WORKLOAD_DIRS; d++) {
            if (j->rec.dir[d] && j->arrivals.schedule)
                j->rec.dir[d]->late_above = workload_gap_ns(&run->load, d);
        }
    }
}

static int run_create(struct cell_run **out, const struct job_spec *spec, const struct cell *cell,
                      struct error *err)
{
    const struct cell_key *key = &cell->key;
    struct cell_run *run = xcalloc(1, sizeof *run);
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&run->cond, &attr);
    pthread_condattr_destroy(&attr);
    pthread_mutex_init(&run->lock, NULL);
    run->ramp_ns = spec->ramp_ns;
    run->runtime_ns = spec->runtime_ns;
    run->interval_ns = spec->interval_ns ? spec->interval_ns : NS_PER_S;
    run->hang_ns = spec->hang_ns ? spec->hang_ns : HANG_DEFAULT_NS;
    run->options = xstrdup(key->engine_options ? key->engine_options : "");
    run->n_cpus = spec->n_cpus;
    run->cpu = xcalloc(spec->n_cpus, sizeof *run->cpu);
    if (spec->n_cpus)
        memcpy(run->cpu, spec->cpu, spec->n_cpus * sizeof *run->cpu);

    int rc = find_engine(&run->ops, key, err);
    if (rc == 0)
        rc = copy_targets(run, spec, err);
    if (rc == 0)
        rc = read_key(run, key, err);
    run->shared = spec->shared;
    if (rc == 0 && run->ops->share_create && !run->shared) {
        rc = run->ops->share_create(&run->shared, run->options, spec->run_seed, err);
        run->owns_shared = true;
    }
    if (rc) {
        run->n_jobs = 0;
        run_destroy(run);
        return rc;
    }
    if (workload_uses(&run->load, DIR_WRITE))
        run->pool = buffer_pool_create(spec->run_seed);
    make_jobs(run, spec, cell);
    *out = run;
    return 0;
}

static void open_gate(struct cell_run *run, enum gate gate)
{
    pthread_mutex_lock(&run->lock);
    run->start = clock_now_ns();
    run->gate = gate;
    pthread_cond_broadcast(&run->cond);
    pthread_mutex_unlock(&run->lock);
}

static void join_all(struct cell_run *run, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        pthread_join(run->job[i].thread, NULL);
}

/* Jobs take no signals: they belong to the thread that called. */
static int start_threads(struct cell_run *run, struct error *err)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    unsigned n = 0;
    int rc = 0;
    while (n < run->n_jobs && rc == 0) {
        rc = pthread_create(&run->job[n].thread, NULL, job_thread, &run->job[n]);
        n += rc == 0;
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);

    pthread_mutex_lock(&run->lock);
    while (run->n_ready < n)
        pthread_cond_wait(&run->cond, &run->lock);
    pthread_mutex_unlock(&run->lock);

    if (rc)
        rc = error_errno(err, ERR_DEVICE, rc, "cannot start job %u of %u", n + 1, run->n_jobs);
    for (unsigned i = 0; i < n && rc == 0; i++) {
        const struct error *e = &run->job[i].err;
        if (e->code) {
            rc = error_set(err, e->code, "%s", e->message);
        }
    }
    if (rc) {
        open_gate(run, GATE_ABORTED);
        join_all(run, n);
    }
    return rc;
}

/* One tick, or until a job finishes. */
static void wait_tick(struct cell_run *run)
{
    uint64_t until = clock_now_ns() + TICK_NS;
    struct timespec ts = {.tv_sec = (time_t)(until / NS_PER_S),
                          .tv_nsec = (long)(until % NS_PER_S)};
    pthread_mutex_lock(&run->lock);
    if (run->n_finished < run->n_jobs)
        pthread_cond_timedwait(&run->cond, &run->lock, &ts);
    pthread_mutex_unlock(&run->lock);
}

static unsigned finished_jobs(struct cell_run *run)
{
    pthread_mutex_lock(&run->lock);
    unsigned n = run->n_finished;
    pthread_mutex_unlock(&run->lock);
    return n;
}

static bool any_gone(const struct cell_run *run)
{
    for (unsigned i = 0; i < run->n_jobs; i++) {
        if (atomic_load(&run->job[i].finished) && run->job[i].gone)
            return true;
    }
    return false;
}

/* Passes a stop on to the jobs. When one has given up, the load is not the cell's any more. */
static void pass_on_stop(struct cell_run *run, const struct job_spec *spec)
{
    int stop = spec->stop ? atomic_load(spec->stop) : 0;
    if (stop == 0 && any_gone(run))
        stop = 1;
    if (stop > atomic_load(&run->stop))
        atomic_store(&run->stop, stop);
}

/* Until all jobs are finished, or those left are blocked in the kernel; returns how many. */
static unsigned watch(struct cell_run *run, const struct job_spec *spec)
{
    struct progress_state state = {.last_ns = run->start};
    uint64_t due = run->start + PROGRESS_NS;
    uint64_t deadline = run->start + run->ramp_ns + run->runtime_ns + run->hang_ns + BLOCKED_NS;
    bool stopped = false;
    unsigned n;
    while ((n = finished_jobs(run)) < run->n_jobs) {
        wait_tick(run);
        pass_on_stop(run, spec);
        uint64_t now = clock_now_ns();
        if (!stopped && atomic_load(&run->stop)) {
            stopped = true;
            uint64_t end = now + run->hang_ns + BLOCKED_NS;
            deadline = end < deadline ? end : deadline;
        }
        if (now >= deadline && !run->ops->now)
            return run->n_jobs - n;
        if (spec->progress && now >= due) {
            struct job_progress p;
            progress_read(&p, run, &state, now);
            spec->progress(spec->progress_arg, &p);
            due = now + PROGRESS_NS;
        }
    }
    return 0;
}

int job_run_cell(const struct job_spec *spec, struct cell *cell, struct error *err)
{
    struct cell_run *run;
    int rc = run_create(&run, spec, cell, err);
    if (rc)
        return rc;
    rc = start_threads(run, err);
    if (rc) {
        run_destroy(run);
        return rc;
    }
    SET(cell, CELL, started_ns, clock_wall_ns() + (int64_t)spec->ramp_ns);
    open_gate(run, GATE_OPEN);
    unsigned missing = watch(run, spec);
    result_fill(cell, run, spec, missing);
    if (missing) {
        /* A thread is blocked in the kernel and may come back any time: what it uses stays. */
        for (unsigned i = 0; i < run->n_jobs; i++)
            pthread_detach(run->job[i].thread);
        return 0;
    }
    join_all(run, run->n_jobs);
    run_destroy(run);
    return 0;
}
