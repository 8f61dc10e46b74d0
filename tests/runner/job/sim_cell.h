/* Cells on the simulated device in virtual time, for the tests of this folder. */
#ifndef TESTS_RUNNER_JOB_SIM_CELL_H
#define TESTS_RUNNER_JOB_SIM_CELL_H

#include <criterion/criterion.h>
#include <math.h>

#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "runner/job/job.h"

static inline struct cell *sim_cell(enum rw rw, uint64_t bs, uint64_t iodepth, uint64_t numjobs,
                                    const char *options)
{
    struct cell *c = cell_create();
    SET(&c->key, CELL_KEY, rw, rw);
    SET(&c->key, CELL_KEY, bs, bs);
    SET(&c->key, CELL_KEY, iodepth, iodepth);
    SET(&c->key, CELL_KEY, numjobs, numjobs);
    SET(c, CELL, ordinal, 3);
    SET(c, CELL, repeat, 1);
    c->key.engine = xstrdup("sim");
    c->key.engine_options = xasprintf("virtual=1,%s", options);
    return c;
}

static const struct job_target sim_disks[4] = {{-1, UINT64_C(64) << 30, "disk0"},
                                               {-1, UINT64_C(64) << 30, "disk1"},
                                               {-1, UINT64_C(64) << 30, "disk2"},
                                               {-1, UINT64_C(64) << 30, "disk3"}};

static inline struct job_spec sim_spec(double ramp_s, double runtime_s)
{
    return (struct job_spec){.target = sim_disks,
                             .n_targets = 1,
                             .ramp_ns = (uint64_t)(ramp_s * 1e9),
                             .runtime_ns = (uint64_t)(runtime_s * 1e9),
                             .run_seed = 1};
}

static inline void run_cell(const struct job_spec *spec, struct cell *c)
{
    struct error err = ERROR_INIT;
    int rc = job_run_cell(spec, c, &err);
    cr_assert_eq(rc, 0, "%s", err.message);
}

static inline struct cell *run_sim(enum rw rw, uint64_t bs, uint64_t iodepth, uint64_t numjobs,
                                   const char *options, double ramp_s, double runtime_s)
{
    struct cell *c = sim_cell(rw, bs, iodepth, numjobs, options);
    struct job_spec spec = sim_spec(ramp_s, runtime_s);
    run_cell(&spec, c);
    return c;
}

static inline void near(const char *what, double got, double want, double tolerance)
{
    bool ok = fabs(got / want - 1) <= tolerance;
    cr_expect(ok, "%s is %.9g, not %.9g within %g", what, got, want, tolerance);
}
#define NEAR(got, want, tolerance) near(#got, (double)(got), (double)(want), tolerance)

#endif
