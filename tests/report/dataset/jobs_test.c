/* When the number of jobs is a step of depth, and when it is a load of its own. */
#include <criterion/criterion.h>

#include "report/dataset/dataset.h"
#include "tests/support/made.h"

static void add(struct dataset *d, size_t run, struct made m)
{
    struct cell c = {0};
    made_cell(&c, &m);
    dataset_add_cell(d, run, &c);
}

static void add_free(struct dataset *d, size_t run, uint64_t bs, uint64_t depth, uint64_t jobs)
{
    add(d, run,
        (struct made){.rw = RW_RANDREAD, .bs = bs, .depth = depth, .jobs = jobs, .iops = 1000});
}

static size_t groups(struct dataset *d, const char **first)
{
    size_t n;
    const char *const *group = dataset_groups(d, &n);
    *first = group[0];
    return n;
}

Test(jobs, at_one_iodepth_they_are_a_ladder)
{
    struct dataset *d = dataset_create();
    size_t run = dataset_add_run(d, made_run());
    for (uint64_t jobs = 1; jobs <= 16; jobs *= 4)
        add_free(d, run, 4096, 2, jobs);
    add_free(d, run, 65536, 2, 4);
    const char *first;
    cr_assert_eq(groups(d, &first), 1);
    cr_assert_str_eq(first, "random read");
    size_t n;
    const struct row *r = dataset_rows(d, &n);
    cr_assert_eq(r[0].depth, 2);
    cr_assert_eq(r[2].depth, 32, "all jobs together");
    dataset_destroy(d);
}

Test(jobs, with_a_depth_of_their_own_they_are_other_loads)
{
    struct dataset *d = dataset_create();
    size_t run = dataset_add_run(d, made_run());
    for (uint64_t jobs = 1; jobs <= 4; jobs *= 4) {
        add_free(d, run, 4096, 1, jobs);
        add_free(d, run, 4096, 8, jobs);
    }
    const char *first;
    cr_assert_eq(groups(d, &first), 2, "4 x 1 and 1 x 4 may differ");
    dataset_destroy(d);
}

Test(jobs, of_other_block_sizes_are_no_ladder)
{
    struct dataset *d = dataset_create();
    size_t run = dataset_add_run(d, made_run());
    add_free(d, run, 4096, 1, 1);
    add_free(d, run, 65536, 1, 4);
    const char *first;
    cr_assert_eq(groups(d, &first), 2);
    dataset_destroy(d);
}

Test(jobs, of_two_runs_are_no_ladder)
{
    struct dataset *d = dataset_create();
    add_free(d, dataset_add_run(d, made_run()), 4096, 1, 1);
    add_free(d, dataset_add_run(d, made_run()), 4096, 1, 4);
    const char *first;
    cr_assert_eq(groups(d, &first), 2);
    dataset_destroy(d);
}

Test(jobs, with_a_rate_each_are_no_ladder)
{
    struct dataset *d = dataset_create();
    size_t run = dataset_add_run(d, made_run());
    for (uint64_t jobs = 1; jobs <= 4; jobs *= 4)
        add(d, run,
            (struct made){.rw = RW_RANDREAD,
                          .bs = 4096,
                          .depth = 1,
                          .jobs = jobs,
                          .rate_bw = 1e6,
                          .iops = 240});
    const char *first;
    cr_assert_eq(groups(d, &first), 2);
    dataset_destroy(d);
}
