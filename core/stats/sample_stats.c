#include "core/stats/sample_stats.h"

#include <math.h>

#include "core/base/xalloc.h"
#include "core/stats/mean_interval.h"

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_in_place(double *x, size_t n)
{
    if (n == 0)
        return NAN;
    qsort(x, n, sizeof *x, ascending);
    return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

double stat_median(const double *x, size_t n)
{
    if (n == 0)
        return NAN;
    double *copy = xmalloc(n * sizeof *copy);
    memcpy(copy, x, n * sizeof *copy);
    double median = median_in_place(copy, n);
    free(copy);
    return median;
}

double stat_robust_sd(const double *x, size_t n)
{
    if (n == 0)
        return NAN;
    double median = stat_median(x, n);
    double *off = xmalloc(n * sizeof *off);
    for (size_t i = 0; i < n; i++)
        off[i] = fabs(x[i] - median);
    double mad = median_in_place(off, n);
    free(off);
    return 1.4826 * mad;
}

void stat_running_median(const double *x, size_t n, double *out)
{
    enum { HALF = 3, WIDTH = 2 * HALF + 1 };
    for (size_t i = 0; i < n; i++) {
        double window[WIDTH];
        for (size_t k = 0; k < WIDTH; k++) {
            size_t at = i + k; /* HALF too far right */
            if (at < HALF)
                at = HALF - 1 - at;
            else if (at - HALF < n)
                at -= HALF;
            else
                at = 2 * n - 1 - (at - HALF);
            window[k] = x[at];
        }
        out[i] = median_in_place(window, WIDTH);
    }
}

double stat_lag1(const double *x, size_t n)
{
    double mean = mean_of(x, n), all = 0, lagged = 0;
    for (size_t i = 0; i < n; i++) {
        double r = x[i] - mean;
        all += r * r;
        if (i > 0)
            lagged += r * (x[i - 1] - mean);
    }
    return all > 0 ? lagged / all : 0;
}
