#include "core/base/units.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

#include "core/base/decimal.h"

#define MAX_DECIMALS 18

__extension__ typedef unsigned __int128 u128;

/* A decimal number as typed, exactly: whole + part / scale. */
struct decimal {
    uint64_t whole;
    uint64_t part;
    uint64_t scale; /* a power of ten */
};

enum scan_result { SCAN_OK, SCAN_NO_NUMBER, SCAN_TOO_LARGE, SCAN_TOO_FINE };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads digits [. digits] at *p and moves it behind them. */
static enum scan_result scan_decimal(const char **p, struct decimal *d)
{
    *d = (struct decimal){.scale = 1};
    if (!is_digit(**p))
        return SCAN_NO_NUMBER;
    for (; is_digit(**p); (*p)++) {
        if (__builtin_mul_overflow(d->whole, 10, &d->whole) ||
            __builtin_add_overflow(d->whole, (uint64_t)(**p - '0'), &d->whole))
            return SCAN_TOO_LARGE;
    }
    if (**p != '.')
        return SCAN_OK;
    (*p)++;
    if (!is_digit(**p))
        return SCAN_NO_NUMBER;
    const char *end = *p + strspn(*p, "0123456789");
    const char *last = end;
    while (last > *p && last[-1] == '0')
        last--;
    if (last - *p > MAX_DECIMALS)
        return SCAN_TOO_FINE;
    for (; *p < last; (*p)++) {
        d->part = d->part * 10 + (uint64_t)(**p - '0');
        d->scale *= 10;
    }
    *p = end;
    return SCAN_OK;
}

/* d times unit; false when it is not whole or too large. */
static enum scan_result scale_exactly(const struct decimal *d, uint64_t unit, uint64_t *v)
{
    u128 part = (u128)d->part * unit;
    if (part % d->scale != 0)
        return SCAN_TOO_FINE;
    u128 all = (u128)d->whole * unit + part / d->scale;
    if (all > UINT64_MAX)
        return SCAN_TOO_LARGE;
    *v = (uint64_t)all;
    return SCAN_OK;
}

static int scan_error(enum scan_result why, const char *kind, const char *text, const char *form,
                      struct error *err)
{
    switch (why) {
    case SCAN_TOO_LARGE:
        return error_set(err, ERR_USAGE, "%s '%s' is too large", kind, text);
    case SCAN_TOO_FINE:
        return error_set(err, ERR_USAGE, "%s '%s' is not a whole number of %s", kind, text,
                         strcmp(kind, "time") == 0 ? "ns" : "bytes");
    default:
        return error_set(err, ERR_USAGE, "'%s' is not a %s: %s", text, kind, form);
    }
}

/* Exponent of the unit letter (k 1, M 2, ...), 0 for none. */
static unsigned unit_exponent(char c)
{
    static const char letters[] = "kmgtp";
    const char *at = c ? strchr(letters, c | 0x20) : NULL;
    return at ? (unsigned)(at - letters) + 1 : 0;
}

static uint64_t power(uint64_t base, unsigned n)
{
    uint64_t v = 1;
    while (n-- > 0)
        v *= base;
    return v;
}

#define SIZE_FORM "write a number and k, M, G, T or P (powers of 1024), like 4k or 1.5M"

int parse_size(const char *text, uint64_t *bytes, struct error *err)
{
    const char *p = text;
    struct decimal d;
    enum scan_result r = scan_decimal(&p, &d);
    if (r != SCAN_OK)
        return scan_error(r, "size", text, SIZE_FORM, err);
    unsigned exponent = unit_exponent(*p);
    if (exponent > 0) {
        p++;
        if (*p == 'i' || *p == 'I')
            p++;
    }
    if (*p == 'b' || *p == 'B')
        p++;
    if (*p)
        return scan_error(SCAN_NO_NUMBER, "size", text, SIZE_FORM, err);
    r = scale_exactly(&d, power(1024, exponent), bytes);
    return r == SCAN_OK ? 0 : scan_error(r, "size", text, SIZE_FORM, err);
}

int parse_size_or_percent(const char *text, uint64_t *bytes, double *percent, struct error *err)
{
    size_t n = strlen(text);
    if (n == 0 || text[n - 1] != '%') {
        int rc = parse_size(text, bytes, err);
        if (rc == 0)
            *percent = -1;
        return rc;
    }
    const char *p = text;
    struct decimal d;
    if (scan_decimal(&p, &d) != SCAN_OK || p != text + n - 1)
        return error_set(err, ERR_USAGE, "'%s' is not a percentage: write 0%% to 100%%", text);
    double v = (double)d.whole + (double)d.part / (double)d.scale;
    if (v > 100)
        return error_set(err, ERR_USAGE, "'%s' is more than 100%%", text);
    *percent = v;
    return 0;
}

/* Length of text without "/s" or "ps" at its end. */
static size_t without_per_second(const char *text)
{
    size_t n = strlen(text);
    bool per_s = n >= 2 && text[n - 1] == 's' && (text[n - 2] == '/' || text[n - 2] == 'p');
    return per_s ? n - 2 : n;
}

int parse_bandwidth(const char *text, double *bytes_per_s, struct error *err)
{
    static const char form[] = "write 250MB (powers of 1000), 64M or 64MiB (powers of 1024), with "
                               "or without /s; bits are not accepted";
    const char *p = text, *end = text + without_per_second(text);
    struct decimal d;
    enum scan_result r = scan_decimal(&p, &d);
    if (r != SCAN_OK)
        return scan_error(r, "bandwidth", text, form, err);
    unsigned exponent = unit_exponent(*p);
    uint64_t base = 1024;
    if (exponent > 0 && p < end) {
        p++;
        if (*p == 'i' || *p == 'I')
            p++;
        else if (*p == 'B')
            base = 1000;
    }
    if (*p == 'B')
        p++;
    if (p != end)
        return scan_error(SCAN_NO_NUMBER, "bandwidth", text, form, err);
    double unit = (double)power(base, exponent);
    *bytes_per_s = (double)d.whole * unit + (double)d.part * unit / (double)d.scale;
    return 0;
}

int parse_time(const char *text, uint64_t *ns, struct error *err)
{
    static const char form[] = "write a number and ns, us, ms, s, m, h or d, like 500ms or 10m";
    static const struct {
        const char *name;
        uint64_t ns;
    } units[] = {
        {"", UINT64_C(1000000000)},
        {"ns", 1},
        {"us", 1000},
        {"ms", 1000000},
        {"s", UINT64_C(1000000000)},
        {"m", UINT64_C(60000000000)},
        {"h", UINT64_C(3600000000000)},
        {"d", UINT64_C(86400000000000)},
    };
    const char *p = text;
    struct decimal d;
    enum scan_result r = scan_decimal(&p, &d);
    if (r != SCAN_OK)
        return scan_error(r, "time", text, form, err);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(p, units[i].name) == 0) {
            r = scale_exactly(&d, units[i].ns, ns);
            return r == SCAN_OK ? 0 : scan_error(r, "time", text, form, err);
        }
    }
    return scan_error(SCAN_NO_NUMBER, "time", text, form, err);
}

int parse_u64(const char *text, uint64_t min, uint64_t max, uint64_t *v, struct error *err)
{
    const char *p = text;
    struct decimal d;
    enum scan_result r = strchr(text, '.') ? SCAN_NO_NUMBER : scan_decimal(&p, &d);
    if (r == SCAN_NO_NUMBER || (r == SCAN_OK && *p))
        return error_set(err, ERR_USAGE, "'%s' is not a whole number", text);
    if (r == SCAN_TOO_LARGE || d.whole < min || d.whole > max)
        return error_set(err, ERR_USAGE, "%s is out of range: it must be %" PRIu64 " to %" PRIu64,
                         text, min, max);
    *v = d.whole;
    return 0;
}

int parse_f64(const char *text, double min, double max, double *v, struct error *err)
{
    double d;
    if (!decimal_parse(text, &d) || (text[0] == '-' && min >= 0))
        return error_set(err, ERR_USAGE, "'%s' is not a number", text);
    if (d < min || d > max) {
        char lo[DECIMAL_MAX], hi[DECIMAL_MAX];
        return error_set(err, ERR_USAGE, "%s is out of range: it must be %s to %s", text,
                         decimal_format(lo, min), decimal_format(hi, max));
    }
    *v = d;
    return 0;
}

int parse_count(const char *text, uint64_t *v, struct error *err)
{
    static const char form[] = "write a whole number, or k or M (powers of 1000), like 3500 or 12k";
    const char *p = text;
    struct decimal d;
    enum scan_result r = scan_decimal(&p, &d);
    if (r == SCAN_TOO_LARGE)
        return scan_error(r, "count", text, form, err);
    unsigned exponent = unit_exponent(*p);
    if (exponent > 0)
        p++;
    if (r != SCAN_OK || exponent > 2 || *p)
        return scan_error(SCAN_NO_NUMBER, "count", text, form, err);
    r = scale_exactly(&d, power(1000, exponent), v);
    if (r == SCAN_TOO_FINE)
        return error_set(err, ERR_USAGE, "count '%s' is not a whole number", text);
    return r == SCAN_OK ? 0 : scan_error(r, "count", text, form, err);
}

int parse_bool(const char *text, bool *v, struct error *err)
{
    static const struct {
        const char *name;
        bool value;
    } names[] = {{"0", false},  {"1", true},   {"false", false}, {"true", true},
                 {"no", false}, {"yes", true}, {"off", false},   {"on", true}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcasecmp(text, names[i].name) == 0) {
            *v = names[i].value;
            return 0;
        }
    }
    return error_set(err, ERR_USAGE,
                     "'%s' is neither yes nor no: write 0, 1, yes, no, true, false, "
                     "on or off",
                     text);
}
