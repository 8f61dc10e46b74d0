/*
 * What one job records: counts and the three latency histograms of each direction, its own until
 * the join; and once an interval its share of the samples, which all jobs of a target add to one
 * series with relaxed atomic adds (so a day of samples costs the same for one job or a hundred).
 * Everything is allocated before the clock starts.
 */
#ifndef RUNNER_JOB_RECORDER_INTERNAL_H
#define RUNNER_JOB_RECORDER_INTERNAL_H

#include <stdatomic.h>

#include "core/model/direction.h"
#include "core/model/hist.h"
#include "core/model/series.h"
#include "runner/engine/io.h"

/* Relaxed counters since the start of the job, for the progress line. */
struct live {
    _Atomic uint64_t ios[DIR_COUNT];
    _Atomic uint64_t bytes[DIR_COUNT];
    atomic_size_t closed; /* points of the series that this job has added its share to */
};

struct dir_recorder {
    uint64_t ios; /* since the start of the job, ramp included */
    uint64_t bytes;
    uint64_t short_ios, failed_ios;    /* in the window */
    uint64_t window_ios, window_bytes; /* at its start; after recorder_end: in it */
    uint64_t mark_ios, mark_bytes;     /* at the last closed interval */
    uint64_t interval_max;             /* largest lat since then */
    uint64_t late_above; /* an I/O issued longer than this after its start is late; UINT64_MAX */
    uint64_t late_ios;   /* in the window */
    struct hist lat[LAT_KIND_COUNT]; /* of the window */
    struct hist mark;                /* lat[LAT_LAT] at the last closed interval */
    struct series *series;           /* shared by the jobs of the target */
};

struct recorder {
    struct dir_recorder *dir[DIR_COUNT]; /* NULL: the job does none of these */
    enum dir used[DIR_COUNT];            /* those it does */
    unsigned n_used;
    bool recording; /* in the window */
    bool sync;      /* no slat */
    size_t closed;  /* intervals */
    struct live live;
};

/* A series of n points, all zero, with histograms, as the jobs of a target share it. */
struct series *shared_series_create(size_t n, uint64_t interval_ns);
void shared_series_destroy(struct series *s);

/* series[dir] is NULL for directions the job does not do. */
void recorder_init(struct recorder *r, struct series *const series[DIR_COUNT], bool sync);
void recorder_release(struct recorder *r);
/* The window begins: what was counted before is not part of it. */
void recorder_begin(struct recorder *r);
/* The window is over. */
void recorder_end(struct recorder *r);
/* Ends an interval; `inflight` is the job's number of I/Os in flight now. */
void recorder_close_interval(struct recorder *r, unsigned inflight);

/* A finished I/O that moved `bytes` > 0, or a sync. */
static inline void recorder_add(struct recorder *r, const struct io *io, uint32_t bytes)
{
    struct dir_recorder *d = r->dir[io->dir];
    d->ios++;
    d->bytes += bytes;
    if (!r->recording)
        return;
    uint64_t lat = io->complete - io->start;
    if (!r->sync)
        hist_add(&d->lat[LAT_SLAT], io->issue - io->start);
    hist_add(&d->lat[LAT_CLAT], io->complete - io->issue);
    hist_add(&d->lat[LAT_LAT], lat);
    if (lat > d->interval_max)
        d->interval_max = lat;
    d->late_ios += io->issue - io->start > d->late_above;
}

static inline void recorder_publish(struct recorder *r)
{
    for (unsigned i = 0; i < r->n_used; i++) {
        enum dir dir = r->used[i];
        atomic_store_explicit(&r->live.ios[dir], r->dir[dir]->ios, memory_order_relaxed);
        atomic_store_explicit(&r->live.bytes[dir], r->dir[dir]->bytes, memory_order_relaxed);
    }
}

#endif
