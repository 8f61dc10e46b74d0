/* Phases of a cell in the samples of its series. */
#include <criterion/criterion.h>
#include <math.h>

#include "report/analysis/analysis.h"

Test(timeline, short_intervals_are_added_up)
{
    struct series s = {.interval_ns = 100000000};
    for (int i = 0; i < 400; i++) {
        struct series_point *p = series_append(&s);
        *p = (struct series_point){.end_ns = (uint64_t)(i + 1) * 100000000,
                                   .len_ns = 100000000,
                                   .ios = i < 200 ? 300 : 10,
                                   .bytes = (i < 200 ? 300 : 10) * 4096};
    }
    struct timeline t;
    cr_assert(timeline_find(&s, &t));
    cr_assert_eq(t.n_samples, 40);
    cr_assert(t.is_tested);
    cr_assert(t.has_burst);
    cr_assert_eq(t.n, 2);
    cr_assert_float_eq(t.phase[0].iops, 3000, 1e-6);
    cr_assert_float_eq(t.phase[1].iops, 100, 1e-6);
    cr_assert_float_eq(t.phase[1].start_s, 20, 1e-6);
    cr_assert_float_eq(t.burst.credits, 20 * 2900, 1e-3);
    cr_assert_float_eq(t.burst_bytes, 20 * 2900 * 4096.0, 1);
    timeline_release(&t);
    series_release(&s);
    cr_assert_not(timeline_find(NULL, &t));
}

/* A bucket of 13,000 I/Os, 3500 in the burst and 240 after it: empty after 3.99 s. */
Test(timeline, a_burst_in_a_short_cell)
{
    struct series s = {.interval_ns = 250000000};
    double credits = 13000, owed = 0;
    for (int i = 0; i < 60; i++) {
        double got = credits > 0 ? fmin(3500 * 0.25, credits + 240 * 0.25) : 240 * 0.25;
        credits -= got - 240 * 0.25;
        owed += got;
        uint64_t ios = (uint64_t)owed;
        owed -= (double)ios;
        *series_append(&s) = (struct series_point){.end_ns = (uint64_t)(i + 1) * 250000000,
                                                   .len_ns = 250000000,
                                                   .ios = ios,
                                                   .bytes = ios * 4096};
    }
    struct timeline t;
    cr_assert(timeline_find(&s, &t));
    cr_assert(t.has_burst);
    cr_assert_float_eq(t.exhausted_s, 13000 / 3260.0, 0.05);
    cr_assert_float_eq(t.burst.credits, 13000, 130);
    cr_assert_float_eq(t.burst.rate, 3500, 10);
    cr_assert_float_eq(t.burst.sustained, 240, 1);
    timeline_release(&t);
    series_release(&s);
}

/* Four seconds of burst, then twelve of a base far below; and a fall that is too small for so few. */
Test(timeline, a_cliff_shows_in_few_samples)
{
    static const double low[] = {240, 2600};
    for (int k = 0; k < 2; k++) {
        struct series s = {.interval_ns = 1000000000};
        for (int i = 0; i < 16; i++) {
            uint64_t ios = (uint64_t)(i < 4 ? 3500 : low[k]);
            *series_append(&s) = (struct series_point){.end_ns = (uint64_t)(i + 1) * 1000000000,
                                                       .len_ns = 1000000000,
                                                       .ios = ios,
                                                       .bytes = ios * 4096};
        }
        struct timeline t;
        cr_assert(timeline_find(&s, &t));
        cr_assert_eq(t.has_burst, k == 0);
        cr_assert_not(t.is_tested);
        if (k == 0)
            cr_assert_float_eq(t.exhausted_s, 4, 1e-6);
        timeline_release(&t);
        series_release(&s);
    }
}
