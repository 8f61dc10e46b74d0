/* What goes wrong on a device: the cell says so, keeps what was measured, and nothing hangs. */
#include <errno.h>
#include <pthread.h>

#include "tests/runner/job/sim_cell.h"

Test(faults, some_ios_fail)
{
    struct cell *c = run_sim(RW_RANDREAD, 4096, 4, 1, "lat=1ms,eio_every=10", 0, 10);
    const struct direction *r = &c->dir[DIR_READ];
    cr_expect_eq(c->status, STATUS_PARTIAL);
    cr_expect_eq(c->error_code, EIO);
    cr_expect(strstr(c->error, "disk0: 4000 I/Os failed (Input/output error)"), "%s", c->error);
    NEAR(r->failed_ios, 4000, 0.001);
    NEAR(r->ios, 36000, 0.001);
    cr_expect_eq(r->lat[LAT_LAT].n, r->ios);
    cell_destroy(c);
}

/* Those of the ramp are told of, and none of the figures. */
Test(faults, some_fail_in_the_ramp)
{
    struct cell *c = run_sim(RW_RANDREAD, 4096, 4, 1, "lat=1ms,eio_every=1000", 2, 10);
    cr_expect_eq(c->dir[DIR_READ].failed_ios, 40);
    cr_expect(
        strstr(c->error, "48 I/Os failed (Input/output error), 40 of them in the measured time;"),
        "%s", c->error);
    cell_destroy(c);
}

Test(faults, one_io_fails)
{
    struct cell *c = run_sim(RW_RANDREAD, 4096, 4, 1, "lat=1ms,eio_every=30000", 0, 10);
    cr_expect_eq(c->dir[DIR_READ].failed_ios, 1);
    cr_expect(strstr(c->error, "disk0: 1 I/O failed (Input/output error)"), "%s", c->error);
    cell_destroy(c);
}

Test(faults, short_ios)
{
    struct cell *c = run_sim(RW_RANDREAD, 4096, 1, 1, "lat=1ms,short_every=4", 0, 10);
    const struct direction *r = &c->dir[DIR_READ];
    cr_expect_eq(c->status, STATUS_PARTIAL);
    NEAR(r->short_ios, 2500, 0.001);
    NEAR(r->ios, 10000, 0.001);
    NEAR(r->bytes, 7500.0 * 4096 + 2500.0 * 2048, 0.001);
    cell_destroy(c);
}

Test(faults, no_space)
{
    struct cell *c = run_sim(RW_WRITE, 65536, 4, 1, "lat=1ms,enospc_from=64M", 0, 10);
    cr_expect_eq(c->status, STATUS_FAILED);
    cr_expect_eq(c->error_code, ENOSPC);
    cr_expect_eq(c->dir[DIR_WRITE].ios, 1024, "what fitted is kept");
    cr_expect(strstr(c->error, "the cell was ended"), "%s", c->error);
    cell_destroy(c);
}

Test(faults, vanishes)
{
    struct cell *c = run_sim(RW_RANDREAD, 4096, 8, 4, "iops=1000,vanish_at=3s", 1, 10);
    const struct direction *r = &c->dir[DIR_READ];
    cr_expect_eq(c->status, STATUS_FAILED);
    cr_expect_eq(c->error_code, ENODEV);
    NEAR(c->runtime_ns, 2e9, 0.05);
    NEAR(r->ios, 2000, 0.05);
    cr_assert_eq(r->series->n, 2);
    NEAR(series_iops(r->series, 1), 1000, 0.01);
    cell_destroy(c);
}

Test(faults, hangs)
{
    struct cell *c = run_sim(RW_RANDREAD, 4096, 8, 2, "lat=1ms,hang_at=3s", 0, 10);
    cr_expect_eq(c->status, STATUS_FAILED);
    cr_expect_eq(c->error_code, ETIMEDOUT);
    cr_expect(strstr(c->error, "16 I/Os did not come back within 60 s"), "%s", c->error);
    NEAR(c->dir[DIR_READ].ios, 16000 * 3, 0.001);
    NEAR(c->runtime_ns, 10e9, 0.001);
    cr_expect_eq(c->dir[DIR_READ].series->n, 10);
    cr_expect_eq(c->dir[DIR_READ].series->point[9].ios, 0);
    cell_destroy(c);
}

Test(faults, hangs_from_the_start)
{
    struct cell *c = run_sim(RW_RANDREAD, 4096, 8, 1, "lat=1ms,hang_at=0", 0, 2);
    cr_expect_eq(c->status, STATUS_FAILED);
    cr_expect_eq(c->dir[DIR_READ].ios, 0);
    cr_expect_not(IS_KNOWN(&c->dir[DIR_READ].lat[LAT_LAT], LAT_F, mean));
    cr_expect_not(IS_KNOWN(c, CELL, cpu_per_io_ns));
    cell_destroy(c);
}

Test(faults, extent_beyond_the_end)
{
    struct cell *c = sim_cell(RW_READ, 65536, 1, 1, "lat=1ms");
    struct error err = ERROR_INIT;
    struct job_spec spec = sim_spec(0, 5);
    SET(&c->key, CELL_KEY, size, UINT64_C(64) << 20);
    struct job_target small = {.fd = -1, .size = UINT64_C(8) << 20, .label = "small"};
    spec.target = &small;
    cr_assert_eq(job_run_cell(&spec, c, &err), -ERR_USAGE);
    cr_expect(strstr(err.message, "reach behind the end"), "%s", err.message);
    cell_destroy(c);
}

/* A device with less room than the depth: the depth is not reached, and the cell says so. */
Test(faults, less_room_than_depth)
{
    struct cell *c = run_sim(RW_RANDREAD, 4096, 64, 1, "lat=1ms,room=8", 1, 5);
    NEAR(c->dir[DIR_READ].iops, 8000, 0.001);
    cr_expect_eq(c->status, STATUS_COMPLETE);
    /* the slots wait in front of the device: in slat, not in clat */
    NEAR(c->dir[DIR_READ].lat[LAT_CLAT].mean, 1e6, 0.001);
    NEAR(c->dir[DIR_READ].lat[LAT_SLAT].mean, 7e6, 0.01);
    cell_destroy(c);
}

Test(faults, settings_that_cannot_be)
{
    struct error err = ERROR_INIT;
    struct job_spec spec = sim_spec(0, 1);
    struct cell *c = sim_cell(RW_READ, 4096, 1, 1, "no_such=1");
    cr_expect_eq(job_run_cell(&spec, c, &err), -ERR_USAGE);
    cr_expect(strstr(err.message, "no_such"), "%s", err.message);
    cell_destroy(c);
    c = sim_cell(RW_READ, UINT64_C(128) << 30, 1, 1, "lat=1ms");
    cr_expect_eq(job_run_cell(&spec, c, &err), -ERR_USAGE);
    cell_destroy(c);
    c = sim_cell(RW_READ, 4096, 0, 1, "lat=1ms");
    cr_expect_eq(job_run_cell(&spec, c, &err), -ERR_USAGE);
    free(c->key.engine);
    c->key.engine = xstrdup("floppy");
    cr_expect_eq(job_run_cell(&spec, c, &err), -ERR_USAGE);
    cr_expect(strstr(err.message, "floppy"), "%s", err.message);
    cell_destroy(c);
}

static atomic_int stop;
static unsigned calls;
static struct job_progress last;

static void on_progress(void *arg, const struct job_progress *p)
{
    (void)arg;
    last = *p;
    if (++calls == 6)
        atomic_store(&stop, 1);
}

/*
 * In real time: the progress of a running cell, and a stop in its middle, 1.3 s into the window: it
 * ends with the second. Wide limits: the machine may be busy with other things.
 */
Test(faults, stopped)
{
    struct cell *c = sim_cell(RW_RANDREAD, 4096, 16, 2, "virtual=0,iops=2000,lat=1ms");
    struct job_spec spec = sim_spec(0.2, 60);
    spec.stop = &stop;
    spec.progress = on_progress;
    uint64_t t0 = clock_now_ns();
    run_cell(&spec, c);
    cr_expect_lt(clock_now_ns() - t0, 30 * NS_PER_S);
    cr_expect_geq(calls, 6);
    cr_expect_not(last.ramping);
    cr_expect_gt(last.elapsed_ns, NS_PER_S);
    cr_expect_eq(last.total_ns, 60200 * NS_PER_MS);
    cr_expect_gt(last.iops, 0);
    NEAR(last.bw, last.iops * 4096, 1e-9);
    cr_expect(last.lat_p99_ns > 10 * NS_PER_MS && last.lat_p99_ns < 10 * NS_PER_S);
    cr_expect_eq(c->status, STATUS_PARTIAL);
    NEAR(c->dir[DIR_READ].iops, 2000, 0.5);
    cr_expect(c->runtime_ns > 1800 * NS_PER_MS && c->runtime_ns < 30 * NS_PER_S);
    cr_expect_geq(c->dir[DIR_READ].series->n, 2);
    cell_destroy(c);
}
