#include "runner/job/progress_internal.h"

#include <math.h>

uint64_t interval_percentile(const uint64_t count[SERIES_HIST_BUCKETS], double p)
{
    uint64_t n = 0, seen = 0;
    for (unsigned b = 0; b < SERIES_HIST_BUCKETS; b++)
        n += count[b];
    double rank = ceil((double)n * p / 100);
    for (unsigned b = 0; b < SERIES_HIST_BUCKETS && n; b++) {
        seen += count[b];
        if (seen && (double)seen >= rank)
            return series_hist_mid(b);
    }
    return 0;
}

size_t closed_intervals(const struct cell_run *run, unsigned first, unsigned last)
{
    size_t n = SIZE_MAX;
    for (unsigned i = 0; i < run->n_jobs; i++) {
        const struct job *j = &run->job[i];
        size_t closed = atomic_load_explicit(&j->rec.live.closed, memory_order_acquire);
        if (j->target >= first && j->target <= last && closed < n)
            n = closed;
    }
    return n;
}

/* p99 of the last interval that every job has closed. */
static uint64_t last_p99(const struct cell_run *run)
{
    size_t closed = closed_intervals(run, 0, run->n_targets - 1);
    uint64_t sum[SERIES_HIST_BUCKETS] = {0};
    for (unsigned t = 0; t < run->n_targets; t++) {
        for (int d = 0; d < DIR_COUNT; d++) {
            const struct series *s = run->series[t][d];
            if (!s || closed == 0 || closed > s->n)
                continue;
            const uint32_t *row = s->hist + (closed - 1) * SERIES_HIST_BUCKETS;
            for (unsigned b = 0; b < SERIES_HIST_BUCKETS; b++)
                sum[b] += __atomic_load_n(&row[b], __ATOMIC_RELAXED);
        }
    }
    return interval_percentile(sum, 99);
}

void progress_read(struct job_progress *out, const struct cell_run *run,
                   struct progress_state *state, uint64_t now)
{
    struct job_progress p = {.elapsed_ns = now - run->start,
                             .total_ns = run->delay_ns + run->ramp_ns + run->runtime_ns,
                             .ramping = now < run->start + run->delay_ns + run->ramp_ns};
    uint64_t ios = 0, bytes = 0;
    for (int d = 0; d < DIR_COUNT; d++) {
        for (unsigned i = 0; i < run->n_jobs; i++) {
            const struct live *l = &run->job[i].rec.live;
            p.ios[d] += atomic_load_explicit(&l->ios[d], memory_order_relaxed);
            p.bytes[d] += atomic_load_explicit(&l->bytes[d], memory_order_relaxed);
        }
        ios += d == DIR_SYNC ? 0 : p.ios[d];
        bytes += p.bytes[d];
    }
    double seconds = (double)(now - state->last_ns) / 1e9;
    if (seconds > 0) {
        p.iops = (double)(ios - state->last_ios) / seconds;
        p.bw = (double)(bytes - state->last_bytes) / seconds;
    }
    p.lat_p99_ns = last_p99(run);
    *state = (struct progress_state){.last_ns = now, .last_ios = ios, .last_bytes = bytes};
    *out = p;
}
