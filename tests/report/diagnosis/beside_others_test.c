/* A job that had others beside it is held to no cap: the caps saw the sum. */
#include <criterion/criterion.h>

#include "tests/support/judged.h"

/* Two disks at 1,600 each fill the VM's 3,200; neither is held by its own disk's 1,700. */
Test(beside_others, are_held_to_no_cap)
{
    struct run *run = made_run();
    made_limit(run, OWNER_VM, CAP_IOPS, PHASE_BASE, PATH_ANY, 3200, "3200");
    made_limit(run, OWNER_DISK, CAP_IOPS, PHASE_BASE, PATH_ANY, 1700, "1700");
    struct judged j = judged_begin(run);
    for (uint64_t depth = 1; depth <= 64; depth *= 8) {
        judged_add(&j, (struct made){.rw = RW_RANDREAD,
                                     .bs = 4096,
                                     .depth = depth,
                                     .iops = depth > 1 ? 1600 : 600,
                                     .beside = true});
    }
    judged_judge(&j);
    const struct diagnosis *d = j.diagnosis;
    cr_assert_eq(d->n_findings, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct finding *f = &d->finding[i];
        struct row_cap cap[2];
        cr_expect(row_caps(f->row, cap) == 0 && f->binds == BINDS_UNKNOWN && !f->limit);
        cr_expect_eq(f->confidence, CONFIDENCE_UNKNOWN);
    }
    cr_expect_str_eq(d->headline, "Random reads reach 1,600 IOPS at 4k beside other jobs");
    cr_expect_str_eq(d->verdict, "Other jobs ran at the same time, so what limits them cannot be "
                                 "told from one of them.");
    judged_end(&j);
}
