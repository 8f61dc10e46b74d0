/* The words of a verdict where loads are many or held to a rate of their own. */
#include <criterion/criterion.h>

#include "tests/support/judged.h"

/* What all loads have is in the table; a fourth load is at least counted. */
Test(sentence, loads_are_told_apart_in_few_words)
{
    struct judged j = judged_begin(made_run());
    static const struct made load[] = {
        {.rw = RW_RANDREAD, .bs = 4096, .depth = 1, .iops = 100, .rate_bw = 4e6},
        {.rw = RW_RANDWRITE, .bs = 8192, .depth = 2, .iops = 200, .rate_bw = 4e6},
        {.rw = RW_READ, .bs = 65536, .depth = 2, .iops = 50, .rate_bw = 4e6},
        {.rw = RW_WRITE, .bs = 65536, .depth = 4, .iops = 60, .rate_bw = 4e6}};
    for (size_t i = 0; i < 4; i++) {
        judged_add(&j, load[i]);
    }
    judged_judge(&j);
    const struct diagnosis *d = j.diagnosis;
    cr_assert_eq(strncmp(d->verdict, "Random read: ", 13), 0, "%s", d->verdict);
    cr_assert_not_null(strstr(d->verdict, ", at QD 1 by its latency or a cap, and"));
    cr_assert_not_null(strstr(d->verdict, " Random write: "));
    cr_assert_not_null(strstr(d->verdict, " 1 other load: see the table."));
    judged_end(&j);
}

/* What is the same of every load is said once, and without "see the table". */
Test(sentence, many_loads_at_one_depth)
{
    struct judged j = judged_begin(made_run());
    static const enum rw load[] = {RW_READ, RW_WRITE, RW_RANDREAD, RW_RANDWRITE};
    for (size_t i = 0; i < 4; i++) {
        judged_add(&j, (struct made){
                           .rw = load[i], .bs = 4096, .depth = 32, .iops = 1000 * (double)i + 500});
    }
    judged_judge(&j);
    const struct diagnosis *d = j.diagnosis;
    cr_assert_str_eq(d->verdict,
                     "Only QD 32 was measured, so latency and a cap cannot be told apart: "
                     "add a second depth.");
    judged_end(&j);
}

/* Counts have their commas. */
Test(sentence, a_depth_of_thousands)
{
    struct judged j = judged_begin(made_run());
    judged_add(&j, (struct made){.rw = RW_RANDREAD, .bs = 4096, .depth = 4096, .iops = 1000});
    judged_judge(&j);
    const struct diagnosis *d = j.diagnosis;
    cr_assert_not_null(strstr(d->verdict, "nly QD 4,096 was measured"), "%s", d->verdict);
    judged_end(&j);
}
