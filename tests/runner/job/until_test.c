/*
 * Cells that end when their mean is known well enough. A device of constant rate is known at once;
 * one that stands still every now and then never is.
 */
#include "core/stats/mean_interval.h"
#include "tests/runner/job/sim_cell.h"

static struct cell *run_until(const char *options, uint64_t numjobs, double until, double min_s,
                              double max_s)
{
    struct cell *c = sim_cell(RW_RANDREAD, 4096, 16, numjobs, options);
    struct job_spec spec = sim_spec(2, max_s);
    spec.until = until;
    spec.min_runtime_ns = (uint64_t)(min_s * 1e9);
    run_cell(&spec, c);
    cr_assert_eq(c->status, STATUS_COMPLETE);
    return c;
}

static struct cell *run_drain(const char *options, double max_s)
{
    struct cell *c = sim_cell(RW_RANDREAD, 4096, 16, 1, options);
    struct job_spec spec = sim_spec(0, max_s);
    spec.drain = true;
    spec.min_runtime_ns = UINT64_C(30000000000);
    run_cell(&spec, c);
    cr_assert_eq(c->status, STATUS_COMPLETE);
    return c;
}

/* 130,400 I/Os above the base of 240 at 3500 a second: 40 s, then 30 samples of what lasts. */
Test(drain, ends_when_what_lasts_was_seen)
{
    struct cell *c = run_drain("iops=240,burst_iops=3500,credits=130400,lat=1ms", 3600);
    NEAR(c->runtime_ns, 71e9, 0.03);
    cr_expect_str_eq(c->ended_by, "drained");
    cr_expect_not(IS_KNOWN(c, CELL, ci_half));
    cell_destroy(c);
}

Test(drain, without_a_burst_it_goes_to_the_longest)
{
    struct cell *c = run_drain("iops=3500,lat=1ms", 90);
    NEAR(c->runtime_ns, 90e9, 0.001);
    cr_expect_str_eq(c->ended_by, "max-runtime");
    cell_destroy(c);
}

/* What the cell says of itself follows from its samples. */
static void agrees_with_samples(const struct cell *c)
{
    const struct series *s = c->dir[DIR_READ].series;
    double *x = xcalloc(s->n, sizeof *x);
    for (size_t i = 0; i < s->n; i++)
        x[i] = series_iops(s, i);
    struct mean_interval i;
    cr_assert(interval_of_mean(x, s->n, &i));
    cr_expect_float_eq(c->ci_half, (i.hi - i.mean) / i.mean, 1e-12);
    cr_expect_float_eq(c->n_eff, i.n_eff, 1e-9);
    free(x);
}

Test(until, quiet_device_ends_at_the_shortest_runtime)
{
    struct cell *c = run_until("iops=3500,lat=1ms", 1, 0.02, 30, 600);
    NEAR(c->runtime_ns, 30e9, 0.001);
    NEAR(c->dir[DIR_READ].iops, 3500, 0.001);
    cr_expect_eq(c->dir[DIR_READ].series->n, 30);
    cr_expect(IS_KNOWN(c, CELL, ci_half) && c->ci_half <= 0.02);
    cr_expect_str_eq(c->ended_by, "interval");
    cr_expect_not(cell_has_caveat(c, "interval-wide"));
    agrees_with_samples(c);
    cell_destroy(c);
}

Test(until, noisy_device_goes_to_the_longest)
{
    /* still for 7 of every 13 seconds: the mean is not known to 2 % in two minutes */
    struct cell *c =
        run_until("iops=3500,lat=1ms,stall_at=3s,stall_for=7s,stall_every=13s", 1, 0.02, 30, 120);
    NEAR(c->runtime_ns, 120e9, 0.001);
    cr_expect(c->ci_half > 0.02);
    cr_expect_str_eq(c->ended_by, "max-runtime");
    cr_expect(cell_has_caveat(c, "interval-wide"));
    agrees_with_samples(c);
    cell_destroy(c);
}

/* Between the two: longer than the least, and the wider the interval may be the sooner. */
Test(until, ends_when_it_is_narrow)
{
    const char *noise = "iops=3500,lat=1ms,stall_at=2s,stall_for=300ms,stall_every=1700ms";
    struct cell *wide = run_until(noise, 2, 0.08, 5, 3600);
    struct cell *narrow = run_until(noise, 2, 0.02, 5, 3600);
    cr_expect(wide->runtime_ns < narrow->runtime_ns, "%g s, %g s", (double)wide->runtime_ns / 1e9,
              (double)narrow->runtime_ns / 1e9);
    cr_expect(narrow->runtime_ns > 10 * NS_PER_S && narrow->runtime_ns < 3600 * NS_PER_S);
    cr_expect(wide->ci_half <= 0.08 && narrow->ci_half <= 0.02);
    cr_expect_str_eq(narrow->ended_by, "interval");
    agrees_with_samples(wide);
    agrees_with_samples(narrow);
    cell_destroy(wide);
    cell_destroy(narrow);
}

/* In real time, on the thread that watches. */
Test(until, real_time)
{
    struct cell *c = sim_cell(RW_RANDREAD, 4096, 4, 2, "iops=2000,lat=1ms");
    free(c->key.engine_options);
    c->key.engine_options = xstrdup("iops=2000,lat=1ms");
    struct job_spec spec = sim_spec(0.1, 200);
    spec.interval_ns = 50 * NS_PER_MS;
    spec.until = 0.5;
    spec.min_runtime_ns = 300 * NS_PER_MS;
    uint64_t before = clock_now_ns();
    run_cell(&spec, c);
    cr_expect(clock_now_ns() - before < 100 * NS_PER_S);
    cr_expect_str_eq(c->ended_by, "interval");
    cr_expect(c->runtime_ns >= 250 * NS_PER_MS);
    agrees_with_samples(c);
    cell_destroy(c);
}

Test(until, only_when_asked_for)
{
    struct cell *c = run_sim(RW_RANDREAD, 4096, 16, 1, "iops=3500,lat=1ms", 0, 5);
    cr_expect_not(IS_KNOWN(c, CELL, ci_half));
    cr_expect_null(c->ended_by);
    cell_destroy(c);
}
