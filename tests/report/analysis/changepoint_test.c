/* Segmentation and burst detection against ruptures and the reference series. */
#include <criterion/criterion.h>
#include <math.h>

#include "report/analysis/analysis.h"
#include "tests/support/noise.h"
#include "tests/support/vectors.h"

static double round1(double v)
{
    return round(v * 10) / 10;
}

Test(partition, agrees_with_ruptures)
{
    cJSON *v = vectors_load("pelt_l2");
    const cJSON *c;
    int cases = 0;
    cJSON_ArrayForEach(c, cJSON_GetObjectItem(v, "cases"))
    {
        size_t n, n_want;
        double made[80], *y = NULL;
        if (cJSON_GetObjectItem(c, "y")) {
            y = vectors_doubles(cJSON_GetObjectItem(c, "y"), &n);
        } else { /* given by its rule only */
            n = 80;
            noise_fill(made, n, 92);
            for (size_t i = 0; i < n; i++)
                made[i] = round(0.3 * made[i] * 1e4) / 1e4;
        }
        double *want = vectors_doubles(cJSON_GetObjectItem(c, "starts"), &n_want);
        size_t starts[64];
        size_t got =
            partition_l2(y ? y : made, n, cJSON_GetObjectItem(c, "pen")->valuedouble, 5, starts);
        cr_assert_eq(got, n_want, "got %zu segments, want %zu", got, n_want);
        for (size_t i = 0; i < got; i++)
            cr_assert_eq(starts[i], (size_t)want[i]);
        free(y);
        free(want);
        cases++;
    }
    cr_assert_eq(cases, 2);
    cJSON_Delete(v);
}

/* The plain recursion, without pruning. */
static double cost(const double *y, size_t from, size_t to)
{
    double mean = 0, sum = 0;
    for (size_t i = from; i < to; i++)
        mean += y[i] / (double)(to - from);
    for (size_t i = from; i < to; i++)
        sum += (y[i] - mean) * (y[i] - mean);
    return sum;
}

Test(partition, pruning_never_changes_the_result)
{
    enum { N = 90, MIN = 6 };
    for (uint32_t seed = 1; seed <= 40; seed++) {
        double y[N], best[N + 1] = {0};
        size_t from[N + 1] = {0}, starts[N], want[N], count = 0;
        noise_fill(y, N, seed);
        for (size_t i = 0; i < N; i++)
            y[i] = 0.3 * y[i] + (double)((i / (10 + seed % 25)) % 3);
        double penalty = 0.2 + 0.1 * (seed % 7);
        best[0] = -penalty;
        for (size_t t = 1; t <= N; t++) {
            best[t] = INFINITY;
            for (size_t s = 0; s + MIN <= t; s++) {
                double c = best[s] + cost(y, s, t) + penalty;
                if (isfinite(best[s]) && c < best[t] - 1e-12) {
                    best[t] = c;
                    from[t] = s;
                }
            }
        }
        for (size_t t = N; t > 0; t = from[t])
            want[count++] = from[t];
        cr_assert_eq(partition_l2(y, N, penalty, MIN, starts), count, "seed %u", seed);
        for (size_t i = 0; i < count; i++)
            cr_assert_eq(starts[i], want[count - 1 - i], "seed %u", seed);
    }
}

static void expect_burst(const cJSON *cases, const char *name, const double *x, size_t n)
{
    const cJSON *c, *want = NULL;
    cJSON_ArrayForEach(c, cases)
    {
        if (strcmp(cJSON_GetObjectItem(c, "name")->valuestring, name) == 0)
            want = cJSON_GetObjectItem(c, "expect");
    }
    struct burst b;
    bool found = burst_find(x, n, &b);
    cr_assert_eq(found, want && cJSON_IsObject(want), "%s", name);
    if (!found)
        return;
    const struct {
        const char *field;
        double got;
    } check[] = {
        {"t", (double)b.at},        {"burst", b.rate},     {"sustained", b.sustained},
        {"n_burst", b.spent},       {"bucket", b.credits}, {"cv_burst", b.cv_rate},
        {"cv_sus", b.cv_sustained},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        double w = cJSON_GetObjectItem(want, check[i].field)->valuedouble;
        cr_assert(fabs(check[i].got - w) <= 1e-6 * fabs(w), "%s %s: got %.12g, want %.12g", name,
                  check[i].field, check[i].got, w);
    }
    cr_assert_eq(b.throttle,
                 strcmp(cJSON_GetObjectItem(want, "kind")->valuestring, "throttle") == 0);
}

Test(burst, reference_series)
{
    cJSON *v = vectors_load("burst");
    const cJSON *cases = cJSON_GetObjectItem(v, "cases");
    double e[600], x[600];
    noise_fill(e, 600, 111);
    for (int i = 0; i < 600; i++)
        x[i] = round1((i < 372 ? 3000 : 100) * (1 + 0.004 * e[i]));
    expect_burst(cases, "gp2_like", x, 600);
    noise_fill(e, 300, 112);
    for (int i = 0; i < 300; i++)
        x[i] = round1(3000 * (1 + 0.03 * e[i]));
    expect_burst(cases, "flat", x, 300);
    noise_fill(e, 300, 113);
    for (int i = 0; i < 300; i++)
        x[i] = round1((i % 40 < 20 ? 3000 : 1800) * (1 + 0.02 * e[i]));
    expect_burst(cases, "sawtooth", x, 300);
    noise_fill(e, 300, 114);
    for (int i = 0; i < 300; i++)
        x[i] = round1((1200 + 1800 * exp(-i / 80.0)) * (1 + 0.02 * e[i]));
    expect_burst(cases, "decay", x, 300);
    cJSON_Delete(v);
}

Test(segments, stalls_do_not_cut_and_long_series_are_binned)
{
    enum { N = 9000 };
    double *x = calloc(N, sizeof *x), *e = calloc(N, sizeof *e);
    noise_fill(e, N, 5);
    for (size_t i = 0; i < N; i++)
        x[i] = (i < 6000 ? 5000 : 2000) * (1 + 0.01 * e[i]) * (i % 97 == 0 ? 0.01 : 1);
    size_t n;
    struct segment *s = segments_find(x, 300, &n);
    cr_assert_eq(n, 1, "single slow seconds are no change");
    free(s);
    s = segments_find(x, N, &n);
    cr_assert_eq(n, 2);
    cr_assert(s[1].start > 5990 && s[1].start < 6010);
    cr_assert_eq(s[1].end, N);
    cr_assert(fabs(s[0].level / 5000 - 1) < 0.02);
    free(s);
    cr_assert_null(segments_find(x, 0, &n));
    cr_assert_eq(n, 0);
    free(x);
    free(e);
}

Test(timeline, short_intervals_are_added_up)
{
    struct series s = {.interval_ns = 100000000};
    for (int i = 0; i < 400; i++) {
        struct series_point *p = series_append(&s);
        *p = (struct series_point){.end_ns = (uint64_t)(i + 1) * 100000000,
                                   .len_ns = 100000000,
                                   .ios = i < 200 ? 300 : 10,
                                   .bytes = (i < 200 ? 300 : 10) * 4096};
    }
    struct timeline t;
    cr_assert(timeline_find(&s, &t));
    cr_assert_eq(t.n_samples, 40);
    cr_assert(t.is_tested);
    cr_assert(t.has_burst);
    cr_assert_eq(t.n, 2);
    cr_assert_float_eq(t.phase[0].iops, 3000, 1e-6);
    cr_assert_float_eq(t.phase[1].iops, 100, 1e-6);
    cr_assert_float_eq(t.phase[1].start_s, 20, 1e-6);
    cr_assert_float_eq(t.burst.credits, 20 * 2900, 1e-3);
    cr_assert_float_eq(t.burst_bytes, 20 * 2900 * 4096.0, 1);
    timeline_release(&t);
    series_release(&s);
    cr_assert_not(timeline_find(NULL, &t));
}

/* A bucket of 13,000 I/Os, 3500 in the burst and 240 after it: empty after 3.99 s. */
Test(timeline, a_burst_in_a_short_cell)
{
    struct series s = {.interval_ns = 250000000};
    double credits = 13000, owed = 0;
    for (int i = 0; i < 60; i++) {
        double got = credits > 0 ? fmin(3500 * 0.25, credits + 240 * 0.25) : 240 * 0.25;
        credits -= got - 240 * 0.25;
        owed += got;
        uint64_t ios = (uint64_t)owed;
        owed -= (double)ios;
        *series_append(&s) = (struct series_point){.end_ns = (uint64_t)(i + 1) * 250000000,
                                                   .len_ns = 250000000,
                                                   .ios = ios,
                                                   .bytes = ios * 4096};
    }
    struct timeline t;
    cr_assert(timeline_find(&s, &t));
    cr_assert(t.has_burst);
    cr_assert_float_eq(t.exhausted_s, 13000 / 3260.0, 0.05);
    cr_assert_float_eq(t.burst.credits, 13000, 130);
    cr_assert_float_eq(t.burst.rate, 3500, 10);
    cr_assert_float_eq(t.burst.sustained, 240, 1);
    timeline_release(&t);
    series_release(&s);
}
