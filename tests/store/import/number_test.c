#include "store/import/number.h"

#include <criterion/criterion.h>

Test(number, whole)
{
    uint64_t u;
    int64_t i;
    cr_expect(number_u64("18446744073709551615,", 20, &u) && u == UINT64_MAX);
    cr_expect_not(number_u64("18446744073709551616", 20, &u));
    cr_expect_not(number_u64("", 0, &u));
    cr_expect_not(number_u64("-1", 2, &u));
    cr_expect_not(number_u64("1 ", 2, &u));
    cr_expect(number_i64("-9223372036854775808", 20, &i) && i == INT64_MIN);
    cr_expect(number_i64("9223372036854775807", 19, &i) && i == INT64_MAX);
    cr_expect_not(number_i64("9223372036854775808", 19, &i));
    cr_expect_not(number_i64("-", 1, &i));
    cr_expect_not(number_i64("--1", 3, &i));
}

Test(number, decimal)
{
    static const struct {
        const char *text;
        double v;
    } good[] = {
        {"0", 0},
        {"5102656.938326", 5102656.938326},
        {"99.950000", 99.95},
        {"-12.50", -12.5},
        {"0.000001", 0.000001},
        {"9007199254740993.5", 9007199254740993.5},
        {"12345678901234567890123", 12345678901234567890123.0},
        {"1e22", 1e22},
        {"2.2250738585072014e-308", 2.2250738585072014e-308},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        double v = -1;
        cr_expect(number_f64(good[i].text, strlen(good[i].text), &v), "%s", good[i].text);
        cr_expect_eq(v, good[i].v, "%s is %.17g", good[i].text, v);
    }
    static const char *const bad[] = {"",   "-",     ".5",  "1.2.3", "0x10",
                                      " 1", "1e400", "nan", "inf",   "+1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double v;
        cr_expect_not(number_f64(bad[i], strlen(bad[i]), &v), "%s", bad[i]);
    }
}
