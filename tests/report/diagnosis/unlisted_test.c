/* How sure it can be that no known cap holds a result. */
#include <criterion/criterion.h>

#include "tests/support/judged.h"

/* 4k at two depths, from a deeper queue on level, under a host cap of 3,500 IOPS. */
static struct judged judge(double iops, uint64_t runtime_ns, const char *caveat)
{
    struct run *run = made_run();
    made_limit(run, OWNER_HOST, CAP_IOPS, PHASE_BASE, PATH_ANY, 3500, "3500");
    struct judged j = judged_begin(run);
    for (uint64_t depth = 16; depth <= 64; depth *= 4) {
        struct cell c = {0};
        made_cell(&c, &(struct made){.rw = RW_RANDREAD,
                                     .bs = 4096,
                                     .depth = depth,
                                     .iops = iops,
                                     .runtime_ns = runtime_ns,
                                     .no_series = runtime_ns > 0});
        if (caveat)
            cell_add_caveat(&c, caveat);
        judged_add_cell(&j, &c);
    }
    judged_judge(&j);
    return j;
}

/* A throttle of 3,500 lets 350 more through at once: in 300 ms that is up to 4,667 a second. */
Test(unlisted, short_cells_above_a_cap_may_be_at_it)
{
    struct judged j = judge(4399, UINT64_C(300000000), NULL);
    const struct finding *f = &j.diagnosis->finding[1];
    cr_assert_eq(f->binds, BINDS_HOST_IOPS, "%s", binds_names[f->binds]);
    cr_assert_eq(f->confidence, CONFIDENCE_POSSIBLE);
    cr_assert_float_eq(f->share, 4399 / 3500.0, 1e-9);
    cr_assert_not_null(j.diagnosis->second);
    cr_assert_not_null(strstr(j.diagnosis->second,
                              "26 % above the host's IOPS cap (3,500): the cells are "
                              "too short to tell"),
                       "%s", j.diagnosis->second);
    judged_end(&j);
}

/* What a minute shows is no start: the list is wrong. */
Test(unlisted, long_cells_above_a_cap_are_not)
{
    struct judged j = judge(4399, 0, NULL);
    cr_assert_eq(j.diagnosis->finding[1].binds, BINDS_UNEXPLAINED);
    cr_assert_eq(j.diagnosis->finding[1].confidence, CONFIDENCE_LIKELY);
    judged_end(&j);
}

Test(unlisted, short_cells_below_a_cap_are_not_sure)
{
    struct judged j = judge(1700, UINT64_C(300000000), NULL);
    cr_assert_eq(j.diagnosis->finding[1].binds, BINDS_UNEXPLAINED);
    cr_assert_eq(j.diagnosis->finding[1].confidence, CONFIDENCE_POSSIBLE);
    judged_end(&j);
    j = judge(1700, 0, NULL);
    cr_assert_eq(j.diagnosis->finding[1].confidence, CONFIDENCE_CERTAIN);
    judged_end(&j);
}

/* Half of a cap, as the kernel made two requests of each I/O. */
Test(unlisted, what_the_kernel_made_of_it_is_not_known)
{
    static const char *const caveat[] = {"requests-split", "io-uring-workers"};
    for (size_t i = 0; i < 2; i++) {
        struct judged j = judge(1750, 0, caveat[i]);
        cr_assert_eq(j.diagnosis->finding[1].binds, BINDS_UNEXPLAINED);
        cr_assert_eq(j.diagnosis->finding[1].confidence, CONFIDENCE_POSSIBLE);
        judged_end(&j);
    }
}
