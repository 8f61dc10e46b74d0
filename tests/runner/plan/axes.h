/* Axes of small plans, for the tests of this folder. */
#ifndef TESTS_RUNNER_PLAN_AXES_H
#define TESTS_RUNNER_PLAN_AXES_H

#include <criterion/criterion.h>

#include "runner/plan/plan.h"

#define S UINT64_C(1000000000)

static inline struct range range_of(const char *text, enum range_unit unit)
{
    struct range r = RANGE_INIT;
    cr_assert_eq(range_parse(&r, text, unit, 0, UINT64_MAX, NULL), 0, "%s", text);
    return r;
}

static inline struct plan_axes axes_of(const char *bs, const char *depth, const char *jobs)
{
    struct plan_axes a = {.rw = {RW_RANDREAD},
                          .n_rw = 1,
                          .repeats = 1,
                          .n_devices = 1,
                          .seed = 42,
                          .runtime_ns = 60 * S,
                          .ramp_ns = 3 * S,
                          .interval_ns = S};
    a.bs = range_of(bs, RANGE_SIZE);
    a.iodepth = range_of(depth, RANGE_COUNT);
    a.numjobs = range_of(jobs, RANGE_COUNT);
    field_set_text(&cell_key_fields, &a.base, CELL_KEY_engine, "libaio");
    SET(&a.base, CELL_KEY, direct, true);
    return a;
}

static inline struct plan *plan_of(struct plan_axes a)
{
    struct plan *p = NULL;
    struct error err = ERROR_INIT;
    cr_assert_eq(plan_create(&p, &a, &err), 0, "%s", err.message);
    return p;
}

#endif
