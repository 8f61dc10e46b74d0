/* Sweeps in rounds on a simulated device, into a store in memory. */
#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <math.h>

#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "runner/sweep/sweep.h"
#include "store/db/store.h"

struct fixture {
    struct plan *plan;
    struct run *run;
    struct sweep_target target[2];
    struct store *store;
    struct sweep_outcome outcome;
    struct error err;
    atomic_int stop;
    size_t begun, stop_at; /* measurements; stop when so many have begun */
    size_t rounds;
    size_t n;
    struct cell *cell[64]; /* the results */
    size_t n_rounds;       /* cells that are rounds */
};

static struct range range_of(const char *text, enum range_unit unit)
{
    struct range r = RANGE_INIT;
    cr_assert_eq(range_parse(&r, text, unit, 0, UINT64_MAX, NULL), 0);
    return r;
}

static struct plan_axes axes_of(const char *options, const char *bs, const char *depths)
{
    struct plan_axes a = {.rw = {RW_RANDWRITE},
                          .n_rw = 1,
                          .repeats = 1,
                          .n_devices = 1,
                          .seed = 1,
                          .runtime_ns = 10 * NS_PER_S,
                          .ramp_ns = NS_PER_S,
                          .interval_ns = NS_PER_S,
                          .steady = true};
    a.bs = range_of(bs, RANGE_SIZE);
    a.iodepth = range_of(depths, RANGE_COUNT);
    a.numjobs = range_of("1", RANGE_COUNT);
    field_set_text(&cell_key_fields, &a.base, CELL_KEY_engine, "sim");
    field_set_text(&cell_key_fields, &a.base, CELL_KEY_engine_options, options);
    SET(&a.base, CELL_KEY, direct, true);
    return a;
}

static void make(struct fixture *f, struct plan_axes *a)
{
    *f = (struct fixture){0};
    cr_assert_eq(plan_create(&f->plan, a, NULL), 0);
    f->run = run_create();
    char uuid[UUID_TEXT_MAX];
    field_set_text(&run_fields, f->run, RUN_uuid, uuid_random(uuid));
    static const char *const names[] = {"simA", "simB"};
    for (size_t i = 0; i < f->plan->axes.n_devices; i++) {
        const struct device_request request = {.path = names[i], .size = 64 << 20};
        cr_assert_eq(sweep_target_open(&f->target[i], engine_find("sim"), &request, NULL), 0);
        fields_copy(&device_fields, run_add_device(f->run), &f->target[i].info);
    }
    cr_assert_eq(store_open(&f->store, NULL, STORE_MEMORY, NULL), 0);
}

static void forget_cells(struct fixture *f)
{
    for (size_t i = 0; i < f->n; i++)
        cell_destroy(f->cell[i]);
    f->n = f->n_rounds = 0;
}

static void release(struct fixture *f)
{
    forget_cells(f);
    plan_destroy(f->plan);
    run_destroy(f->run);
    sweep_target_close(&f->target[0]);
    sweep_target_close(&f->target[1]);
    store_close(f->store);
}

static void cell_begins(void *arg, const struct sweep_state *s)
{
    struct fixture *f = arg;
    cr_expect(s->number >= 1 && s->number <= s->planned);
    cr_expect(s->cell->histogram ? s->round == 0 : s->round >= 1 && s->round <= STEADY_ROUNDS_MAX);
    if (++f->begun == f->stop_at)
        atomic_store(&f->stop, 1);
}

static void round_ends(void *arg, const struct sweep_state *s, const double *value, size_t n)
{
    struct fixture *f = arg;
    cr_expect_eq(s->round, n);
    cr_expect(value[n - 1] > 0);
    f->rounds = n;
}

static int each_round(void *arg, uint64_t ordinal, uint64_t first, bool whole,
                      int (*fn)(struct cell *cell, void *fn_arg), void *fn_arg, struct error *err)
{
    struct fixture *f = arg;
    return store_each_round(f->store, f->run->id, ordinal, first, whole ? LOAD_ALL : 0, fn, fn_arg,
                            err);
}

static int take_cell(struct cell *cell, void *arg)
{
    struct fixture *f = arg;
    if (IS_KNOWN(cell, CELL, round)) {
        f->n_rounds++;
        return 0;
    }
    f->cell[f->n] = cell_create();
    *f->cell[f->n++] = *cell;
    *cell = (struct cell){0};
    return 0;
}

static int go(struct fixture *f)
{
    const struct sysroot nothing = {"/nonexistent"};
    struct sink sink = store_sink(f->store, SINK_DURABLE);
    const struct sweep_spec spec = {
        .plan = f->plan,
        .run = f->run,
        .target = f->target,
        .sink = &sink,
        .sysroot = &nothing,
        .rounds = {each_round, f},
        .stop = &f->stop,
        .watch = {.cell_begins = cell_begins, .round_ends = round_ends, .arg = f}};
    f->err = (struct error)ERROR_INIT;
    int rc = sweep_run(&f->outcome, &spec, &f->err);
    forget_cells(f);
    cr_assert_eq(store_each_cell(f->store, f->run->id, LOAD_ALL | LOAD_ROUNDS, take_cell, f, NULL),
                 0);
    return rc;
}

static size_t values(const struct cell *c, double value[STEADY_ROUNDS_MAX])
{
    size_t n = 0;
    cJSON *list = cJSON_Parse(c->round_values);
    const cJSON *e;
    cJSON_ArrayForEach(e, list) value[n++] = e->valuedouble;
    cJSON_Delete(list);
    return n;
}

Test(rounds, flat_device_is_steady_after_five)
{
    struct fixture f;
    struct plan_axes a = axes_of("iops=2000,lat=1ms,virtual=1", "4k", "4,8");
    make(&f, &a);
    cr_assert_eq(go(&f), 0, "%s", f.err.message);
    cr_expect_eq(f.begun, 10);
    cr_expect_eq(f.n, 2);
    cr_expect_eq(f.n_rounds, 10);
    cr_expect_eq(f.outcome.complete, 2);
    cr_expect_eq(f.run->status, STATUS_COMPLETE);
    for (size_t i = 0; i < f.n; i++) {
        const struct cell *c = f.cell[i];
        const struct direction *w = &c->dir[DIR_WRITE];
        double value[STEADY_ROUNDS_MAX];
        cr_expect(c->steady);
        cr_expect_eq(c->rounds, 5);
        cr_expect(c->steady_range < 0.001 && c->steady_slope < 0.001);
        cr_expect_eq(values(c, value), 5);
        cr_expect(fabs(value[4] / 2000 - 1) < 0.001);
        cr_expect_not(cell_has_caveat(c, "not-steady"));
        /* the window as one measurement of five times the runtime */
        cr_expect(fabs((double)c->runtime_ns / 50e9 - 1) < 0.001);
        cr_expect(fabs((double)w->ios / 100000 - 1) < 0.001, "%llu", (unsigned long long)w->ios);
        cr_expect_eq(hist_n(w->lat[LAT_CLAT].hist), w->ios);
        cr_expect_eq(w->series->n, 50);
        cr_expect_eq(w->series->point[49].end_ns, 50 * NS_PER_S);
        cr_expect_eq(w->rate_samples, 50);
        cr_expect(fabs(c->little_ratio - 1) < 0.01);
    }
    release(&f);
}

Test(rounds, drifting_device_never_is)
{
    struct fixture f;
    /* 1 ms and 60 us more each second: four rounds later always over a tenth slower */
    struct plan_axes a = axes_of("lat=1ms,drift=60us,virtual=1", "4k", "4");
    make(&f, &a);
    cr_assert_eq(go(&f), 0, "%s", f.err.message);
    cr_expect_eq(f.begun, 25);
    cr_assert_eq(f.n, 1);
    cr_expect_eq(f.n_rounds, 25);
    const struct cell *c = f.cell[0];
    double value[STEADY_ROUNDS_MAX];
    cr_expect_eq(values(c, value), 25);
    struct steady steady;
    for (size_t n = STEADY_WINDOW; n <= 25; n++) {
        steady_check(value, n, &steady);
        cr_expect_not(steady.steady, "after %zu rounds", n);
    }
    cr_expect(IS_KNOWN(c, CELL, steady) && !c->steady);
    cr_expect_eq(c->rounds, 25);
    cr_expect_float_eq(c->steady_slope, steady.excursion, 1e-12);
    cr_expect_float_eq(c->steady_range, steady.range, 1e-12);
    cr_expect(cell_has_caveat(c, "not-steady"));
    /* the last five are what counts */
    double mean = 0;
    for (size_t i = 20; i < 25; i++)
        mean += value[i] / 5;
    cr_expect(fabs(cell_iops(c) / mean - 1) < 0.001);
    release(&f);
}

/* Slow at first: the window moves on until it has left the beginning behind. */
Test(rounds, settles)
{
    struct fixture f;
    struct plan_axes a =
        axes_of("iops=1000,burst_iops=4000,credits=150000,lat=1ms,virtual=1", "4k", "16");
    make(&f, &a);
    cr_assert_eq(go(&f), 0, "%s", f.err.message);
    cr_assert_eq(f.n, 1);
    const struct cell *c = f.cell[0];
    /* credits for 50 s of 11 s a round: four rounds of burst and a bit, then five without */
    cr_expect(c->steady);
    cr_expect_eq(c->rounds, 10);
    cr_expect(fabs(cell_iops(c) / 1000 - 1) < 0.001);
    release(&f);
}

/* Stopped in the middle of the rounds it goes on with the next one. */
Test(rounds, resumed)
{
    struct fixture f;
    struct plan_axes a = axes_of("iops=2000,lat=1ms,virtual=1", "4k", "4,8");
    make(&f, &a);
    f.stop_at = 8;
    cr_assert_eq(go(&f), -ERR_INTERRUPTED);
    size_t kept = f.n_rounds; /* the eighth may be over before it hears of the stop */
    cr_expect(kept == 7 || kept == 8, "%zu", kept);
    atomic_store(&f.stop, 0);
    f.stop_at = 0;
    for (size_t i = 0; i < f.n; i++)
        plan_mark(f.plan, f.cell[i]);
    cr_assert_eq(plan_left(f.plan), 1);
    f.begun = 0;
    cr_assert_eq(go(&f), 0, "%s", f.err.message);
    cr_expect_eq(f.begun, 10 - kept);
    cr_expect_eq(f.n_rounds, 10);
    cr_assert_eq(f.n, 2);
    cr_expect_eq(f.cell[1]->rounds, 5);
    cr_expect(fabs(cell_iops(f.cell[1]) / 2000 - 1) < 0.001);
    release(&f);
}

static void small_suite(struct plan_axes *a, const char *name)
{
    a->suite = suite_find(name);
    a->steady = false;
    a->rw[0] = RW_RANDREAD;
    a->rw[1] = RW_RANDWRITE;
    a->n_rw = 2;
}

/* A round of a suite is every cell once; one is followed, and all have their window. */
Test(rounds, suite)
{
    struct fixture f;
    struct plan_axes a = axes_of("iops=2000,lat=1ms,virtual=1", "8k,4k", "4");
    small_suite(&a, "snia-iops");
    make(&f, &a);
    f.stop_at = 10; /* in the third round */
    cr_assert_eq(go(&f), -ERR_INTERRUPTED);
    /* of the tenth something may have been measured before it stopped */
    cr_expect(f.n == 0 || (f.n == 1 && f.cell[0]->status == STATUS_PARTIAL));
    size_t kept = f.n_rounds; /* or it was over before */
    cr_expect(kept == 9 || kept == 10, "%zu", kept);
    cr_expect_eq(f.outcome.left, 4);
    atomic_store(&f.stop, 0);
    f.stop_at = f.begun = 0;
    cr_assert_eq(go(&f), 0, "%s", f.err.message);
    cr_expect_eq(f.begun, 20 - kept);
    cr_expect_eq(f.n_rounds, 20);
    cr_assert_eq(f.n, 4);
    for (size_t i = 0; i < 4; i++) {
        cr_expect(f.cell[i]->steady);
        cr_expect_eq(f.cell[i]->rounds, 5);
        cr_expect(fabs(cell_iops(f.cell[i]) / 2000 - 1) < 0.001);
    }
    release(&f);
}

/* A burst of bytes ends in the rounds: 64k falls from 80 to 20 MB/s, while 4k, which is followed, is steady. */
Test(rounds, suite_whose_other_cells_are_not_steady)
{
    struct fixture f;
    struct plan_axes a = axes_of(
        "lat=1ms,bw=20000000,burst_bw=80000000,byte_credits=1600000000,virtual=1", "64k,4k", "4");
    small_suite(&a, "snia-iops");
    a.rw[0] = RW_RANDWRITE;
    a.n_rw = 1;
    make(&f, &a);
    cr_assert_eq(go(&f), 0, "%s", f.err.message);
    cr_assert_eq(f.n, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct cell *c = f.cell[i];
        bool followed = c->key.bs == 4096;
        double value[STEADY_ROUNDS_MAX];
        cr_expect_eq(c->rounds, 5);
        cr_expect_eq(values(c, value), 5);
        cr_expect_eq(c->steady, followed);
        cr_expect_eq(cell_has_caveat(c, "not-steady"), !followed);
        double mean = (value[0] + value[1] + value[2] + value[3] + value[4]) / 5;
        if (!followed) /* the largest is the first, the smallest the last */
            cr_expect_float_eq(c->steady_range, (value[0] - value[4]) / mean, 0.01);
    }
    release(&f);
}

Test(rounds, suite_that_follows_latency)
{
    struct fixture f;
    struct plan_axes a = axes_of("lat=200us,write_lat=300us,virtual=1", "4k", "1");
    small_suite(&a, "snia-lat");
    make(&f, &a);
    cr_assert_eq(go(&f), 0, "%s", f.err.message);
    double value[STEADY_ROUNDS_MAX] = {0};
    cr_assert_eq(f.n, 2);
    cr_expect_eq(values(f.cell[1], value), 5);
    cr_expect(fabs(value[0] / 300e3 - 1) < 0.001, "%g", value[0]);
    release(&f);
}

/* The long measurement comes once, after the rounds; stopped in it, a sweep goes on with it alone. */
Test(rounds, suite_with_a_histogram)
{
    struct fixture f;
    struct plan_axes a = axes_of("lat=200us,write_lat=300us,virtual=1", "4k", "1");
    small_suite(&a, "snia-lat");
    a.histogram_rounds = 4;
    make(&f, &a);
    f.stop_at = 11;
    cr_assert_eq(go(&f), -ERR_INTERRUPTED);
    cr_expect_eq(f.outcome.complete, 2);
    cr_expect_eq(f.outcome.left, 1);
    atomic_store(&f.stop, 0);
    f.stop_at = f.begun = 0;
    cr_assert_eq(go(&f), 0, "%s", f.err.message);
    cr_expect_eq(f.begun, 1);
    cr_expect_eq(f.n_rounds, 10);
    const struct cell *c = f.cell[f.n - 1];
    const struct direction *w = &c->dir[DIR_WRITE];
    cr_assert_str_eq(c->stage, STAGE_HISTOGRAM);
    cr_expect(c->key.rw == RW_RANDWRITE && c->key.bs == 4096);
    cr_expect_not(IS_KNOWN(c, CELL, steady));
    cr_expect(fabs((double)c->runtime_ns / 40e9 - 1) < 0.001);
    cr_expect(fabs((double)w->ios * 300e-6 / 40 - 1) < 0.001);
    cr_expect_eq(hist_n(w->lat[LAT_CLAT].hist), w->ios);
    for (size_t i = 0; i + 1 < f.n; i++)
        cr_expect(!f.cell[i]->stage || f.cell[i]->status == STATUS_PARTIAL);
    release(&f);
}

/* Without a steady result there is nothing that the long measurement would belong to. */
Test(rounds, no_histogram_of_a_device_that_is_gone)
{
    struct fixture f;
    struct plan_axes a = axes_of("lat=300us,vanish_at=60s,virtual=1", "4k", "1");
    small_suite(&a, "snia-lat");
    a.histogram_rounds = 4;
    make(&f, &a);
    cr_assert_eq(go(&f), -ERR_DEVICE);
    for (size_t i = 0; i < f.n; i++)
        cr_expect_null(f.cell[i]->stage);
    cr_expect(f.outcome.left >= 2);
    release(&f);
}

/* A curve in rounds: the maximum is judged by its IOPS, a step, whose IOPS are its rate, by its latency. */
Test(rounds, curve)
{
    struct fixture f;
    struct plan_axes a = axes_of("iops=2000,lat=1ms,virtual=1", "4k", "8");
    a.curve = range_of("50,80", RANGE_COUNT);
    make(&f, &a);
    cr_assert_eq(go(&f), 0, "%s", f.err.message);
    cr_assert_eq(f.n, 3);
    cr_expect_eq(f.n_rounds, 15);
    static const double expected[] = {2000, 1e6, 1e6};
    for (size_t i = 0; i < 3; i++) {
        double value[STEADY_ROUNDS_MAX] = {0};
        cr_expect(f.cell[i]->steady);
        cr_expect_eq(values(f.cell[i], value), 5);
        cr_expect(fabs(value[0] / expected[i] - 1) < 0.01, "%g", value[0]);
    }
    cr_expect(fabs(f.cell[1]->key.rate_iops / 1000 - 1) < 0.001);
    cr_expect(fabs(cell_iops(f.cell[2]) / 1600 - 1) < 0.002);
    release(&f);
}

/* The shares of devices that are loaded together are summed over the window as well. */
Test(rounds, together)
{
    struct fixture f;
    struct plan_axes a = axes_of("iops=1000,lat=1ms,virtual=1", "4k", "8");
    a.n_devices = 2;
    a.together = true;
    make(&f, &a);
    cr_assert_eq(go(&f), 0, "%s", f.err.message);
    cr_assert_eq(f.n, 1);
    cr_assert_eq(f.cell[0]->n_parts, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct direction *w = &f.cell[0]->part[i].dir[DIR_WRITE];
        cr_expect(fabs((double)w->ios / 50000 - 1) < 0.001, "%llu", (unsigned long long)w->ios);
        cr_expect(fabs(w->iops / 1000 - 1) < 0.001);
        cr_expect_eq(w->series->n, 50);
        cr_expect_eq(hist_n(w->lat[LAT_CLAT].hist), w->ios);
    }
    cr_expect(fabs(cell_iops(f.cell[0]) / 2000 - 1) < 0.001);
    release(&f);
}

/* A cell that fails has no further rounds, and the others go on without it. */
Test(rounds, failing_cell)
{
    struct fixture f;
    struct plan_axes a = axes_of("iops=2000,lat=1ms,vanish_at=130s,virtual=1", "4k", "4,8,16");
    make(&f, &a);
    cr_assert_eq(go(&f), -ERR_DEVICE);
    cr_expect_eq(f.outcome.complete, 2);
    cr_expect_eq(f.outcome.failed, 1);
    cr_expect_eq(f.run->status, STATUS_PARTIAL);
    cr_assert_eq(f.n, 3);
    cr_expect_eq(f.cell[2]->status, STATUS_FAILED);
    cr_expect_not(IS_KNOWN(f.cell[2], CELL, steady));
    release(&f);
}
