/* Reading and keeping on two threads: everything arrives once, in order, and failures come back. */
#include <criterion/criterion.h>

#include <pthread.h>

#include "core/base/xalloc.h"
#include "store/import/handover.h"
#include "tests/support/collect.h"
#include "tests/support/sample.h"

enum { RUNS = 3, CELLS = 10 * HANDOVER_CELLS_MAX };

struct source {
    unsigned runs, cells;
    int rc;           /* its answer when the sink takes all */
    unsigned told;    /* cells that the sink took */
    pthread_t thread; /* it worked on */
};

static int tell_run(struct source *s, struct sink *sink, unsigned number, struct error *err)
{
    struct run *run = sample_run(number);
    int rc = sink->begin(sink->self, run, err);
    for (unsigned i = 0; i < s->cells && rc == 0; i++) {
        struct cell cell = {0};
        SET(&cell, CELL, ordinal, (uint64_t)number * s->cells + i);
        if (i == 0 && sink->skip)
            sink->skip(sink->self, "line 3", "no value");
        rc = sink->cell(sink->self, &cell, err);
        s->told += rc == 0;
        cell_release(&cell);
    }
    SET(run, RUN, status, rc < 0 ? STATUS_FAILED : STATUS_PARTIAL);
    int end = sink->end(sink->self, run, rc < 0 ? NULL : err);
    run_destroy(run);
    return rc < 0 ? rc : end;
}

static int tell_all(void *self, struct sink *sink, struct error *err)
{
    struct source *s = self;
    int rc = 0;
    s->thread = pthread_self();
    for (unsigned i = 0; i < s->runs && rc == 0; i++)
        rc = tell_run(s, sink, i, err);
    return rc == 0 && s->rc < 0 ? error_set(err, -s->rc, "line 9: it breaks off") : rc;
}

Test(handover, all_arrives_in_order, .timeout = 60)
{
    struct source s = {.runs = RUNS, .cells = CELLS};
    struct collected c = {0};
    struct sink to = collect_sink(&c);
    struct error err = ERROR_INIT;
    cr_assert_eq(handover_run(tell_all, &s, &to, &err), 0, "%s", err.message);
    cr_expect_not(pthread_equal(s.thread, pthread_self()));
    cr_expect_eq(c.n_runs, RUNS);
    cr_expect_eq(c.ends, RUNS);
    cr_expect_eq(c.n_skipped, RUNS);
    cr_assert_eq(c.n_cells, RUNS * CELLS);
    for (size_t i = 0; i < c.n_cells; i++) {
        cr_assert_eq(c.cell[i]->ordinal, i);
        cr_assert_eq(c.cell[i]->run_id, (int64_t)(i / CELLS) + 1);
    }
    for (size_t i = 0; i < c.n_runs; i++)
        cr_expect_eq(c.run[i]->status, STATUS_PARTIAL);
    collect_release(&c);
}

static void fail_at(size_t at)
{
    struct source s = {.runs = RUNS, .cells = CELLS};
    struct collected c = {.fail_at = at};
    struct sink to = collect_sink(&c);
    struct error err = ERROR_INIT;
    cr_expect_eq(handover_run(tell_all, &s, &to, &err), -ERR_STORE);
    cr_expect(strstr(err.message, "the test wants"), "%s", err.message);
    cr_expect_eq(c.calls, at); /* nothing is kept after it */
    cr_expect_eq(c.n_cells, at - 1);
    cr_expect_eq(c.ends, c.n_runs);
    cr_expect_eq(c.run[c.n_runs - 1]->status, STATUS_FAILED);
    for (size_t i = 0; i + 1 < c.n_runs; i++)
        cr_expect_eq(c.run[i]->status, STATUS_PARTIAL);
    collect_release(&c);
}

Test(handover, a_failure_ends_the_reading, .timeout = 60)
{
    fail_at(1);
    fail_at(CELLS / 2);
    fail_at(CELLS); /* only the end of the run can say it */
    fail_at(2 * CELLS + 1);
}

static int refuse(void *self, struct run *run, struct error *err)
{
    (void)self;
    (void)run;
    return error_set(err, ERR_STORE, "no run is wanted");
}

Test(handover, a_run_may_be_refused, .timeout = 60)
{
    struct source s = {.runs = RUNS, .cells = 2};
    struct collected c = {0};
    struct sink to = collect_sink(&c);
    struct error err = ERROR_INIT;
    to.begin = refuse;
    cr_expect_eq(handover_run(tell_all, &s, &to, &err), -ERR_STORE);
    cr_expect_str_eq(err.message, "no run is wanted");
    cr_expect_eq(s.told, 0);
    cr_expect_eq(c.n_cells, 0);
    cr_expect_eq(c.ends, 1);
    collect_release(&c);
}

Test(handover, errors_of_the_reading_come_through, .timeout = 60)
{
    struct source s = {.runs = 1, .cells = 2, .rc = -ERR_INPUT};
    struct collected c = {0};
    struct sink to = collect_sink(&c);
    struct error err = ERROR_INIT;
    to.skip = NULL;
    cr_expect_eq(handover_run(tell_all, &s, &to, &err), -ERR_INPUT);
    cr_expect_str_eq(err.message, "line 9: it breaks off");
    cr_expect_eq(c.n_cells, 2);
    cr_expect_eq(c.run[0]->status, STATUS_PARTIAL);
    collect_release(&c);
}
