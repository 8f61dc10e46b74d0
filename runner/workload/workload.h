/*
 * What a job does: when the next I/O is due, its direction, offset and length, and what a write
 * carries.
 *
 * A block is bs bytes; offsets are multiples of bs (of the smallest one, where there are several)
 * from the start of the extent, and an I/O lies within it. Every job has its own sequence from (run
 * seed, cell, repeat, job), so two runs with one seed do the same I/Os.
 *
 * Single-threaded: a workload belongs to one job. The pool of random bytes is read-only and may be
 * shared by all jobs.
 */
#ifndef RUNNER_WORKLOAD_WORKLOAD_H
#define RUNNER_WORKLOAD_WORKLOAD_H

#include "core/base/error.h"
#include "core/model/cell_key.h"
#include "core/model/direction.h"

#define WORKLOAD_DIRS (DIR_TRIM + 1) /* read, write, trim */

struct workload;
struct buffer_pool;

/* One block size of a direction. */
struct block_size {
    uint32_t bytes;
    uint64_t below; /* chosen by a draw of 2^32 that is below this and not below the one before */
};

/* The block sizes of a direction, ascending draw limits; the last is 2^32. */
struct block_sizes {
    struct block_size *size;
    size_t n;
    uint32_t min, max;
};

enum offsets {
    OFFSETS_SEQUENTIAL,
    OFFSETS_UNIFORM, /* each block equally likely, with repetition */
    OFFSETS_COVER,   /* each block once, in random order, then again in another one */
    OFFSETS_ZIPF, /* the k-th most popular block with weight k^-theta; which one that is, is random */
};

struct workload_spec {
    enum rw rw;
    unsigned read_percent; /* of a mixed pattern, 0..100 */
    struct block_sizes bs[WORKLOAD_DIRS];
    uint64_t offset; /* the extent, bytes */
    uint64_t size;
    enum offsets offsets;
    double theta;        /* of OFFSETS_ZIPF */
    uint64_t sync_every; /* a sync after so many writes; 0: none */
    bool datasync;       /* it is an fdatasync */
    unsigned compress;   /* percent of a write that compresses */
    unsigned dedupe;     /* percent of writes that repeat an earlier one */
    double rate_iops[2]; /* I/Os per second of one job, [1] of the writes of a mix; 0: none */
    double rate_bw[2];   /* the same in bytes/s; with neither, or of one direction of a mix only, it
                            * is a closed loop */
    bool poisson;        /* arrivals of the rate: exponential gaps; else even ones */
    uint64_t thinktime_ns; /* pause after each I/O, one at a time */
};

/*
 * From the settings of a cell and the size of the device or file. ERR_USAGE when they do not fit
 * together (a block larger than the extent, an extent beyond the end), or ask for what the runner
 * cannot do. Release with workload_spec_release.
 */
int workload_spec_from_key(struct workload_spec *out, const struct cell_key *key,
                           uint64_t device_size, struct error *err);
void workload_spec_release(struct workload_spec *spec);

/* Largest block of the spec: what an I/O buffer must hold. */
uint32_t workload_max_bs(const struct workload_spec *spec);
/* True when it may do I/Os of this direction. */
bool workload_uses(const struct workload_spec *spec, enum dir dir);
/* True when I/Os are due at instants of their own (a rate), and not when a slot is free. */
bool workload_is_open(const struct workload_spec *spec);
/*
 * True for a closed loop that has a rate for one direction of its mix, at most: an I/O of it that is
 * ahead of the rate gives its place to one of the other direction. As in fio, the mix is drawn before,
 * so a direction never has more than its share, and one that is behind catches up.
 */
bool workload_is_held(const struct workload_spec *spec);
/*
 * Mean time between two I/Os of one job in this direction, ns: an I/O issued later than that after
 * it was due is late. 0 in a closed loop.
 */
uint64_t workload_gap_ns(const struct workload_spec *spec, enum dir dir);

/* The seed of one job. */
uint64_t workload_seed(uint64_t run_seed, uint64_t cell, uint64_t repeat, uint64_t job);

/*
 * Job `job` of `numjobs`: sequential jobs start evenly spread over the extent and wrap around, and
 * the arrivals of a constant rate are evenly spread over the jobs. `pool` is needed when the
 * pattern writes. The spec and the pool outlive the workload.
 */
struct workload *workload_create(const struct workload_spec *spec, uint64_t seed, unsigned job,
                                 unsigned numjobs, const struct buffer_pool *pool);
/* Another one in the same state: gives the same I/Os from here on. */
struct workload *workload_clone(const struct workload *w);
void workload_destroy(struct workload *w);

struct workload_op {
    uint64_t due; /* ns since the start of the load; 0 in a closed loop */
    uint64_t offset;
    uint32_t len; /* 0 for DIR_SYNC */
    enum dir dir;
    bool datasync; /* of DIR_SYNC: fdatasync, not fsync */
};

/* When the next I/O is due, ns since the start of the load; 0 in a closed loop. */
uint64_t workload_due(const struct workload *w);
/* The time since the start of the load, ns; to be told before workload_next() when it is held. */
void workload_at(struct workload *w, uint64_t ns);
/* The next I/O. */
struct workload_op workload_next(struct workload *w);
/* Fills the buffer of a write with fresh data. */
void workload_fill(struct workload *w, const struct workload_op *op, void *buf);

/*
 * 4 MiB of random bytes that writes take slices of, so that targets which compress or deduplicate
 * are measured and not their shortcuts.
 */
struct buffer_pool *buffer_pool_create(uint64_t seed);
void buffer_pool_destroy(struct buffer_pool *p);

#endif
