#include "runner/plan/plan.h"

#include <criterion/criterion.h>

#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "tests/runner/plan/axes.h"

static char *key_text(const struct plan *p, size_t i)
{
    struct cell_key key = {0};
    struct strbuf text = STRBUF_INIT;
    plan_key(&key, p, &p->cell[i]);
    cell_key_text(&text, &key);
    fields_release(&cell_key_fields, &key);
    return strbuf_detach(&text);
}

static void assert_key(const struct plan *p, size_t i, const char *expected)
{
    char *text = key_text(p, i);
    cr_assert_str_eq(text, expected);
    free(text);
}

Test(plan, the_default_matrix)
{
    struct plan *p = plan_of(axes_of("4k..1M", "1..64/x4", "1"));
    cr_assert_eq(p->n, 36);
    cr_assert_eq(plan_left_ns(p), UINT64_C(2268) * S);
    assert_key(p, 0, "rw=randread bs=4096 iodepth=1 numjobs=1 engine=libaio direct=1");
    assert_key(p, 1, "rw=randread bs=4096 iodepth=4 numjobs=1 engine=libaio direct=1");
    assert_key(p, 35, "rw=randread bs=1048576 iodepth=64 numjobs=1 engine=libaio direct=1");
    plan_destroy(p);
}

Test(plan, only_mixed_patterns_have_the_mix_axis)
{
    struct plan_axes a = axes_of("4k", "8", "1,2");
    a.rw[0] = RW_READ;
    a.rw[1] = RW_RANDRW;
    a.n_rw = 2;
    a.rwmixread = range_of("0,70,100", RANGE_COUNT);
    struct plan *p = plan_of(a);
    cr_assert_eq(p->n, 2 + 3 * 2);
    assert_key(p, 1, "rw=read bs=4096 iodepth=8 numjobs=2 engine=libaio direct=1");
    assert_key(p, 2, "rw=randrw rwmixread=0 bs=4096 iodepth=8 numjobs=1 engine=libaio direct=1");
    assert_key(p, 5, "rw=randrw rwmixread=70 bs=4096 iodepth=8 numjobs=2 engine=libaio direct=1");
    plan_destroy(p);
    a = axes_of("4k", "8", "1");
    a.rw[0] = RW_RW;
    p = plan_of(a);
    assert_key(p, 0, "rw=rw rwmixread=50 bs=4096 iodepth=8 numjobs=1 engine=libaio direct=1");
    plan_destroy(p);
}

/* The same load has the same key, whatever else the sweep asks for its other patterns. */
Test(plan, a_key_has_only_what_counts_for_its_pattern)
{
    struct plan_axes a = axes_of("4k", "8", "1");
    static const enum rw patterns[] = {RW_READ, RW_RANDREAD, RW_RANDWRITE, RW_RANDRW, RW_RANDTRIM};
    a.n_rw = sizeof patterns / sizeof *patterns;
    memcpy(a.rw, patterns, sizeof patterns);
    field_set_text(&cell_key_fields, &a.base, CELL_KEY_distribution, "cover");
    field_set_text(&cell_key_fields, &a.base, CELL_KEY_sync, "fsync=8");
    SET(&a.base, CELL_KEY, bs_write, 65536);
    SET(&a.base, CELL_KEY, rate_bw, 2000);
    SET(&a.base, CELL_KEY, rate_bw_write, 1000);
    SET(&a.base, CELL_KEY, compress, 50);
    SET(&a.base, CELL_KEY, dedupe, 20);
    struct plan *p = plan_of(a);
    cr_assert_eq(p->n, 5);
    assert_key(p, 0, "rw=read bs=4096 iodepth=8 numjobs=1 engine=libaio direct=1 rate_bw=2000");
    assert_key(p, 1,
               "rw=randread bs=4096 iodepth=8 numjobs=1 engine=libaio direct=1 "
               "distribution=cover rate_bw=2000");
    assert_key(p, 2,
               "rw=randwrite bs=4096 iodepth=8 numjobs=1 engine=libaio direct=1 sync=fsync=8 "
               "distribution=cover rate_bw=1000 compress=50 dedupe=20");
    assert_key(p, 3,
               "rw=randrw rwmixread=50 bs=4096 bs_write=65536 iodepth=8 numjobs=1 engine=libaio "
               "direct=1 sync=fsync=8 distribution=cover rate_bw=2000 rate_bw_write=1000 "
               "compress=50 dedupe=20");
    assert_key(p, 4,
               "rw=randtrim bs=4096 iodepth=8 numjobs=1 engine=libaio direct=1 "
               "distribution=cover rate_bw=1000");
    plan_destroy(p);
}

Test(plan, a_split_of_block_sizes_is_one_cell)
{
    struct plan_axes a = axes_of("64k", "8", "1");
    field_set_text(&cell_key_fields, &a.base, CELL_KEY_bs_text, "4k/75:64k/25");
    struct plan *p = plan_of(a);
    assert_key(p, 0, "rw=randread bs_text=4k/75:64k/25 iodepth=8 numjobs=1 engine=libaio direct=1");
    plan_destroy(p);
    struct error err = ERROR_INIT;
    a = axes_of("4k,64k", "8", "1");
    field_set_text(&cell_key_fields, &a.base, CELL_KEY_bs_text, "4k/75:64k/25");
    cr_expect_eq(plan_create(&p, &a, &err), -ERR_USAGE);
}

Test(plan, repeats_are_interleaved_and_devices_take_turns)
{
    struct plan_axes a = axes_of("4k,8k", "1", "1");
    a.repeats = 3;
    a.n_devices = 2;
    struct plan *p = plan_of(a);
    cr_assert_eq(p->n, 12);
    for (size_t i = 0; i < p->n; i++) {
        cr_assert_eq(p->cell[i].ordinal, i);
        cr_assert_eq(p->cell[i].repeat, i / 4 + 1);
        cr_assert_eq(p->cell[i].device, i / 2 % 2);
        cr_assert_eq(p->cell[i].bs, i % 2 ? 8192u : 4096u);
    }
    plan_destroy(p);
    a = axes_of("4k,8k", "1", "1");
    a.n_devices = 2;
    a.together = true;
    p = plan_of(a);
    cr_assert_eq(p->n, 2);
    plan_destroy(p);
    /* each alone, then all at once */
    a = axes_of("4k,8k", "1", "1");
    a.n_devices = 2;
    a.together = a.alone = true;
    p = plan_of(a);
    cr_assert_eq(p->n, 6);
    for (size_t i = 0, first; i < p->n; i++) {
        cr_assert_eq(plan_cell_devices(p, &p->cell[i], &first), i < 4 ? 1 : 2);
        cr_assert_eq(first, i < 4 ? i / 2 : 0);
    }
    plan_destroy(p);
}

/* In every repeat each cell is there once; the seed decides the order, and nothing else. */
Test(plan, shuffle)
{
    struct plan_axes a = axes_of("4k..1M", "1..64", "1");
    a.repeats = 2;
    a.order = PLAN_SHUFFLED;
    struct plan *p = plan_of(a);
    a = axes_of("4k..1M", "1..64", "1");
    a.repeats = 2;
    a.order = PLAN_SHUFFLED;
    struct plan *same = plan_of(a);
    a = axes_of("4k..1M", "1..64", "1");
    a.repeats = 2;
    a.order = PLAN_SHUFFLED;
    a.seed = 43;
    struct plan *other = plan_of(a);
    size_t n = p->n / 2, moved = 0, differs = 0, differs_between_repeats = 0;
    unsigned seen[2][63] = {{0}};
    for (size_t i = 0; i < p->n; i++) {
        const struct plan_cell *c = &p->cell[i];
        cr_assert_eq(c->ordinal, i);
        cr_assert_eq(c->repeat, i / n + 1);
        size_t bs = (size_t)__builtin_ctzll(c->bs >> 12),
               depth = (size_t)__builtin_ctzll(c->iodepth);
        seen[i / n][bs * 7 + depth]++;
        moved += bs * 7 + depth != i % n;
        cr_assert(c->bs == same->cell[i].bs && c->iodepth == same->cell[i].iodepth);
        differs += c->bs != other->cell[i].bs || c->iodepth != other->cell[i].iodepth;
        differs_between_repeats +=
            i >= n && (c->bs != p->cell[i - n].bs || c->iodepth != p->cell[i - n].iodepth);
    }
    for (size_t i = 0; i < 63; i++)
        cr_assert(seen[0][i] == 1 && seen[1][i] == 1);
    cr_assert_gt(moved, n);
    cr_assert_gt(differs, n);
    cr_assert_gt(differs_between_repeats, n / 2);
    plan_destroy(p);
    plan_destroy(same);
    plan_destroy(other);
}

static void assert_refused(struct plan_axes a, const char *part)
{
    struct plan *p = NULL;
    struct error err = ERROR_INIT;
    cr_assert_eq(plan_create(&p, &a, &err), -ERR_USAGE);
    cr_assert_null(p);
    cr_assert_null(a.bs.value); /* the axes are released */
    cr_assert(strstr(err.message, part), "%s", err.message);
}

Test(plan, silly_plans_are_refused)
{
    assert_refused(axes_of("1..4096/+1", "1..100/+1", "1"), "409,600 cells, more than 100,000");
    struct plan_axes a = axes_of("1..4096/+1", "1..4096/+1", "1..4096/+1");
    a.repeats = UINT64_MAX;
    assert_refused(a, "countless cells");
    a = axes_of("4k", "1", "1");
    a.runtime_ns = UINT64_MAX;
    assert_refused(a, "would take more than");
    a = axes_of("4k", "1", "1");
    a.repeats = 0;
    assert_refused(a, "no repeat");
    a = axes_of("4k", "1", "1");
    a.n_rw = 0;
    assert_refused(a, "no pattern");
    a = axes_of("4k", "1", "1");
    range_release(&a.bs);
    a.bs = (struct range)RANGE_INIT;
    assert_refused(a, "no block size");
}

/* A cell as it would be in the store. */
static struct cell *stored(const struct plan *p, size_t i, enum run_status status)
{
    struct cell *c = cell_create();
    SET(c, CELL, ordinal, p->cell[i].ordinal);
    SET(c, CELL, repeat, p->cell[i].repeat);
    SET(c, CELL, status, status);
    plan_key(&c->key, p, &p->cell[i]);
    c->device = xcalloc(1, sizeof *c->device);
    c->device[0] = p->cell[i].device;
    c->n_devices = 1;
    return c;
}

Test(plan, resume_leaves_what_is_not_complete)
{
    struct plan_axes a = axes_of("4k,8k", "1,2", "1");
    a.n_devices = 2;
    struct plan *p = plan_of(a);
    cr_assert_eq(plan_left(p), 8);
    struct cell *c = stored(p, 5, STATUS_COMPLETE);
    cr_assert(plan_mark(p, c));
    cr_assert(plan_mark(p, c)); /* twice is once */
    cr_assert_eq(plan_left(p), 7);
    cr_assert_eq(plan_left_ns(p), UINT64_C(441) * S);
    cr_assert(p->cell[5].done);
    c->device[0] = 0;
    cr_assert_not(plan_mark(p, c), "another device");
    c->device[0] = 1;
    c->repeat = 2;
    cr_assert_not(plan_mark(p, c), "another repeat");
    c->repeat = 1;
    SET(&c->key, CELL_KEY, bs, 512);
    cr_assert_not(plan_mark(p, c), "another key");
    c->ordinal = 8;
    cr_assert_not(plan_mark(p, c), "beyond the plan");
    cell_destroy(c);
    c = stored(p, 0, STATUS_PARTIAL);
    cr_assert(plan_mark(p, c));
    cr_assert_not(p->cell[0].done);
    cell_destroy(c);
    plan_destroy(p);
}

Test(plan, json_makes_the_same_plan)
{
    struct plan_axes a = axes_of("4k..1M,1536", "1..64", "1,3");
    a.rw[0] = RW_RANDRW;
    a.rw[1] = RW_WRITE;
    a.n_rw = 2;
    a.rwmixread = range_of("0,30", RANGE_COUNT);
    a.repeats = 2;
    a.n_devices = 3;
    a.order = PLAN_SHUFFLED;
    a.seed = PLAN_MAX_SEED;
    a.runtime_ns = 123456789;
    a.ramp_ns = 0;
    SET(&a.base, CELL_KEY, size, UINT64_MAX);
    SET(&a.base, CELL_KEY, rate_iops, 0.1);
    field_set_text(&cell_key_fields, &a.base, CELL_KEY_options, "{\"a\":\"b\\\"\"}");
    struct plan *p = plan_of(a);
    char *json = plan_to_json(p);
    cr_assert_null(strchr(json, '\n'));
    struct plan *back = NULL;
    struct error err = ERROR_INIT;
    cr_assert_eq(plan_from_json(&back, json, &err), 0, "%s", err.message);
    cr_assert_eq(back->n, p->n);
    cr_assert_eq(plan_left_ns(back), plan_left_ns(p));
    cr_assert_eq(back->axes.interval_ns, S);
    for (size_t i = 0; i < p->n; i++) {
        char *expected = key_text(p, i);
        assert_key(back, i, expected);
        free(expected);
        cr_assert(back->cell[i].repeat == p->cell[i].repeat &&
                  back->cell[i].device == p->cell[i].device);
    }
    char *again = plan_to_json(back);
    cr_assert_str_eq(again, json);
    free(again);
    free(json);
    plan_destroy(p);
    plan_destroy(back);
}

Test(plan, bad_json_is_an_error_of_the_store)
{
    static const char *const bad[] = {
        "",
        "[]",
        "{\"version\":1",
        "{\"version\":1}",
        "{\"version\":2}",
        "{\"version\":1,\"repeats\":-1}",
        "{\"version\":1,\"repeats\":1,\"devices\":1,\"seed\":1,\"runtime_ns\":1,\"ramp_ns\":0,"
        "\"interval_ns\":1,\"rwmixread\":[],\"bs\":[\"4k\"],\"iodepth\":[1],\"numjobs\":[1],"
        "\"rw\":[\"read\"],\"order\":\"plan\",\"key\":{}}",
        "{\"version\":1,\"repeats\":1,\"devices\":1,\"seed\":1,\"runtime_ns\":1,\"ramp_ns\":0,"
        "\"interval_ns\":1,\"rwmixread\":[],\"bs\":[4096],\"iodepth\":[1],\"numjobs\":[1],"
        "\"rw\":[\"reed\"],\"order\":\"plan\",\"key\":{}}",
        "{\"version\":1,\"repeats\":1,\"devices\":1,\"seed\":1,\"runtime_ns\":1,\"ramp_ns\":0,"
        "\"interval_ns\":1,\"rwmixread\":[],\"bs\":[4096],\"iodepth\":[1],\"numjobs\":[1],"
        "\"rw\":[\"read\"],\"order\":\"back\",\"key\":{}}",
        "{\"version\":1,\"repeats\":1,\"devices\":1,\"seed\":1,\"runtime_ns\":1,\"ramp_ns\":0,"
        "\"interval_ns\":1,\"rwmixread\":[],\"bs\":[4096],\"iodepth\":[1],\"numjobs\":[1],"
        "\"rw\":[\"read\"],\"order\":\"plan\",\"key\":{\"direct\":\"maybe\"}}"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct plan *p = NULL;
        struct error err = ERROR_INIT;
        cr_assert_eq(plan_from_json(&p, bad[i], &err), -ERR_STORE, "%s", bad[i]);
        cr_assert_null(p);
        cr_assert(err.message[0]);
    }
}

/* In CPU time, as the machine may have other work; sanitizers take several times as much. */
Test(plan, ten_thousand_cells_are_there_at_once)
{
    clock_t start = clock();
    struct plan *p = plan_of(axes_of("512..51200/+512", "1..100/+1", "1"));
    cr_assert_eq(p->n, 10000);
    char *json = plan_to_json(p);
    struct plan *back = NULL;
    cr_assert_eq(plan_from_json(&back, json, NULL), 0);
    double took = (double)(clock() - start) / CLOCKS_PER_SEC;
    cr_assert_lt(took, 2.5, "%g s of CPU time", took);
    free(json);
    plan_destroy(p);
    plan_destroy(back);
}

/* 2 jobs x 100 writes a second x 64k for 63 s; a trim writes nothing; a read neither. */
Test(plan, bytes_to_be_written)
{
    struct plan_axes a = axes_of("4k", "8", "2");
    static const enum rw patterns[] = {RW_RANDREAD, RW_RANDRW, RW_TRIM};
    struct plan_writes w;
    a.n_rw = sizeof patterns / sizeof *patterns;
    memcpy(a.rw, patterns, sizeof patterns);
    a.rwmixread = range_of("70", RANGE_COUNT);
    SET(&a.base, CELL_KEY, bs_write, 65536);
    SET(&a.base, CELL_KEY, rate_iops, 100);
    struct plan *p = plan_of(a);
    plan_writes(&w, p, 0);
    cr_expect_float_eq(w.bytes, 2.0 * 100 * 65536 * 63, 1e-3);
    cr_expect(w.ns == 63 * S && w.open_ns == 0 && w.trim_ns == 63 * S);
    SET(&p->axes.base, CELL_KEY, rate_iops_write, 10);
    plan_writes(&w, p, 0);
    cr_expect_float_eq(w.bytes, 2.0 * 10 * 65536 * 63, 1e-3);
    p->cell[1].done = true;
    plan_writes(&w, p, 0);
    cr_expect(w.ns == 0 && w.bytes == 0);
    plan_destroy(p);
    /* without a rate: as much as the device takes; each device its own share of the cells */
    a = axes_of("4k,8k", "8", "1");
    a.rw[0] = RW_WRITE;
    a.n_devices = 2;
    p = plan_of(a);
    plan_writes(&w, p, 1);
    cr_expect(w.ns == 2 * 63 * S && w.open_ns == w.ns && w.bytes == 0);
    plan_destroy(p);
}

/* A cell as it would be stored, with these rates measured. */
static struct cell *measured(const struct plan *p, size_t i, double reads, double writes)
{
    struct cell *c = cell_create();
    plan_key(&c->key, p, &p->cell[i]);
    SET(c, CELL, ordinal, i);
    SET(c, CELL, repeat, p->cell[i].repeat);
    SET(c, CELL, status, STATUS_COMPLETE);
    c->n_devices = 1;
    c->device = xcalloc(1, sizeof *c->device);
    SET(&c->dir[DIR_READ], DIRECTION, iops, reads);
    SET(&c->dir[DIR_WRITE], DIRECTION, iops, writes);
    return c;
}

static struct plan *curve_plan(void)
{
    struct plan_axes a = axes_of("4k", "8,16", "2");
    a.rw[0] = RW_RANDRW;
    a.curve = range_of("10,50,100", RANGE_COUNT);
    a.repeats = 2;
    field_set_text(&cell_key_fields, &a.base, CELL_KEY_arrival, "constant");
    return plan_of(a);
}

/* Each maximum is followed by its steps, whose rates are shares of what it did, each job its part. */
Test(plan, a_curve_follows_each_maximum)
{
    struct plan *p = curve_plan();
    cr_assert_eq(p->n, 16);
    static const uint64_t percent[] = {0, 10, 50, 100};
    for (size_t i = 0; i < p->n; i++) {
        cr_expect_eq(p->cell[i].percent, percent[i % 4]);
        cr_expect_eq(p->cell[i].iodepth, i % 8 < 4 ? 8 : 16);
        cr_expect_eq(plan_rate_is_known(&p->cell[i]), i % 4 == 0);
    }
    cr_expect_eq(plan_left_ns(p), 16 * plan_cell_ns(p));
    struct cell *c = measured(p, 4, 2000, 1000.4);
    cr_expect(plan_mark(p, c));
    for (size_t r = 0; r < 2; r++) {
        const struct plan_cell *step = &p->cell[8 * r + 4];
        cr_expect_not(plan_rate_is_known(step - 1));
        cr_expect(step[1].rate[0] == 100 && step[1].rate[1] == 50.02, "%g", step[1].rate[1]);
        cr_expect(step[2].rate[0] == 500 && step[2].rate[1] == 250.1);
        cr_expect(step[3].rate[0] == 1000 && step[3].rate[1] == 500.2);
    }
    cell_destroy(c);
    /* a maximum that was not finished gives no rates; a later repeat does not change them */
    c = measured(p, 0, 2000, 1000);
    SET(c, CELL, status, STATUS_PARTIAL);
    cr_expect(plan_mark(p, c));
    cr_expect_not(plan_rate_is_known(&p->cell[1]));
    cell_destroy(c);
    c = measured(p, 12, 4000, 2000);
    cr_expect(plan_mark(p, c));
    cr_expect_eq(p->cell[13].rate[0], 100);
    cell_destroy(c);
    plan_destroy(p);
}

/* The key of a step is that of any load with this rate; resumed, what was measured is recognised. */
Test(plan, a_curve_is_resumed)
{
    struct plan *p = curve_plan(), *again;
    struct cell *top = measured(p, 0, 2000, 1000);
    cr_expect(plan_mark(p, top));
    assert_key(p, 0, "rw=randrw rwmixread=50 bs=4096 iodepth=8 numjobs=2 engine=libaio direct=1");
    assert_key(p, 2,
               "rw=randrw rwmixread=50 bs=4096 iodepth=8 numjobs=2 engine=libaio direct=1 "
               "rate_iops=500 rate_iops_write=250 arrival=constant");
    struct cell *step = measured(p, 2, 500, 250);
    char *json = plan_to_json(p);
    struct error err = ERROR_INIT;
    cr_assert_eq(plan_from_json(&again, json, &err), 0, "%s", err.message);
    cr_assert_eq(again->n, p->n);
    cr_expect(plan_mark(again, top) && plan_mark(again, step));
    cr_expect(again->cell[0].done && again->cell[2].done && !again->cell[1].done);
    cr_expect_eq(again->cell[3].rate[0], 1000);
    /* a step that failed for want of a maximum does not take the rates away */
    struct cell *failed = measured(p, 4 + 1, 0, 0);
    SET(failed, CELL, status, STATUS_FAILED);
    plan_set_maximum(again, 4, top);
    plan_mark(again, failed);
    cr_expect(plan_rate_is_known(&again->cell[5]) && !again->cell[5].done);
    cell_destroy(failed);
    cell_destroy(top);
    cell_destroy(step);
    free(json);
    plan_destroy(p);
    plan_destroy(again);
}

/* Whole curves change places, anew in each repeat; rates go to the same curve of the others. */
Test(plan, curves_are_shuffled)
{
    struct plan_axes a = axes_of("4k..64k", "1..64", "1");
    a.curve = range_of("25,50", RANGE_COUNT);
    a.order = PLAN_SHUFFLED;
    a.repeats = 2;
    struct plan *p = plan_of(a);
    size_t curves = 5 * 7, moved = 0, differs = 0;
    cr_assert_eq(p->n, 2 * curves * 3);
    unsigned seen[2][5 * 7] = {{0}};
    for (size_t i = 0; i < p->n; i++) {
        static const uint64_t percent[] = {0, 25, 50};
        const struct plan_cell *c = &p->cell[i], *top = &p->cell[i / 3 * 3];
        cr_assert_eq(c->percent, percent[i % 3]);
        cr_assert(c->bs == top->bs && c->iodepth == top->iodepth && c->repeat == top->repeat);
        size_t at = (size_t)__builtin_ctzll(c->bs >> 12) * 7 + (size_t)__builtin_ctzll(c->iodepth);
        seen[i / (3 * curves)][at] += i % 3 == 0;
        moved += i % 3 == 0 && at != i / 3 % curves;
        differs +=
            i % 3 == 0 && i >= 3 * curves &&
            (c->bs != p->cell[i - 3 * curves].bs || c->iodepth != p->cell[i - 3 * curves].iodepth);
    }
    for (size_t i = 0; i < curves; i++)
        cr_assert(seen[0][i] == 1 && seen[1][i] == 1);
    cr_expect(moved > curves && differs > curves / 2);
    struct cell *top = measured(p, 6, 2000, 0);
    cr_assert(plan_mark(p, top));
    size_t rated = 0;
    for (size_t i = 0; i < p->n; i++) {
        const struct plan_cell *c = &p->cell[i];
        bool same = c->bs == p->cell[6].bs && c->iodepth == p->cell[6].iodepth;
        cr_expect_eq(c->rate[0], same ? 20.0 * (double)c->percent : 0);
        rated += same && c->rate[0] > 0;
    }
    cr_expect_eq(rated, 4);
    cell_destroy(top);
    plan_destroy(p);
}
