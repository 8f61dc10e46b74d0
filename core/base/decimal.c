#include "core/base/decimal.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>

/* glibc hands out its one static object for "C": nothing to free, nothing to share. */
static locale_t c_locale(void)
{
    return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* Whole numbers need no search for the shortest digits, and are most of what is written. */
static bool is_whole(double v)
{
    return v == trunc(v) && fabs(v) < 1e15 && !(v == 0 && signbit(v));
}

/* `all` with its last `decimals` digits behind a point. */
static void put_digits(char buf[DECIMAL_MAX], bool minus, uint64_t all, size_t decimals)
{
    char reversed[24];
    size_t n = 0;
    for (; n <= decimals || all > 0; n++, all /= 10)
        reversed[n] = (char)('0' + all % 10);
    char *p = buf;
    if (minus)
        *p++ = '-';
    while (n > 0) {
        if (n == decimals)
            *p++ = '.';
        *p++ = reversed[--n];
    }
    *p = '\0';
}

/*
 * A number with up to nine decimals, as most others are: digits / 10^k is the double itself (both are
 * exact and the division rounds once), so those digits read back as v, and fewer would not be v.
 */
static bool format_short(char buf[DECIMAL_MAX], double v)
{
    static const double power[] = {10, 100, 1000, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    if (!(fabs(v) < 1e9 && fabs(v) >= 1e-4))
        return false;
    for (size_t k = 0; k < sizeof power / sizeof *power; k++) {
        double digits = round(v * power[k]);
        if (fabs(digits) >= 1e15) /* above 2^53 digits are no longer exact */
            return false;
        if (digits / power[k] != v)
            continue;
        put_digits(buf, v < 0, (uint64_t)fabs(digits), k + 1);
        return true;
    }
    return false;
}

char *decimal_format(char buf[DECIMAL_MAX], double v)
{
    if (is_whole(v)) {
        put_digits(buf, v < 0, (uint64_t)fabs(v), 0);
        return buf;
    }
    if (format_short(buf, v))
        return buf;
    locale_t c = c_locale();
    locale_t old = uselocale(c);
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buf, DECIMAL_MAX, "%.*g", digits, v);
        if (strtod(buf, NULL) == v)
            break;
    }
    uselocale(old);
    freelocale(c);
    return buf;
}

static const char *skip_digits(const char *p)
{
    while (*p >= '0' && *p <= '9')
        p++;
    return p;
}

/* The end of a decimal number at p, NULL when there is none. */
static const char *decimal_end(const char *p)
{
    if (*p == '-')
        p++;
    const char *end = skip_digits(p);
    if (end == p)
        return NULL;
    if (*end == '.') {
        p = end + 1;
        end = skip_digits(p);
        if (end == p)
            return NULL;
    }
    if (*end == 'e' || *end == 'E') {
        p = end + 1;
        if (*p == '+' || *p == '-')
            p++;
        end = skip_digits(p);
        if (end == p)
            return NULL;
    }
    return end;
}

bool decimal_scan(const char **p, double *v)
{
    const char *end = decimal_end(*p);
    if (!end || *end == 'x' || *end == 'X') /* strtod reads on in 0x1F */
        return false;
    locale_t c = c_locale();
    double d = strtod_l(*p, NULL, c);
    freelocale(c);
    if (!isfinite(d))
        return false;
    *v = d;
    *p = end;
    return true;
}

bool decimal_parse(const char *text, double *v)
{
    double d;
    if (!decimal_scan(&text, &d) || *text)
        return false;
    *v = d;
    return true;
}
