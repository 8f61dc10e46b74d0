/*
 * A random order of 0 .. n-1 in O(1) memory: a keyed one-to-one function, made of four Feistel
 * rounds over the smallest power of two that holds n, and walked along its cycle until the value is
 * below n (under two steps on average). Every key gives another order.
 */
#ifndef RUNNER_WORKLOAD_PERMUTATION_INTERNAL_H
#define RUNNER_WORKLOAD_PERMUTATION_INTERNAL_H

#include <stdint.h>

struct permutation {
    uint64_t n;
    uint64_t key;
    unsigned low_bits, high_bits; /* the two halves */
};

/* n > 0. */
void permutation_init(struct permutation *p, uint64_t n, uint64_t key);
/* i below n; so is the result. */
uint64_t permutation_at(const struct permutation *p, uint64_t i);

#endif
