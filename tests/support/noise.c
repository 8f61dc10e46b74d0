#include "tests/support/noise.h"

#include <math.h>

static double next(uint32_t *s)
{
    *s = *s * 1664525u + 1013904223u;
    return (double)(*s >> 8) / 16777216.0;
}

void uniform_fill(double *u, size_t n, uint32_t seed)
{
    uint32_t s = seed;
    for (size_t i = 0; i < n; i++)
        u[i] = next(&s);
}

void noise_fill(double *z, size_t n, uint32_t seed)
{
    uint32_t s = seed;
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < 4; k++)
            sum += next(&s);
        z[i] = (sum - 2) * sqrt(3);
    }
}

double round_decimals(double v, int decimals)
{
    double scale = pow(10, decimals);
    return nearbyint(v * scale) / scale;
}
