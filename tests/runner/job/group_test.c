/* Several cells at the same time on one simulated device, each with its own start and time. */
#include "tests/runner/job/sim_cell.h"

#define OPTIONS "virtual=1,iops=4000,lat=1ms"

static struct engine_shared *make_device(void)
{
    struct engine_shared *device = NULL;
    struct error err = ERROR_INIT;
    cr_assert_eq(engine_sim.share_create(&device, OPTIONS, 1, &err), 0, "%s", err.message);
    return device;
}

/*
 * One job at 500 of 4000 IOPS all the time, another takes all that is left in the last 4 s of 10:
 * each gets what the arithmetic says, and each has its own window.
 */
Test(group, a_steady_load_and_a_late_burst)
{
    struct engine_shared *device = make_device();
    struct job_spec spec[2] = {sim_spec(0, 10), sim_spec(0, 4)};
    spec[1].delay_ns = 6 * NS_PER_S;
    struct cell *cell[2] = {sim_cell(RW_RANDWRITE, 4096, 1, 1, "iops=4000,lat=1ms"),
                            sim_cell(RW_RANDREAD, 4096, 64, 2, "iops=4000,lat=1ms")};
    SET(&cell[0]->key, CELL_KEY, rate_iops, 500);
    spec[0].shared = spec[1].shared = device;
    struct error err = ERROR_INIT;
    cr_assert_eq(job_run_group(spec, cell, 2, &err), 0, "%s", err.message);

    const struct direction *writes = &cell[0]->dir[DIR_WRITE], *reads = &cell[1]->dir[DIR_READ];
    cr_expect_eq(cell[0]->status, STATUS_COMPLETE);
    cr_expect_eq(cell[1]->status, STATUS_COMPLETE);
    NEAR(reads->runtime_ns, 4e9, 0.01);
    NEAR(writes->runtime_ns, 10e9, 0.01);
    cr_assert_eq(writes->series->n, 10);
    cr_assert_eq(reads->series->n, 4);
    for (size_t i = 0; i < 5; i++)
        NEAR(series_iops(writes->series, i), 500, 0.01);
    /* in the burst there are 128 reads in the device's queue before each write */
    cr_expect_gt(writes->series->point[8].lat_max_ns, 20 * NS_PER_MS);
    cr_expect_lt(writes->series->point[4].lat_max_ns, 2 * NS_PER_MS);
    double in_burst = series_iops(writes->series, 8) + series_iops(reads->series, 2);
    NEAR(in_burst, 4000, 0.01);
    cr_expect_eq((cell[1]->started_ns - cell[0]->started_ns + 500000000) / 1000000000, 6);
    cell_destroy(cell[0]);
    cell_destroy(cell[1]);
    engine_sim.share_destroy(device);
}

/* The second cannot be: the first must not be left waiting at its gate. */
Test(group, none_starts_when_one_cannot, .timeout = 200)
{
    struct engine_shared *device = make_device();
    struct job_spec spec[2] = {sim_spec(0, 5), sim_spec(0, 5)};
    spec[0].shared = spec[1].shared = device;
    struct cell *cell[2] = {sim_cell(RW_RANDREAD, 4096, 1, 1, "iops=4000,lat=1ms"),
                            sim_cell(RW_RANDREAD, 4096, 1, 1, "iops=4000,lat=1ms")};
    const unsigned no_cpu = 100000;
    spec[1].cpu = &no_cpu;
    spec[1].n_cpus = 1;
    struct error err = ERROR_INIT;
    cr_expect_eq(job_run_group(spec, cell, 2, &err), -ERR_USAGE, "%s", err.message);
    SET(&cell[1]->key, CELL_KEY, bs, 0);
    cr_expect_eq(job_run_group(spec, cell, 2, &err), -ERR_USAGE);
    cr_expect_not(direction_is_used(&cell[0]->dir[DIR_READ]));
    cell_destroy(cell[0]);
    cell_destroy(cell[1]);
    engine_sim.share_destroy(device);
}

/* A delay in real time on the clock of the system, and a stop while it lasts. */
Test(group, a_stop_ends_a_delay, .timeout = 200)
{
    atomic_int stop = 1;
    struct job_spec spec = sim_spec(0, 5);
    spec.delay_ns = 3600 * NS_PER_S;
    spec.stop = &stop;
    struct cell *cell = sim_cell(RW_RANDREAD, 4096, 1, 1, "iops=4000");
    free(cell->key.engine_options);
    cell->key.engine_options = xstrdup("iops=4000");
    struct error err = ERROR_INIT;
    cr_expect_eq(job_run_cell(&spec, cell, &err), 0);
    cr_expect_eq(cell->status, STATUS_PARTIAL);
    cell_destroy(cell);
}
