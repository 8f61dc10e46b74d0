/*
 * The deterministic generator behind the long inputs of tests/data/vectors (generator.json): a
 * linear congruential step, so that any language can make the same numbers.
 *   s = s * 1664525 + 1013904223 mod 2^32,  u = (s >> 8) / 2^24
 *   noise[i] = (u[4i] + u[4i+1] + u[4i+2] + u[4i+3] - 2) * sqrt(3): mean 0, variance 1
 */
#ifndef TESTS_SUPPORT_NOISE_H
#define TESTS_SUPPORT_NOISE_H

#include <stddef.h>
#include <stdint.h>

/* u(n, seed): n numbers in [0, 1). */
void uniform_fill(double *u, size_t n, uint32_t seed);
/* noise(n, seed). */
void noise_fill(double *z, size_t n, uint32_t seed);
/* v rounded to so many decimals as Python's and numpy's round() do (halves to even). */
double round_decimals(double v, int decimals);

#endif
