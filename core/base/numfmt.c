#include "core/base/numfmt.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>

#include "core/base/decimal.h"

#define NBSP    "\xC2\xA0"
#define MINUS   "\xE2\x88\x92"
#define UNKNOWN "\xE2\x80\x93"
#define MICRO   "\xC2\xB5"
#define TIMES   "\xC3\x97"
#define DIVIDED "\xC3\xB7"

static char *unknown(char buf[NUMFMT_MAX])
{
    snprintf(buf, NUMFMT_MAX, UNKNOWN);
    return buf;
}

/*
 * Rounds half up as a reader of the decimal number would: 9.995 has no exact double, and the one
 * nearest to it lies a hair below.
 */
static double round_to(double v, int decimals)
{
    double scale = pow(10, decimals);
    return round(v * scale * (1 + 4 * 2.220446049250313e-16)) / scale;
}

/* Digits with a comma for each thousand. */
static char *group(char buf[NUMFMT_MAX], uint64_t v)
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%" PRIu64, v);
    char *out = buf;
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits[i];
    }
    *out = '\0';
    return buf;
}

/* v >= 0 with a fixed number of decimals, without the locale; whole part grouped. */
static char *fixed(char buf[NUMFMT_MAX], double v, int decimals)
{
    double r = round_to(v, decimals);
    if (r >= 1e18) {
        snprintf(buf, NUMFMT_MAX, "%.2e", r);
        return buf;
    }
    uint64_t scale = 1;
    for (int i = 0; i < decimals; i++)
        scale *= 10;
    uint64_t whole = (uint64_t)r;
    uint64_t part = (uint64_t)llround((r - (double)whole) * (double)scale);
    if (part >= scale) {
        part -= scale;
        whole++;
    }
    group(buf, whole);
    if (decimals > 0) {
        size_t n = strlen(buf);
        snprintf(buf + n, NUMFMT_MAX - n, ".%0*" PRIu64, decimals, part);
    }
    return buf;
}

/* Decimals that give three significant digits to v > 0 after rounding. At most `most`. */
static int decimals_for(double v, int most)
{
    int d = 2 - (int)floor(log10(v));
    if (d > most)
        d = most;
    if (d < 0)
        return 0;
    /* 9.995 rounds up to 10.00, which has a digit too many */
    if (d > 0 && round_to(v, d) >= pow(10, 3 - d))
        d--;
    return d;
}

/* Three significant digits, whole numbers from 100 on; `most` decimals below 1. */
static char *significant(char buf[NUMFMT_MAX], double v, int most)
{
    if (v == 0)
        return fixed(buf, 0, 0);
    return fixed(buf, v, decimals_for(v, most));
}

/* True, with the text, for what is the same in every format. */
static bool special(char buf[NUMFMT_MAX], double v)
{
    if (isfinite(v) && v >= 0)
        return false;
    unknown(buf);
    return true;
}

/* As significant, with k, M, G, T from 10,000 on. */
static char *with_suffix(char buf[NUMFMT_MAX], double v, int most)
{
    static const char suffix[] = "kMGT";
    if (round_to(v, 0) < 10000)
        return significant(buf, v, most);
    size_t i = 0;
    for (v /= 1000; i + 1 < sizeof suffix - 1 && round_to(v, 0) >= 1000; i++)
        v /= 1000;
    significant(buf, v, 2);
    size_t n = strlen(buf);
    snprintf(buf + n, NUMFMT_MAX - n, "%c", suffix[i]);
    return buf;
}

/* Two decimals are the rule for small rates; what they would show as 0.00 is not nothing. */
static bool tiny(char buf[NUMFMT_MAX], double v)
{
    if (v == 0 || round_to(v, 2) > 0)
        return false;
    snprintf(buf, NUMFMT_MAX, "<0.01");
    return true;
}

char *fmt_iops(char buf[NUMFMT_MAX], double iops)
{
    if (special(buf, iops) || tiny(buf, iops))
        return buf;
    return with_suffix(buf, iops, 2);
}

static char *rate(char buf[NUMFMT_MAX], double v)
{
    if (special(buf, v) || tiny(buf, v))
        return buf;
    return significant(buf, v, 2);
}

char *fmt_mib(char buf[NUMFMT_MAX], double bytes_per_s)
{
    return rate(buf, bytes_per_s / 1048576);
}

char *fmt_mb(char buf[NUMFMT_MAX], double bytes_per_s)
{
    return rate(buf, bytes_per_s / 1e6);
}

const char *latency_unit(double ns, double *unit_ns)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"ns", 1}, {MICRO "s", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    size_t i = 0;
    /* 999.6 µs would be shown as "1,000 µs": it is 1.00 ms */
    while (i < 3 && isfinite(ns) && round_to(ns / units[i].ns, 0) >= 1000)
        i++;
    *unit_ns = units[i].ns;
    return units[i].name;
}

char *fmt_latency_in(char buf[NUMFMT_MAX], double ns, double unit_ns)
{
    if (special(buf, ns))
        return buf;
    if (unit_ns == 1 && ns == floor(ns))
        return fixed(buf, ns, 0); /* 5 ns were measured, not 5.00 */
    return significant(buf, ns / unit_ns, 9);
}

char *fmt_latency(char buf[NUMFMT_MAX], double ns)
{
    if (special(buf, ns))
        return buf;
    double unit;
    const char *name = latency_unit(ns, &unit);
    fmt_latency_in(buf, ns, unit);
    size_t n = strlen(buf);
    snprintf(buf + n, NUMFMT_MAX - n, NBSP "%s", name);
    return buf;
}

char *fmt_bs(char buf[NUMFMT_MAX], uint64_t bytes)
{
    static const char letters[] = "kMGTP";
    uint64_t unit = UINT64_C(1) << 50;
    for (int i = 4; i >= 0; i--, unit >>= 10) {
        /* a size is a setting: exact with up to two decimals, or else in bytes */
        if (bytes < unit || bytes % unit * 100 % unit != 0)
            continue;
        uint64_t hundredths = bytes % unit * 100 / unit;
        const char *point = hundredths ? "." : "";
        if (hundredths == 0)
            snprintf(buf, NUMFMT_MAX, "%" PRIu64 "%c", bytes / unit, letters[i]);
        else if (hundredths % 10 == 0)
            snprintf(buf, NUMFMT_MAX, "%" PRIu64 "%s%" PRIu64 "%c", bytes / unit, point,
                     hundredths / 10, letters[i]);
        else
            snprintf(buf, NUMFMT_MAX, "%" PRIu64 "%s%02" PRIu64 "%c", bytes / unit, point,
                     hundredths, letters[i]);
        return buf;
    }
    snprintf(buf, NUMFMT_MAX, "%" PRIu64, bytes);
    return buf;
}

char *fmt_bytes(char buf[NUMFMT_MAX], uint64_t bytes)
{
    static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    size_t i = 0;
    double v = (double)bytes;
    uint64_t unit = 1;
    while (i < 6 && round_to(v, 0) >= 1024) {
        v /= 1024;
        unit <<= 10;
        i++;
    }
    if (bytes % unit == 0)
        fixed(buf, v, 0);
    else
        significant(buf, v, 2);
    size_t n = strlen(buf);
    snprintf(buf + n, NUMFMT_MAX - n, NBSP "%s", names[i]);
    return buf;
}

char *fmt_count(char buf[NUMFMT_MAX], uint64_t v)
{
    return group(buf, v);
}

/* Sign and percent: one decimal under 10. */
static char *percent_change(char buf[NUMFMT_MAX], double percent)
{
    double size = fabs(percent);
    int decimals = round_to(size, 1) < 10 ? 1 : 0;
    double shown = round_to(size, decimals);
    const char *sign = shown == 0 ? "" : percent < 0 ? MINUS : "+";
    char digits[NUMFMT_MAX];
    fixed(digits, size, decimals);
    snprintf(buf, NUMFMT_MAX, "%s%.24s" NBSP "%%", sign, digits);
    return buf;
}

char *fmt_change(char buf[NUMFMT_MAX], double ratio)
{
    if (special(buf, ratio))
        return buf;
    if (ratio == 0 || (ratio >= 0.5 && ratio <= 2))
        return percent_change(buf, (ratio - 1) * 100);
    double factor = ratio > 1 ? ratio : 1 / ratio;
    char digits[NUMFMT_MAX];
    fixed(digits, factor, round_to(factor, 1) < 10 ? 1 : 0);
    snprintf(buf, NUMFMT_MAX, "%s%.24s", ratio > 1 ? TIMES : DIVIDED, digits);
    return buf;
}

/* n rounded to three significant digits. */
static uint64_t three_digits(double n)
{
    double scale = pow(10, floor(log10(n)) - 2);
    return (uint64_t)(scale > 1 ? round(n / scale) * scale : round(n));
}

char *fmt_share(char buf[NUMFMT_MAX], double share)
{
    if (special(buf, share))
        return buf;
    char digits[NUMFMT_MAX];
    double percent = share * 100;
    if (share == 0) {
        snprintf(buf, NUMFMT_MAX, "0" NBSP "%%");
        return buf;
    }
    if (percent < 0.01) {
        double n = 1 / share;
        if (n < 1e18)
            snprintf(buf, NUMFMT_MAX, "1 in %.30s", group(digits, three_digits(n)));
        else
            snprintf(buf, NUMFMT_MAX, "<0.01" NBSP "%%");
        return buf;
    }
    int decimals = decimals_for(percent, 4);
    /* not all of it: as many nines as are true */
    while (share < 1 && decimals < 6 && round_to(percent, decimals) >= 100)
        decimals++;
    if (share < 1 && round_to(percent, decimals) >= 100)
        snprintf(buf, NUMFMT_MAX, ">99.9999" NBSP "%%");
    else
        snprintf(buf, NUMFMT_MAX, "%.30s" NBSP "%%", fixed(digits, percent, decimals));
    return buf;
}

char *fmt_beside(char buf[NUMFMT_MAX], double share, double most)
{
    if (special(buf, share))
        return buf;
    double percent = share * 100;
    int decimals = 1;
    while (share > most && decimals < 6 && round_to(percent, decimals) <= most * 100)
        decimals++;
    if (share > most && round_to(percent, decimals) <= most * 100)
        snprintf(buf, NUMFMT_MAX, "over %.9g", most * 100);
    else
        fixed(buf, percent, decimals);
    return buf;
}

/* "2 min 5 s": a count of big and of small units, the small ones only when there are any. */
static char *two_units(char buf[NUMFMT_MAX], uint64_t n, uint64_t a_big, const char *big,
                       const char *small)
{
    if (n % a_big == 0)
        snprintf(buf, NUMFMT_MAX, "%" PRIu64 NBSP "%s", n / a_big, big);
    else
        snprintf(buf, NUMFMT_MAX, "%" PRIu64 NBSP "%s %" PRIu64 NBSP "%s", n / a_big, big,
                 n % a_big, small);
    return buf;
}

char *fmt_duration(char buf[NUMFMT_MAX], uint64_t ns)
{
    const uint64_t second = UINT64_C(1000000000);
    if (ns == 0) {
        snprintf(buf, NUMFMT_MAX, "0" NBSP "s");
        return buf;
    }
    if (ns < second - second / 2000)
        return fmt_latency(buf, ns < 1000000 ? (double)ns : round((double)ns / 1e6) * 1e6);
    uint64_t s = ns / second + (ns % second >= second / 2);
    if (s < 10 && ns % second != 0 && round_to((double)ns / 1e9, 1) != (double)s) {
        char digits[NUMFMT_MAX];
        snprintf(buf, NUMFMT_MAX, "%.20s" NBSP "s", fixed(digits, (double)ns / 1e9, 1));
        return buf;
    }
    if (s < 60)
        return two_units(buf, s, 1, "s", "");
    if (s < 3600)
        return two_units(buf, s, 60, "min", "s");
    uint64_t min = s / 60 + (s % 60 >= 30);
    if (min < 24 * 60)
        return two_units(buf, min, 60, "h", "min");
    uint64_t h = min / 60 + (min % 60 >= 30);
    return two_units(buf, h, 24, "d", "h");
}

char *fmt_number(char buf[NUMFMT_MAX], double v)
{
    if (!isfinite(v))
        return unknown(buf);
    char digits[NUMFMT_MAX];
    double size = fabs(v);
    if (size > 0 && size < 1e-6)
        snprintf(digits, sizeof digits, "%.2e", size);
    else
        with_suffix(digits, size, 8);
    snprintf(buf, NUMFMT_MAX, "%s%.40s", v < 0 ? MINUS : "", digits);
    return buf;
}

char *fmt_times(char buf[NUMFMT_MAX], double factor)
{
    if (special(buf, factor))
        return buf;
    char digits[NUMFMT_MAX];
    if (factor > 0 && factor < 0.001)
        snprintf(digits, sizeof digits, "<0.001");
    else
        fmt_number(digits, factor);
    snprintf(buf, NUMFMT_MAX, "%.40s times", digits);
    return buf;
}
