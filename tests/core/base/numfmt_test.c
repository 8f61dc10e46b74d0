#include "core/base/numfmt.h"

#include <criterion/criterion.h>
#include <math.h>

/* NBSP between number and unit, U+2212 for minus, en dash for unknown. */
#define S "\xC2\xA0"
#define M "\xE2\x88\x92"
#define U "\xE2\x80\x93"

struct number_case {
    double v;
    const char *text;
};

static void check(char *(*fmt)(char *, double), const struct number_case *c, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char buf[NUMFMT_MAX];
        cr_expect_eq(fmt(buf, c[i].v), buf);
        cr_expect_str_eq(buf, c[i].text, "%.17g: \"%s\", not \"%s\"", c[i].v, buf, c[i].text);
    }
}

#define CHECK(fmt, ...)                                                                            \
    do {                                                                                           \
        static const struct number_case cases[] = {__VA_ARGS__};                                   \
        check(fmt, cases, sizeof cases / sizeof cases[0]);                                         \
    } while (0)

/* The table of "Numbers" in the report's grammar. */
Test(numfmt, iops)
{
    CHECK(fmt_iops, {63.9, "63.9"}, {3498, "3,498"}, {12800, "12.8k"}, {1250000, "1.25M"},
          {0.53, "0.53"}, {5, "5.00"}, {240, "240"}, {3500, "3,500"}, {7998, "7,998"},
          {128000, "128k"}, {0, "0"});
}

Test(numfmt, iops_at_the_edges_of_rounding)
{
    CHECK(fmt_iops, {9.994, "9.99"}, {9.995, "10.0"}, {9.996, "10.0"}, {99.94, "99.9"},
          {99.95, "100"}, {999.4, "999"}, {999.5, "1,000"}, {9999.4, "9,999"}, {9999.5, "10.0k"},
          {99949, "99.9k"}, {99950, "100k"}, {999499, "999k"}, {999500, "1.00M"}, {999949, "1.00M"},
          {999950, "1.00M"}, {1.2349e9, "1.23G"}, {5e12, "5.00T"});
}

Test(numfmt, small_rates_are_not_shown_as_nothing)
{
    CHECK(fmt_iops, {0.004, "<0.01"}, {0.005, "0.01"}, {0.0149, "0.01"}, {1e-300, "<0.01"});
    CHECK(fmt_mib, {1, "<0.01"}, {0, "0"});
}

Test(numfmt, unknown_and_impossible)
{
    CHECK(fmt_iops, {NAN, U}, {INFINITY, U}, {-1, U});
    CHECK(fmt_mib, {NAN, U}, {-INFINITY, U});
    CHECK(fmt_latency, {NAN, U}, {-5, U});
    CHECK(fmt_change, {NAN, U}, {INFINITY, U}, {-0.5, U});
    CHECK(fmt_share, {NAN, U}, {-0.1, U});
    CHECK(fmt_number, {NAN, U}, {INFINITY, U});
}

Test(numfmt, bandwidth)
{
    const double mib = 1048576;
    const struct number_case c[] = {{1.53 * mib, "1.53"},        {63.9 * mib, "63.9"},
                                    {512 * mib, "512"},          {2048 * mib, "2,048"},
                                    {12345.4 * mib, "12,345"},   {9.995 * mib, "10.0"},
                                    {1234567 * mib, "1,234,567"}};
    check(fmt_mib, c, sizeof c / sizeof c[0]);
    CHECK(fmt_mb, {67.1e6, "67.1"}, {170e6, "170"}, {50e6, "50.0"}, {1.5e9, "1,500"});
}

Test(numfmt, latency)
{
    CHECK(fmt_latency, {412, "412" S "ns"}, {412e3, "412" S "µs"}, {9.13e6, "9.13" S "ms"},
          {1.2e9, "1.20" S "s"}, {0, "0" S "ns"}, {5, "5" S "ns"}, {63.54, "63.5" S "ns"},
          {999, "999" S "ns"}, {999.6, "1.00" S "µs"}, {999400, "999" S "µs"},
          {999500, "1.00" S "ms"}, {9.995e6, "10.0" S "ms"}, {1234e9, "1,234" S "s"});
}

Test(numfmt, latency_in_the_unit_of_a_column)
{
    double unit;
    cr_expect_str_eq(latency_unit(9.13e6, &unit), "ms");
    cr_expect_eq(unit, 1e6);
    char buf[NUMFMT_MAX];
    cr_expect_str_eq(fmt_latency_in(buf, 412e3, unit), "0.412");
    cr_expect_str_eq(fmt_latency_in(buf, 9.13e6, unit), "9.13");
    cr_expect_str_eq(fmt_latency_in(buf, 1.2e9, unit), "1,200");
    cr_expect_str_eq(fmt_latency_in(buf, 412, unit), "0.000412");
    cr_expect_str_eq(fmt_latency_in(buf, NAN, unit), U);
    cr_expect_str_eq(latency_unit(999.6, &unit), "µs");
    cr_expect_str_eq(latency_unit(5e9, &unit), "s");
    cr_expect_str_eq(latency_unit(3e15, &unit), "s");
    cr_expect_str_eq(latency_unit(0, &unit), "ns");
    cr_expect_str_eq(latency_unit(NAN, &unit), "ns");
    cr_expect_eq(unit, 1);
}

Test(numfmt, change)
{
    CHECK(fmt_change, {0.993, M "0.7" S "%"}, {1.5, "+50" S "%"}, {4.4, "×4.4"}, {1 / 3.1, "÷3.1"},
          {0.5, M "50" S "%"}, {2, "+100" S "%"}, {2.004, "×2.0"}, {0.499, "÷2.0"},
          {1, "0.0" S "%"}, {0.9996, "0.0" S "%"}, {1.0004, "0.0" S "%"}, {1.0995, "+10" S "%"},
          {1.0994, "+9.9" S "%"}, {12.4, "×12"}, {9.97, "×10"}, {0, M "100" S "%"},
          {123456, "×123,456"});
}

Test(numfmt, share)
{
    CHECK(fmt_share, {0.06, "6.00" S "%"}, {0.264, "26.4" S "%"}, {0.997, "99.7" S "%"},
          {1.0 / 25000, "1 in 25,000"}, {0, "0" S "%"}, {1, "100" S "%"}, {0.2636, "26.4" S "%"},
          {0.0005, "0.0500" S "%"}, {1e-4, "0.0100" S "%"}, {3e-5, "1 in 33,300"},
          {1e-12, "1 in 1,000,000,000,000"});
}

Test(numfmt, times)
{
    CHECK(fmt_times, {2.2727, "2.27 times"}, {1000, "1,000 times"}, {0.0366, "0.0366 times"},
          {1e-6, "<0.001 times"}, {0, "0 times"}, {NAN, U});
}

/* What is just above the most must not look as if it were at it. */
Test(numfmt, beside_the_most)
{
    char buf[NUMFMT_MAX];
    cr_expect_str_eq(fmt_beside(buf, 0.0996, 0.1), "10.0");
    cr_expect_str_eq(fmt_beside(buf, 0.1, 0.1), "10.0");
    cr_expect_str_eq(fmt_beside(buf, 0.1004, 0.1), "10.04");
    cr_expect_str_eq(fmt_beside(buf, 0.100004, 0.1), "10.0004");
    cr_expect_str_eq(fmt_beside(buf, nextafter(0.1, 1), 0.1), "over 10");
    cr_expect_str_eq(fmt_beside(buf, 0.123, 0.1), "12.3");
    cr_expect_str_eq(fmt_beside(buf, NAN, 0.1), U);
}

Test(numfmt, nearly_all_is_not_all)
{
    CHECK(fmt_share, {0.9996, "99.96" S "%"}, {0.99996, "99.996" S "%"},
          {0.9999999999, ">99.9999" S "%"});
}

Test(numfmt, number)
{
    CHECK(fmt_number, {0, "0"}, {1.2345, "1.23"}, {M_PI * 100, "314"}, {0.0123, "0.0123"},
          {-0.5, M "0.500"}, {12345, "12.3k"}, {1e-9, "1.00e-09"});
    char buf[NUMFMT_MAX];
    cr_expect_lt(strlen(fmt_number(buf, 1.7e308)), NUMFMT_MAX);
}

struct size_case {
    uint64_t v;
    const char *text;
};

static void check_sizes(char *(*fmt)(char *, uint64_t), const struct size_case *c, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char buf[NUMFMT_MAX];
        fmt(buf, c[i].v);
        cr_expect_str_eq(buf, c[i].text, "%lu: \"%s\", not \"%s\"", c[i].v, buf, c[i].text);
    }
}

#define CHECK_SIZES(fmt, ...)                                                                      \
    do {                                                                                           \
        static const struct size_case cases[] = {__VA_ARGS__};                                     \
        check_sizes(fmt, cases, sizeof cases / sizeof cases[0]);                                   \
    } while (0)

Test(numfmt, block_sizes_are_exact)
{
    CHECK_SIZES(fmt_bs, {4096, "4k"}, {65536, "64k"}, {1048576, "1M"}, {1536, "1.5k"}, {512, "512"},
                {1280, "1.25k"}, {1000, "1000"}, {4097, "4097"}, {0, "0"}, {1572864, "1.5M"},
                {1075, "1075"}, {UINT64_C(1) << 30, "1G"}, {UINT64_C(1) << 40, "1T"},
                {UINT64_MAX, "18446744073709551615"}, {1126, "1126"});
}

Test(numfmt, bytes)
{
    CHECK_SIZES(fmt_bytes, {UINT64_C(64) << 30, "64" S "GiB"}, {512 << 20, "512" S "MiB"},
                {UINT64_C(2048408248320), "1.86" S "TiB"}, {512, "512" S "B"}, {0, "0" S "B"},
                {1023, "1,023" S "B"}, {1536, "1.50" S "KiB"}, {1048575, "1.00" S "MiB"},
                {UINT64_MAX, "16.0" S "EiB"});
}

Test(numfmt, count)
{
    CHECK_SIZES(fmt_count, {1234567, "1,234,567"}, {0, "0"}, {999, "999"}, {1000, "1,000"},
                {UINT64_MAX, "18,446,744,073,709,551,615"});
}

#define SEC UINT64_C(1000000000)

Test(numfmt, duration)
{
    CHECK_SIZES(fmt_duration, {45 * SEC, "45" S "s"}, {125 * SEC, "2" S "min 5" S "s"},
                {72 * 60 * SEC, "1" S "h 12" S "min"},
                {(3 * 24 + 4) * 3600 * SEC, "3" S "d 4" S "h"}, {350000000, "350" S "ms"},
                {0, "0" S "s"}, {1500000000, "1.5" S "s"}, {2 * SEC, "2" S "s"},
                {120 * SEC, "2" S "min"}, {59700000000, "1" S "min"}, {3599600000000, "1" S "h"},
                {999900000, "1" S "s"}, {42000, "42.0" S "µs"}, {3600 * 24 * SEC, "1" S "d"});
}
