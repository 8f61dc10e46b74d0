/*
 * The normal distribution, on libm's erfc. The inverse starts from a simple approximation and is
 * polished by Newton's method on the distribution itself.
 */
#include "report/analysis/stats_internal.h"

#include <math.h>

double norm_cdf(double z)
{
    return 0.5 * erfc(-z / M_SQRT2);
}

double norm_ppf(double p)
{
    if (!(p > 0 && p < 1))
        return p == 0 ? -INFINITY : p == 1 ? INFINITY : NAN;
    if (p > 0.5)
        return -norm_ppf(1 - p);
    /* Abramowitz and Stegun 26.2.23: off by at most 4.5e-4. */
    double t = sqrt(-2 * log(p));
    double z = -(t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                         (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
    for (int i = 0; i < 4; i++) {
        double density = exp(-z * z / 2) / sqrt(2 * M_PI);
        double step = (norm_cdf(z) - p) / density;
        z -= step / (1 + z * step / 2); /* Halley */
    }
    return z;
}
