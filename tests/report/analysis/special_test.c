/* Distributions, intervals and the steady-state rule against scipy and R. */
#include <criterion/criterion.h>
#include <math.h>

#include "report/analysis/analysis.h"
#include "report/analysis/stats_internal.h"
#include "tests/support/noise.h"
#include "tests/support/vectors.h"

static void near(double got, double want, double relative, const char *what)
{
    cr_assert(fabs(got - want) <= relative * fmax(fabs(want), 1e-6), "%s: got %.17g, want %.17g",
              what, got, want);
}

static double at(const cJSON *row, int i)
{
    return cJSON_GetArrayItem(row, i)->valuedouble;
}

Test(special, normal_distribution)
{
    cJSON *v = vectors_load("special");
    const cJSON *row;
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(v, "norm_cdf"))
        near(norm_cdf(at(row, 0)), at(row, 1), 1e-10, "norm_cdf");
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(v, "norm_ppf"))
        near(norm_ppf(at(row, 0)), at(row, 1), 1e-10, "norm_ppf");
    cJSON_Delete(v);
    cr_assert_eq(norm_ppf(0), -INFINITY);
    cr_assert(isnan(norm_ppf(2)));
}

/* scipy's own inverse of t is good to about 3e-9 (R's qt(0.95, 4) is 2.131846786326649). */
Test(special, student_t)
{
    near(t_ppf(0.95, 4), 2.131846786326649, 1e-13, "qt(0.95, 4)");
    cJSON *v = vectors_load("special");
    const cJSON *row;
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(v, "t_sf2"))
        near(t_sf2(at(row, 0), at(row, 1)), at(row, 2), 1e-10, "t_sf2");
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(v, "t_ppf"))
        near(t_ppf(at(row, 0), at(row, 1)), at(row, 2), 1e-8, "t_ppf");
    cJSON_Delete(v);
}

Test(interval, autocorrelated_series)
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
        near(autocorrelation_1(x, n), cJSON_GetObjectItem(want, "acf1")->valuedouble, 1e-8, "acf1");
        near(effective_n(x, n), cJSON_GetObjectItem(want, "n_eff_geyer")->valuedouble, 1e-8,
             "n_eff");
        struct mean_interval i;
        cr_assert(interval_of_mean(x, n, &i));
        near(i.mean, cJSON_GetObjectItem(want, "mean")->valuedouble, 1e-12, "mean");
        cr_assert(i.lo < i.mean && i.mean < i.hi);
    }
    cJSON_Delete(v);
}

Test(interval, needs_three_values_and_survives_equal_ones)
{
    struct mean_interval i;
    cr_assert_not(interval_of_mean((double[]){1, 2}, 2, &i));
    cr_assert(interval_of_mean((double[]){5, 5, 5, 5}, 4, &i));
    cr_assert_eq(i.lo, 5);
    cr_assert_eq(i.hi, 5);
}

Test(steady, snia_rule)
{
    cJSON *v = vectors_load("steady_state");
    const cJSON *want;
    cJSON_ArrayForEach(want, cJSON_GetObjectItem(v, "cases"))
    {
        const char *name = cJSON_GetObjectItem(want, "name")->valuestring;
        size_t n;
        double *y = vectors_doubles(cJSON_GetObjectItem(want, "y"), &n);
        struct steady s;
        steady_check(y, n, &s);
        cr_assert(s.known, "%s", name);
        near(s.mean, cJSON_GetObjectItem(want, "mean")->valuedouble, 1e-12, name);
        near(s.range, cJSON_GetObjectItem(want, "range_over_mean")->valuedouble, 1e-9, name);
        near(s.excursion, cJSON_GetObjectItem(want, "slope_excursion_over_mean")->valuedouble, 1e-9,
             name);
        cr_assert_eq(s.steady, cJSON_IsTrue(cJSON_GetObjectItem(want, "steady")), "%s", name);
        free(y);
    }
    cJSON_Delete(v);
    struct steady four;
    steady_check((double[]){1, 1, 1, 1}, 4, &four);
    cr_assert_not(four.known);
}
