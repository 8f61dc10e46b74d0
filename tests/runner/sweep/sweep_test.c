/* Sweeps of a simulated device into a sink that remembers. */
#include "runner/sweep/sweep.h"

#include <criterion/criterion.h>

#include "core/base/clock.h"
#include "core/base/xalloc.h"

#define MS UINT64_C(1000000)

/* What the sink was told. */
struct heard {
    int begins, ends;
    size_t n;
    uint64_t ordinal[64], repeat[64];
    enum run_status status[64];
    double iops[64];
    size_t n_devices[64], device[64];
    enum run_status end_status;
    bool end_known;
    size_t fail_at; /* cell whose keeping fails, from 1 */
};

static int on_begin(void *self, struct run *run, struct error *err)
{
    struct heard *h = self;
    (void)err;
    h->begins++;
    if (!run->id)
        run->id = 7;
    cr_assert_eq(run->status, STATUS_RUNNING);
    return 0;
}

static int on_cell(void *self, struct cell *cell, struct error *err)
{
    struct heard *h = self;
    cr_assert(h->begins == 1 && h->ends == 0);
    if (h->n + 1 == h->fail_at)
        return error_set(err, ERR_STORE, "the disk is full");
    h->ordinal[h->n] = cell->ordinal;
    h->repeat[h->n] = cell->repeat;
    h->status[h->n] = cell->status;
    h->iops[h->n] = cell_iops(cell);
    h->n_devices[h->n] = cell->n_devices;
    h->device[h->n] = cell->device[0];
    h->n++;
    return 0;
}

static int on_end(void *self, struct run *run, struct error *err)
{
    struct heard *h = self;
    (void)err;
    h->ends++;
    h->end_status = run->status;
    h->end_known = IS_KNOWN(run, RUN, finished_ns);
    return 0;
}

struct fixture {
    struct plan *plan;
    struct run *run;
    struct sweep_target target[2];
    struct heard heard;
    struct sink sink;
    struct sweep_outcome outcome;
    struct error err;
    atomic_int stop;
    int stop_at; /* cell at whose end to stop, from 1 */
    size_t begins, ends, ticks;
    struct sweep_state last;
};

static struct range range_of(const char *text, enum range_unit unit)
{
    struct range r = RANGE_INIT;
    cr_assert_eq(range_parse(&r, text, unit, 0, UINT64_MAX, NULL), 0);
    return r;
}

static void make(struct fixture *f, const char *options, const char *depths, size_t devices,
                 bool together, uint64_t repeats)
{
    *f = (struct fixture){0};
    struct plan_axes a = {.rw = {RW_RANDREAD},
                          .n_rw = 1,
                          .repeats = repeats,
                          .n_devices = devices,
                          .together = together,
                          .seed = 1,
                          .runtime_ns = 1000 * MS,
                          .interval_ns = 100 * MS};
    a.bs = range_of("4k", RANGE_SIZE);
    a.iodepth = range_of(depths, RANGE_COUNT);
    a.numjobs = range_of("1", RANGE_COUNT);
    field_set_text(&cell_key_fields, &a.base, CELL_KEY_engine, "sim");
    field_set_text(&cell_key_fields, &a.base, CELL_KEY_engine_options, options);
    SET(&a.base, CELL_KEY, direct, true);
    cr_assert_eq(plan_create(&f->plan, &a, NULL), 0);
    f->run = run_create();
    static const char *const names[] = {"simA", "simB"};
    for (size_t i = 0; i < devices; i++) {
        const struct device_request request = {.path = names[i], .size = 64 << 20};
        cr_assert_eq(sweep_target_open(&f->target[i], engine_find("sim"), &request, NULL), 0);
        fields_copy(&device_fields, run_add_device(f->run), &f->target[i].info);
    }
    f->sink = (struct sink){&f->heard, on_begin, on_cell, NULL, on_end};
}

static void release(struct fixture *f)
{
    plan_destroy(f->plan);
    run_destroy(f->run);
    sweep_target_close(&f->target[0]);
    sweep_target_close(&f->target[1]);
}

static void cell_begins(void *arg, const struct sweep_state *s)
{
    struct fixture *f = arg;
    f->begins++;
    cr_assert_eq(s->number, f->begins);
}

static void tick(void *arg, const struct sweep_state *s, const struct job_progress *p)
{
    struct fixture *f = arg;
    (void)s, (void)p;
    f->ticks++;
}

static void cell_ends(void *arg, const struct sweep_state *s, const struct cell *cell)
{
    struct fixture *f = arg;
    f->ends++;
    f->last = *s;
    cr_assert_eq(cell->ordinal, s->cell->ordinal);
    if ((int)f->ends == f->stop_at)
        atomic_store(&f->stop, 1);
}

static int go(struct fixture *f, bool stop_on_error)
{
    const struct sysroot nothing = {"/nonexistent"};
    const struct sweep_spec spec = {
        .plan = f->plan,
        .run = f->run,
        .target = f->target,
        .sink = &f->sink,
        .sysroot = &nothing,
        .stop_on_error = stop_on_error,
        .stop = &f->stop,
        .watch = {.cell_begins = cell_begins, .tick = tick, .cell_ends = cell_ends, .arg = f}};
    error_clear(&f->err);
    return sweep_run(&f->outcome, &spec, &f->err);
}

/* The cap of the device is what comes out: 1 / 1 ms at depth 1, 3000 IOPS above. */
Test(sweep, every_cell_is_measured_in_the_order_of_the_plan)
{
    struct fixture f;
    make(&f, "virtual=1,iops=3000,lat=1ms", "1,32", 1, false, 2);
    cr_assert_eq(go(&f, false), 0, "%s", f.err.message);
    cr_assert(f.heard.begins == 1 && f.heard.ends == 1 && f.heard.n == 4);
    for (size_t i = 0; i < 4; i++) {
        cr_assert_eq(f.heard.ordinal[i], i);
        cr_assert_eq(f.heard.repeat[i], i / 2 + 1);
        cr_assert_eq(f.heard.status[i], STATUS_COMPLETE);
        double expected = i % 2 ? 3000 : 1000;
        cr_assert_float_eq(f.heard.iops[i], expected, expected * 0.005, "%g", f.heard.iops[i]);
    }
    cr_assert_eq(f.heard.end_status, STATUS_COMPLETE);
    cr_assert(f.heard.end_known);
    cr_assert(f.outcome.complete == 4 && f.outcome.left == 0 && !f.outcome.interrupted);
    cr_assert(f.begins == 4 && f.ends == 4);
    /* simulated cells take next to no real time */
    cr_assert_lt(f.last.left_ns, NS_PER_S);
    release(&f);
}

Test(sweep, devices_one_after_another_and_together)
{
    struct fixture f;
    make(&f, "virtual=1,iops=1000,vm_iops=1500,lat=1ms", "32", 2, false, 1);
    cr_assert_eq(go(&f, false), 0);
    cr_assert(f.heard.n == 2 && f.heard.device[0] == 0 && f.heard.device[1] == 1);
    cr_assert_float_eq(f.heard.iops[0], 1000, 10);
    cr_assert_float_eq(f.heard.iops[1], 1000, 10);
    release(&f);
    make(&f, "virtual=1,iops=1000,vm_iops=1500,lat=1ms", "32", 2, true, 1);
    cr_assert_eq(go(&f, false), 0);
    cr_assert(f.heard.n == 1 && f.heard.n_devices[0] == 2);
    cr_assert_float_eq(f.heard.iops[0], 1500, 15, "they share a cap: %g", f.heard.iops[0]);
    release(&f);
}

Test(sweep, stopping_keeps_what_is_finished)
{
    struct fixture f;
    make(&f, "virtual=1,lat=1ms", "1,2,4,8", 1, false, 1);
    f.stop_at = 2;
    cr_assert_eq(go(&f, false), -ERR_INTERRUPTED);
    cr_assert(f.heard.n == 2 && f.heard.ends == 1);
    cr_assert(f.outcome.interrupted && f.outcome.left == 2 && f.outcome.complete == 2);
    cr_assert_eq(f.heard.end_status, STATUS_PARTIAL);
    cr_assert(strstr(f.err.message, "2 of 4"), "%s", f.err.message);
    /* and going on does the rest */
    atomic_store(&f.stop, 0);
    f.heard.begins = f.heard.ends = 0;
    f.begins = f.ends = 0;
    f.stop_at = 0;
    cr_assert_eq(go(&f, false), 0);
    cr_assert(f.heard.n == 4 && f.heard.ordinal[2] == 2 && f.heard.ordinal[3] == 3);
    cr_assert_eq(f.heard.end_status, STATUS_COMPLETE);
    release(&f);
}

/* Stopped before the measured part of a cell began there is nothing to keep of it. */
Test(sweep, stopped_at_once)
{
    struct fixture f;
    make(&f, "lat=1ms", "1,2", 1, false, 1);
    atomic_store(&f.stop, 1);
    cr_assert_eq(go(&f, false), -ERR_INTERRUPTED);
    cr_assert(f.heard.n == 0 && f.heard.begins == 1 && f.heard.ends == 1);
    cr_assert_eq(f.outcome.left, 2);
    release(&f);
}

Test(sweep, a_failing_device_is_marked_and_the_sweep_goes_on)
{
    struct fixture f;
    make(&f, "virtual=1,lat=1ms,vanish_at=1500ms", "1,2,4", 1, false, 1);
    cr_assert_eq(go(&f, false), -ERR_DEVICE);
    cr_assert_eq(f.heard.n, 3);
    cr_assert_eq(f.heard.status[0], STATUS_COMPLETE);
    cr_assert_neq(f.heard.status[1], STATUS_COMPLETE);
    cr_assert_eq(f.heard.status[2], STATUS_FAILED);
    cr_assert_eq(f.heard.end_status, STATUS_PARTIAL);
    cr_assert_eq(f.outcome.left, 2);
    cr_assert(strstr(f.err.message, "No such device"), "%s", f.err.message);
    release(&f);
    make(&f, "virtual=1,lat=1ms,vanish_at=1500ms", "1,2,4", 1, false, 1);
    cr_assert_eq(go(&f, true), -ERR_DEVICE);
    cr_assert_eq(f.heard.n, 2, "--on-error stop");
    release(&f);
    make(&f, "virtual=1,lat=1ms,vanish_at=1us", "1,2", 1, false, 1);
    cr_assert_eq(go(&f, false), -ERR_DEVICE);
    cr_assert_eq(f.heard.end_status, STATUS_FAILED);
    release(&f);
}

Test(sweep, a_failing_store_ends_it)
{
    struct fixture f;
    make(&f, "virtual=1,lat=1ms", "1,2,4", 1, false, 1);
    f.heard.fail_at = 2;
    cr_assert_eq(go(&f, false), -ERR_STORE);
    cr_assert(f.heard.n == 1 && f.heard.ends == 1);
    cr_assert_str_eq(f.err.message, "the disk is full");
    cr_assert_eq(f.heard.end_status, STATUS_FAILED);
    release(&f);
}

static void assert_refused(const char *options, const char *depths, const char *bs,
                           const char *part)
{
    struct fixture f;
    make(&f, options, depths, 1, false, 1);
    range_release(&f.plan->axes.bs);
    f.plan->axes.bs = range_of(bs, RANGE_SIZE);
    for (size_t i = 0; i < f.plan->n; i++)
        f.plan->cell[i].bs = f.plan->axes.bs.value[0];
    struct strbuf warning = STRBUF_INIT;
    int rc = sweep_check_plan(f.plan, &sysroot_system, &f.err);
    if (rc == 0)
        rc = sweep_check_targets(f.plan, f.target, &warning, &f.err);
    cr_assert_eq(rc, -ERR_USAGE);
    cr_assert(strstr(f.err.message, part), "%s", f.err.message);
    cr_assert(strstr(f.err.message, "random read"), "names the cell: %s", f.err.message);
    strbuf_release(&warning);
    release(&f);
}

/* Each size of a split must fit the device, not only the largest. */
Test(sweep, every_size_of_a_split_is_checked)
{
    static const struct {
        const char *sizes;
        int rc;
    } split[] = {
        {"4k/50:8k/50", 0}, {"6k/50:8k/50", -ERR_USAGE}, {"4k-8k", 0}, {"6k-8k", -ERR_USAGE}};
    for (size_t i = 0; i < sizeof split / sizeof *split; i++) {
        struct fixture f;
        make(&f, "", "1", 1, false, 1);
        field_set_text(&cell_key_fields, &f.plan->axes.base, CELL_KEY_bs_text, split[i].sizes);
        f.plan->cell[0].bs = 8192;
        SET(&f.target[0].info, DEVICE, dio_align, 4096);
        struct strbuf warning = STRBUF_INIT;
        int rc = sweep_check_targets(f.plan, f.target, &warning, &f.err);
        cr_expect_eq(rc, split[i].rc, "%s: %s", split[i].sizes, f.err.message);
        if (rc < 0)
            cr_expect(strstr(f.err.message, "block size 6k does not work"), "%s", f.err.message);
        strbuf_release(&warning);
        release(&f);
    }
}

Test(sweep, what_cannot_work_is_known_before_it_starts)
{
    assert_refused("virtual=1", "1", "128M", "does not fit");
    assert_refused("speed=1", "1", "4k", "speed");
    assert_refused("virtual=1", "65536", "1G", "of buffers");
}
