#include "core/stats/mean_interval.h"

#include <math.h>

#include "core/stats/student.h"

double mean_of(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return n ? sum / (double)n : NAN;
}

/* Autocorrelation at lag k; x has the given mean, c0 is its mean square deviation. */
static double lagged(const double *x, size_t n, double mean, double c0, size_t k)
{
    double sum = 0;
    for (size_t i = k; i < n; i++)
        sum += (x[i] - mean) * (x[i - k] - mean);
    return sum / (double)n / c0;
}

double effective_n(const double *x, size_t n)
{
    double mean = mean_of(x, n), c0 = 0;
    for (size_t i = 0; i < n; i++)
        c0 += (x[i] - mean) * (x[i] - mean);
    if (n == 0 || c0 == 0)
        return (double)n;
    c0 /= (double)n;
    double sum = -1;
    for (size_t k = 0; 2 * k + 1 < n / 2; k++) {
        double pair = lagged(x, n, mean, c0, 2 * k) + lagged(x, n, mean, c0, 2 * k + 1);
        if (pair <= 0)
            break;
        sum += 2 * pair;
    }
    return sum > 1 ? (double)n / sum : (double)n;
}

bool interval_of_mean(const double *x, size_t n, struct mean_interval *out)
{
    *out = (struct mean_interval){NAN, NAN, NAN, (double)n};
    if (n < 3)
        return false;
    double mean = mean_of(x, n), sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    double sd = sqrt(sum / (double)(n - 1));
    /* Under three independent values t is meaningless; simulated coverage used the same floor. */
    double n_eff = fmax(effective_n(x, n), 3);
    double half = t_ppf(0.975, fmax(n_eff - 1, 2)) * sd / sqrt(n_eff);
    *out = (struct mean_interval){mean, mean - half, mean + half, n_eff};
    return true;
}
