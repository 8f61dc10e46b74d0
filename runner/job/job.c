/* Makes what the jobs of a cell need before they can start. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "runner/job/until_internal.h"

#define HANG_DEFAULT_NS (60 * NS_PER_S)

void cell_run_destroy(struct cell_run *run)
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
    until_release(run);
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
    if (ops->flags & ENGINE_WHOLE_CELL)
        return error_set(err, ERR_USAGE, "engine %s does not do single I/Os", name);
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
        j->held = workload_is_held(&run->load);
        if (workload_is_open(&run->load))
            arrivals_init(&j->arrivals, j->load);
        recorder_init(&j->rec, run->series[j->target], (run->ops->flags & ENGINE_SYNC) != 0);
        for (enum dir d = DIR_READ; d < WORKLOAD_DIRS; d++) {
            if (j->rec.dir[d] && j->arrivals.schedule)
                j->rec.dir[d]->late_above = workload_gap_ns(&run->load, d);
        }
    }
}

int cell_run_create(struct cell_run **out, const struct job_spec *spec, const struct cell *cell,
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
    run->delay_ns = spec->delay_ns;
    run->ramp_ns = spec->ramp_ns;
    run->runtime_ns = spec->runtime_ns;
    run->interval_ns = spec->interval_ns ? spec->interval_ns : NS_PER_S;
    run->hang_ns = spec->hang_ns ? spec->hang_ns : HANG_DEFAULT_NS;
    run->options = xstrdup(key->engine_options ? key->engine_options : "");
    run->n_cpus = spec->n_cpus;
    run->cpus_shared = spec->cpus_shared;
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
        cell_run_destroy(run);
        return rc;
    }
    if (workload_uses(&run->load, DIR_WRITE))
        run->pool = buffer_pool_create(spec->run_seed);
    make_jobs(run, spec, cell);
    until_create(run, spec);
    *out = run;
    return 0;
}
