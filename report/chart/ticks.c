/* Where the ticks of an axis are and what they say. */
#include <inttypes.h>
#include <math.h>

#include "report/chart/chart.h"

#define MINUS "\xE2\x88\x92"

/* Most labels a vertical axis of ordinary height carries. */
#define MOST_TICKS 9

/* Whole digits with commas: 12,800. */
static const char *grouped(struct arena *a, uint64_t v)
{
    if (v < 1000)
        return arena_printf(a, "%" PRIu64, v);
    return arena_printf(a, "%s,%03" PRIu64, grouped(a, v / 1000), v % 1000);
}

/* A tick is a short decimal number: exact, no trailing zeros; with an exponent where it is extreme. */
static const char *plain(struct arena *a, double v)
{
    if (v <= 0)
        return "0";
    double e = floor(log10(v) + 1e-9);
    if (e < -4 || e > 15)
        return arena_printf(a, "%se%s%.0f", plain(a, round(10 * v / pow(10, e)) / 10),
                            e < 0 ? MINUS : "", fabs(e));
    uint64_t milli = (uint64_t)llround(v * 1e5);
    uint64_t whole = milli / 100000, part = milli % 100000;
    if (part == 0)
        return grouped(a, whole);
    int digits = 5;
    while (part % 10 == 0) {
        part /= 10;
        digits--;
    }
    return arena_printf(a, "%s.%0*" PRIu64, grouped(a, whole), digits, part);
}

/* Counts: 9,000, but 10k, 2.5M. `unit` 0 chooses by the value. */
static const char *counted(struct arena *a, double v, double unit)
{
    static const struct {
        double unit;
        const char *suffix;
    } steps[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
    for (size_t i = 0; i < 4; i++) {
        bool fits = unit > 0 ? steps[i].unit <= unit : v >= steps[i].unit && v >= 1e4;
        if (fits && v > 0)
            return arena_printf(a, "%s%s", plain(a, v / steps[i].unit), steps[i].suffix);
    }
    return plain(a, v);
}

static const char *number(struct arena *a, double v, enum numbers numbers, double unit)
{
    return numbers == NUMBERS_COUNT ? counted(a, v, unit) : plain(a, v);
}

static struct tick *add_tick(struct chart *c, struct axis *a, double at, const char *label)
{
    struct tick *t = CHART_ADD(c, a->tick, a->n_ticks);
    *t = (struct tick){.at = at, .label = label};
    return t;
}

/* The step of 1, 2, 2.5 or 5 x 10^n that divides hi into at most `most` parts. */
static double nice_step(double hi, double most)
{
    static const double nice[] = {1, 2, 2.5, 5, 10};
    double least = hi / most, decade = pow(10, floor(log10(least)));
    for (size_t i = 0; i < 5; i++)
        if (nice[i] * decade >= least * (1 - 1e-9))
            return nice[i] * decade;
    return 10 * decade;
}

void axis_linear(struct chart *c, struct axis *a, double hi, enum numbers numbers)
{
    if (!(hi > 1e-300))
        hi = 1;
    double step = nice_step(hi, 5.999); /* at most 5 steps */
    a->kind = SCALE_LINEAR;
    a->lo = 0;
    a->hi = hi;
    size_t n = (size_t)floor(hi / step + 1e-9);
    double top = (double)n * step;
    double unit = top >= 1e12 ? 1e12 : top >= 1e9 ? 1e9 : top >= 1e6 ? 1e6 : top >= 1e4 ? 1e3 : 1;
    for (size_t i = 0; i <= n; i++) {
        double at = (double)i * step;
        add_tick(c, a, at, number(c->arena, at, numbers, unit));
    }
}

/* The steps of a log axis are numbered: 0, 1, 2 are 1, 2, 5; 3 is 10; -1 is 0.5. */
static double step_value(long step)
{
    long digit = (step % 3 + 3) % 3, e = (step - digit) / 3;
    return (digit == 0 ? 1 : digit == 1 ? 2 : 5) * pow(10, (double)e);
}

/* The greatest step at or under v. */
static long step_under(double v)
{
    long step = 3 * (long)floor(log10(v)) + 3;
    while (step_value(step) > v * (1 + 1e-9))
        step--;
    return step;
}

void axis_log10(struct chart *c, struct axis *a, double lo, double hi, enum numbers numbers,
                bool wide)
{
    if (hi < lo * 2) { /* no zooming into noise */
        double mid = sqrt(lo * hi);
        lo = fmin(lo, mid / 2);
        hi = fmax(hi, mid * 2);
    }
    a->kind = SCALE_LOG10;
    a->lo = lo / 1.25;
    a->hi = hi * 1.15;
    long from = step_under(a->lo) + 1, to = step_under(a->hi);
    while (to - from < 2) { /* two labels would leave the reader guessing between them */
        if (step_value(to + 1) / a->hi < a->lo / step_value(from - 1))
            a->hi = step_value(++to) * 1.02;
        else
            a->lo = step_value(--from) / 1.02;
    }
    double decades = log10(a->hi / a->lo);
    double tens = floor(log10(a->hi)) - ceil(log10(a->lo)) + 1;
    bool all = decades < (wide ? 4.3 : 2.3) || tens < 3;
    long every = (long)ceil(decades / MOST_TICKS);
    for (long s = from; s <= to; s++) {
        bool whole = s % 3 == 0 && (s / 3) % every == 0;
        if (all || whole)
            add_tick(c, a, step_value(s), number(c->arena, step_value(s), numbers, 0));
        else if (every == 1)
            add_tick(c, a, step_value(s), NULL);
    }
}

void axis_log2(struct chart *c, struct axis *a, double lo, double hi)
{
    a->kind = SCALE_LOG2;
    a->lo = lo / 2;
    a->hi = fmax(hi * 1.8, a->lo * 4); /* two ticks at least */
    long from = (long)ceil(log2(a->lo) - 1e-9), to = (long)floor(log2(a->hi) + 1e-9);
    long every = (to - from) / MOST_TICKS + 1;
    for (long e = from; e <= to; e++)
        if (e % every == 0)
            add_tick(c, a, exp2((double)e), plain(c->arena, exp2((double)e)));
}

void axis_at_values(struct chart *c, struct axis *a, const double *v, const char *const *label,
                    size_t n)
{
    a->kind = SCALE_LOG2;
    a->lo = v[0] / 1.09;
    a->hi = v[n - 1] * 1.19;
    if (n == 1) { /* an octave of air to each side */
        a->lo = v[0] / 2;
        a->hi = v[0] * 2;
    }
    for (size_t i = 0; i < n; i++)
        add_tick(c, a, v[i], n > 11 && i % 2 ? NULL : label[i]);
}

void axis_time(struct chart *c, struct axis *a, double hi)
{
    static const struct {
        double unit;
        const char *name;
        double step[10];
    } scale[] = {
        {1, "s", {0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30}},
        {60, "min", {1, 2, 5, 10, 20, 30}},
        {3600, "h", {1, 2, 3, 6, 12, 24, 48, 96, 192}},
    };
    size_t s = hi < 120 ? 0 : hi < 7200 ? 1 : 2;
    a->kind = SCALE_LINEAR;
    a->lo = 0;
    a->hi = hi;
    double in = hi / scale[s].unit, step = 0;
    for (size_t i = 0; i < 10 && scale[s].step[i] > 0; i++) {
        step = scale[s].step[i];
        if (in / step <= 7)
            break;
    }
    if (in / step > 7)
        step = nice_step(in, 7);
    size_t n = (size_t)floor(in / step + 1e-9);
    for (size_t i = 0; i <= n; i++) {
        const char *text = plain(c->arena, (double)i * step);
        if (i == 0)
            text = arena_printf(c->arena, "0 %s", scale[s].name);
        add_tick(c, a, (double)i * step * scale[s].unit, text);
    }
}
