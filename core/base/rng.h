/*
 * Pseudo-random numbers: xoshiro256** 1.0, seeded by splitmix64 (Blackman and Vigna, public
 * domain, prng.di.unimi.it). Fast, 256 bits of state, equal seeds give equal numbers everywhere.
 * Not for secrets. Each user has its own state; not thread-safe.
 */
#ifndef CORE_BASE_RNG_H
#define CORE_BASE_RNG_H

#include <stdint.h>

struct rng {
    uint64_t s[4];
};

/* Advances *state and returns 64 well-mixed bits of it. */
static inline uint64_t splitmix64(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static inline void rng_seed(struct rng *r, uint64_t seed)
{
    for (int i = 0; i < 4; i++)
        r->s[i] = splitmix64(&seed);
}

static inline uint64_t rng_next(struct rng *r)
{
    uint64_t *s = r->s, x = s[1] * 5, t = s[1] << 17;
    uint64_t result = (x << 7 | x >> 57) * 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = s[3] << 45 | s[3] >> 19;
    return result;
}

/*
 * Uniform over 0 .. n-1, n > 0, without bias: multiply-shift with rejection (Lemire 2019); the
 * division is needed once in 2^64 / n draws.
 */
static inline uint64_t rng_below(struct rng *r, uint64_t n)
{
    __extension__ typedef unsigned __int128 u128;
    u128 m = (u128)rng_next(r) * n;
    if ((uint64_t)m < n) {
        uint64_t least = (0 - n) % n;
        while ((uint64_t)m < least)
            m = (u128)rng_next(r) * n;
    }
    return (uint64_t)(m >> 64);
}

/* Uniform over [0, 1), 53 bits. */
static inline double rng_unit(struct rng *r)
{
    return (double)(rng_next(r) >> 11) * 0x1p-53;
}

#endif
