/* Segmentation against ruptures and the plain recursion. */
#include <criterion/criterion.h>
#include <math.h>

#include "core/stats/segments.h"
#include "tests/support/noise.h"
#include "tests/support/vectors.h"

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
