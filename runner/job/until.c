#include "runner/job/until_internal.h"

#include <math.h>

#include "core/base/xalloc.h"
#include "core/stats/burst.h"
#include "core/stats/mean_interval.h"
#include "runner/job/progress_internal.h"

/* As many as make a phase a verdict. */
#define DRAINED_SAMPLES 30

void until_create(struct cell_run *run, const struct job_spec *spec)
{
    if (!(spec->until > 0) && !spec->drain)
        return;
    run->until.half = spec->until;
    run->until.min_ns = spec->min_runtime_ns;
    run->until.iops = xcalloc((size_t)(run->runtime_ns / run->interval_ns) + 1, sizeof(double));
}

void until_release(struct cell_run *run)
{
    free(run->until.iops);
}

/* I/Os per second of all jobs in one sample. */
static double sampled(const struct cell_run *run, size_t i)
{
    uint64_t ios = 0;
    for (unsigned t = 0; t < run->n_targets; t++) {
        for (int d = 0; d < DIR_SYNC; d++) {
            const struct series *s = run->series[t][d];
            ios += s && i < s->n ? __atomic_load_n(&s->point[i].ios, __ATOMIC_RELAXED) : 0;
        }
    }
    return (double)ios * 1e9 / (double)run->interval_ns;
}

static size_t take_samples(struct cell_run *run)
{
    size_t n = closed_intervals(run, 0, run->n_targets - 1);
    size_t most = (size_t)(run->runtime_ns / run->interval_ns);
    n = n < most ? n : most;
    for (; run->until.n < n; run->until.n++)
        run->until.iops[run->until.n] = sampled(run, run->until.n);
    return run->until.n;
}

/* Half width over the mean; false when neither is known yet. */
static bool width(const struct cell_run *run, double *half, double *n_eff)
{
    struct mean_interval i;
    if (!interval_of_mean(run->until.iops, run->until.n, &i) || !(i.mean > 0))
        return false;
    *half = (i.hi - i.mean) / i.mean;
    *n_eff = i.n_eff;
    return true;
}

/* A burst ran out, and what lasts was there for a while. */
static bool is_drained(const struct cell_run *run)
{
    struct burst b;
    return burst_find(run->until.iops, run->until.n, &b) && run->until.n - b.at >= DRAINED_SAMPLES;
}

static bool is_enough(const struct cell_run *run)
{
    double half, n_eff;
    if (run->until.half > 0)
        return width(run, &half, &n_eff) && half <= run->until.half;
    return is_drained(run);
}

void until_look(struct cell_run *run)
{
    if (!run->until.iops)
        return;
    size_t n = take_samples(run);
    /* each look costs up to n^2: not after every one of many samples */
    if (n < run->until.next_look || n * run->interval_ns < run->until.min_ns)
        return;
    run->until.next_look = n + 1 + n / 100;
    int running = STOP_NO;
    if (is_enough(run))
        atomic_compare_exchange_strong(&run->stop, &running, STOP_ENOUGH);
}

void until_fill(struct cell *cell, struct cell_run *run)
{
    double half = NAN, n_eff;
    bool by_interval = run->until.half > 0;
    if (!run->until.iops)
        return;
    take_samples(run);
    if (by_interval) {
        if (!width(run, &half, &n_eff))
            return;
        SET(cell, CELL, ci_half, half);
        SET(cell, CELL, n_eff, n_eff);
    }
    bool enough = atomic_load(&run->stop) == STOP_ENOUGH;
    if (cell->status != STATUS_COMPLETE)
        return;
    const char *why = by_interval ? "interval" : "drained";
    field_set_text(&cell_fields, cell, CELL_ended_by, enough ? why : "max-runtime");
    if (half > run->until.half)
        cell_add_caveat(cell, "interval-wide");
}
