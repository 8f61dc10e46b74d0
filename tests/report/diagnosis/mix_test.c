/* One direction of a mix at its cap paces the other one. */
#include <criterion/criterion.h>

#include "tests/support/judged.h"

/* 70 reads to 30 writes; the device delivers what it is told. rate: of the reads alone; 0: none. */
static void add_mix(struct judged *j, uint64_t depth, double reads, double writes, double rate)
{
    struct cell c = {0};
    made_cell(&c, &(struct made){.rw = RW_RANDRW, .bs = 4096, .depth = depth, .iops = reads});
    struct direction *w = &c.dir[DIR_WRITE];
    w->iops = writes;
    w->bw = writes * 4096;
    for (size_t i = 0; i < w->series->n; i++)
        w->series->point[i].ios = (uint64_t)writes;
    if (rate > 0) {
        SET(&c.key, CELL_KEY, rate_iops, rate);
        SET(&c.key, CELL_KEY, rate_iops_write, 0);
    }
    judged_add_cell(j, &c);
}

static void limit_sides(struct run *run)
{
    for (enum limit_side side = SIDE_READ; side <= SIDE_WRITE; side++) {
        struct limit *l = made_limit(run, OWNER_HOST, CAP_IOPS, PHASE_BASE, PATH_ANY, 3500, "3500");
        l->side = side;
    }
}

/* At the deeper queue reads are at their cap; what binds the writes? */
static void expect(double writes, enum binds binds)
{
    struct run *run = made_run();
    limit_sides(run);
    struct judged j = judged_begin(run);
    add_mix(&j, 4, 3493, writes, 0);
    add_mix(&j, 16, 3493, writes, 0);
    judged_judge(&j);
    const struct finding *f = &j.diagnosis->finding[j.diagnosis->n_findings - 1];
    cr_assert_eq(f->row->dir, DIR_WRITE);
    cr_assert_eq((f - 1)->binds, BINDS_HOST_IOPS);
    cr_assert_eq(f->binds, binds, "%s", binds_names[f->binds]);
    const char *said = strstr(j.diagnosis->verdict, "The reads of the mix pace the writes.");
    cr_assert_eq(said != NULL, binds == BINDS_MIX, "%s", j.diagnosis->verdict);
    judged_end(&j);
}

Test(mix, writes_in_their_share_are_paced_by_the_reads)
{
    expect(3493.0 * 30 / 70, BINDS_MIX);
}

/* Half of what their share would be: the reads that came cannot explain that. */
Test(mix, writes_out_of_their_share_are_not)
{
    expect(750, BINDS_UNEXPLAINED);
}

/* Reads at a rate of their own, writes free to take all that is left: they are not paced. */
Test(mix, writes_beside_reads_with_a_rate_are_not)
{
    struct judged j = judged_begin(made_run());
    for (uint64_t depth = 4; depth <= 16; depth *= 4)
        add_mix(&j, depth, 3500, 1500, 3500);
    judged_judge(&j);
    const struct diagnosis *d = j.diagnosis;
    for (size_t i = 0; i < d->n_findings; i++) {
        const struct finding *f = &d->finding[i];
        cr_expect_eq(f->binds, f->row->dir == DIR_READ ? BINDS_RATE : BINDS_UNEXPLAINED, "%s",
                     binds_names[f->binds]);
    }
    cr_expect_eq(d->n_findings, 4);
    judged_end(&j);
}

/* 2,800 reads and 1,200 writes have one budget: shares and what is above it are those of both. */
static void judge_one_budget(struct judged *j, double cap)
{
    struct run *run = made_run();
    made_limit(run, OWNER_DISK, CAP_IOPS, PHASE_BASE, PATH_ANY, cap, "x");
    *j = judged_begin(run);
    for (uint64_t depth = 4; depth <= 16; depth *= 4)
        add_mix(j, depth, 2800, 1200, 0);
    judged_judge(j);
}

Test(mix, what_both_directions_have_of_one_budget)
{
    struct judged j;
    judge_one_budget(&j, 4000);
    const struct diagnosis *d = j.diagnosis;
    cr_assert_eq(d->n_claims, 2);
    cr_expect_str_eq(d->claim[0].measured, "2,800 of 4,000 IOPS");
    cr_expect_str_eq(d->claim[1].measured, "1,200 of 4,000 IOPS");
    cr_expect_str_eq(d->claim[1].share, "100 %");
    judged_end(&j);
    judge_one_budget(&j, 2000);
    cr_expect(strstr(j.diagnosis->second,
                     "The random mix 70/30 at 4k is 100 % above the disk's IOPS cap (2,000)"),
              "%s", j.diagnosis->second);
    judged_end(&j);
}
