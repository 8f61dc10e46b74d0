/* The figures of a direction that are those of its samples. */
#include <math.h>

#include "core/model/direction.h"

struct stat {
    double min, max, mean, stddev; /* stddev NaN for one sample */
};

static struct stat stat_of(const struct series *s, double (*value)(const struct series *, size_t))
{
    struct stat st = {.min = INFINITY, .max = -INFINITY};
    double m2 = 0;
    for (size_t i = 0; i < s->n; i++) {
        double v = value(s, i), delta = v - st.mean;
        st.min = fmin(st.min, v);
        st.max = fmax(st.max, v);
        st.mean += delta / (double)(i + 1);
        m2 += delta * (v - st.mean);
    }
    st.stddev = s->n > 1 ? sqrt(m2 / (double)(s->n - 1)) : NAN;
    return st;
}

void direction_set_samples(struct direction *d)
{
    const struct series *s = d->series;
    if (!s || s->n == 0)
        return;
    struct stat iops = stat_of(s, series_iops), bw = stat_of(s, series_bw);
    SET(d, DIRECTION, rate_samples, s->n);
    SET(d, DIRECTION, iops_min, iops.min);
    SET(d, DIRECTION, iops_max, iops.max);
    SET(d, DIRECTION, iops_mean, iops.mean);
    SET(d, DIRECTION, bw_min, bw.min);
    SET(d, DIRECTION, bw_max, bw.max);
    SET(d, DIRECTION, bw_mean, bw.mean);
    if (s->n > 1) {
        SET(d, DIRECTION, iops_stddev, iops.stddev);
        SET(d, DIRECTION, bw_stddev, bw.stddev);
    }
}
