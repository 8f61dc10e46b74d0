#include "core/stats/steady.h"

#include <math.h>

void steady_check(const double *y, size_t n, struct steady *out)
{
    *out = (struct steady){.range = NAN, .excursion = NAN, .mean = NAN, .slope = NAN};
    if (n < STEADY_WINDOW)
        return;
    const double *w = y + n - STEADY_WINDOW;
    double sum = 0, lo = w[0], hi = w[0], slope = 0;
    for (int i = 0; i < STEADY_WINDOW; i++) {
        sum += w[i];
        lo = fmin(lo, w[i]);
        hi = fmax(hi, w[i]);
    }
    double mean = sum / STEADY_WINDOW;
    for (int i = 0; i < STEADY_WINDOW; i++)
        slope += (i - 2) * (w[i] - mean) / 10;
    if (!(mean > 0))
        return;
    out->known = true;
    out->mean = mean;
    out->slope = slope;
    out->range = (hi - lo) / mean;
    out->excursion = fabs(slope) * (STEADY_WINDOW - 1) / mean;
    out->steady = out->range <= STEADY_RANGE_MAX && out->excursion <= STEADY_SLOPE_MAX;
}
