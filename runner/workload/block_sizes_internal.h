/*
 * Block sizes that are not one number, in fio's forms: "4k/60:64k/40" (bssplit: sizes with their
 * percentages; missing ones share the rest), "4k-64k" (bsrange: multiples of the first, equally
 * likely), "8k". With commas for reads, writes and trims: "4k,64k"; a missing one is as the one
 * before.
 */
#ifndef RUNNER_WORKLOAD_BLOCK_SIZES_INTERNAL_H
#define RUNNER_WORKLOAD_BLOCK_SIZES_INTERNAL_H

#include "runner/workload/workload.h"

/* Fills out[read, write, trim]; release each. ERR_USAGE. */
int block_sizes_parse(struct block_sizes out[WORKLOAD_DIRS], const char *text, struct error *err);
/* One fixed size. */
void block_sizes_fixed(struct block_sizes *out, uint32_t bytes);
void block_sizes_release(struct block_sizes *s);

#endif
