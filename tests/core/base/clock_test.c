#include "core/base/clock.h"

#include <criterion/criterion.h>

Test(clock, rfc3339)
{
    char buf[CLOCK_TEXT_MAX];
    cr_expect_str_eq(clock_rfc3339(buf, 0, false), "1970-01-01T00:00:00Z");
    cr_expect_str_eq(clock_rfc3339(buf, INT64_C(1777636800123456789), true),
                     "2026-05-01T12:00:00.123456789Z");
    cr_expect_str_eq(clock_rfc3339(buf, -1, true), "1969-12-31T23:59:59.999999999Z");
}

Test(clock, parse_is_the_inverse)
{
    static const int64_t instants[] = {0, 1, INT64_C(1777636800123456789),
                                       INT64_C(4102444799999999999)};
    for (size_t i = 0; i < sizeof instants / sizeof instants[0]; i++) {
        char buf[CLOCK_TEXT_MAX];
        int64_t back = -1;
        cr_expect(clock_parse_rfc3339(clock_rfc3339(buf, instants[i], true), &back));
        cr_expect_eq(back, instants[i]);
    }
    int64_t v;
    cr_expect(clock_parse_rfc3339("2026-05-01T12:00:00.5Z", &v));
    cr_expect_eq(v, INT64_C(1777636800500000000));
}

Test(clock, parse_refuses)
{
    static const char *const bad[] = {"",
                                      "2026-05-01",
                                      "2026-05-01T12:00:00",
                                      "2026-05-01 12:00:00Z",
                                      "2026-13-01T12:00:00Z",
                                      "2026-05-32T12:00:00Z",
                                      "2026-02-30T12:00:00Z",
                                      "2026-05-01T24:00:00Z",
                                      "2026-05-01T12:00:00+02:00",
                                      "2026-05-01T12:00:00Zx",
                                      "2026-05-01T12:00:00.Z",
                                      "2026-05-01T12:00:00.1234567890Z",
                                      "26-05-01T12:00:00Z",
                                      "9999-01-01T00:00:00Z"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        int64_t v = 7;
        cr_expect_not(clock_parse_rfc3339(bad[i], &v), "%s", bad[i]);
        cr_expect_eq(v, 7);
    }
}

Test(clock, runs_forward)
{
    uint64_t a = clock_now_ns();
    clock_sleep_until(a + 2 * NS_PER_MS);
    uint64_t b = clock_now_ns();
    cr_expect_geq(b - a, 2 * NS_PER_MS);
    clock_sleep_until(a); /* past: returns at once */
    cr_expect_gt(clock_wall_ns(), INT64_C(1700000000000000000));
    double cost = clock_read_cost_ns();
    cr_expect(cost > 0 && cost < 1e6, "%g", cost);
}
