#include "core/base/decimal.h"

#include <locale.h>
#include <math.h>

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

char *decimal_format(char buf[DECIMAL_MAX], double v)
{
    if (is_whole(v)) {
        snprintf(buf, DECIMAL_MAX, "%lld", (long long)v);
        return buf;
    }
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
