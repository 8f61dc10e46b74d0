#include "report/analysis/analysis.h"

#include <math.h>

#define KNEE_GAIN         1.05
#define FALLEN            0.90
#define SATURATED_ELASTIC 0.15
#define INFLATION_LOW     1.10
#define INFLATION_HIGH    1.60
#define ONE_DEPTH_WEIGHT  0.30

size_t knee_find(const struct rung *r, size_t n)
{
    for (size_t i = 0; i + 1 < n; i++) {
        bool is_top = true;
        for (size_t j = i + 1; j < n && is_top; j++) {
            double doublings = log2(r[j].depth / r[i].depth);
            is_top = r[j].iops < r[i].iops * pow(KNEE_GAIN, doublings);
        }
        if (is_top)
            return i;
    }
    return n;
}

size_t level_rung(const struct rung *r, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, r[i].iops);
    size_t at = n - 1;
    while (at > 0 && r[at].iops < FALLEN * most)
        at--;
    return at;
}

static double clamp(double v, double lo, double hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

void saturation_find(const struct rung *r, size_t n, struct saturated *out)
{
    if (n == 1) {
        out[0] = (struct saturated){SATURATION_UNKNOWN, ONE_DEPTH_WEIGHT, NAN, 1};
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const struct rung *from = i ? &r[i - 1] : &r[0];
        const struct rung *to = i ? &r[i] : &r[1];
        double octaves = log(to->depth / from->depth);
        double e = log(to->iops / from->iops) / octaves;
        double tol = fmin(0.1, 2 * hypot(to->se, from->se) / octaves);
        double inflation = r[i].depth / r[i].iops / (r[0].depth / r[0].iops);
        double weight = 0;
        enum saturation state = SATURATION_YES;
        if (e > SATURATED_ELASTIC + tol) {
            weight = clamp((INFLATION_HIGH - inflation) / (INFLATION_HIGH - INFLATION_LOW), 0, 1);
            if (i == 0)
                weight = 1;
            state = weight >= 0.999 ? SATURATION_NO : SATURATION_KNEE;
        }
        out[i] = (struct saturated){state, weight, e, inflation};
    }
}
