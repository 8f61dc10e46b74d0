/* Work ahead of its consumer: all of it, once, in order, never further ahead than there are slots. */
#include <criterion/criterion.h>

#include <stdatomic.h>
#include <unistd.h>

#include "store/import/ahead.h"
#include "store/import/recording.h"
#include "tests/support/collect.h"
#include "tests/support/sample.h"

enum { PIECES = 5000, SLOTS = 7 };

struct table {
    atomic_uint done[PIECES];
    atomic_uint in_slot[SLOTS];
    atomic_size_t used;
    atomic_bool wrong;
};

static void work(void *self, size_t i, size_t slot)
{
    struct table *t = self;
    if (slot != i % SLOTS || atomic_fetch_add(&t->in_slot[slot], 1) != 0 ||
        i >= atomic_load(&t->used) + SLOTS)
        atomic_store(&t->wrong, true);
    if (i % 97 == 0)
        usleep(500);
    atomic_fetch_add(&t->done[i], 1);
}

static void consume(size_t threads, size_t upto)
{
    static struct table t;
    t = (struct table){.used = 0};
    struct ahead *a = ahead_start(PIECES, SLOTS, threads, work, &t);
    for (size_t i = 0; i < upto; i++) {
        ahead_wait(a, i);
        cr_assert_eq(atomic_load(&t.done[i]), 1);
        if (i % 89 == 0)
            usleep(500);
        atomic_store(&t.in_slot[i % SLOTS], 0);
        atomic_store(&t.used, i + 1);
        ahead_done(a, i);
    }
    ahead_stop(a);
    cr_expect_not(atomic_load(&t.wrong));
}

Test(ahead, every_piece_once_in_order, .timeout = 300)
{
    for (size_t threads = 1; threads <= 4; threads++)
        consume(threads, PIECES);
}

Test(ahead, stops_in_between, .timeout = 300)
{
    consume(3, 0);
    consume(3, 10);
}

Test(ahead, counts_processors)
{
    cr_expect_geq(ahead_processors(), 1);
    ahead_stop(NULL);
}

static void fill(struct recording *r, unsigned runs)
{
    struct sink sink = recording_sink(r);
    struct error err = ERROR_INIT;
    for (unsigned i = 0; i < runs; i++) {
        struct run *run = sample_run(i);
        cr_assert_eq(sink.begin(sink.self, run, &err), 0);
        for (unsigned k = 0; k < 3; k++) {
            struct cell *cell = sample_cell(k);
            cr_assert_eq(sink.cell(sink.self, cell, &err), 0);
            cr_expect_null(cell->name);
            cell_destroy(cell);
        }
        sink.skip(sink.self, "line 3", "no value");
        SET(run, RUN, status, STATUS_PARTIAL);
        cr_assert_eq(sink.end(sink.self, run, &err), 0);
        run_destroy(run);
    }
}

Test(recording, plays_what_it_was_told)
{
    struct recording r = {0};
    struct collected c = {0};
    struct error err = ERROR_INIT;
    fill(&r, 2);
    struct sink to = collect_sink(&c);
    cr_assert_eq(recording_play(&r, &to, &err), 0, "%s", err.message);
    cr_expect_eq(c.n_runs, 2);
    cr_expect_eq(c.n_cells, 6);
    cr_expect_eq(c.ends, 2);
    cr_expect_eq(c.n_skipped, 2);
    cr_expect_str_eq(c.skipped[1], "line 3: no value");
    cr_expect_eq(c.run[1]->status, STATUS_PARTIAL);
    struct cell *expected = sample_cell(1);
    cr_expect_str_eq(c.cell[1]->name, expected->name);
    cr_expect_eq(c.cell[1]->n_buckets, expected->n_buckets);
    cell_destroy(expected);
    collect_release(&c);
    recording_release(&r);
    fill(&r, 1); /* it can be used again */
    recording_release(&r);
}

Test(recording, passes_a_failure_on)
{
    struct recording r = {0};
    struct collected c = {0};
    struct error err = ERROR_INIT;
    fill(&r, 2);
    struct sink to = collect_sink(&c);
    c.fail_at = 2;
    cr_expect_eq(recording_play(&r, &to, &err), -ERR_STORE);
    cr_expect_eq(c.n_runs, 1);
    cr_expect_eq(c.ends, 1);
    cr_expect_eq(c.run[0]->status, STATUS_FAILED);
    collect_release(&c);
    recording_release(&r);
}
