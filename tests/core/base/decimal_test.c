#include "core/base/decimal.h"

#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdint.h>

Test(decimal, shortest_text)
{
    static const struct {
        double v;
        const char *text;
    } cases[] = {{0, "0"},
                 {0.1, "0.1"},
                 {1e15, "1e+15"},
                 {123456, "123456"},
                 {-7, "-7"},
                 {999999999999999, "999999999999999"},
                 {-2.5, "-2.5"},
                 {1.0 / 3, "0.3333333333333333"},
                 {0.1 + 0.2, "0.30000000000000004"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char buf[DECIMAL_MAX];
        cr_expect_str_eq(decimal_format(buf, cases[i].v), cases[i].text, "%s", buf);
    }
}

Test(decimal, reads_back_equal)
{
    uint64_t bits = 88172645463325252u;
    for (int i = 0; i < 20000; i++) {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        double v, back;
        memcpy(&v, &bits, sizeof v);
        if (!__builtin_isfinite(v))
            continue;
        char buf[DECIMAL_MAX];
        cr_assert(decimal_parse(decimal_format(buf, v), &back), "%s", buf);
        cr_assert_eq(v, back, "%s", buf);
    }
    const double ends[] = {DBL_MAX, DBL_MIN, DBL_TRUE_MIN, -DBL_MAX};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        char buf[DECIMAL_MAX];
        double back = 0;
        cr_expect(decimal_parse(decimal_format(buf, ends[i]), &back));
        cr_expect_eq(ends[i], back);
    }
}

/* What other programs print with some decimals, and what their neighbours are. */
Test(decimal, short_ones_read_back_equal)
{
    uint64_t bits = 88172645463325252u;
    double power = 1;
    for (int k = 0; k <= 10; k++, power *= 10) {
        for (int i = 0; i < 3000; i++) {
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
            double v = (double)(bits % 1000000000000) / power * (bits & 1 ? 1 : -1);
            const double near[] = {v, nextafter(v, 1e300), nextafter(v, -1e300)};
            for (size_t n = 0; n < 3; n++) {
                char buf[DECIMAL_MAX], shortest[64];
                double back;
                cr_assert(decimal_parse(decimal_format(buf, near[n]), &back), "%s", buf);
                cr_assert_eq(near[n], back, "%s", buf);
                int digits = 1;
                do
                    snprintf(shortest, sizeof shortest, "%.*g", digits, near[n]);
                while (strtod(shortest, NULL) != near[n] && ++digits <= 17);
                cr_assert_leq(strcspn(buf, "e"), strlen(shortest) + 4, "%s %s", buf, shortest);
            }
        }
    }
}

Test(decimal, refuses_what_strtod_takes)
{
    static const char *const bad[] = {"",    " 1",  "1 ",    "+1",    "0x10",     "inf",
                                      "nan", "1e",  "1e+",   ".5",    "5.",       "-",
                                      "--1", "1,5", "1e999", "1.2.3", "infinity", "1e5x"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double v = 7;
        cr_expect_not(decimal_parse(bad[i], &v), "%s", bad[i]);
        cr_expect_eq(v, 7);
    }
}

Test(decimal, scan_stops_behind_the_number)
{
    const char *text = "99.9\":12,-3e2y 0x10";
    double v = 0;
    cr_expect(decimal_scan(&text, &v));
    cr_expect_eq(v, 99.9);
    cr_expect_eq(*text, '"');
    text += 2;
    cr_expect(decimal_scan(&text, &v));
    cr_expect_eq(v, 12);
    text++;
    cr_expect(decimal_scan(&text, &v));
    cr_expect_eq(v, -300);
    cr_expect_eq(*text, 'y');
    text += 2;
    const char *before = text;
    cr_expect_not(decimal_scan(&text, &v), "hex is no decimal number");
    cr_expect_eq(text, before);
    cr_expect_eq(v, -300);
}
