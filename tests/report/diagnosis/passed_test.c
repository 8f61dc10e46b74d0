/* Caps that results are above: they do not hold them, nor others of the run, and that is said. */
#include <criterion/criterion.h>
#include <math.h>

#include "tests/support/judged.h"

#define KiB UINT64_C(1024)

struct load {
    enum rw rw;
    uint64_t bs, depth;
    double iops;
    int64_t started_s; /* 0: not known, as in a table */
};

static struct judged judge(struct run *run, const struct load *load, size_t n)
{
    struct judged j = judged_begin(run);
    for (size_t i = 0; i < n; i++) {
        struct cell c = {0};
        made_cell(&c, &(struct made){.rw = load[i].rw,
                                     .bs = load[i].bs,
                                     .depth = load[i].depth,
                                     .iops = load[i].iops});
        if (load[i].started_s)
            SET(&c, CELL, started_ns, load[i].started_s * INT64_C(1000000000));
        judged_add_cell(&j, &c);
    }
    judged_judge(&j);
    return j;
}

Test(passed, above_every_listed_cap)
{
    struct run *run = made_run();
    made_limit(run, OWNER_DISK, CAP_IOPS, PHASE_BASE, PATH_ANY, 3000, "3000");
    const struct load load[] = {{RW_RANDREAD, 4 * KiB, 32, 3600, 0},
                                {RW_RANDREAD, 4 * KiB, 64, 3600, 0}};
    struct judged j = judge(run, load, 2);
    cr_assert_eq(j.diagnosis->finding[1].binds, BINDS_UNEXPLAINED);
    cr_assert_str_eq(j.diagnosis->second,
                     "Random reads at 4k are 20 % above the disk's IOPS cap (3,000): "
                     "cache hits, another tier, or a wrong limit.");
    judged_end(&j);
}

/* Of a cap up to 1.06 is delivered: it binds then, and is not exceeded as well. */
Test(passed, what_binds_is_not_exceeded)
{
    const struct {
        double iops;
        bool above;
    } at[] = {{3150, false}, {3175, false}, {3400, true}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        struct run *run = made_run();
        made_limit(run, OWNER_DISK, CAP_IOPS, PHASE_BASE, PATH_ANY, 3000, "3000");
        const struct load load[] = {{RW_RANDREAD, 4 * KiB, 32, at[i].iops, 0},
                                    {RW_RANDREAD, 4 * KiB, 64, at[i].iops, 0}};
        struct judged j = judge(run, load, 2);
        cr_expect_eq(j.diagnosis->finding[1].binds,
                     at[i].above ? BINDS_UNEXPLAINED : BINDS_DISK_IOPS);
        cr_expect_eq(j.diagnosis->second != NULL, at[i].above, "%g: %s", at[i].iops,
                     j.diagnosis->second);
        judged_end(&j);
    }
}

/* A P6 with host caching on Standard_DS2_v2: the disk is not asked, the VM's cap of cached I/Os remains. */
Test(passed, what_a_cache_goes_past_does_not_hide_the_next)
{
    struct run *run = made_run();
    made_limit(run, OWNER_DISK, CAP_IOPS, PHASE_BASE, PATH_ANY, 240, "240");
    made_limit(run, OWNER_DISK, CAP_IOPS, PHASE_BURST, PATH_ANY, 3500, "3500");
    made_limit(run, OWNER_VM, CAP_IOPS, PHASE_BASE, PATH_CACHED, 8000, "8000");
    const struct load load[] = {{RW_RANDREAD, 4 * KiB, 64, 7950, 0},
                                {RW_RANDREAD, 4 * KiB, 128, 7960, 0},
                                {RW_RANDWRITE, 4 * KiB, 64, 3480, 0},
                                {RW_RANDWRITE, 4 * KiB, 128, 3490, 0}};
    struct judged j = judge(run, load, 4);
    const struct finding *f = &j.diagnosis->finding[1];
    cr_assert_eq(f->binds, BINDS_VM_IOPS);
    cr_assert_eq(f->confidence, CONFIDENCE_CERTAIN);
    cr_assert_float_eq(f->share, 0.995, 1e-9);
    cr_assert(isnan(f->sustained), "credits of the disk do not matter to it");
    cr_assert_eq(j.diagnosis->finding[3].binds, BINDS_DISK_IOPS, "what the cache does not serve");
    cr_assert_str_eq(j.diagnosis->second,
                     "Random reads at 4k are 2.27 times the disk's burst IOPS cap "
                     "(3,500): the host's cache serves them.");
    judged_end(&j);
}

/* 125 MiB/s happen to be 2,000 I/Os of 64k. */
static const double iops_at[] = {3000, 3000, 2000, 500, 125};

static struct judged judge_sizes(bool timed, bool downward)
{
    struct run *run = made_run();
    made_limit(run, OWNER_VM, CAP_IOPS, PHASE_BASE, PATH_ANY, 2000, "2000");
    struct load load[10];
    for (size_t i = 0; i < 10; i++) {
        size_t at = downward ? 4 - i / 2 : i / 2;
        load[i] = (struct load){RW_RANDREAD, 4 * KiB << 2 * at, i % 2 ? 64 : 32, iops_at[at],
                                timed ? 1 + (int64_t)i * 60 : 0};
    }
    return judge(run, load, 10);
}

Test(passed, what_other_sizes_pass_does_not_hold)
{
    struct judged j = judge_sizes(false, false);
    for (size_t i = 0; i < j.diagnosis->n_findings; i++)
        cr_assert_neq(j.diagnosis->finding[i].binds, BINDS_VM_IOPS);
    cr_assert_str_eq(j.diagnosis->second,
                     "Random reads at 4k are 50 % above the VM's IOPS cap (2,000): "
                     "cache hits, another tier, or a wrong limit.");
    judged_end(&j);
    j = judge_sizes(true, true);
    for (size_t i = 0; i < j.diagnosis->n_findings; i++)
        cr_assert_neq(j.diagnosis->finding[i].binds, BINDS_VM_IOPS,
                      "passed later, so it was no burst");
    judged_end(&j);
}

/* Only before: it may be what is left of a burst that the list does not have. */
Test(passed, before_may_be_a_burst)
{
    struct judged j = judge_sizes(true, false);
    for (size_t i = 0; i < j.diagnosis->n_findings; i++) {
        const struct finding *f = &j.diagnosis->finding[i];
        cr_assert(f->binds != BINDS_VM_IOPS ||
                  (f->row->bs == 64 * KiB && f->confidence == CONFIDENCE_POSSIBLE));
    }
    judged_end(&j);
}
