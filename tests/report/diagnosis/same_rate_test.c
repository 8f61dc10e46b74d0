/* One rate has one cause, whichever depth reaches it; a depth that falls below does not speak for the rest. */
#include <criterion/criterion.h>
#include <math.h>

#include "tests/support/judged.h"

#define KiB UINT64_C(1024)
#define MB  1e6

static void add(struct judged *j, uint64_t bs, uint64_t depth, double iops)
{
    struct made m = {.rw = RW_RANDREAD, .bs = bs, .depth = depth, .iops = iops, .no_series = true};
    judged_add(j, m);
}

static void caps(struct judged *j, double iops, double bw)
{
    made_limit(j->run, OWNER_DISK, CAP_IOPS, PHASE_BASE, PATH_ANY, iops, NULL);
    made_limit(j->run, OWNER_DISK, CAP_BW, PHASE_BASE, PATH_ANY, bw, NULL);
}

/* 900 I/Os a second at QD 1, then the lower of the caps; the deepest queue gets a part of it. */
static void capped(struct judged *j, double deepest)
{
    for (uint64_t bs = 4 * KiB; bs <= 128 * KiB; bs *= 2) {
        for (uint64_t depth = 1; depth <= 64; depth *= 4) {
            double cap = fmin(3500, 170 * MB / (double)bs);
            add(j, bs, depth, fmin(900.0 * (double)depth, cap) * (depth == 64 ? deepest : 1));
        }
    }
}

Test(same_rate, one_cap_holds_every_depth_that_meets_it)
{
    struct judged j = judged_begin(made_run());
    caps(&j, 3500, 170 * MB);
    capped(&j, 1);
    judged_judge(&j);
    for (size_t i = 0; i < j.diagnosis->n_findings; i++) {
        const struct finding *f = &j.diagnosis->finding[i];
        if (f->row->depth == 1)
            continue;
        cr_assert_eq(f->binds, f->row->bs < 64 * KiB ? BINDS_DISK_IOPS : BINDS_DISK_BW,
                     "%d at QD %d", (int)f->row->bs, (int)f->row->depth);
        cr_assert_float_eq(f->share, 1, 1e-6);
    }
    judged_end(&j);
}

Test(same_rate, what_is_under_the_band_of_a_cap_is_under_it_at_every_depth)
{
    struct judged j = judged_begin(made_run());
    caps(&j, 3500, 170 * MB);
    for (uint64_t bs = 4 * KiB; bs <= 16 * KiB; bs *= 2) {
        add(&j, bs, 1, 900);
        add(&j, bs, 8, 2975); /* 85 %: less than is delivered of any cap */
        add(&j, bs, 32, 2975);
    }
    judged_judge(&j);
    for (size_t i = 0; i < j.diagnosis->n_findings; i++) {
        const struct finding *f = &j.diagnosis->finding[i];
        cr_assert(f->row->depth == 1 || f->binds == BINDS_UNEXPLAINED, "QD %d", (int)f->row->depth);
        cr_assert_null(f->limit);
    }
    judged_end(&j);
}

Test(same_rate, a_cap_that_was_met_is_not_denied_by_a_deeper_queue_that_falls)
{
    struct judged j = judged_begin(made_run());
    caps(&j, 3500, 170 * MB);
    capped(&j, 0.5);
    judged_judge(&j);
    cr_assert_str_eq(
        j.diagnosis->verdict,
        "At 4k to 32k the disk's IOPS cap (3,500) binds (QD 64 falls 50 % below that); from "
        "64k up the disk's throughput cap (170 MB/s) binds (QD 64 falls 50 % below that).");
    cr_assert_str_eq(j.diagnosis->claim[0].measured, "3,500 IOPS");
    judged_end(&j);
}

Test(same_rate, the_level_is_where_it_was_level)
{
    struct judged j = judged_begin(made_run());
    capped(&j, 0.5);
    judged_judge(&j);
    cr_assert_str_eq(
        j.diagnosis->verdict,
        "At 4k to 32k IOPS level off at 3,500 from QD 4 (QD 64 falls 50 % below that); from "
        "64k up throughput levels off at 162 MiB/s from QD 4 (QD 64 falls 50 % below "
        "that), and no known cap explains either.");
    cr_assert_str_eq(j.diagnosis->headline, "Random reads reach 3,500 IOPS and 162 MiB/s");
    judged_end(&j);
}

Test(same_rate, a_cap_that_is_met_is_named_where_the_depth_is_not_known)
{
    struct judged j = judged_begin(made_run());
    caps(&j, 3500, 170 * MB);
    struct cell c = {0};
    made_cell(&c, &(struct made){.rw = RW_RANDREAD, .bs = 4 * KiB, .iops = 3495});
    UNSET(&c.key, CELL_KEY, iodepth);
    judged_add_cell(&j, &c);
    judged_judge(&j);
    cr_assert_str_eq(
        j.diagnosis->verdict,
        "The highest rate is that of the disk's IOPS cap (3,500); as block size or queue "
        "depth is not stated as one number, no more can be said about what limits it.");
    judged_end(&j);
}

Test(same_rate, one_depth_before_the_fall_is_a_peak)
{
    struct judged j = judged_begin(made_run());
    add(&j, 4 * KiB, 1, 900);
    add(&j, 4 * KiB, 4, 3500);
    add(&j, 4 * KiB, 16, 1750);
    judged_judge(&j);
    cr_assert_str_eq(
        j.diagnosis->verdict,
        "Rates peak at 3,500 IOPS at QD 4 (QD 16 falls 50 % below that) and no known cap "
        "explains it.");
    judged_end(&j);
}
