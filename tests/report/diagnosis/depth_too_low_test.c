/* Latency or a ceiling: what the ladder of depths can tell. */
#include <criterion/criterion.h>

#include "tests/support/judged.h"

/* 4k random reads at QD 1, 8 and, where iops16 > 0, 16. */
static struct judged judge(double iops1, double iops8, double iops16)
{
    const double iops[] = {iops1, iops8, iops16};
    const uint64_t depth[] = {1, 8, 16};
    struct judged j = judged_begin(made_run());
    for (size_t i = 0; i < 3 && iops[i] > 0; i++) {
        judged_add(
            &j, (struct made){.rw = RW_RANDREAD, .bs = 4096, .depth = depth[i], .iops = iops[i]});
    }
    judged_judge(&j);
    return j;
}

/* Latency has grown by 89 %, which is more than the 60 % up to which it is latency alone. */
Test(depth_too_low, a_bend_is_neither_plateau_nor_latency)
{
    struct judged j = judge(17000, 71900, 0);
    cr_assert_eq(j.diagnosis->finding[1].binds, BINDS_UNEXPLAINED);
    cr_assert_eq(j.diagnosis->finding[1].confidence, CONFIDENCE_POSSIBLE);
    cr_assert_str_eq(j.diagnosis->headline, "Random reads reach 71.9k IOPS at 4k");
    cr_assert_str_eq(j.diagnosis->verdict,
                     "Rates still rise up to QD 8 (71.9k IOPS at 4k), and so does latency: that or "
                     "a ceiling binds, and a deeper queue would tell.");
    cr_assert_str_eq(j.diagnosis->claim[0].text, "a bend up to QD 8: a cap or latency");
    cr_assert_str_eq(j.diagnosis->claim[0].disproof, "A run at a deeper queue.");
    judged_end(&j);
}

Test(depth_too_low, a_deeper_queue_that_helps_tells)
{
    struct judged j = judge(17000, 71900, 110000);
    cr_assert_eq(j.diagnosis->finding[1].binds, BINDS_LATENCY);
    judged_end(&j);
}

Test(depth_too_low, latency_that_has_hardly_grown_is_latency)
{
    struct judged j = judge(17000, 100000, 0); /* by 36 %: weight 0.48 */
    cr_assert_eq(j.diagnosis->finding[1].binds, BINDS_LATENCY);
    cr_assert_eq(j.diagnosis->finding[1].confidence, CONFIDENCE_POSSIBLE);
    judged_end(&j);
}
