/* The four figures under the headline. */
#include "tests/report/page/paper.h"

/* 2,800 reads and as many writes a second are 5,600 I/Os at once. */
Test(facts, the_most_of_a_mix_is_that_of_both_directions)
{
    struct paper w = begin();
    add(&w, (struct made){.rw = RW_RANDRW, .bs = 4096, .depth = 16, .iops = 2800, .seconds = 90});
    add(&w, (struct made){.rw = RW_RANDREAD, .bs = 4096, .depth = 16, .iops = 3500, .seconds = 90});
    make(&w);
    cr_expect_str_eq(w.page->fact[0].number, "5,600");
    cr_expect_str_eq(w.page->fact[0].detail, "random mix 70/30, 4k, QD 16");
    cr_expect_str_eq(w.page->fact[1].number, "21.9");
    end(&w);
}

Test(facts, a_burst_is_told)
{
    struct paper w = begin();
    add(&w, (struct made){.rw = RW_RANDREAD,
                          .bs = 4096,
                          .depth = 16,
                          .iops = 3500,
                          .iops_after = 240,
                          .seconds = 90});
    make(&w);
    cr_assert_str_eq(w.page->fact[0].number, "3,499"); /* not what 90 s of both come to */
    cr_assert_not_null(strstr(w.page->fact[0].detail, "QD 16, in a burst"));
    cr_assert_str_eq(w.page->fact[3].number, "240");
    cr_assert_str_eq(w.page->fact[3].detail, "after 30\xC2\xA0s at 3,499 IOPS");
    const struct section *s = section(&w, "time");
    cr_assert_not_null(s);
    const struct page_block *last = &s->block[s->n_blocks - 1];
    cr_assert_eq(last->kind, BLOCK_TEXT);
    cr_assert_not_null(strstr(last->text, "as a token bucket does"), "%s", last->text);
    end(&w);
}

Test(facts, short_cells_are_not_called_steady)
{
    struct paper w = begin();
    add(&w, (struct made){.rw = RW_RANDREAD, .bs = 4096, .iops = 3500, .seconds = 8});
    made_limit(w.run, OWNER_DISK, CAP_IOPS, PHASE_BURST, PATH_ANY, 3500, "3500");
    make(&w);
    cr_assert_str_eq(w.page->fact[3].number, "–");
    cr_assert_str_eq(w.page->fact[3].word, "sustained rate");
    cr_assert_str_eq(w.page->fact[3].detail,
                     "not tested: cells ran 8\u00a0s, 30 samples are needed");
    cr_assert(has_caveat(&w, "No cell ran for 30 s or more: too short to see a burst end."));
    cr_assert_null(section(&w, "time"));
    end(&w);
}

/* As in a table or in totals: a minute, but nothing of its course. */
Test(facts, long_cells_without_a_course_are_not_called_short)
{
    struct paper w = begin();
    struct cell c = {0};
    made_cell(&c, &(struct made){.rw = RW_RANDREAD, .bs = 4096, .iops = 3500, .no_series = true});
    SET(&c, CELL, runtime_ns, UINT64_C(60000000000));
    dataset_add_cell(w.dataset, 0, &c);
    made_limit(w.run, OWNER_DISK, CAP_IOPS, PHASE_BURST, PATH_ANY, 3500, "3500");
    make(&w);
    cr_assert(has_caveat(&w, "No cell has its rate second by second: the end of a burst would not "
                             "be seen."));
    cr_assert_not(has_caveat(&w, "No cell ran for 30 s or more: too short to see a burst end."));
    end(&w);
}
