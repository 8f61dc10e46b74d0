/* Axes: where the ticks are and what they say. */
#include <criterion/criterion.h>
#include <math.h>

#include "report/chart/chart_internal.h"

/* "0 1,000 2,000", a dot for a tick without words. */
static const char *labels(struct chart *c, const struct axis *a)
{
    const char *all = "";
    for (size_t i = 0; i < a->n_ticks; i++)
        all = arena_printf(c->arena, "%s%s%s", all, i ? " " : "",
                           a->tick[i].label ? a->tick[i].label : ".");
    return all;
}

Test(ticks, linear_axes_start_at_zero_with_four_to_six_round_ticks)
{
    static const struct {
        double hi;
        const char *counts;
    } expect[] = {
        {3917, "0 1,000 2,000 3,000"},
        {5990, "0 1,000 2,000 3,000 4,000 5,000"},
        {590e3, "0 100k 200k 300k 400k 500k"},
        {12500, "0 2.5k 5k 7.5k 10k 12.5k"},
        {1.3e6, "0 0.25M 0.5M 0.75M 1M 1.25M"},
        {0.62, "0 0.2 0.4 0.6"},
        {100, "0 20 40 60 80 100"},
    };
    for (size_t i = 0; i < sizeof expect / sizeof *expect; i++) {
        struct chart *c = chart_create("t");
        struct axis a = {0};
        axis_linear(c, &a, expect[i].hi, NUMBERS_COUNT);
        cr_assert_str_eq(labels(c, &a), expect[i].counts);
        cr_assert_float_eq(a.lo, 0, 0);
        cr_assert_float_eq(a.hi, expect[i].hi, 1e-9 * expect[i].hi);
        chart_destroy(c);
    }
}

Test(ticks, log_axes_have_1_2_5_steps_up_to_two_decades)
{
    static const struct {
        double lo, hi;
        bool wide;
        const char *text;
    } expect[] = {
        {1.2, 40, false, "1 2 5 10 20"},
        {1000, 1000, false, "500 1,000 2,000"},
        {0.04, 3, false, "0.05 0.1 0.2 0.5 1 2"},
        {1, 5000, false, "1 . . 10 . . 100 . . 1,000 . . "},
        {1, 5000, true, "1 2 5 10 20 50 100 200 500 1,000 2,000 5,000"},
    };
    for (size_t i = 0; i < sizeof expect / sizeof *expect; i++) {
        struct chart *c = chart_create("t");
        struct axis a = {0};
        axis_log10(c, &a, expect[i].lo, expect[i].hi, NUMBERS_PLAIN, expect[i].wide);
        const char *got = arena_printf(c->arena, "%s ", labels(c, &a));
        cr_assert(strncmp(got, expect[i].text, strlen(expect[i].text)) == 0, "%s", got);
        cr_assert(a.lo < expect[i].lo && a.hi > expect[i].hi);
        chart_destroy(c);
    }
}

Test(ticks, any_finite_range_gives_few_ticks_in_order)
{
    for (int from = 0; from < 24; from++)
        for (int span = 0; span < 15; span++) {
            double lo = 1e-9 * pow(7.3, from), hi = lo * pow(31, span);
            struct chart *c = chart_create("t");
            struct axis a[3] = {{0}, {0}, {0}};
            axis_log10(c, &a[0], lo, hi, NUMBERS_COUNT, false);
            axis_log2(c, &a[1], lo, hi);
            axis_linear(c, &a[2], hi, NUMBERS_PLAIN);
            for (int k = 0; k < 3; k++) {
                size_t words = 0;
                cr_assert(isfinite(a[k].lo) && isfinite(a[k].hi) && a[k].lo < a[k].hi);
                for (size_t i = 0; i < a[k].n_ticks; i++) {
                    words += a[k].tick[i].label != NULL;
                    cr_assert(i == 0 || a[k].tick[i].at > a[k].tick[i - 1].at);
                }
                cr_assert(words >= 2 && words <= 12, "%g to %g, axis %d: %zu labels, %s", lo, hi, k,
                          words, labels(c, &a[k]));
            }
            chart_destroy(c);
        }
}

Test(ticks, time_is_in_seconds_minutes_or_hours)
{
    static const struct {
        double hi;
        const char *text;
    } expect[] = {
        {60, "0 s 10 20 30 40 50 60"},
        {2400, "0 min 10 20 30 40"},
        {7 * 3600, "0 h 1 2 3 4 5 6 7"},
        {3, "0 s 0.5 1 1.5 2 2.5 3"},
    };
    for (size_t i = 0; i < sizeof expect / sizeof *expect; i++) {
        struct chart *c = chart_create("t");
        struct axis a = {0};
        axis_time(c, &a, expect[i].hi);
        cr_assert_str_eq(labels(c, &a), expect[i].text);
        chart_destroy(c);
    }
}

Test(ticks, more_than_eleven_sizes_have_every_second_label)
{
    double v[12];
    const char *name[12];
    for (int i = 0; i < 12; i++) {
        v[i] = 512 << i;
        name[i] = "x";
    }
    struct chart *c = chart_create("t");
    struct axis few = {0}, many = {0};
    axis_at_values(c, &few, v, name, 11);
    axis_at_values(c, &many, v, name, 12);
    cr_assert_str_eq(labels(c, &few), "x x x x x x x x x x x");
    cr_assert_str_eq(labels(c, &many), "x . x . x . x . x . x .");
    chart_destroy(c);
}

Test(ticks, scales_map_both_ends)
{
    const struct axis log = {.kind = SCALE_LOG10, .lo = 1, .hi = 1000};
    struct scale s = scale_of(&log, 300, 0);
    cr_assert_float_eq(scale_at(&s, 1), 300, 1e-9);
    cr_assert_float_eq(scale_at(&s, 100), 100, 1e-9);
    cr_assert_float_eq(scale_at(&s, 0), 300, 1e-9); /* a log axis has no zero: its end */
    cr_assert(isnan(scale_at(&s, NAN)));
}

Test(ticks, steps_of_a_ramp_are_all_different_and_ordered)
{
    for (size_t n = 2; n <= 6; n++)
        for (size_t i = 1; i < n; i++)
            cr_assert_gt(look_of_step(i, n).colour, look_of_step(i - 1, n).colour, "%zu of %zu", i,
                         n);
    cr_assert_eq(look_of_step(0, 6).colour, COLOUR_Q1);
    cr_assert_eq(look_of_step(5, 6).colour, COLOUR_Q6);
}
