/* The rule of steady state against vectors. */
#include "core/stats/steady.h"

#include <criterion/criterion.h>
#include <math.h>

#include "tests/support/near.h"
#include "tests/support/vectors.h"

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
