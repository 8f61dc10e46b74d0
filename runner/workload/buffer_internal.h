/* Contents of writes. */
#ifndef RUNNER_WORKLOAD_BUFFER_INTERNAL_H
#define RUNNER_WORKLOAD_BUFFER_INTERNAL_H

#include "core/base/rng.h"
#include "runner/workload/workload.h"

#define BUFFER_STAMP_EVERY 512

/*
 * Fills len bytes at buf (8-byte aligned) with a random slice of the pool; every 512 bytes begin
 * with a stamp of (offset + position) and sequence, so that a block written again differs.
 */
void buffer_fill(void *buf, uint32_t len, const struct buffer_pool *pool, struct rng *rng,
                 uint64_t offset, uint64_t sequence);

#endif
