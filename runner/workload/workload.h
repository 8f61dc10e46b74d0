/*
 * What a job does: which direction, offset and length the next I/O has, and what a write carries.
 *
 * A block is bs bytes; offsets are multiples of bs from the start of the extent, and an I/O lies
 * within it. Random offsets are uniform with repetition (xoshiro256**, unbiased); every job has its
 * own sequence from (run seed, cell, repeat, job), so two runs with one seed do the same I/Os.
 *
 * Single-threaded: a workload belongs to one job. The pool of random bytes is read-only and may be
 * shared by all jobs.
 */
#ifndef RUNNER_WORKLOAD_WORKLOAD_H
#define RUNNER_WORKLOAD_WORKLOAD_H

#include "core/base/error.h"
#include "core/model/cell_key.h"
#include "core/model/direction.h"

struct workload;
struct buffer_pool;

struct workload_spec {
    enum rw rw;
    unsigned read_percent; /* of a mixed pattern, 0..100 */
    uint32_t bs[DIR_TRIM + 1];
    uint64_t offset; /* the extent, bytes */
    uint64_t size;
};

/*
 * From the settings of a cell and the size of the device or file. ERR_USAGE when they do not fit
 * together (a block larger than the extent, an extent beyond the end), or ask for what the runner
 * cannot do.
 */
int workload_spec_from_key(struct workload_spec *out, const struct cell_key *key,
                           uint64_t device_size, struct error *err);

/* Largest block of the spec: what an I/O buffer must hold. */
uint32_t workload_max_bs(const struct workload_spec *spec);
/* True when it may do I/Os of this direction. */
bool workload_uses(const struct workload_spec *spec, enum dir dir);

/* The seed of one job. */
uint64_t workload_seed(uint64_t run_seed, uint64_t cell, uint64_t repeat, uint64_t job);

/*
 * Job `job` of `numjobs`: sequential jobs start evenly spread over the extent and wrap around.
 * `pool` is needed when the pattern writes and outlives the workload.
 */
struct workload *workload_create(const struct workload_spec *spec, uint64_t seed, unsigned job,
                                 unsigned numjobs, const struct buffer_pool *pool);
void workload_destroy(struct workload *w);

struct workload_op {
    uint64_t offset;
    uint32_t len; /* 0 for DIR_SYNC */
    enum dir dir;
    bool datasync; /* of DIR_SYNC: fdatasync, not fsync */
};

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
