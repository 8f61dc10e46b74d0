/* Rows: repeats together, directions and shares apart, groups in words. */
#include <criterion/criterion.h>
#include <math.h>

#include "core/base/xalloc.h"
#include "report/dataset/dataset.h"
#include "tests/support/made.h"

static void add(struct dataset *d, size_t run, struct made m)
{
    struct cell c = {0};
    made_cell(&c, &m);
    dataset_add_cell(d, run, &c);
}

Test(rows, repeats_become_one_row_in_plan_order)
{
    struct dataset *d = dataset_create();
    size_t run = dataset_add_run(d, made_run());
    /* interleaved, as a sweep does repeats */
    for (uint64_t repeat = 1; repeat <= 3; repeat++) {
        add(d, run,
            (struct made){.rw = RW_RANDREAD,
                          .bs = 65536,
                          .depth = 4,
                          .repeat = repeat,
                          .iops = 900 + 100 * (double)repeat});
        add(d, run,
            (struct made){
                .rw = RW_RANDREAD, .bs = 4096, .depth = 4, .repeat = repeat, .iops = 5000});
    }
    size_t n;
    const struct row *r = dataset_rows(d, &n);
    cr_assert_eq(n, 2);
    cr_assert_eq(r[0].bs, 65536);
    cr_assert_eq(r[0].n_repeats, 3);
    cr_assert_eq(r[0].iops, 1100);
    cr_assert_eq(r[0].iops_lo, 1000);
    cr_assert_eq(r[0].iops_hi, 1200);
    cr_assert_eq(r[0].bw, 1100.0 * 65536);
    cr_assert_eq(r[0].depth, 4);
    cr_assert_str_eq(r[0].device, "/dev/sdc");
    cr_assert_str_eq(r[0].pattern, "random read");
    cr_assert_str_eq(r[0].group, "random read");
    cr_assert_eq(r[0].lat_kind, LAT_CLAT);
    /* the merged histogram holds all three */
    cr_assert_eq(r[0].lat.n, hist_n(r[0].lat.hist));
    cr_assert(hist_n(r[0].lat.hist) > 190000);
    cr_assert_eq(r[1].bs, 4096);
    size_t groups;
    dataset_groups(d, &groups);
    cr_assert_eq(groups, 1);
    dataset_destroy(d);
}

Test(rows, even_number_of_repeats_takes_the_middle_of_two)
{
    struct dataset *d = dataset_create();
    size_t run = dataset_add_run(d, made_run());
    add(d, run, (struct made){.rw = RW_READ, .bs = 4096, .repeat = 1, .iops = 100});
    add(d, run, (struct made){.rw = RW_READ, .bs = 4096, .repeat = 2, .iops = 300});
    size_t n;
    cr_assert_eq(dataset_rows(d, &n)[0].iops, 200);
    dataset_destroy(d);
}

Test(rows, a_mix_has_a_row_for_each_direction)
{
    struct dataset *d = dataset_create();
    size_t run = dataset_add_run(d, made_run());
    add(d, run, (struct made){.rw = RW_RANDRW, .bs = 4096, .depth = 8, .iops = 700});
    size_t n;
    const struct row *r = dataset_rows(d, &n);
    cr_assert_eq(n, 2);
    cr_assert_eq(r[0].dir, DIR_READ);
    cr_assert_str_eq(r[0].pattern, "random mix 70/30, reads");
    cr_assert_eq(r[1].dir, DIR_WRITE);
    cr_assert_str_eq(r[1].pattern, "random mix 70/30, writes");
    dataset_destroy(d);
}

Test(rows, groups_name_only_what_differs)
{
    struct dataset *d = dataset_create();
    size_t run = dataset_add_run(d, made_run());
    add(d, run, (struct made){.rw = RW_RANDREAD, .bs = 4096, .depth = 8, .iops = 700});
    add(d, run, (struct made){.rw = RW_RANDREAD, .bs = 4096, .depth = 8, .jobs = 4, .iops = 800});
    struct cell other = {0};
    made_cell(&other, &(struct made){.rw = RW_RANDREAD, .bs = 8192, .depth = 8, .iops = 600});
    field_set_text(&cell_key_fields, &other.key, CELL_KEY_engine, "io_uring");
    dataset_add_cell(d, run, &other);
    size_t n;
    const char *const *group = dataset_groups(d, &n);
    cr_assert_eq(n, 2, "jobs at one iodepth are steps of depth");
    cr_assert_str_eq(group[0], "random read, libaio");
    cr_assert_str_eq(group[1], "random read, 1 job, io_uring");
    cr_assert_eq(dataset_rows(d, &n)[1].depth, 32);
    dataset_destroy(d);
}

Test(rows, devices_together_and_their_shares)
{
    struct dataset *d = dataset_create();
    struct run *r = made_run();
    field_set_text(&device_fields, run_add_device(r), DEVICE_path, "/dev/sdd");
    size_t run = dataset_add_run(d, r);
    add(d, run, (struct made){.rw = RW_RANDREAD, .bs = 4096, .depth = 8, .iops = 700});
    struct cell both = {0};
    made_cell(&both, &(struct made){.rw = RW_RANDREAD, .bs = 4096, .depth = 8, .iops = 1200});
    free(both.device);
    both.device = xcalloc(2, sizeof *both.device);
    both.device[1] = 1;
    both.n_devices = 2;
    both.part = xcalloc(2, sizeof *both.part);
    both.n_parts = 2;
    for (size_t i = 0; i < 2; i++) {
        both.part[i].device = i;
        SET(&both.part[i].dir[DIR_READ], DIRECTION, iops, 600);
        SET(&both.part[i].dir[DIR_READ], DIRECTION, ios, 36000);
    }
    dataset_add_cell(d, run, &both);
    size_t n;
    const struct row *row = dataset_rows(d, &n);
    cr_assert_eq(n, 4);
    cr_assert_str_eq(row[0].group, "random read, /dev/sdc");
    cr_assert_str_eq(row[1].device, "/dev/sdc + /dev/sdd");
    cr_assert_eq(row[1].part, 0);
    cr_assert_str_eq(row[3].device, "/dev/sdd");
    cr_assert_eq(row[3].part, 2);
    cr_assert_eq(row[3].iops, 600);
    cr_assert_eq(row[3].lat_kind, LAT_KIND_COUNT);
    cr_assert(isnan(row_percentile(&row[3], 50)));
    cr_expect_eq(row[3].depth, 8, "the depth of a sweep is that of each device");
    dataset_destroy(d);
}

/* A result of two hosts with `jobs` jobs between them at a depth of 32: rows of both, of one, of the other. */
static void expect_host_depths(const char *caveat, uint64_t jobs, uint64_t whole, uint64_t each)
{
    struct dataset *d = dataset_create();
    struct run *r = made_run();
    field_set_text(&device_fields, run_add_device(r), DEVICE_path, "b:/dev/sdc");
    size_t run = dataset_add_run(d, r);
    struct cell c = {0};
    made_cell(&c, &(struct made){.rw = RW_RANDREAD, .bs = 4096, .depth = 32, .iops = 1200});
    SET(&c.key, CELL_KEY, numjobs, jobs);
    field_set_text(&cell_fields, &c, CELL_extra, "{\"hosts\":[\"a\",\"b\"]}");
    if (caveat)
        cell_add_caveat(&c, caveat);
    free(c.device);
    c.device = xcalloc(2, sizeof *c.device);
    c.device[1] = 1;
    c.n_devices = c.n_parts = 2;
    c.part = xcalloc(2, sizeof *c.part);
    for (size_t i = 0; i < 2; i++) {
        c.part[i].device = i;
        SET(&c.part[i].dir[DIR_READ], DIRECTION, iops, 600);
        SET(&c.part[i].dir[DIR_READ], DIRECTION, ios, 36000);
    }
    dataset_add_cell(d, run, &c);
    size_t n;
    const struct row *row = dataset_rows(d, &n);
    cr_assert_eq(n, 3);
    cr_expect_eq(row[0].depth, whole);
    cr_expect_eq(row[1].depth, each);
    cr_expect_eq(row[2].depth, each);
    cr_expect_eq(row[2].jobs, each / 32);
    dataset_destroy(d);
}

Test(rows, hosts_have_the_depth_of_their_own_jobs)
{
    expect_host_depths(NULL, 10, 320, 160);
    expect_host_depths(NULL, 7, 224, 0);
    expect_host_depths("jobs-missing", 6, 192, 0);
    expect_host_depths("hosts-differ", 10, 320, 0);
}

Test(rows, a_failed_cell_is_kept_without_values)
{
    struct dataset *d = dataset_create();
    size_t run = dataset_add_run(d, made_run());
    struct cell c = {0};
    made_cell(&c, &(struct made){.rw = RW_RANDWRITE, .bs = 4096, .depth = 8, .iops = 700});
    direction_release(&c.dir[DIR_WRITE]);
    c.dir[DIR_WRITE] = (struct direction){0};
    SET(&c, CELL, status, STATUS_FAILED);
    field_set_text(&cell_fields, &c, CELL_error, "Input/output error");
    dataset_add_cell(d, run, &c);
    size_t n;
    const struct row *r = dataset_rows(d, &n);
    cr_assert_eq(n, 1);
    cr_assert_eq(r[0].n_repeats, 0);
    cr_assert_eq(r[0].dir, DIR_WRITE);
    cr_assert(isnan(r[0].iops));
    cr_assert_str_eq(r[0].cell->error, "Input/output error");
    dataset_destroy(d);
}

Test(rows, percentiles_need_support)
{
    struct dataset *d = dataset_create();
    size_t run = dataset_add_run(d, made_run());
    add(d, run, (struct made){.rw = RW_RANDREAD, .bs = 4096, .iops = 100, .lat_ns = 1e6});
    add(d, run,
        (struct made){.rw = RW_RANDREAD, .bs = 8192, .iops = 100, .lat_ns = 1e6, .no_hist = true});
    size_t n;
    const struct row *r = dataset_rows(d, &n);
    cr_assert_float_eq(row_percentile(&r[0], 50), 1e6, 1e4);
    cr_assert(isnan(row_percentile(&r[0], 99.99)), "6,000 I/Os have no 99.99th percentile");
    cr_assert_eq(row_percentile(&r[0], 100), (double)r[0].lat.max);
    cr_assert_float_eq(row_percentile(&r[1], 50), 1e6, 1e4, "as reported");
    cr_assert(isnan(row_percentile(&r[1], 95)), "not reported");
    dataset_destroy(d);
}

Test(rows, reported_percentiles_of_repeats_are_not_averaged)
{
    struct dataset *d = dataset_create();
    size_t run = dataset_add_run(d, made_run());
    for (uint64_t repeat = 1; repeat <= 2; repeat++)
        add(d, run,
            (struct made){.rw = RW_RANDREAD,
                          .bs = 4096,
                          .repeat = repeat,
                          .iops = 100,
                          .lat_ns = 1e6 * (double)repeat,
                          .no_hist = true});
    size_t n;
    const struct row *r = dataset_rows(d, &n);
    cr_assert_eq(n, 1);
    cr_assert(isnan(row_percentile(&r[0], 99)));
    cr_assert(IS_KNOWN(&r[0].lat, LAT_F, mean));
    cr_assert(r[0].lat.mean > 1.4e6 && r[0].lat.mean < 1.8e6);
    dataset_destroy(d);
}

/* Rates of a load that is there without one as well: a group of their own, each knows its maximum. */
Test(rows, steps_of_a_response_curve)
{
    struct dataset *d = dataset_create();
    size_t run = dataset_add_run(d, made_run());
    static const double share[] = {0, 0.25, 0.5, 1};
    for (uint64_t bs = 4096; bs <= 8192; bs *= 2)
        for (size_t i = 0; i < 4; i++)
            add(d, run,
                (struct made){.rw = RW_RANDREAD,
                              .bs = bs,
                              .depth = 8,
                              .iops = i ? 1000 * share[i] : 1000,
                              .rate_bw = 1000 * share[i] * (double)bs});
    /* one rate beside the closed loop makes no curve, nor do rates without it */
    add(d, run, (struct made){.rw = RW_READ, .bs = 4096, .iops = 1000});
    add(d, run, (struct made){.rw = RW_READ, .bs = 4096, .iops = 10, .rate_bw = 40960});
    add(d, run, (struct made){.rw = RW_WRITE, .bs = 4096, .iops = 10, .rate_bw = 40960});
    add(d, run, (struct made){.rw = RW_WRITE, .bs = 4096, .iops = 20, .rate_bw = 81920});
    size_t n, groups;
    const struct row *r = dataset_rows(d, &n);
    cr_assert_eq(n, 12);
    for (size_t i = 0; i < 8; i++) {
        cr_expect_eq(r[i].maximum, i % 4 ? &r[i / 4 * 4] : NULL, "row %zu", i);
        cr_expect_str_eq(r[i].group, i % 4 ? "random read, response curve" : "random read");
    }
    for (size_t i = 8; i < 12; i++)
        cr_expect_null(r[i].maximum);
    dataset_groups(d, &groups);
    cr_assert_eq(groups, 2 + 4);
    dataset_destroy(d);
}

Test(rows, no_cells_no_rows)
{
    struct dataset *d = dataset_create();
    size_t n = 9;
    dataset_rows(d, &n);
    cr_assert_eq(n, 0);
    dataset_add_run(d, made_run());
    dataset_groups(d, &n);
    cr_assert_eq(n, 0);
    dataset_destroy(d);
}

Test(merge, runs_of_one_matrix)
{
    struct dataset *d = dataset_create();
    for (int i = 0; i < 3; i++) {
        struct run *r = made_run();
        run_set_label(r, "release", i == 2 ? "6.9" : "6.8");
        run_set_label(r, "rack", "7");
        if (i == 1) { /* the same devices in another order */
            struct device_info first = r->device[0];
            r->device[0] = (struct device_info){0};
            field_set_text(&device_fields, &r->device[0], DEVICE_path, "/dev/sdd");
            *run_add_device(r) = first;
            field_set_text(&host_fields, &r->host, HOST_kernel, "6.9.0");
        }
        made_limit(r, OWNER_VM, CAP_IOPS, PHASE_BASE, PATH_ANY, 8000, "8000");
        size_t run = dataset_add_run(d, r);
        struct cell c = {0};
        made_cell(&c, &(struct made){.rw = RW_RANDREAD, .bs = 4096, .iops = 100 + 100.0 * i});
        c.device[0] = i == 1;
        dataset_add_cell(d, run, &c);
    }
    size_t all;
    cr_assert_eq(dataset_merge_runs(&all, d, NULL), 0);
    cr_assert_eq(all, 3);
    cr_assert_eq(dataset_n_cells(d, 0), 0);
    cr_assert_eq(dataset_n_cells(d, all), 3);
    const struct run *r = dataset_run(d, all);
    cr_assert_eq(r->n_devices, 2);
    cr_assert_eq(r->n_limits, 1, "the same cap is listed once");
    cr_assert_eq(r->n_labels, 1);
    cr_assert_str_eq(run_label(r, "rack"), "7");
    cr_assert_null(r->host.kernel, "they differ");
    cr_assert_str_eq(r->host.hostname, "db7");
    size_t n;
    const struct row *row = dataset_rows(d, &n);
    cr_assert_eq(n, 1, "one key on one device");
    cr_assert_eq(row[0].n_repeats, 3);
    cr_assert_eq(row[0].iops, 200);
    cr_assert_str_eq(row[0].device, "/dev/sdc");
    dataset_destroy(d);
}

static struct dataset *two_runs(const char *second_device, enum limit_owner owner, double second)
{
    struct dataset *d = dataset_create();
    for (size_t i = 0; i < 2; i++) {
        struct run *r = made_run();
        if (i == 1)
            field_set_text(&device_fields, &r->device[0], DEVICE_path, second_device);
        made_limit(r, owner, CAP_IOPS, PHASE_BASE, PATH_ANY, i == 0 ? 2000 : second, "x");
        r->id = (int64_t)i + 1;
        dataset_add_run(d, r);
    }
    return d;
}

/* A cap that was changed between two runs makes no mean of both; on devices of their own each keeps its. */
Test(rows, runs_with_different_limits)
{
    struct dataset *d = two_runs("/dev/sdc", OWNER_DISK, 1000);
    struct error err = ERROR_INIT;
    size_t at;
    cr_expect_eq(dataset_merge_runs(&at, d, &err), -ERR_USAGE);
    cr_expect(strstr(err.message, "disk IOPS: 2,000 and 1,000"), "%s", err.message);
    dataset_destroy(d);

    d = two_runs("/dev/other", OWNER_VM, 1000);
    cr_expect_eq(dataset_merge_runs(&at, d, &err), -ERR_USAGE);
    dataset_destroy(d);

    d = two_runs("/dev/other", OWNER_DISK, 1000);
    cr_assert_eq(dataset_merge_runs(&at, d, &err), 0);
    const struct run *r = dataset_run(d, at);
    cr_assert(r->n_limits == 2 && r->n_devices == 2);
    for (size_t i = 0; i < 2; i++)
        cr_expect(IS_KNOWN(&r->limit[i], LIMIT, device) && r->limit[i].device == i &&
                  r->limit[i].value == (i == 0 ? 2000 : 1000));
    dataset_destroy(d);

    d = two_runs("/dev/other", OWNER_DISK, 2000);
    cr_assert_eq(dataset_merge_runs(&at, d, &err), 0);
    r = dataset_run(d, at);
    cr_expect(r->n_limits == 1 && !IS_KNOWN(&r->limit[0], LIMIT, device));
    dataset_destroy(d);
}

/* fio counts from the issue of an I/O, also at a rate of its own. */
Test(rows, only_own_rates_count_from_the_due_time)
{
    static const char *const tool[] = {"blkmatrix 0.1.0", "fio-3.33", NULL};
    for (size_t i = 0; i < 3; i++) {
        struct dataset *d = dataset_create();
        struct run *run = made_run();
        field_set_text(&run_fields, run, RUN_tool, tool[i]);
        dataset_add_run(d, run);
        struct cell c = {0};
        made_cell(&c,
                  &(struct made){.rw = RW_RANDREAD, .bs = 4096, .iops = 200, .rate_bw = 819200});
        c.dir[DIR_READ].lat[LAT_LAT] = c.dir[DIR_READ].lat[LAT_CLAT];
        c.dir[DIR_READ].lat[LAT_CLAT] = (struct lat){0};
        dataset_add_cell(d, 0, &c);
        size_t n;
        const struct row *r = dataset_rows(d, &n);
        cr_assert_eq(r[0].lat_kind, LAT_LAT);
        cr_assert_eq(row_is_from_due(&r[0]), i == 0);
        dataset_destroy(d);
    }
}

/* The rate of the other direction is said where it differs, and is in the way elsewhere. */
Test(rows, each_direction_of_a_mix_has_its_own_rate)
{
    /* 16 and 5 MiB/s of the same blocks: 16/21 of the I/Os are reads */
    static const char *const same[] = {
        "sequential mix 76.2/23.8, reads, own rate 16 MiB/s a job",
        "sequential mix 76.2/23.8, writes, own write rate 5 MiB/s a job"};
    for (size_t cells = 1; cells <= 2; cells++) {
        struct dataset *d = dataset_create();
        dataset_add_run(d, made_run());
        for (size_t i = 0; i < cells; i++) {
            struct cell c = {0};
            made_cell(&c, &(struct made){
                              .rw = RW_RW, .bs = 4096, .iops = 200, .rate_bw = 16 * 1048576.0});
            SET(&c.key, CELL_KEY, rate_bw_write, (i ? 6.5 : 5) * 1048576);
            dataset_add_cell(d, 0, &c);
        }
        size_t n;
        const struct row *r = dataset_rows(d, &n);
        cr_assert_eq(n, 2 * cells);
        for (size_t i = 0; i < n && cells == 1; i++)
            cr_expect_str_eq(r[i].group, same[i]);
        if (cells == 2)
            cr_expect_str_neq(r[0].group, r[2].group);
        dataset_destroy(d);
    }
}
