/* Whole cells on the simulated device, in virtual time: what comes out must be what was put in. */
#include <criterion/criterion.h>
#include <math.h>

#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "runner/job/job.h"

static struct cell *make_cell(enum rw rw, uint64_t bs, uint64_t iodepth, uint64_t numjobs,
                              const char *options)
{
    struct cell *c = cell_create();
    SET(&c->key, CELL_KEY, rw, rw);
    SET(&c->key, CELL_KEY, bs, bs);
    SET(&c->key, CELL_KEY, iodepth, iodepth);
    SET(&c->key, CELL_KEY, numjobs, numjobs);
    c->key.engine = xstrdup("sim");
    c->key.engine_options = xasprintf("virtual=1,%s", options);
    return c;
}

static const struct job_target disk = {.fd = -1, .size = UINT64_C(64) << 30, .label = "sim"};

static void run(struct cell *c, double ramp_s, double runtime_s)
{
    struct error err = ERROR_INIT;
    struct job_spec spec = {.target = &disk,
                            .n_targets = 1,
                            .ramp_ns = (uint64_t)(ramp_s * 1e9),
                            .runtime_ns = (uint64_t)(runtime_s * 1e9),
                            .run_seed = 1};
    int rc = job_run_cell(&spec, c, &err);
    cr_assert_eq(rc, 0, "%s", err.message);
}

static void near(const char *what, double got, double want, double tolerance)
{
    bool ok = fabs(got / want - 1) <= tolerance;
    cr_expect(ok, "%s is %.9g, not %.9g within %g", what, got, want, tolerance);
}
#define NEAR(got, want, tolerance) near(#got, got, want, tolerance)

Test(sim_cell, iops_cap)
{
    struct cell *c = make_cell(RW_RANDREAD, 4096, 32, 1, "iops=3500,lat=1ms");
    run(c, 2, 10);
    struct direction *r = &c->dir[DIR_READ];
    NEAR(r->iops, 3500, 0.0002);
    NEAR(r->bw, 3500.0 * 4096, 0.0002);
    NEAR(r->lat[LAT_LAT].mean, 32e9 / 3500, 0.0002);
    NEAR(c->little_ratio, 1, 0.001);
    cr_assert_eq(c->status, STATUS_COMPLETE);
    cr_assert_eq(r->series->n, 10);
    for (size_t i = 0; i < 10; i++)
        NEAR(series_iops(r->series, i), 3500, 0.0005);
    cell_destroy(c);
}
