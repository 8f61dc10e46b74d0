/* From the finished jobs to the cell. */
#include <errno.h>
#include <math.h>

#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "runner/job/progress_internal.h"
#include "runner/job/until_internal.h"

/* A job that is still blocked in the kernel may write to its records: they are not read. */
static bool counts(const struct job *j)
{
    return atomic_load(&j->finished);
}

/* What all jobs of a target (or of all targets) did in one direction. */
struct sum {
    uint64_t ios, bytes, short_ios, failed_ios;
    uint64_t runtime_ns; /* the longest */
    double iops, bw;     /* sums of each job's own rate */
    uint64_t late_ios, backlog_max;
    double offered_iops;
    struct hist lat[LAT_KIND_COUNT];
    struct series *series; /* or NULL */
};

static void sum_job(struct sum *s, const struct job *j, enum dir dir)
{
    const struct dir_recorder *d = j->rec.dir[dir];
    s->runtime_ns = j->runtime_ns > s->runtime_ns ? j->runtime_ns : s->runtime_ns;
    s->short_ios += d->short_ios;
    s->failed_ios += d->failed_ios;
    for (int k = 0; k < LAT_KIND_COUNT; k++)
        hist_merge(&s->lat[k], &d->lat[k]);
    if (j->runtime_ns == 0)
        return;
    double seconds = (double)j->runtime_ns / 1e9;
    s->ios += d->window_ios;
    s->bytes += d->window_bytes;
    s->iops += (double)d->window_ios / seconds;
    s->bw += (double)d->window_bytes / seconds;
    s->late_ios += d->late_ios;
    if (dir < WORKLOAD_DIRS) {
        s->offered_iops += (double)j->arrivals.offered[dir] / seconds;
        s->backlog_max += j->arrivals.backlog_max[dir];
    }
}

/* Adds a target's series to the sum; the shorter length wins, so that every point is whole. */
static void sum_series(struct sum *s, const struct series *from, size_t n)
{
    if (!s->series) {
        s->series = xcalloc(1, sizeof *s->series);
        series_copy(s->series, from);
        s->series->n = n;
        return;
    }
    s->series->n = n < s->series->n ? n : s->series->n;
    for (size_t i = 0; i < s->series->n; i++) {
        struct series_point *p = &s->series->point[i];
        const struct series_point *q = &from->point[i];
        p->ios += q->ios;
        p->bytes += q->bytes;
        p->lat_sum_ns += q->lat_sum_ns;
        p->inflight += q->inflight;
        p->lat_max_ns = q->lat_max_ns > p->lat_max_ns ? q->lat_max_ns : p->lat_max_ns;
    }
    for (size_t i = 0; i < s->series->n * SERIES_HIST_BUCKETS; i++)
        s->series->hist[i] += from->hist[i];
}

static uint64_t within(uint64_t v, uint64_t least, uint64_t most)
{
    return v < least ? least : v > most ? most : v;
}

/* Steps of an interval are wide: no percentile is below the least of the cell or above the most of the interval. */
static void finish_series(struct series *s, uint64_t least)
{
    for (size_t i = 0; i < s->n; i++) {
        struct series_point *p = &s->point[i];
        uint64_t count[SERIES_HIST_BUCKETS];
        for (unsigned b = 0; b < SERIES_HIST_BUCKETS; b++)
            count[b] = s->hist[i * SERIES_HIST_BUCKETS + b];
        p->end_ns = (i + 1) * s->interval_ns;
        p->len_ns = s->interval_ns;
        if (p->ios == 0)
            continue;
        p->lat_p50_ns = within(interval_percentile(count, 50), least, p->lat_max_ns);
        p->lat_p99_ns = within(interval_percentile(count, 99), least, p->lat_max_ns);
    }
}

/* What a rate asked for, and how far the job kept up with it. */
static void set_rate(struct direction *d, const struct sum *s)
{
    if (s->runtime_ns == 0)
        return;
    SET(d, DIRECTION, offered_iops, s->offered_iops);
    SET(d, DIRECTION, backlog_max, s->backlog_max);
    if (s->ios)
        SET(d, DIRECTION, late_share, (double)s->late_ios / (double)s->ios);
}

static void set_direction(struct direction *d, struct sum *s)
{
    SET(d, DIRECTION, ios, s->ios);
    SET(d, DIRECTION, bytes, s->bytes);
    SET(d, DIRECTION, short_ios, s->short_ios);
    SET(d, DIRECTION, failed_ios, s->failed_ios);
    if (s->runtime_ns) {
        /* the windows of the jobs differ by parts of an I/O: the time that fits the sum */
        double ns = s->iops > 0 ? (double)s->ios * 1e9 / s->iops : (double)s->runtime_ns;
        SET(d, DIRECTION, runtime_ns, (uint64_t)llround(ns));
        SET(d, DIRECTION, iops, s->iops);
        SET(d, DIRECTION, bw, s->bw);
    }
    for (int k = 0; k < LAT_KIND_COUNT; k++) {
        if (hist_n(&s->lat[k]) == 0)
            continue;
        d->lat[k].hist = xmalloc(sizeof(struct hist));
        *d->lat[k].hist = s->lat[k];
        lat_from_hist(&d->lat[k]);
    }
    if (s->series && s->series->n > 0) {
        finish_series(s->series, hist_n(&s->lat[LAT_LAT]) ? s->lat[LAT_LAT].min : 0);
        d->series = s->series;
    } else {
        shared_series_destroy(s->series);
    }
    direction_set_samples(d);
}

/* One direction of the targets first..last. */
static void fill_direction(struct direction *out, const struct cell_run *run, enum dir dir,
                           unsigned first, unsigned last)
{
    struct sum *s = xcalloc(1, sizeof *s);
    for (int k = 0; k < LAT_KIND_COUNT; k++)
        hist_init(&s->lat[k]);
    for (unsigned i = 0; i < run->n_jobs; i++) {
        const struct job *j = &run->job[i];
        if (j->target >= first && j->target <= last && counts(j))
            sum_job(s, j, dir);
    }
    for (unsigned t = first; t <= last; t++) {
        const struct series *from = run->series[t][dir];
        size_t n = closed_intervals(run, t, t);
        sum_series(s, from, n < from->n ? n : from->n);
    }
    set_direction(out, s);
    if (workload_is_open(&run->load) && dir < WORKLOAD_DIRS)
        set_rate(out, s);
    free(s);
}

static void fill_directions(struct direction dir[DIR_COUNT], const struct cell_run *run,
                            unsigned first, unsigned last)
{
    for (enum dir d = DIR_READ; d < DIR_COUNT; d++) {
        if (run->series[first][d])
            fill_direction(&dir[d], run, d, first, last);
    }
}

static void fill_parts(struct cell *cell, const struct cell_run *run)
{
    cell->part = xcalloc(run->n_targets, sizeof *cell->part);
    cell->n_parts = run->n_targets;
    SET(cell, CELL, together, true);
    for (unsigned t = 0; t < run->n_targets; t++) {
        cell->part[t].device = t < cell->n_devices ? cell->device[t] : t;
        fill_directions(cell->part[t].dir, run, t, t);
    }
}

static void add_cpu(struct cpu_use *sum, const struct cpu_use *c)
{
    sum->user_ns += c->user_ns;
    sum->system_ns += c->system_ns;
    sum->nvcsw += c->nvcsw;
    sum->nivcsw += c->nivcsw;
}

static void fill_cpu(struct cell *cell, const struct cell_run *run, uint64_t ios)
{
    struct cpu_use sum = {0};
    double util = 0;
    bool helpers = (run->ops->flags & ENGINE_HELPERS) != 0;
    for (unsigned i = 0; i < run->n_jobs; i++) {
        const struct job *j = &run->job[i];
        if (!counts(j) || j->runtime_ns == 0)
            continue;
        if (!helpers)
            add_cpu(&sum, &j->cpu);
        else if (j->number == 0)
            add_cpu(&sum, &j->process_cpu);
        /* looking whether an I/O is due is not work: a job that only does that has CPU to spare */
        double busy = (double)(j->cpu.user_ns + j->cpu.system_ns) - (double)j->looked_ns;
        util = fmax(util, busy / (double)j->runtime_ns);
    }
    if (!run->ops->now) {
        SET(cell, CELL, cpu_util_max, util);
        if (util > JOB_CPU_BUSY_MIN)
            cell_add_caveat(cell, "generator-busy");
    }
    if (helpers && !run->alone)
        return; /* the process did the work of other cells too */
    SET(cell, CELL, user_ns, sum.user_ns);
    SET(cell, CELL, system_ns, sum.system_ns);
    SET(cell, CELL, nvcsw, sum.nvcsw);
    SET(cell, CELL, nivcsw, sum.nivcsw);
    if (ios)
        SET(cell, CELL, cpu_per_io_ns, (double)(sum.user_ns + sum.system_ns) / (double)ios);
}

/*
 * Little's law: I/Os in flight = rate x mean latency = sum of latencies / time. Under a rate the
 * time before an I/O is issued is spent in the generator's queue, so clat counts there.
 */
static void fill_depth(struct cell *cell, const struct cell_run *run)
{
    bool open = workload_is_open(&run->load);
    double depth = 0;
    for (unsigned i = 0; i < run->n_jobs; i++) {
        const struct job *j = &run->job[i];
        for (int d = 0; d < DIR_COUNT && j->runtime_ns; d++) {
            const struct dir_recorder *r = j->rec.dir[d];
            uint64_t sum = r ? r->lat[open ? LAT_CLAT : LAT_LAT].sum : 0;
            depth += (double)sum / (double)j->runtime_ns;
        }
    }
    SET(cell, CELL, depth_reached, depth);
    if (open || run->load.thinktime_ns)
        return;
    double ratio = depth / ((double)run->iodepth * run->n_jobs);
    SET(cell, CELL, little_ratio, ratio);
    if (ratio < JOB_DEPTH_REACHED_MIN)
        cell_add_caveat(cell, "depth-not-reached");
}

/* What is done while it is submitted (memory, the page cache, a full queue) shows in slat, not in clat. */
static void fill_submission_caveat(struct cell *cell, const struct cell_run *run)
{
    double slat = 0, clat = 0;
    for (unsigned i = 0; i < run->n_jobs; i++) {
        for (int d = 0; d < DIR_COUNT; d++) {
            const struct dir_recorder *r = run->job[i].rec.dir[d];
            slat += r ? (double)r->lat[LAT_SLAT].sum : 0;
            clat += r ? (double)r->lat[LAT_CLAT].sum : 0;
        }
    }
    if (slat > clat)
        cell_add_caveat(cell, "submission-blocks");
}

/*
 * A load that is not kept up leaves I/Os that are due and not issued: more than the one per job that
 * may be due at the very end. Without them few I/Os only mean that few were due, as it is when
 * arrivals are far apart, or irregular.
 */
static bool leaves_backlog(const struct cell_run *run)
{
    uint64_t waiting = 0;
    for (unsigned i = 0; i < run->n_jobs; i++) {
        if (counts(&run->job[i]))
            waiting += arrivals_waiting(&run->job[i].arrivals);
    }
    return waiting > run->n_jobs;
}

/* In the second half of the window, when a backlog that only the start made is gone. */
static void fill_rate_caveat(struct cell *cell, const struct cell_run *run)
{
    double achieved = 0, offered = 0;
    for (int d = 0; d < WORKLOAD_DIRS && workload_is_open(&run->load); d++) {
        const struct direction *dir = &cell->dir[d];
        const struct series *s = dir->series;
        if (!IS_KNOWN(dir, DIRECTION, offered_iops))
            continue;
        offered += dir->offered_iops;
        size_t n = s ? s->n - s->n / 2 : 0;
        for (size_t i = s ? s->n / 2 : 0; s && i < s->n; i++)
            achieved += series_iops(s, i) / (double)n;
        achieved += s ? 0 : dir->iops;
    }
    if (achieved < JOB_RATE_SUSTAINED_MIN * offered && leaves_backlog(run))
        cell_add_caveat(cell, "rate-not-sustained");
}

/* Doubts that the jobs themselves had. */
static void fill_caveats(struct cell *cell, const struct cell_run *run)
{
    unsigned sampled = 0, zero = 0;
    uint64_t kept = 0, max = 0;
    for (unsigned i = 0; i < run->n_jobs; i++) {
        const struct job *j = &run->job[i];
        if (!counts(j))
            continue;
        sampled += j->sampled_reads;
        zero += j->zero_reads;
        kept = j->kept_ns > kept ? j->kept_ns : kept;
        for (int d = 0; d < DIR_COUNT; d++)
            max = j->rec.dir[d] && j->rec.dir[d]->lat[LAT_CLAT].max > max
                      ? j->rec.dir[d]->lat[LAT_CLAT].max
                      : max;
        if (j->caveat)
            cell_add_caveat(cell, j->caveat);
    }
    if (kept > JOB_KEPT_MIN_NS && kept > max)
        cell_add_caveat(cell, "ios-kept");
    if (zero > 0 && zero >= JOB_ZERO_READS_MIN * sampled)
        cell_add_caveat(cell, "zeros-read");
    if (IS_KNOWN(&cell->key, CELL_KEY, direct) && !cell->key.direct)
        cell_add_caveat(cell, "buffered");
}

static const char *target_label(const struct job_spec *spec, unsigned target)
{
    const char *label = spec->target[target].label;
    return label ? label : "target";
}

static void set_error(struct cell *cell, enum run_status status, int errnum, char *text)
{
    SET(cell, CELL, status, status);
    if (errnum)
        SET(cell, CELL, error_code, errnum);
    free(cell->error);
    cell->error = text;
}

/* They are counted as I/Os of the bytes they moved, so IOPS are too high. */
static void describe_short(struct cell *cell, const struct cell_run *run,
                           const struct job_spec *spec)
{
    uint64_t n = 0;
    for (int d = 0; d < DIR_COUNT; d++)
        n += IS_KNOWN(&cell->dir[d], DIRECTION, short_ios) ? cell->dir[d].short_ios : 0;
    if (n > 0 && run->n_jobs > 0)
        set_error(cell, STATUS_PARTIAL, 0,
                  xasprintf("%s: %llu I/Os moved only a part of their bytes",
                            target_label(spec, run->job[0].target), (unsigned long long)n));
}

/* Those of the ramp and of the end are none of the failed_ios of the cell; "" when there were no such. */
static void counted_words(char *out, size_t n, const struct cell *cell, uint64_t all)
{
    uint64_t counted = 0;
    for (int d = 0; d < DIR_COUNT; d++)
        counted += IS_KNOWN(&cell->dir[d], DIRECTION, failed_ios) ? cell->dir[d].failed_ios : 0;
    out[0] = '\0';
    if (counted < all)
        snprintf(out, n, ", %llu of them in the measured time", (unsigned long long)counted);
}

static void describe_failures(struct cell *cell, const struct cell_run *run,
                              const struct job_spec *spec)
{
    uint64_t n = 0;
    const struct job *first = NULL, *gone = NULL;
    for (unsigned i = 0; i < run->n_jobs; i++) {
        const struct job *j = &run->job[i];
        if (!counts(j))
            continue;
        n += j->failed_ios;
        first = first || !j->first_errno ? first : j;
        gone = gone || !j->gone ? gone : j;
    }
    if (!first) {
        describe_short(cell, run, spec);
        return;
    }
    const struct job *j = gone ? gone : first;
    char why[128];
    const char *text = j->first_errno == ENODATA
                           ? "reads come back empty: the device is smaller than it was"
                           : strerror_r(j->first_errno, why, sizeof why);
    char counted[64];
    counted_words(counted, sizeof counted, cell, n);
    set_error(cell, gone ? STATUS_FAILED : STATUS_PARTIAL, j->first_errno,
              xasprintf("%s: %llu I/O%s failed (%s)%s%s", target_label(spec, j->target),
                        (unsigned long long)n, n == 1 ? "" : "s", text, counted,
                        gone ? "; the cell was ended" : "; the figures are of the others"));
}

static void describe_hang(struct cell *cell, const struct cell_run *run,
                          const struct job_spec *spec, unsigned missing)
{
    unsigned stuck = 0, target = 0;
    for (unsigned i = 0; i < run->n_jobs; i++) {
        const struct job *j = &run->job[i];
        if (!counts(j) || j->stuck)
            target = j->target;
        stuck += counts(j) ? j->stuck : 0;
    }
    if ((stuck == 0 && missing == 0) || atomic_load(&run->stop) >= STOP_HARD)
        return;
    double seconds = (double)run->hang_ns / 1e9;
    char *text =
        missing
            ? xasprintf("%s: %u of %u jobs are blocked in the kernel for more than %.0f s; their "
                        "figures are missing",
                        target_label(spec, target), missing, run->n_jobs, seconds)
            : xasprintf("%s: %u I/Os did not come back within %.0f s", target_label(spec, target),
                        stuck, seconds);
    set_error(cell, STATUS_FAILED, ETIMEDOUT, text);
}

static void fill_status(struct cell *cell, const struct cell_run *run, const struct job_spec *spec,
                        unsigned missing, uint64_t ios)
{
    bool cut = atomic_load(&run->stop) >= STOP_HARD;
    for (unsigned i = 0; i < run->n_jobs; i++)
        cut = cut || (counts(&run->job[i]) && run->job[i].cut);
    SET(cell, CELL, status, STATUS_COMPLETE);
    if (ios == 0)
        set_error(
            cell, STATUS_FAILED, 0,
            xasprintf("%s: no I/O was completed in the measured time", target_label(spec, 0)));
    if (cut && spec->stop && atomic_load(spec->stop))
        set_error(cell, STATUS_PARTIAL, 0, xstrdup("stopped before its time was over"));
    describe_failures(cell, run, spec);
    describe_hang(cell, run, spec, missing);
}

void result_fill(struct cell *cell, struct cell_run *run, const struct job_spec *spec,
                 unsigned missing)
{
    uint64_t runtime = 0, ios = 0;
    for (unsigned i = 0; i < run->n_jobs; i++) {
        const struct job *j = &run->job[i];
        if (counts(j) && j->runtime_ns > runtime)
            runtime = j->runtime_ns;
    }
    fill_directions(cell->dir, run, 0, run->n_targets - 1);
    if (run->n_targets > 1)
        fill_parts(cell, run);
    for (int d = DIR_READ; d <= DIR_TRIM; d++)
        ios += cell->dir[d].ios;
    SET(cell, CELL, runtime_ns, runtime);
    SET(cell, CELL, ramp_ns, run->ramp_ns);
    fill_cpu(cell, run, ios);
    if (runtime && missing == 0)
        fill_depth(cell, run);
    fill_submission_caveat(cell, run);
    fill_rate_caveat(cell, run);
    fill_caveats(cell, run);
    fill_status(cell, run, spec, missing, ios);
    until_fill(cell, run);
}
