/* Contents of writes. */
#ifndef RUNNER_WORKLOAD_BUFFER_INTERNAL_H
#define RUNNER_WORKLOAD_BUFFER_INTERNAL_H

#include "core/base/rng.h"
#include "runner/workload/workload.h"

struct buffer_maker {
    const struct buffer_pool *pool;
    struct rng rng;
    uint64_t key;      /* of the job */
    uint64_t contents; /* different ones so far */
    unsigned compress, dedupe;
};

void buffer_maker_init(struct buffer_maker *m, const struct buffer_pool *pool, uint64_t seed,
                       unsigned compress, unsigned dedupe);

/*
 * Fills len bytes at buf: a random slice of the pool with an 8-byte stamp at every 512 bytes, both
 * made from the number of the content, so that no two contents have a sector in common. With
 * dedupe d, d percent of the buffers have the number (and so, in the same length, the bytes) of one of
 * the first 64: so many are the same on the device, too, however often blocks are overwritten. With compress c, the last c percent of every 4 KiB are zeros.
 */
void buffer_fill(struct buffer_maker *m, void *buf, uint32_t len);

#endif
