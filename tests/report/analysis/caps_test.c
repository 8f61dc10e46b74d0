/* Throttles of the host, each of a device: which rates they cap when several devices are loaded. */
#include <criterion/criterion.h>

#include "report/analysis/analysis.h"
#include "tests/support/made.h"

struct throttled {
    struct dataset *dataset;
    const struct row *row[3]; /* both devices, the first's share, the second's */
    struct row_cap cap[4];
};

/* Two devices together, 2,000 and 1,000 IOPS. name NULL: not throttled. */
static struct throttled begin(const char *const name[2], const double value[2])
{
    struct throttled t = {.dataset = dataset_create()};
    struct run *run = made_run();
    field_set_text(&device_fields, run_add_device(run), DEVICE_path, "/dev/sdd");
    for (size_t i = 0; i < 2; i++) {
        if (!name[i])
            continue;
        struct limit *l =
            made_limit(run, OWNER_HOST, CAP_IOPS, PHASE_BASE, PATH_ANY, value[i], "x");
        SET(l, LIMIT, device, i);
        field_set_text(&limit_fields, l, LIMIT_name, name[i]);
    }
    dataset_add_run(t.dataset, run);
    struct cell c = {0};
    made_cell(&c, &(struct made){.rw = RW_RANDREAD, .bs = 4096, .depth = 16, .iops = 3000});
    made_parts(&c, DIR_READ, (const double[]){2000, 1000});
    dataset_add_cell(t.dataset, 0, &c);
    size_t n;
    const struct row *row = dataset_rows(t.dataset, &n);
    cr_assert_eq(n, 3);
    for (size_t i = 0; i < n; i++)
        t.row[row[i].part] = &row[i];
    return t;
}

/* Each its own: together their sum; what caps one is none of the other. */
Test(caps, throttles_of_two_devices_add_up)
{
    struct throttled t =
        begin((const char *[]){"throttle of 7:0", "throttle of 7:1"}, (double[]){2000, 1000});
    cr_assert_eq(row_caps(t.row[0], t.cap), 1);
    cr_expect_float_eq(t.cap[0].iops, 3000, 1e-9);
    cr_assert_eq(row_caps(t.row[1], t.cap), 1);
    cr_expect_float_eq(t.cap[0].iops, 2000, 1e-9);
    cr_assert_eq(row_caps(t.row[2], t.cap), 1);
    cr_expect_float_eq(t.cap[0].iops, 1000, 1e-9);
    dataset_destroy(t.dataset);
}

/* Both stand on the device that is throttled: one budget, of which each has its share. */
Test(caps, a_throttle_below_two_devices_is_one)
{
    struct throttled t =
        begin((const char *[]){"throttle of 7:0", "throttle of 7:0"}, (double[]){3000, 3000});
    cr_assert_eq(row_caps(t.row[0], t.cap), 1);
    cr_expect_float_eq(t.cap[0].iops, 3000, 1e-9);
    cr_assert_eq(row_caps(t.row[1], t.cap), 1);
    cr_expect_float_eq(t.cap[0].iops, 2000, 1e-9);
    cr_expect_float_eq(t.cap[0].total, 3000, 1e-9);
    cr_expect_float_eq(row_share_of_budget(t.row[2], t.cap[0].limit), 1 / 3.0, 1e-9);
    dataset_destroy(t.dataset);
}

/* The other one is free: there is no cap of both. */
Test(caps, a_throttle_of_one_device_is_none_of_both)
{
    struct throttled t = begin((const char *[]){NULL, "throttle of 7:1"}, (double[]){0, 1000});
    cr_expect_eq(row_caps(t.row[0], t.cap), 0);
    cr_expect_eq(row_caps(t.row[1], t.cap), 0);
    cr_expect_eq(row_caps(t.row[2], t.cap), 1);
    dataset_destroy(t.dataset);
}
