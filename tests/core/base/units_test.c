#include "core/base/units.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>

struct size_case {
    const char *text;
    uint64_t v;
};

Test(units, size)
{
    static const struct size_case cases[] = {
        {"0", 0},
        {"512", 512},
        {"4k", 4096},
        {"4K", 4096},
        {"4KiB", 4096},
        {"4kB", 4096},
        {"4kb", 4096},
        {"4ki", 4096},
        {"1M", 1 << 20},
        {"1.5M", 1572864},
        {"1.50M", 1572864},
        {"64GiB", UINT64_C(64) << 30},
        {"2t", UINT64_C(2) << 40},
        {"1P", UINT64_C(1) << 50},
        {"512B", 512},
        {"0.5k", 512},
        {"0.25KiB", 256},
        {"18446744073709551615", UINT64_MAX},
        {"16383.99993896484375P", UINT64_MAX - (UINT64_C(1) << 36) + 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t v = 1;
        struct error err = ERROR_INIT;
        cr_expect_eq(parse_size(cases[i].text, &v, &err), 0, "%s: %s", cases[i].text, err.message);
        cr_expect_eq(v, cases[i].v, "%s is %lu", cases[i].text, v);
    }
}

Test(units, size_refuses)
{
    static const char *const bad[] = {"",
                                      " 4k",
                                      "4k ",
                                      "4 k",
                                      "-4k",
                                      "+4k",
                                      "4x",
                                      "k",
                                      ".5k",
                                      "4.",
                                      "4.k",
                                      "0x10",
                                      "1e3",
                                      "4kk",
                                      "4iB",
                                      "1.0001k",
                                      "0.3",
                                      "16384P",
                                      "18446744073709551616",
                                      "99999999999999999999999",
                                      "4kiBs",
                                      "1,5M",
                                      "4k\n",
                                      "4²"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint64_t v = 77;
        struct error err = ERROR_INIT;
        cr_expect_eq(parse_size(bad[i], &v, &err), -ERR_USAGE, "'%s' is %lu", bad[i], v);
        cr_expect_eq(v, 77, "%s: untouched on failure", bad[i]);
        cr_expect_not_null(
            strstr(err.message, bad[i][0] == '4' && bad[i][2] == '\n' ? "4k" : bad[i]));
    }
    cr_expect_eq(parse_size("x", &(uint64_t){0}, NULL), -ERR_USAGE, "err may be NULL");
}

Test(units, size_or_percent)
{
    uint64_t bytes = 9;
    double percent = 9;
    cr_expect_eq(parse_size_or_percent("25%", &bytes, &percent, NULL), 0);
    cr_expect_eq(percent, 25);
    cr_expect_eq(bytes, 9);
    cr_expect_eq(parse_size_or_percent("12.5%", &bytes, &percent, NULL), 0);
    cr_expect_eq(percent, 12.5);
    cr_expect_eq(parse_size_or_percent("4k", &bytes, &percent, NULL), 0);
    cr_expect_eq(percent, -1);
    cr_expect_eq(bytes, 4096);
    static const char *const bad[] = {"101%", "%", "-1%", "5%%", "1e1%", "100.1%", "4k%"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        cr_expect_eq(parse_size_or_percent(bad[i], &bytes, &percent, NULL), -ERR_USAGE, "%s",
                     bad[i]);
}

Test(units, bandwidth_knows_powers_of_1000_from_1024)
{
    static const struct {
        const char *text;
        double v;
    } cases[] = {{"250MB", 250e6}, {"64M", 67108864},  {"64MiB", 67108864}, {"64MiB/s", 67108864},
                 {"64MB/s", 64e6}, {"50MBps", 50e6},   {"1.5GB", 1.5e9},    {"100", 100},
                 {"100B/s", 100},  {"8k", 8192},       {"8kB", 8000},       {"8KB", 8000},
                 {"5Mi", 5242880}, {"0.1M", 104857.6}, {"2TB", 2e12}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double v = 0;
        cr_expect_eq(parse_bandwidth(cases[i].text, &v, NULL), 0, "%s", cases[i].text);
        cr_expect_float_eq(v, cases[i].v, 1e-6 * cases[i].v, "%s is %.10g", cases[i].text, v);
    }
}

Test(units, bandwidth_refuses_bits)
{
    static const char *const bad[] = {"100Mb",  "100Mbps", "100Mb/s", "1Gbit",   "64Mib",
                                      "",       "/s",      "ps",      "64M/",    "-1M",
                                      "64M/ss", "5 MB",    "k",       "64MB/s/s"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double v = 7;
        cr_expect_eq(parse_bandwidth(bad[i], &v, NULL), -ERR_USAGE, "%s is %g", bad[i], v);
        cr_expect_eq(v, 7);
    }
}

Test(units, time)
{
    static const struct size_case cases[] = {{"60", UINT64_C(60000000000)},
                                             {"60s", UINT64_C(60000000000)},
                                             {"500ms", 500000000},
                                             {"10m", UINT64_C(600000000000)},
                                             {"1.5h", UINT64_C(5400000000000)},
                                             {"2d", UINT64_C(172800000000000)},
                                             {"7us", 7000},
                                             {"3ns", 3},
                                             {"0", 0},
                                             {"0.5", 500000000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t v = 1;
        cr_expect_eq(parse_time(cases[i].text, &v, NULL), 0, "%s", cases[i].text);
        cr_expect_eq(v, cases[i].v, "%s is %lu", cases[i].text, v);
    }
    static const char *const bad[] = {
        "",    "s",       "1.5ns",           "-1s",  "5 s",         "1y",
        "10M", "213504d", "99999999999999h", "1:30", "0.0000000001"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint64_t v = 77;
        cr_expect_eq(parse_time(bad[i], &v, NULL), -ERR_USAGE, "%s is %lu", bad[i], v);
        cr_expect_eq(v, 77);
    }
}

Test(units, whole_numbers_have_bounds)
{
    uint64_t v = 0;
    struct error err = ERROR_INIT;
    cr_expect_eq(parse_u64("42", 1, 42, &v, NULL), 0);
    cr_expect_eq(v, 42);
    cr_expect_eq(parse_u64("18446744073709551615", 0, UINT64_MAX, &v, NULL), 0);
    cr_expect_eq(v, UINT64_MAX);
    cr_expect_eq(parse_u64("43", 1, 42, &v, &err), -ERR_USAGE);
    cr_expect_str_eq(err.message, "43 is out of range: it must be 1 to 42");
    cr_expect_eq(parse_u64("0", 1, 42, &v, NULL), -ERR_USAGE);
    static const char *const bad[] = {"", "-1", "+1", "1.0", "1k", " 1", "18446744073709551616",
                                      "x"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        cr_expect_eq(parse_u64(bad[i], 0, UINT64_MAX, &v, NULL), -ERR_USAGE, "%s", bad[i]);
    cr_expect_eq(v, UINT64_MAX);
}

Test(units, decimal_numbers_have_bounds)
{
    double v = 0;
    cr_expect_eq(parse_f64("0.05", 0, 1, &v, NULL), 0);
    cr_expect_eq(v, 0.05);
    cr_expect_eq(parse_f64("-2.5e1", -100, 100, &v, NULL), 0);
    cr_expect_eq(v, -25);
    static const char *const bad[] = {"",    "-1", "1.1", "nan", "inf", "0x1p3", "1e999",
                                      "1,5", " 1", "1 ",  "+1",  "1e",  ".5",    "5."};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        cr_expect_eq(parse_f64(bad[i], 0, 1, &v, NULL), -ERR_USAGE, "%s", bad[i]);
}

Test(units, count)
{
    static const struct size_case cases[] = {
        {"3500", 3500}, {"12k", 12000}, {"12K", 12000}, {"1.5M", 1500000}, {"0", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t v = 1;
        cr_expect_eq(parse_count(cases[i].text, &v, NULL), 0, "%s", cases[i].text);
        cr_expect_eq(v, cases[i].v);
    }
    static const char *const bad[] = {"",    "-1", "1.5",     "1G",
                                      "1kB", "k",  "1.0005k", "99999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint64_t v = 77;
        cr_expect_eq(parse_count(bad[i], &v, NULL), -ERR_USAGE, "%s is %lu", bad[i], v);
        cr_expect_eq(v, 77);
    }
}

Test(units, yes_and_no)
{
    static const char *const yes[] = {"1", "true", "yes", "on", "TRUE", "Yes"};
    static const char *const no[] = {"0", "false", "no", "off", "OFF"};
    static const char *const bad[] = {"", "2", "y", "yess", "-1", "01"};
    bool v = false;
    for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++)
        cr_expect(parse_bool(yes[i], &v, NULL) == 0 && v, "%s", yes[i]);
    for (size_t i = 0; i < sizeof no / sizeof no[0]; i++)
        cr_expect(parse_bool(no[i], &v, NULL) == 0 && !v, "%s", no[i]);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        cr_expect_eq(parse_bool(bad[i], &v, NULL), -ERR_USAGE, "%s", bad[i]);
}
