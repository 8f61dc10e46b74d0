#include "runner/workload/zipf_internal.h"

#include <math.h>

/* (exp(x) - 1) / x and log(1 + x) / x, right at 0 too. */
static double expm1_over(double x)
{
    return fabs(x) > 1e-8 ? expm1(x) / x : 1 + x / 2;
}

static double log1p_over(double x)
{
    return fabs(x) > 1e-8 ? log1p(x) / x : 1 - x / 2;
}

/* H(x): the integral of the weight t^-theta from 1 to x. */
static double integral(const struct zipf *z, double x)
{
    double l = log(x);
    return expm1_over((1 - z->theta) * l) * l;
}

static double inverse(const struct zipf *z, double y)
{
    double t = y * (1 - z->theta);
    if (t < -1)
        t = -1; /* rounding at the lower end */
    return exp(log1p_over(t) * y);
}

static double weight(const struct zipf *z, double x)
{
    return exp(-z->theta * log(x));
}

void zipf_init(struct zipf *z, uint64_t n, double theta)
{
    *z = (struct zipf){.n = n, .theta = theta};
    z->h_low = integral(z, 1.5) - 1;
    z->h_high = integral(z, (double)n + 0.5);
    z->accept = 2 - inverse(z, integral(z, 2.5) - weight(z, 2));
}

uint64_t zipf_rank(const struct zipf *z, struct rng *rng)
{
    for (;;) {
        double u = z->h_high + rng_unit(rng) * (z->h_low - z->h_high);
        double x = inverse(z, u), k = floor(x + 0.5);
        if (k < 1)
            k = 1;
        else if (k > (double)z->n)
            k = (double)z->n;
        if (k - x <= z->accept || u >= integral(z, k + 0.5) - weight(z, k))
            return (uint64_t)k;
    }
}
