/* A range of block sizes has one level only where each of them is at it. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "tests/support/judged.h"

#define KiB UINT64_C(1024)

/* Three depths at the same rate for each block size from 4k on. */
static struct judged judge(const double *iops, size_t n)
{
    struct judged j = judged_begin(made_run());
    for (size_t i = 0; i < n; i++) {
        for (uint64_t depth = 4; depth <= 64; depth *= 4) {
            struct made m = {.rw = RW_RANDREAD,
                             .bs = 4 * KiB << i,
                             .depth = depth,
                             .iops = iops[i],
                             .no_series = true};
            judged_add(&j, m);
        }
    }
    judged_judge(&j);
    return j;
}

Test(regions, rates_that_only_fall_have_no_level)
{
    struct judged j = judge((const double[]){4000, 3000, 2000, 1500, 1200, 1000}, 6);
    cr_assert_str_eq(
        j.diagnosis->verdict,
        "No clear ceiling: deeper queues do not help, but block sizes level off neither at "
        "one number of IOPS (1,000 to 4,000) nor at one throughput (15.6 to 125 MiB/s); "
        "longer cells or repeats would tell.");
    cr_assert_eq(j.diagnosis->n_claims, 6);
    cr_assert_str_eq(j.diagnosis->claim[1].measured, "3,000 IOPS");
    judged_end(&j);
}

Test(regions, rates_that_go_up_and_down_have_no_level)
{
    struct judged j = judge((const double[]){1000, 3000, 1000, 3000, 1000, 3000}, 6);
    cr_assert_null(strstr(j.diagnosis->verdict, "IOPS level off at"));
    cr_assert_null(strstr(j.diagnosis->headline, "level off"));
    judged_end(&j);
}

Test(regions, a_dip_is_not_at_the_level_of_its_neighbours)
{
    struct judged j = judge((const double[]){3500, 3500, 1800, 3500}, 4);
    cr_assert_str_eq(
        j.diagnosis->verdict,
        "At 4k to 8k IOPS level off at 3,500 from QD 4; at 16k IOPS level off at 1,800 from QD "
        "4; at 32k IOPS level off at 3,500 from QD 4, and no known cap explains any of it.");
    cr_assert_str_eq(j.diagnosis->headline,
                     "Random reads level off at 3,500 IOPS at 4k to 8k and 3,500 IOPS at 32k");
    judged_end(&j);
}

Test(regions, two_sizes_with_nothing_in_common_are_said_apart)
{
    struct judged j = judge((const double[]){4000, 2800}, 2);
    cr_assert_str_eq(j.diagnosis->verdict,
                     "At 4k IOPS level off at 4,000 from QD 4; at 8k IOPS level "
                     "off at 2,800 from QD 4, and no known cap explains either.");
    judged_end(&j);
}
