/* What is known about a row beyond its figures. */
#include <criterion/criterion.h>
#include <math.h>

#include "report/analysis/analysis.h"
#include "tests/support/made.h"

/* A cell of 15 seconds at 240 IOPS whose first `high` seconds are at 3500. */
static double rate_now(int high)
{
    struct dataset *d = dataset_create();
    dataset_add_run(d, made_run());
    struct cell c = {0};
    double mean = (3500.0 * high + 240.0 * (15 - high)) / 15;
    made_cell(&c, &(struct made){
                      .rw = RW_RANDREAD, .bs = 4096, .depth = 16, .iops = mean, .seconds = 15});
    for (int i = 0; i < 15; i++)
        c.dir[DIR_READ].series->point[i].ios = i < high ? 3500 : 240;
    dataset_add_cell(d, 0, &c);
    struct analysis *a = analysis_create(d, 0);
    double rate = a->facts[0].rate_now;
    analysis_destroy(a);
    dataset_destroy(d);
    return rate;
}

/* Credits that are gone after a second or two are no phase, and the mean is no level. */
Test(facts, a_rest_of_credits_does_not_move_the_level)
{
    for (int high = 1; high <= 5; high++)
        cr_expect_float_eq(rate_now(high), 240, 1e-6, "%d s: %g", high, rate_now(high));
    cr_expect_float_eq(rate_now(0), 240, 1e-6);
}

/* Single slow seconds are in what was delivered, and not in what a cap is held against. */
Test(facts, stalls_lower_the_rate_and_not_the_level)
{
    struct dataset *d = dataset_create();
    dataset_add_run(d, made_run());
    struct cell c = {0};
    double mean = (3500.0 * 18 + 2000.0 * 2) / 20;
    made_cell(&c, &(struct made){
                      .rw = RW_RANDREAD, .bs = 4096, .depth = 16, .iops = mean, .seconds = 20});
    for (int i = 0; i < 20; i++)
        c.dir[DIR_READ].series->point[i].ios = i % 9 == 5 ? 2000 : 3500;
    dataset_add_cell(d, 0, &c);
    struct analysis *a = analysis_create(d, 0);
    cr_expect_eq(a->facts[0].timeline.n, 1);
    cr_expect_float_eq(a->facts[0].rate_now, mean, 1e-6, "%g", a->facts[0].rate_now);
    cr_expect_float_eq(a->facts[0].level, 3500, 1e-6, "%g", a->facts[0].level);
    analysis_destroy(a);
    dataset_destroy(d);
}

/* fio for people: "IOPS=63, BW=64.0MiB/s (67.1MB/s)" at 1M is 63.99, not 63. */
Test(facts, a_cut_rate_is_told_by_its_bytes)
{
    static const struct {
        double iops, bw, rate;
    } stated[] = {
        {63, 67.1e6, 67.1e6 / 1048576}, {63, 64 * 1048576.0, 64},      {63, 66 * 1048576.0, 63},
        {55.1, 64 * 1048576.0, 64}, /* fio 3.33 with a ramp: 193 I/Os, 224 MiB */
        {63.5, 64 * 1048576.0, 63.5},   {3420, 3430 * 1048576.0, 3420}};
    for (size_t i = 0; i < sizeof stated / sizeof *stated; i++) {
        struct dataset *d = dataset_create();
        dataset_add_run(d, made_run());
        struct cell c = {0};
        made_cell(&c, &(struct made){.rw = RW_RANDWRITE,
                                     .bs = 1048576,
                                     .depth = 64,
                                     .iops = stated[i].iops,
                                     .no_series = true});
        SET(&c.dir[DIR_WRITE], DIRECTION, bw, stated[i].bw);
        dataset_add_cell(d, 0, &c);
        struct analysis *a = analysis_create(d, 0);
        cr_expect_float_eq(a->facts[0].rate_now, stated[i].rate, 1e-9, "%g", a->facts[0].rate_now);
        analysis_destroy(a);
        dataset_destroy(d);
    }
}
