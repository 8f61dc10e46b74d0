/* Knee, saturation and plateau: what one sweep says about its ceiling. */
#include <criterion/criterion.h>
#include <math.h>

#include "report/analysis/analysis.h"
#include "tests/support/vectors.h"

Test(knee, last_depth_before_under_five_percent)
{
    const struct rung r[] = {{1, 1000, 0}, {4, 3900, 0}, {16, 9000, 0}, {64, 9300, 0}};
    cr_assert_eq(knee_find(r, 4), 2);
    cr_assert_eq(knee_find(r, 3), 3, "still rising: no knee");
    cr_assert_eq(knee_find(r, 1), 1);
    cr_assert_eq(knee_find(r, 0), 0);
}

Test(knee, a_dip_on_the_way_up_is_none)
{
    const struct rung r[] = {{1, 1000, 0}, {2, 1010, 0}, {4, 3900, 0}, {8, 4000, 0}, {16, 3800, 0}};
    cr_assert_eq(knee_find(r, 5), 2);
    /* 4.9 % for each doubling is under the line, 5.1 % is not */
    const struct rung slow[] = {{1, 1000, 0}, {4, 1000 * 1.049 * 1.049, 0}};
    cr_assert_eq(knee_find(slow, 2), 0);
    const struct rung fast[] = {{1, 1000, 0}, {4, 1000 * 1.051 * 1.051, 0}};
    cr_assert_eq(knee_find(fast, 2), 2);
}

/* M/M/1: latency 1 / (1 - load), so the power load x (1 - load) is highest at half (Kleinrock). */
Test(knee, of_a_response_curve_is_where_power_is_highest)
{
    struct response_step s[9];
    for (int i = 0; i < 9; i++) {
        double load = (i + 1) / 10.0;
        s[i] = (struct response_step){1000 * load, 1e6 / (1 - load)};
    }
    cr_assert_eq(response_knee(s, 9), 4);
    cr_assert_eq(response_knee(s, 3), 2, "still rising: the last step");
    cr_assert_eq(response_knee(s, 0), 0);
    /* a device whose latency does not depend on the load at all */
    for (int i = 0; i < 9; i++)
        s[i].latency = 1e6;
    cr_assert_eq(response_knee(s, 9), 8);
}

Test(saturation, ladder_of_a_cap)
{
    /* latency 1 ms, cap 3,500 */
    const struct rung r[] = {{1, 1000, 0}, {4, 3500, 0}, {16, 3500, 0}, {64, 3500, 0}};
    struct saturated s[4];
    saturation_find(r, 4, s);
    cr_assert_eq(s[0].state, SATURATION_NO);
    cr_assert_eq(s[0].latency_weight, 1);
    cr_assert_eq(s[1].state, SATURATION_KNEE, "nearly proportional to depth");
    cr_assert_float_eq(s[1].latency_weight, (1.6 - 4 / 3.5) / 0.5, 1e-12);
    cr_assert_eq(s[2].state, SATURATION_YES);
    cr_assert_eq(s[2].latency_weight, 0);
    cr_assert_float_eq(s[2].inflation, 16 / 3.5, 1e-12);
    cr_assert_float_eq(s[3].elasticity, 0, 1e-12);
}

Test(saturation, knee_and_one_depth)
{
    const struct rung r[] = {{1, 1000, 0}, {4, 2900, 0}};
    struct saturated s[2];
    saturation_find(r, 2, s);
    cr_assert_eq(s[1].state, SATURATION_KNEE);
    cr_assert_float_eq(s[1].latency_weight, (1.6 - 4 / 2.9) / 0.5, 1e-12);
    saturation_find(r, 1, s);
    cr_assert_eq(s[0].state, SATURATION_UNKNOWN);
    cr_assert_eq(s[0].latency_weight, 0.30);
}

Test(saturation, noise_widens_the_tolerance)
{
    const struct rung sharp[] = {{16, 1000, 0}, {64, 1290, 0}};
    const struct rung noisy[] = {{16, 1000, 0.05}, {64, 1290, 0.05}};
    struct saturated s[2];
    saturation_find(sharp, 2, s);
    cr_assert_neq(s[1].state, SATURATION_YES);
    saturation_find(noisy, 2, s);
    cr_assert_eq(s[1].state, SATURATION_YES);
}

static double number(const cJSON *c, const char *name)
{
    const cJSON *v = cJSON_GetObjectItem(c, name);
    return cJSON_IsNumber(v) ? v->valuedouble : NAN;
}

static void same(double got, double want, const char *name, const char *what)
{
    if (isnan(want)) {
        cr_assert(isnan(got), "%s %s: got %g, want none", name, what, got);
        return;
    }
    cr_assert(fabs(got - want) <= 1e-6 * fabs(want), "%s %s: got %.12g, want %.12g", name, what,
              got, want);
}

Test(plateau, reference_fits)
{
    static const char *const models[] = {"none", "iops", "bw", "both", "soft"};
    cJSON *v = vectors_load("plateau_fit");
    const cJSON *c;
    int cases = 0;
    cJSON_ArrayForEach(c, cJSON_GetObjectItem(v, "cases"))
    {
        const char *name = cJSON_GetObjectItem(c, "name")->valuestring;
        struct plateau_column column[8];
        size_t n = 0;
        const cJSON *pair;
        cJSON_ArrayForEach(pair, cJSON_GetObjectItem(c, "columns"))
        {
            column[n++] =
                (struct plateau_column){cJSON_GetArrayItem(pair, 0)->valuedouble,
                                        cJSON_GetArrayItem(pair, 1)->valuedouble, number(c, "se")};
        }
        struct plateau p;
        plateau_fit(column, n, &p);
        cr_assert_str_eq(models[p.model], cJSON_GetObjectItem(c, "model")->valuestring, "%s", name);
        same(p.iops, number(c, "ci"), name, "iops");
        same(p.bw, number(c, "cb"), name, "bw");
        same(p.knee_bs, number(c, "knee"), name, "knee");
        same(p.bic, number(c, "bic"), name, "bic");
        cr_assert_eq(p.io_size, number(c, "acct"), "%s", name);
        cr_assert(p.margin > 0, "%s", name);
        if (strcmp(name, "alias_256k") == 0)
            cr_assert_eq(p.alias_io_size, 262144);
        cases++;
    }
    cr_assert_eq(cases, 4);
    cJSON_Delete(v);
    /* no shape: one size in the middle is at half of what its neighbours say */
    const struct plateau_column ragged[] = {{4096, 50000, 0},
                                            {16384, 50000, 0},
                                            {65536, 25000, 0},
                                            {262144, 12000, 0},
                                            {1048576, 1500, 0}};
    struct plateau shape;
    plateau_fit(ragged, 5, &shape);
    cr_assert_eq(shape.model, PLATEAU_NONE);
    cr_assert(isnan(shape.iops) && isnan(shape.margin));
    struct plateau none;
    plateau_fit(NULL, 0, &none);
    cr_assert_eq(none.model, PLATEAU_NONE);
    cr_assert(isnan(none.iops));
}

Test(depth, a_level_is_where_the_rate_did_not_fall_again)
{
    struct rung r[] = {{1, 900, 0}, {4, 3500, 0}, {16, 3500, 0}, {64, 1750, 0}};
    cr_assert_eq(level_rung(r, 4), 2);
    r[3].iops = 0.91 * 3500;
    cr_assert_eq(level_rung(r, 4), 3, "a tenth is what is delivered of a cap");
    cr_assert_eq(level_rung(r, 1), 0);
}

/* What is in flight at the ends of a window counts for more the shorter it is. */
Test(depth, a_short_window_is_not_a_short_queue)
{
    struct cell c = {0};
    SET(&c, CELL, little_ratio, 0.9);
    SET(&c, CELL, runtime_ns, UINT64_C(1500000000));
    SET(&c.dir[DIR_READ].lat[LAT_CLAT], LAT_F, max, 100000000);
    cr_assert_not(depth_was_missed(&c));
    SET(&c, CELL, runtime_ns, UINT64_C(60000000000));
    cr_assert(depth_was_missed(&c));
    SET(&c, CELL, little_ratio, 0.949);
    cr_assert_not(depth_was_missed(&c));
}
