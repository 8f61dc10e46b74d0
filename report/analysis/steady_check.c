#include "report/analysis/analysis.h"

#include <math.h>

#define ROUNDS 5

void steady_check(const double *y, size_t n, struct steady *out)
{
    *out = (struct steady){.range = NAN, .excursion = NAN, .mean = NAN, .slope = NAN};
    if (n < ROUNDS)
        return;
    const double *w = y + n - ROUNDS;
    double sum = 0, lo = w[0], hi = w[0], slope = 0;
    for (int i = 0; i < ROUNDS; i++) {
        sum += w[i];
        lo = fmin(lo, w[i]);
        hi = fmax(hi, w[i]);
    }
    double mean = sum / ROUNDS;
    for (int i = 0; i < ROUNDS; i++)
        slope += (i - 2) * (w[i] - mean) / 10;
    if (!(mean > 0))
        return;
    out->known = true;
    out->mean = mean;
    out->slope = slope;
    out->range = (hi - lo) / mean;
    out->excursion = fabs(slope) * (ROUNDS - 1) / mean;
    out->steady = out->range <= 0.20 && out->excursion <= 0.10;
}
