/* Tables and verdicts of suites, from cells whose figures are known. */
#include "core/model/suite_result.h"

#include <criterion/criterion.h>
#include <math.h>

#include "core/base/json.h"
#include "core/base/xalloc.h"
#include "core/model/run.h"

static struct run *run_of(const char *suite)
{
    struct run *run = run_create();
    char *plan = xasprintf("{\"version\":1,\"suite\":\"%s\"}", suite);
    field_set_text(&run_fields, run, RUN_plan, plan);
    free(plan);
    return run;
}

/* n I/Os of so long each in one direction. */
static void add_direction(struct cell *c, enum dir dir, uint64_t n, uint64_t ns)
{
    struct direction *d = &c->dir[dir];
    struct lat *l = &d->lat[LAT_CLAT];
    SET(d, DIRECTION, ios, d->ios + n);
    SET(d, DIRECTION, iops, (double)d->ios);
    if (!l->hist) {
        l->hist = xmalloc(sizeof *l->hist);
        hist_init(l->hist);
    }
    for (uint64_t i = 0; i < n; i++)
        hist_add(l->hist, ns);
    lat_from_hist(l);
}

static struct cell *cell_of(enum rw rw, uint64_t mix, uint64_t bs)
{
    struct cell *c = cell_create();
    SET(c, CELL, status, STATUS_COMPLETE);
    SET(c, CELL, repeat, 1);
    SET(&c->key, CELL_KEY, rw, rw);
    SET(&c->key, CELL_KEY, bs, bs);
    if (rw_is_mixed(rw))
        SET(&c->key, CELL_KEY, rwmixread, mix);
    c->device = xcalloc(1, sizeof *c->device);
    c->n_devices = 1;
    return c;
}

static void add(struct suite_results *r, struct cell *c)
{
    suite_results_add(r, c);
    cell_destroy(c);
}

static void add_followed(struct suite_results *r, const char *rounds)
{
    struct cell *c = cell_of(RW_RANDWRITE, 0, 4096);
    add_direction(c, DIR_WRITE, 1000, 100000);
    field_set_text(&cell_fields, c, CELL_round_values, rounds);
    SET(c, CELL, steady, true);
    add(r, c);
}

/* Both directions of a mix are one figure: of 750 reads and 250 writes, and of their latencies. */
Test(suite_result, table)
{
    struct run *run = run_of("snia-lat");
    struct suite_results r;
    suite_results_begin(&r, run);
    struct cell *c = cell_of(RW_RANDRW, 75, 8192);
    add_direction(c, DIR_READ, 750, 1000);
    add_direction(c, DIR_WRITE, 250, 5000);
    add(&r, c);
    c = cell_of(RW_RANDREAD, 0, 512);
    add_direction(c, DIR_READ, 20000, 1000);
    add_direction(c, DIR_READ, 100, 9000);
    add(&r, c);
    add_followed(&r, "[1,1,1,1,1]");
    /* neither rounds nor what was not finished is a result */
    c = cell_of(RW_RANDREAD, 0, 4096);
    SET(c, CELL, round, 1);
    add(&r, c);
    c = cell_of(RW_RANDREAD, 0, 4096);
    SET(c, CELL, status, STATUS_PARTIAL);
    add(&r, c);
    suite_results_end(&r);
    cr_assert_eq(r.n, 1);
    const struct suite_result *s = &r.result[0];
    cr_assert_eq(s->n_reads, 3);
    cr_expect(s->reads[0] == 0 && s->reads[1] == 75 && s->reads[2] == 100);
    cr_assert_eq(s->n_bs, 3);
    cr_expect(s->bs[0] == 512 && s->bs[1] == 4096 && s->bs[2] == 8192);
    cr_expect_float_eq(suite_result_at(s, SUITE_IOPS, 75, 8192), 1000, 1e-9);
    cr_expect_float_eq(suite_result_at(s, SUITE_MEAN, 75, 8192), 2000, 1e-9);
    cr_expect_float_eq(suite_result_at(s, SUITE_MAX, 75, 8192), 5000, 1e-9);
    cr_expect_float_eq(suite_result_at(s, SUITE_P99_9, 100, 512), 9000, 9000 * 0.008);
    cr_expect(isnan(suite_result_at(s, SUITE_P99_9, 75, 8192)), "1 of 1000 lies beyond it");
    cr_expect(isnan(suite_result_at(s, SUITE_IOPS, 100, 4096)));
    cr_expect(suite_knows(s, SUITE_P99_9) && !suite_knows(s, SUITE_P99_999));
    struct strbuf out = STRBUF_INIT;
    suite_left_out(&out, r.suite, s);
    cr_expect(strstr(out.text, "no table of the 99.999 % latency") && !strstr(out.text, "99.9 %"));
    strbuf_release(&out);
    suite_results_release(&r);
    run_destroy(run);
}

/* Devices and repeats have results of their own; the long run is none of the table. */
Test(suite_result, sets_apart)
{
    struct run *run = run_of("snia-lat");
    struct suite_results r;
    suite_results_begin(&r, run);
    for (uint64_t repeat = 1; repeat <= 2; repeat++) {
        for (size_t device = 0; device < 2; device++) {
            struct cell *c = cell_of(RW_RANDREAD, 0, 4096);
            SET(c, CELL, repeat, repeat);
            c->device[0] = device;
            add_direction(c, DIR_READ, 10 * repeat + device, 1000);
            add(&r, c);
        }
    }
    struct cell *c = cell_of(RW_RANDWRITE, 0, 4096);
    field_set_text(&cell_fields, c, CELL_stage, STAGE_HISTOGRAM);
    SET(c, CELL, runtime_ns, UINT64_C(1200000000000));
    add_direction(c, DIR_WRITE, 5000, 3000);
    add(&r, c);
    suite_results_end(&r);
    cr_assert_eq(r.n, 4);
    static const double iops[] = {10, 11, 20, 21};
    for (size_t i = 0; i < 4; i++) {
        cr_expect_float_eq(suite_result_at(&r.result[i], SUITE_IOPS, 100, 4096), iops[i], 1e-9);
        cr_expect(isnan(suite_result_at(&r.result[i], SUITE_IOPS, 0, 4096)));
        cr_expect_eq(r.result[i].histogram.known, i == 0);
    }
    struct strbuf out = STRBUF_INIT;
    suite_histogram_words(&out, &r.result[0].histogram);
    cr_expect_str_eq(out.text,
                     "Long run after the rounds, for the histogram of the latencies: 20\u00a0min, "
                     "5,000 I/Os. Latency on average 3.00\u00a0µs, at most 3.00\u00a0µs.");
    strbuf_release(&out);
    suite_results_release(&r);
    run_destroy(run);
}

/* The slope by hand: (-2*1004 - 992 + 996 + 2*1008) / 10 = 1.2. 1004, 992, 1000, 996, 1008 after two others. */
Test(suite_result, verdict)
{
    struct run *run = run_of("snia-iops");
    struct suite_results r;
    suite_results_begin(&r, run);
    add_followed(&r, "[4000,3000,1004,992,1000,996,1008]");
    suite_results_end(&r);
    const struct suite_result *s = &r.result[0];
    cr_expect(s->steady.steady);
    size_t first, last;
    cr_expect(suite_window(s, &first, &last));
    cr_expect(first == 3 && last == 7);
    struct strbuf out = STRBUF_INIT;
    suite_verdict(&out, r.suite, s);
    cr_expect_str_eq(
        out.text,
        "Steady state was reached after 7 rounds (PTS-style, SNIA's rule). The IOPS of "
        "randwrite 4k in the window, rounds 3 to 7: mean 1,000, range 1.6 % of it (at "
        "most 20 %), slope 0.5 % over the window (at most 10 %), fitted line 1.20 x "
        "round + 994 IOPS.",
        "%s", out.text);
    suite_results_release(&r);
    strbuf_reset(&out);
    suite_results_begin(&r, run);
    struct cell *c = cell_of(RW_RANDREAD, 0, 512);
    add_direction(c, DIR_READ, 10, 1000);
    add(&r, c);
    suite_results_end(&r);
    suite_verdict(&out, r.suite, &r.result[0]);
    cr_expect(strstr(out.text, "no result of the load that is followed"));
    strbuf_release(&out);
    suite_results_release(&r);
    run_destroy(run);
}

/* Slopes of 2e-7 of the mean are no figures of a line; and a slope just over 10 % is not shown as 10.0. */
Test(suite_result, verdict_of_a_level_line_and_of_a_slope_just_too_steep)
{
    struct run *run = run_of("snia-iops");
    struct suite_results r;
    static const struct {
        const char *values, *words;
    } cases[] = {
        {"[1000,1000,1000,1000,1000.001]", "slope 0.0 % over the window (at most 10 %), fitted "
                                           "line level at 1,000 IOPS."},
        {"[949.98,974.99,1000,1025.01,1050.02]", "slope 10.004 % over the window (at most 10 %), "},
        {"[123000,123500,124000,124500,125000]", "fitted line 500 x round + 123k IOPS."},
    };
    for (size_t i = 0; i < 3; i++) {
        struct strbuf out = STRBUF_INIT;
        suite_results_begin(&r, run);
        add_followed(&r, cases[i].values);
        suite_results_end(&r);
        suite_verdict(&out, r.suite, &r.result[0]);
        cr_expect(strstr(out.text, cases[i].words), "%s", out.text);
        strbuf_release(&out);
        suite_results_release(&r);
    }
    run_destroy(run);
}

Test(suite_result, none_of_a_sweep)
{
    struct run *run = run_create();
    struct suite_results r;
    suite_results_begin(&r, run);
    add_followed(&r, "[1,1,1,1,1]");
    suite_results_end(&r);
    cr_expect_eq(r.n, 0);
    cJSON *o = cJSON_CreateObject();
    suite_results_to_json(o, &r);
    cr_expect(cJSON_IsNull(cJSON_GetObjectItem(o, "suite")));
    cJSON_Delete(o);
    suite_results_release(&r);
    run_destroy(run);
}

Test(suite, what_is_judged_by_latency)
{
    struct cell_key k = {0};
    SET(&k, CELL_KEY, rw, RW_RANDRW);
    cr_expect_not(suite_judges_latency(NULL, &k));
    cr_expect(suite_judges_latency(suite_find("snia-lat"), &k));
    SET(&k, CELL_KEY, rate_iops, 500);
    cr_expect(suite_judges_latency(NULL, &k));
    cr_expect_not(suite_judges_latency(suite_find("snia-iops"), &k));
    /* the writes are free: how many there are is up to the device */
    SET(&k, CELL_KEY, rate_iops_write, 0);
    cr_expect_not(suite_judges_latency(NULL, &k));
}
