#include "runner/workload/permutation_internal.h"

#include "core/base/rng.h"

enum { ROUNDS = 4 };

void permutation_init(struct permutation *p, uint64_t n, uint64_t key)
{
    unsigned bits = 2;
    while (bits < 64 && UINT64_C(1) << bits < n)
        bits++;
    *p = (struct permutation){
        .n = n, .key = key, .low_bits = bits / 2, .high_bits = bits - bits / 2};
}

static uint64_t mask(unsigned bits)
{
    return (UINT64_C(1) << bits) - 1;
}

/* The halves change places every round, so that both are changed although they differ in width. */
static uint64_t scramble(const struct permutation *p, uint64_t v)
{
    uint64_t low = v & mask(p->low_bits), high = v >> p->low_bits;
    for (unsigned r = 0; r < ROUNDS; r += 2) {
        uint64_t state = p->key + r + (low << 8);
        high ^= splitmix64(&state) & mask(p->high_bits);
        state = p->key + r + 1 + (high << 8);
        low ^= splitmix64(&state) & mask(p->low_bits);
    }
    return high << p->low_bits | low;
}

uint64_t permutation_at(const struct permutation *p, uint64_t i)
{
    do {
        i = scramble(p, i);
    } while (i >= p->n);
    return i;
}
