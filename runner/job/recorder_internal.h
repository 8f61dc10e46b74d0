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

/* What the histograms are to be told of one I/O. */
struct timed_io {
    struct dir_recorder *dir;
    uint64_t slat, clat;
    bool blocked; /* there is no slat */
};

/* For so many I/Os at a time the histograms are written. */
#define RECORDER_BATCH 64

struct recorder {
    struct dir_recorder *dir[DIR_COUNT]; /* NULL: the job does none of these */
    enum dir used[DIR_COUNT];            /* those it does */
    unsigned n_used;
    bool recording;   /* in the window */
    bool sync;        /* no slat */
    size_t closed;    /* intervals */
    unsigned n_timed; /* not in the histograms yet */
    struct timed_io timed[RECORDER_BATCH];
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

/* Tells the histograms of what was added since the last time. */
void recorder_flush(struct recorder *r);

/*
 * A finished I/O that moved `bytes` > 0, or a sync. The histograms, 15 KiB each, have left the
 * fastest cache whenever the kernel has worked on an I/O: so they are not written for each one.
 */
static inline void recorder_add(struct recorder *r, const struct io *io, uint32_t bytes)
{
    struct dir_recorder *d = r->dir[io->dir];
    d->ios++;
    d->bytes += bytes;
    if (!r->recording)
        return;
    r->timed[r->n_timed++] = (struct timed_io){.dir = d,
                                               .slat = io->issue - io->start,
                                               .clat = io->complete - io->issue,
                                               .blocked = (io->flags & IO_BLOCKED) != 0};
    if (r->n_timed == RECORDER_BATCH)
        recorder_flush(r);
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
