/* The normal distribution against scipy. */
#include <criterion/criterion.h>
#include <math.h>

#include "core/stats/sample_stats.h"
#include "report/analysis/stats_internal.h"
#include "tests/support/near.h"
#include "tests/support/noise.h"
#include "tests/support/vectors.h"

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

Test(lag, one_as_r_has_it)
{
    static const struct {
        size_t n;
        double rho;
        uint32_t seed;
    } rule[] = {{60, 0, 81}, {120, 0.6, 82}, {300, 0.8, 83}};
    cJSON *v = vectors_load("autocorrelation");
    const cJSON *cases = cJSON_GetObjectItem(v, "cases");
    for (int c = 0; c < 3; c++) {
        double e[300], x[300], z = 0;
        noise_fill(e, rule[c].n, rule[c].seed);
        for (size_t i = 0; i < rule[c].n; i++) {
            z = i ? rule[c].rho * z + sqrt(1 - rule[c].rho * rule[c].rho) * e[i] : e[0];
            x[i] = round(3000 * (1 + 0.02 * z) * 1000) / 1000;
        }
        const cJSON *want = cJSON_GetObjectItem(cJSON_GetArrayItem(cases, c), "acf1");
        near(stat_lag1(x, rule[c].n), want->valuedouble, 1e-8, "acf1");
    }
    cJSON_Delete(v);
}
