/* How long a burst lasts by the listed bucket. */
#include <criterion/criterion.h>

#include "tests/support/judged.h"

/* Random writes to a P6: 240 IOPS, 3500 while the published bucket of (3500 - 240) x 1800 s lasts. */
static struct judged judge(const struct made *load, size_t n)
{
    struct run *run = made_run();
    made_limit(run, OWNER_DISK, CAP_IOPS, PHASE_BASE, PATH_ANY, 240, "240");
    struct limit *l = made_limit(run, OWNER_DISK, CAP_IOPS, PHASE_BURST, PATH_ANY, 3500, "3500");
    SET(l, LIMIT, credits, 5868000);
    struct judged j = judged_begin(run);
    for (size_t i = 0; i < n; i++)
        judged_add(&j, load[i]);
    judged_judge(&j);
    return j;
}

Test(outlook, how_long_the_burst_lasts)
{
    const struct made load[] = {{.rw = RW_RANDWRITE, .bs = 4096, .depth = 64, .iops = 3500}};
    struct judged j = judge(load, 1);
    cr_assert_float_eq(burst_seconds(&j.diagnosis->finding[0]), 1800, 1e-6);
    cr_assert_str_eq(j.diagnosis->outlook,
                     "At 4k and this rate the burst bucket is empty after 30 min; "
                     "this cell ran 1 min.");
    judged_end(&j);
}

/* The bucket is that of the run: what one cell took of it is not all. */
Test(outlook, it_was_empty_for_another_size)
{
    const struct made load[] = {{.rw = RW_RANDWRITE, .bs = 4096, .depth = 16, .iops = 3500},
                                {.rw = RW_RANDWRITE, .bs = 4096, .depth = 64, .iops = 3500},
                                {.rw = RW_RANDWRITE, .bs = 65536, .depth = 16, .iops = 240},
                                {.rw = RW_RANDWRITE, .bs = 65536, .depth = 64, .iops = 240}};
    struct judged j = judge(load, 4);
    cr_assert_str_eq(j.diagnosis->outlook,
                     "At 4k and this rate the burst bucket is empty after 30 min; it "
                     "was empty at 64k, which the base figure held.");
    judged_end(&j);
}

/* 170 MiB/s for 30 s, then 50: a bucket of bytes, 120 MiB/s x 30 s. */
Test(outlook, a_burst_of_bytes_is_told_in_bytes)
{
    struct run *run = made_run();
    made_limit(run, OWNER_DISK, CAP_BW, PHASE_BASE, PATH_ANY, 50 * 1048576.0, "50");
    struct limit *l =
        made_limit(run, OWNER_DISK, CAP_BW, PHASE_BURST, PATH_ANY, 170 * 1048576.0, "170");
    SET(l, LIMIT, credits, 3600 * 1048576.0);
    struct judged j = judged_begin(run);
    judged_add(&j, (struct made){.rw = RW_RANDREAD,
                                 .bs = 262144,
                                 .depth = 16,
                                 .iops = 680,
                                 .iops_after = 200,
                                 .seconds = 90});
    judged_judge(&j);
    cr_expect(strstr(j.diagnosis->second,
                     "A burst at 170 MiB/s, held by the disk's burst throughput cap, "
                     "ran out after 30 s at 256k: at least 3.52 GiB of credit, then "),
              "%s", j.diagnosis->second);
    judged_end(&j);
}
