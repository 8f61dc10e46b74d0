#include "core/model/series.h"

#include <criterion/criterion.h>
#include <math.h>

#include "core/base/xalloc.h"

Test(series, rates_use_the_true_length)
{
    struct series s = {.interval_ns = 1000000000};
    struct series_point *p = series_append(&s);
    p->len_ns = 1250000000;
    p->ios = 5000;
    p->bytes = 20480000;
    p->lat_sum_ns = 5000000000;
    cr_expect_eq(series_iops(&s, 0), 4000);
    cr_expect_eq(series_bw(&s, 0), 16384000);
    cr_expect_eq(series_lat_mean(&s, 0), 1000000);
    series_release(&s);
    cr_expect_null(s.point);
}

Test(series, what_is_not_known_is_nan)
{
    struct series s = {.interval_ns = 1000000000};
    series_append(&s);
    cr_expect(isnan(series_iops(&s, 0)), "no length");
    cr_expect(isnan(series_bw(&s, 0)));
    cr_expect(isnan(series_lat_mean(&s, 0)), "no I/O");
    s.point[0].len_ns = 1000000000;
    cr_expect_eq(series_iops(&s, 0), 0, "a stall is a real zero");
    s.point[0].ios = 5;
    cr_expect(isnan(series_lat_mean(&s, 0)), "latency unknown");
    series_release(&s);
}

Test(series, histograms_grow_with_the_points)
{
    struct series s = {.interval_ns = 1000000000};
    series_append(&s);
    s.hist = xcalloc(1, SERIES_HIST_BUCKETS * sizeof *s.hist);
    s.hist[7] = 9;
    for (int i = 0; i < 50; i++)
        series_append(&s);
    cr_expect_eq(s.hist[7], 9);
    cr_expect_eq(s.hist[50 * SERIES_HIST_BUCKETS + SERIES_HIST_BUCKETS - 1], 0);
    struct series copy = {0};
    series_copy(&copy, &s);
    cr_expect_eq(copy.n, 51);
    cr_expect_eq(copy.hist[7], 9);
    cr_expect_neq(copy.point, s.point);
    series_append(&copy);
    series_release(&copy);
    series_release(&s);
}

Test(series, copy_of_nothing)
{
    struct series empty = {.interval_ns = 5}, copy = {0};
    series_copy(&copy, &empty);
    cr_expect_eq(copy.n, 0);
    cr_expect_eq(copy.interval_ns, 5);
    series_release(&copy);
}

/* The stated bound: 8 steps an octave, so the middle is off by at most 1/16. */
Test(series, interval_buckets)
{
    for (unsigned i = 128; i + 1 < HIST_BUCKETS; i++) {
        double mid = (double)series_hist_mid(i / 8);
        cr_assert_leq(fabs(mid - (double)hist_lo(i)), (double)hist_lo(i) / 16 + 1, "%u", i);
    }
    cr_expect_eq(series_hist_mid(0), 4);
}
