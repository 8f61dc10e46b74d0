/*
 * On libm's lgamma and the incomplete beta function; the inverse by bisection on the distribution
 * itself.
 */
#include "core/stats/student.h"

#include <math.h>

/* Continued fraction of the incomplete beta function (modified Lentz). */
static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    if (fabs(d) < tiny)
        d = tiny;
    d = 1 / d;
    double f = d;
    for (int m = 1; m <= 10000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double change = 1;
        const double term[2] = {even, odd};
        for (int k = 0; k < 2; k++) {
            d = 1 + term[k] * d;
            c = 1 + term[k] / c;
            if (fabs(d) < tiny)
                d = tiny;
            if (fabs(c) < tiny)
                c = tiny;
            d = 1 / d;
            change = d * c;
            f *= change;
        }
        if (fabs(change - 1) < 1e-15)
            break;
    }
    return f;
}

/* Regularised incomplete beta I_x(a, b); y = 1 - x without the loss of digits. */
static double beta_inc(double a, double b, double x, double y)
{
    if (x <= 0)
        return 0;
    if (y <= 0)
        return 1;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(y));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, y) / b;
}

double t_sf2(double t, double df)
{
    double square = t * t;
    return beta_inc(df / 2, 0.5, df / (df + square), square / (df + square));
}

double t_ppf(double p, double df)
{
    if (!(p > 0 && p < 1))
        return p == 0 ? -INFINITY : p == 1 ? INFINITY : NAN;
    if (p < 0.5)
        return -t_ppf(1 - p, df);
    double tail = 2 * (1 - p);
    double lo = 0, hi = 1;
    while (t_sf2(hi, df) > tail && hi < 1e300)
        hi *= 2;
    /* Bisection on a bracket: the function is steep for small df, and this is never in a hot path. */
    for (int i = 0; i < 200 && hi - lo > 1e-14 * hi; i++) {
        double mid = (lo + hi) / 2;
        if (t_sf2(mid, df) > tail)
            lo = mid;
        else
            hi = mid;
    }
    return (lo + hi) / 2;
}
