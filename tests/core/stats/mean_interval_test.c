/* The interval of a mean against R and a reference written apart from this program. */
#include "core/stats/mean_interval.h"

#include <criterion/criterion.h>
#include <math.h>

#include "tests/support/near.h"
#include "tests/support/noise.h"
#include "tests/support/vectors.h"

Test(mean_interval, autocorrelated_series)
{
    static const struct {
        size_t n;
        double rho;
        uint32_t seed;
    } rule[] = {{60, 0, 81}, {120, 0.6, 82}, {300, 0.8, 83}};
    cJSON *v = vectors_load("autocorrelation");
    const cJSON *cases = cJSON_GetObjectItem(v, "cases");
    cr_assert_eq(cJSON_GetArraySize(cases), 3);
    for (int c = 0; c < 3; c++) {
        const cJSON *want = cJSON_GetArrayItem(cases, c);
        size_t n = rule[c].n;
        double e[300], x[300], z = 0;
        noise_fill(e, n, rule[c].seed);
        for (size_t i = 0; i < n; i++) {
            z = i ? rule[c].rho * z + sqrt(1 - rule[c].rho * rule[c].rho) * e[i] : e[0];
            x[i] = round(3000 * (1 + 0.02 * z) * 1000) / 1000;
        }
        near(x[0], at(cJSON_GetObjectItem(want, "first"), 0), 1e-12, "first value of the series");
        near(effective_n(x, n), cJSON_GetObjectItem(want, "n_eff_geyer")->valuedouble, 1e-8,
             "n_eff");
        struct mean_interval i;
        cr_assert(interval_of_mean(x, n, &i));
        near(i.mean, cJSON_GetObjectItem(want, "mean")->valuedouble, 1e-12, "mean");
        cr_assert(i.lo < i.mean && i.mean < i.hi);
    }
    cJSON_Delete(v);
}

Test(mean_interval, needs_three_values_and_survives_equal_ones)
{
    struct mean_interval i;
    cr_assert_not(interval_of_mean((double[]){1, 2}, 2, &i));
    cr_assert(interval_of_mean((double[]){5, 5, 5, 5}, 4, &i));
    cr_assert_eq(i.lo, 5);
    cr_assert_eq(i.hi, 5);
}
