#include "core/model/hist.h"

#include <criterion/criterion.h>
#include <math.h>

#include "core/base/xalloc.h"
#include "tests/support/noise.h"
#include "tests/support/vectors.h"

/* hist_percentiles.samples: log-normal with a slow tail of half a per cent. */
static uint64_t *slow_tail_samples(size_t n)
{
    double *z = xcalloc(n, sizeof *z), *u = xcalloc(n, sizeof *u);
    uint64_t *v = xcalloc(n, sizeof *v);
    noise_fill(z, n, 5);
    uniform_fill(u, n, 3);
    for (size_t i = 0; i < n; i++)
        v[i] = (uint64_t)floor(80000 * exp(0.6 * z[i])) + (u[i] > 0.995 ? 5000000 : 0);
    free(z);
    free(u);
    return v;
}

static void slow_tail_hist(struct hist *h)
{
    uint64_t *v = slow_tail_samples(20000);
    hist_init(h);
    for (size_t i = 0; i < 20000; i++)
        hist_add(h, v[i]);
    free(v);
}

Test(noise, is_the_generator_of_the_vectors)
{
    cJSON *j = vectors_load("generator");
    size_t n;
    double *want = vectors_doubles(cJSON_GetObjectItem(j, "u_seed1"), &n), got[8];
    uniform_fill(got, n, 1);
    for (size_t i = 0; i < n; i++)
        cr_expect_float_eq(got[i], want[i], 1e-12);
    free(want);
    want = vectors_doubles(cJSON_GetObjectItem(j, "noise_seed7"), &n);
    noise_fill(got, n, 7);
    for (size_t i = 0; i < n; i++)
        cr_expect_float_eq(got[i], want[i], 1e-12);
    free(want);
    cJSON_Delete(j);
}

Test(hist, index_and_buckets)
{
    cJSON *j = vectors_load("hist_index");
    const cJSON *c;
    cr_expect_eq(vectors_number(j, "buckets"), HIST_BUCKETS);
    cJSON_ArrayForEach(c, cJSON_GetObjectItem(j, "cases"))
    {
        uint64_t v = vectors_whole(c, "v");
        unsigned i = hist_index(v);
        cr_expect_eq(i, vectors_whole(c, "idx"), "%lu", v);
        cr_expect_eq(hist_lo(i), vectors_whole(c, "lo"), "%lu", v);
        cr_expect_eq(hist_width(i), vectors_whole(c, "width"), "%lu", v);
        cr_expect_eq(hist_mid(i), vectors_whole(c, "mid"), "%lu", v);
    }
    cJSON_Delete(j);
    cr_expect_eq(hist_index(UINT64_MAX), HIST_BUCKETS - 1);
}

Test(hist, buckets_tile_the_numbers)
{
    for (unsigned i = 0; i + 1 < HIST_BUCKETS; i++) {
        cr_assert_eq(hist_index(hist_lo(i)), i);
        cr_assert_eq(hist_index(hist_lo(i) + hist_width(i) - 1), i);
        cr_assert_eq(hist_lo(i) + hist_width(i), hist_lo(i + 1));
        /* the stated bound: the middle is off by at most 1/128 of any value in the bucket */
        double off = (double)(hist_mid(i) - hist_lo(i));
        cr_assert(off * 128 <= (double)hist_lo(i) || hist_width(i) == 1, "bucket %u", i);
    }
}

Test(hist, percentiles_and_their_intervals)
{
    static struct hist h;
    slow_tail_hist(&h);
    cJSON *j = vectors_load("hist_percentiles");
    cr_expect_eq(hist_n(&h), vectors_whole(j, "n"));
    cr_expect_eq(h.min, vectors_whole(j, "min"));
    cr_expect_eq(h.max, vectors_whole(j, "max"));
    const cJSON *c;
    cJSON_ArrayForEach(c, cJSON_GetObjectItem(j, "cases"))
    {
        double p = vectors_number(c, "p"), exact = vectors_number(c, "exact_order_statistic");
        double got = (double)hist_percentile(&h, p);
        cr_expect_eq(got, p < 100 ? vectors_number(c, "value") : vectors_number(j, "max"),
                     "p%g: %g", p, got);
        cr_expect_leq(fabs(got - exact), exact / 128 + 1, "p%g is off by more than 0.78 %%", p);
        uint64_t lo, hi;
        hist_percentile_ci(&h, p, 1.959963984540054, 1, &lo, &hi);
        const cJSON *ci = cJSON_GetObjectItem(c, "ci95");
        cr_expect_eq(lo, (uint64_t)cJSON_GetArrayItem(ci, 0)->valuedouble, "p%g: %lu", p, lo);
        cr_expect_eq(hi, (uint64_t)cJSON_GetArrayItem(ci, 1)->valuedouble, "p%g: %lu", p, hi);
    }
    const cJSON *pair;
    size_t nonzero = 0;
    cJSON_ArrayForEach(pair, cJSON_GetObjectItem(j, "sparse"))
    {
        unsigned i = (unsigned)cJSON_GetArrayItem(pair, 0)->valueint;
        cr_expect_eq(h.count[i], (uint64_t)cJSON_GetArrayItem(pair, 1)->valuedouble, "bucket %u",
                     i);
        nonzero++;
    }
    cr_expect_eq(nonzero, vectors_whole(j, "nonzero_buckets"));
    cJSON_Delete(j);
}

Test(hist, mean_and_deviation_are_exact)
{
    static struct hist h;
    slow_tail_hist(&h);
    uint64_t *v = slow_tail_samples(20000);
    long double sum = 0, about = 0;
    for (size_t i = 0; i < 20000; i++)
        sum += (long double)v[i];
    for (size_t i = 0; i < 20000; i++) {
        long double d = (long double)v[i] - sum / 20000;
        about += d * d;
    }
    cr_expect_float_eq(hist_mean(&h), (double)(sum / 20000), 1e-6);
    double sd = (double)sqrtl(about / 19999);
    cr_expect_float_eq(hist_stddev(&h), sd, 1e-9 * sd);
    free(v);
}

/* 10^9 I/Os of a second each: sum 10^18, squares 10^27; equal values have no spread at all. */
Test(hist, large_sums_do_not_overflow)
{
    static struct hist h;
    hist_init(&h);
    for (int i = 0; i < 1000; i++)
        hist_add(&h, UINT64_C(1000000007));
    h.count[hist_index(UINT64_C(1000000007))] *= 1000000;
    h.sum *= 1000000;
    h.sum_sq *= 1000000;
    cr_expect_float_eq(hist_mean(&h), 1000000007, 1e-3);
    cr_expect_eq(hist_stddev(&h), 0);
}

Test(hist, empty_and_single)
{
    static struct hist h;
    hist_init(&h);
    cr_expect_eq(hist_n(&h), 0);
    cr_expect_eq(hist_percentile(&h, 99), 0);
    cr_expect(isnan(hist_mean(&h)));
    cr_expect(isnan(hist_stddev(&h)));
    cr_expect_not(hist_supports(&h, 50));
    double lo, hi;
    hist_share_above(&h, 5, &lo, &hi);
    cr_expect(isnan(lo) && isnan(hi));
    hist_add(&h, 1000001);
    cr_expect_eq(hist_percentile(&h, 0), 1000001, "clamped to the one value");
    cr_expect_eq(hist_percentile(&h, 100), 1000001);
    cr_expect_eq(hist_mean(&h), 1000001);
    cr_expect(isnan(hist_stddev(&h)));
    cr_expect(isnan(hist_ks(&h, &(struct hist){0})));
}

Test(hist, a_percentile_falls_on_its_own_rank)
{
    /* 99.9 has no exact double: 99.9 % of 20000 must be rank 19980, not 19981 */
    static struct hist h;
    hist_init(&h);
    h.min = 10;
    h.max = 100;
    h.count[10] = 19980;
    h.count[100] = 20;
    cr_expect_eq(hist_percentile(&h, 99.9), 10);
    cr_expect_eq(hist_percentile(&h, 99.91), 100);
    h.count[10] = 999;
    h.count[100] = 1;
    cr_expect_eq(hist_percentile(&h, 99.9), 10);
}

Test(hist, support_needs_ten_values_beyond)
{
    static struct hist h;
    hist_init(&h);
    h.count[50] = 10000;
    cr_expect(hist_supports(&h, 99.9));
    h.count[50] = 9999;
    cr_expect_not(hist_supports(&h, 99.9));
    cr_expect(hist_supports(&h, 99));
    cr_expect_not(hist_supports(&h, 100));
}

Test(hist, merge_is_adding)
{
    static struct hist a, b, all;
    hist_init(&a);
    hist_init(&b);
    hist_init(&all);
    for (uint64_t v = 1; v < 100000000; v = v * 3 / 2 + 1) {
        hist_add(v % 2 ? &a : &b, v);
        hist_add(&all, v);
    }
    hist_merge(&a, &b);
    cr_expect_eq(memcmp(a.count, all.count, sizeof a.count), 0);
    cr_expect_eq(a.min, all.min);
    cr_expect_eq(a.max, all.max);
    cr_expect_eq(a.sum, all.sum);
    cr_expect(a.sum_sq == all.sum_sq);
    static struct hist empty;
    hist_init(&empty);
    hist_merge(&empty, &all);
    cr_expect_eq(empty.min, all.min);
    cr_expect_eq(empty.max, all.max);
}

Test(hist, bins_bring_middles)
{
    static struct hist h;
    hist_init(&h);
    hist_add_bin(&h, 63744, 200);
    hist_add_bin(&h, 5, 3);
    hist_add_bin(&h, 7, 0);
    cr_expect_eq(hist_n(&h), 203);
    cr_expect_eq(h.sum, 63744u * 200 + 15);
    cr_expect_eq(h.min, 5);
    cr_expect_eq(h.max, 63744);
    hist_add_bin(&h, UINT64_C(1) << 40, UINT64_MAX); /* forged: stops at the top */
    cr_expect_eq(h.sum, UINT64_MAX);
}

Test(hist, share_above_has_bounds)
{
    static struct hist h;
    double lo, hi;
    hist_init(&h);
    for (int i = 0; i < 60; i++)
        hist_add(&h, 1000);
    for (int i = 0; i < 30; i++)
        hist_add(&h, 1004); /* the bucket of 1000: 1000..1007 */
    for (int i = 0; i < 10; i++)
        hist_add(&h, 2000000);
    hist_share_above(&h, 1002, &lo, &hi);
    cr_expect_float_eq(lo, 0.1, 1e-12);
    cr_expect_float_eq(hi, 1.0, 1e-12);
    hist_share_above(&h, 1007, &lo, &hi);
    cr_expect_float_eq(hi, 0.1, 1e-12, "the last value of a bucket");
    hist_share_above(&h, 999, &lo, &hi);
    cr_expect_eq(lo, 1);
    hist_share_above(&h, 2000000, &lo, &hi);
    cr_expect(lo == 0 && hi == 0, "nothing is above the largest");
    hist_add(&h, 20);
    hist_add(&h, 21);
    hist_share_above(&h, 20, &lo, &hi);
    cr_expect(lo == hi && lo == 101.0 / 102, "exact below 128");
    hist_add(&h, UINT64_C(40000000000)); /* overflow bucket: only max tells */
    hist_share_above(&h, UINT64_C(30000000000), &lo, &hi);
    cr_expect_eq(lo, 0);
    cr_expect_float_eq(hi, 1.0 / 103, 1e-12);
}

Test(hist, distances)
{
    static struct hist a, b;
    slow_tail_hist(&a);
    hist_init(&b);
    double *z = xcalloc(20000, sizeof *z);
    noise_fill(z, 20000, 121);
    for (size_t i = 0; i < 20000; i++)
        hist_add(&b, (uint64_t)floor(88000 * exp(0.6 * z[i])));
    free(z);
    cJSON *j = vectors_load("hist_distance");
    cr_expect_float_eq(hist_ks(&a, &b), vectors_number(j, "ks_D"), 1e-12);
    cr_expect_float_eq(hist_wasserstein_ln(&a, &b), vectors_number(j, "wasserstein_ln"), 1e-9);
    cr_expect_eq(hist_ks(&a, &a), 0);
    cr_expect_eq(hist_wasserstein_ln(&b, &b), 0);
    cJSON_Delete(j);
}

/* fio 3.33 printed both the bins and the percentiles it took from them. */
Test(hist, percentiles_are_those_of_fio)
{
    cJSON *j = vectors_load("fio_percentiles");
    const cJSON *c, *pair;
    cJSON_ArrayForEach(c, cJSON_GetObjectItem(j, "cases"))
    {
        static struct hist h;
        hist_init(&h);
        cJSON_ArrayForEach(pair, cJSON_GetObjectItem(c, "bins"))
        {
            uint64_t v = (uint64_t)cJSON_GetArrayItem(pair, 0)->valuedouble;
            cr_expect_eq(hist_mid(hist_index(v)), v, "fio's %lu is not the middle of a bucket", v);
            hist_add_bin(&h, v, (uint64_t)cJSON_GetArrayItem(pair, 1)->valuedouble);
        }
        cr_expect_eq(hist_n(&h), vectors_whole(c, "n"));
        cJSON_ArrayForEach(pair, cJSON_GetObjectItem(c, "percentile"))
        {
            double p = cJSON_GetArrayItem(pair, 0)->valuedouble;
            uint64_t want = (uint64_t)cJSON_GetArrayItem(pair, 1)->valuedouble;
            uint64_t got = hist_percentile(&h, p);
            cr_expect_eq(got, want, "p%g: %lu, fio says %lu", p, got, want);
        }
        double mean = vectors_number(c, "mean");
        cr_expect_float_eq(hist_mean(&h), mean, mean / 128);
    }
    cJSON_Delete(j);
}
