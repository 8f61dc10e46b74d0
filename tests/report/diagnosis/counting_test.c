/* How large I/Os are counted, where the list of limits does not say. */
#include <criterion/criterion.h>
#include <math.h>

#include "tests/support/judged.h"

#define KiB 1024.0

static const double sizes[] = {4 * KiB, 16 * KiB, 64 * KiB, 256 * KiB, 1024 * KiB};
#define N_SIZES (sizeof sizes / sizeof *sizes)

/* A device that allows 4,000 I/Os a second, of which one is `counted` bytes at most, at QD 16 and 64. */
static struct judged judge(enum limit_owner owner, const char *name, double counted)
{
    struct run *run = made_run();
    struct limit *l = made_limit(run, owner, CAP_IOPS, PHASE_BASE, PATH_ANY, 4000, "4000");
    if (name)
        field_set_text(&limit_fields, l, LIMIT_name, name);
    struct judged j = judged_begin(run);
    for (size_t i = 0; i < N_SIZES; i++) {
        for (uint64_t depth = 16; depth <= 64; depth *= 4) {
            judged_add(&j, (struct made){.rw = RW_RANDREAD,
                                         .bs = (uint64_t)sizes[i],
                                         .depth = depth,
                                         .iops = 4000 / fmax(1, ceil(sizes[i] / counted))});
        }
    }
    judged_judge(&j);
    return j;
}

/* How many block sizes, from the smallest on, the cap is said to hold; none above them. */
static size_t held(const struct judged *j, enum binds binds)
{
    size_t n = 0;
    for (size_t i = 0; i < N_SIZES; i++) {
        const struct finding *f = &j->diagnosis->finding[2 * i + 1];
        cr_assert_eq(f->row->bs, (uint64_t)sizes[i]);
        if (f->binds != binds)
            continue;
        cr_assert_eq(n++, i);
        cr_assert_float_eq(f->share, 1, 1e-6, "share of the cap at %g: %g", sizes[i], f->share);
    }
    return n;
}

Test(counting, disks_given_by_hand_may_count_by_16k_or_256k)
{
    static const double counted[] = {16 * KiB, 256 * KiB, 1e15};
    for (size_t i = 0; i < 3; i++) {
        struct judged j = judge(OWNER_DISK, NULL, counted[i]);
        cr_expect_eq(held(&j, BINDS_DISK_IOPS), N_SIZES, "by %g", counted[i]);
        judged_end(&j);
    }
}

/* No cloud is known to count by less than 256 KiB: above 16k something else holds it. */
Test(counting, disks_of_a_cloud_count_by_256k_at_least)
{
    struct judged j = judge(OWNER_DISK, "pd-ssd", 16 * KiB);
    cr_expect_eq(held(&j, BINDS_DISK_IOPS), 2);
    judged_end(&j);
    j = judge(OWNER_DISK, "pd-ssd", 256 * KiB);
    cr_expect_eq(held(&j, BINDS_DISK_IOPS), N_SIZES);
    judged_end(&j);
}

Test(counting, so_do_vm_sizes)
{
    struct judged j = judge(OWNER_VM, NULL, 256 * KiB);
    cr_expect_eq(held(&j, BINDS_VM_IOPS), N_SIZES);
    judged_end(&j);
}

/* The kernel's throttle counts what it is sent. */
Test(counting, a_cgroup_counts_each_as_one)
{
    struct judged j = judge(OWNER_HOST, NULL, 256 * KiB);
    cr_expect_eq(held(&j, BINDS_HOST_IOPS), 4);
    judged_end(&j);
}
