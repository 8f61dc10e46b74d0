/* Bursts against the reference series. */
#include <criterion/criterion.h>
#include <math.h>

#include "core/stats/burst.h"
#include "tests/support/noise.h"
#include "tests/support/vectors.h"

static double round1(double v)
{
    return round(v * 10) / 10;
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
