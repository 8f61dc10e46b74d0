/*
 * Loads with a rate on the simulated device. The point of an open loop is that a stall cannot hide:
 * I/Os that could not be issued in it were due in it, and their latency says so.
 */
#include "tests/runner/job/sim_cell.h"

static struct cell *rate_cell(double rate, uint64_t depth, uint64_t jobs, const char *options,
                              const char *arrival)
{
    struct cell *c = sim_cell(RW_RANDREAD, 4096, depth, jobs, options);
    SET(&c->key, CELL_KEY, rate_iops, rate);
    c->key.arrival = xstrdup(arrival);
    return c;
}

Test(open_loop, delivers_the_rate)
{
    static const char *const arrival[] = {"constant", "poisson"};
    for (int i = 0; i < 2; i++) {
        struct cell *c = rate_cell(500, 64, 4, "lat=1ms", arrival[i]);
        struct job_spec spec = sim_spec(1, 50);
        run_cell(&spec, c);
        const struct direction *r = &c->dir[DIR_READ];
        double noise = i == 0 ? 0.0005 : 4 / sqrt(2000 * 50);
        NEAR(r->offered_iops, 2000, noise);
        NEAR(r->iops, r->offered_iops, 0.001);
        NEAR(r->lat[LAT_LAT].mean, 1e6, 0.0001);
        NEAR(c->depth_reached, 2 * r->iops / 2000, 0.001);
        cr_expect_eq(r->late_share, 0);
        cr_expect_leq(r->backlog_max, 4);
        cr_expect_not(IS_KNOWN(c, CELL, little_ratio));
        cr_expect_null(c->caveats, "%s", c->caveats);
        cr_expect(cell_is_rate_limited(c));
        cell_destroy(c);
    }
}

/* Sparse arrivals with irregular pauses: each is counted once, also at the ends of the window. */
Test(open_loop, sparse_arrivals)
{
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct cell *c = rate_cell(20, 8, 1, "lat=1ms", "poisson");
        struct job_spec spec = sim_spec(1, 10);
        spec.run_seed = seed;
        run_cell(&spec, c);
        const struct direction *r = &c->dir[DIR_READ];
        double due = r->offered_iops * (double)r->runtime_ns / 1e9;
        cr_expect(fabs(due - (double)r->ios) <= 1.01, "%g due, %llu done", due,
                  (unsigned long long)r->ios);
        cr_expect_leq(c->runtime_ns, 10300 * NS_PER_MS);
        cell_destroy(c);
    }
}

/*
 * From the start on, without a ramp: an I/O is due at 0 and one at the end, and only one of them belongs to the
 * window, so N a second are N, as fio counts them. None of these loads is late.
 */
Test(open_loop, few_arrivals_are_as_many_as_asked_for)
{
    static const struct {
        double rate, ramp_s, runtime_s;
        uint64_t jobs;
    } load[] = {{10, 0, 1, 1}, {1, 0, 5, 1},  {20, 0, 1, 1}, {7, 0, 1, 1},
                {3, 0, 1, 1},  {3, 1, 1, 1},  {1, 1, 5, 1},  {1, 1, 5, 4},
                {1, 0, 5, 4},  {50, 0, 1, 1}, {2, 0, 5, 3}};
    for (size_t i = 0; i < sizeof load / sizeof load[0]; i++) {
        struct cell *c = rate_cell(load[i].rate, 8, load[i].jobs, "lat=1ms", "constant");
        struct job_spec spec = sim_spec(load[i].ramp_s, load[i].runtime_s);
        run_cell(&spec, c);
        NEAR(c->dir[DIR_READ].iops, load[i].rate * (double)load[i].jobs, 0.005);
        NEAR(c->dir[DIR_READ].offered_iops, load[i].rate * (double)load[i].jobs, 0.005);
        cr_expect_null(c->caveats, "%s at %g", c->caveats, load[i].rate);
        cell_destroy(c);
    }
}

/* Irregular arrivals: fewer in one half of the window than in the other, and none of them late. */
Test(open_loop, irregular_arrivals_are_no_backlog)
{
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct cell *c = rate_cell(50, 8, 1, "lat=1ms", "poisson");
        struct job_spec spec = sim_spec(1, 5);
        spec.run_seed = seed;
        run_cell(&spec, c);
        cr_expect_null(c->caveats, "%s with seed %u", c->caveats, (unsigned)seed);
        cell_destroy(c);
    }
}

/* Arrivals of several jobs are spread evenly: in 1 ms steps, not four at once every 4 ms. */
Test(open_loop, jobs_take_turns)
{
    struct cell *c = rate_cell(250, 8, 4, "lat=100us,iops=1000", "constant");
    struct job_spec spec = sim_spec(0, 10);
    run_cell(&spec, c);
    NEAR(c->dir[DIR_READ].lat[LAT_LAT].max, 100e3, 0.01);
    cell_destroy(c);
}

/*
 * 1000 I/Os a second, a stall of 200 ms once in 10 s. The 200 I/Os due in it wait 200, 199 ... 1 ms:
 * of all 10,000 one in a hundred waits above 100 ms, and the mean rises by 200 x 100 ms / 10,000.
 */
Test(open_loop, a_stall_shows_its_full_share)
{
    const char *options = "lat=1ms,stall_at=5s,stall_for=200ms";
    struct cell *c = rate_cell(1000, 1024, 1, options, "constant");
    struct job_spec spec = sim_spec(0, 10);
    run_cell(&spec, c);
    const struct direction *r = &c->dir[DIR_READ];
    const struct lat *l = &r->lat[LAT_LAT];
    uint64_t p50 = 0, p97 = 0, p99 = 0, p995 = 0;
    cr_assert(lat_percentile(l, 50, &p50) && lat_percentile(l, 97, &p97));
    cr_assert(lat_percentile(l, 99, &p99) && lat_percentile(l, 99.5, &p995));
    NEAR(p50, 1e6, 0.008);
    NEAR(p97, 1e6, 0.008);
    NEAR(p99, 101e6, 0.02);
    NEAR(p995, 151e6, 0.02);
    NEAR(l->max, 201e6, 0.001);
    NEAR(l->mean, 1e6 + 200 * 100.5e6 / 10000, 0.002);
    cell_destroy(c);

    /* the same with 4 slots: the I/Os wait for a slot and not in the device, and lat still shows it */
    c = rate_cell(1000, 4, 1, options, "constant");
    run_cell(&spec, c);
    r = &c->dir[DIR_READ];
    NEAR(r->lat[LAT_LAT].max, 201e6, 0.01);
    NEAR(r->backlog_max, 197, 0.02);
    cr_expect_gt(r->late_share, 0.02);
    cr_expect_lt(r->lat[LAT_LAT].mean - r->lat[LAT_SLAT].mean - r->lat[LAT_CLAT].mean, 1.0);
    cr_expect_gt(r->lat[LAT_LAT].mean, 1e6 + 200 * 100.5e6 / 10000);
    cell_destroy(c);

    /* a closed loop of the same device hides it: 4 I/Os of 38,800 saw the stall */
    c = sim_cell(RW_RANDREAD, 4096, 4, 1, options);
    run_cell(&spec, c);
    cr_assert(lat_percentile(&c->dir[DIR_READ].lat[LAT_LAT], 99, &p99));
    NEAR(p99, 1e6, 0.008);
    cell_destroy(c);
}

/*
 * A mix: 1000 reads and 500 writes a second, whatever its shares, and the same stall: 200 reads and
 * 100 writes were due in it, so a fiftieth of each waits, and each direction has the same tail.
 */
Test(open_loop, each_direction_has_its_rate_and_its_share_of_a_stall)
{
    struct cell *c = sim_cell(RW_RANDRW, 4096, 1024, 1, "lat=1ms,stall_at=5s,stall_for=200ms");
    SET(&c->key, CELL_KEY, rwmixread, 90);
    SET(&c->key, CELL_KEY, rate_iops, 1000);
    SET(&c->key, CELL_KEY, rate_iops_write, 500);
    struct job_spec spec = sim_spec(1, 10);
    run_cell(&spec, c);
    static const double rate[] = {1000, 500};
    for (int d = DIR_READ; d <= DIR_WRITE; d++) {
        const struct direction *r = &c->dir[d];
        uint64_t p97 = 0, p99 = 0;
        NEAR(r->offered_iops, rate[d], 0.001);
        NEAR(r->iops, rate[d], 0.002);
        cr_assert(lat_percentile(&r->lat[LAT_LAT], 97, &p97));
        cr_assert(lat_percentile(&r->lat[LAT_LAT], 99, &p99));
        NEAR(p97, 1e6, 0.008);
        NEAR(p99, 101e6, 0.02);
        NEAR(r->lat[LAT_LAT].max, 201e6, 0.001);
        NEAR(r->lat[LAT_LAT].mean, 1e6 + 200e-3 / 10 * 100e6, 0.02);
    }
    cell_destroy(c);
}

Test(open_loop, a_rate_above_the_cap_is_not_sustained)
{
    struct cell *c = rate_cell(1000, 16, 1, "iops=800,lat=1ms", "constant");
    struct job_spec spec = sim_spec(0, 20);
    run_cell(&spec, c);
    const struct direction *r = &c->dir[DIR_READ];
    NEAR(r->offered_iops, 1000, 0.001);
    NEAR(r->iops, 800, 0.001);
    NEAR(r->backlog_max, 200 * 20, 0.01);
    NEAR(r->lat[LAT_LAT].max, 20e9 * 0.2, 0.01);
    NEAR(r->late_share, 1, 0.02);
    cr_expect(cell_has_caveat(c, "rate-not-sustained"));
    cr_expect_not(cell_has_caveat(c, "depth-not-reached"));
    cell_destroy(c);
}

Test(open_loop, think_time)
{
    struct cell *c = sim_cell(RW_RANDREAD, 4096, 8, 1, "lat=1ms");
    SET(&c->key, CELL_KEY, thinktime_ns, 4 * NS_PER_MS);
    struct job_spec spec = sim_spec(0, 10);
    run_cell(&spec, c);
    NEAR(c->dir[DIR_READ].iops, 200, 0.001);
    NEAR(c->dir[DIR_READ].lat[LAT_LAT].mean, 1e6, 0.001);
    cell_destroy(c);
}

/* In real time. Wide limits: the machine may be busy with other things. */
Test(open_loop, real_time)
{
    struct cell *c = rate_cell(2000, 16, 1, "virtual=0,lat=2ms", "constant");
    struct job_spec spec = sim_spec(0.2, 2);
    uint64_t p50 = 0;
    run_cell(&spec, c);
    const struct direction *r = &c->dir[DIR_READ];
    NEAR(r->iops, 2000, 0.5);
    cr_assert(lat_percentile(&r->lat[LAT_LAT], 50, &p50));
    cr_expect(p50 > 1990 * NS_PER_US && p50 < 500 * NS_PER_MS);
    cell_destroy(c);
}

/* Syncs are a direction of their own: counted, with latency, and no bytes. */
Test(open_loop, syncs_are_counted)
{
    struct cell *c = sim_cell(RW_RANDWRITE, 4096, 1, 1, "lat=1ms");
    c->key.sync = xstrdup("fsync=4");
    struct job_spec spec = sim_spec(0, 10);
    run_cell(&spec, c);
    NEAR(c->dir[DIR_WRITE].ios, 8000, 0.001);
    NEAR(c->dir[DIR_SYNC].ios, 2000, 0.001);
    NEAR(c->dir[DIR_SYNC].lat[LAT_CLAT].mean, 1e6, 0.001);
    cr_expect_eq(c->dir[DIR_SYNC].bytes, 0);
    NEAR(cell_iops(c), 800, 0.001);
    cell_destroy(c);
}

/*
 * As fio 3.33 does it (randrw, psync, 950 I/Os a second in all, rate_iops=500,): with 90 % reads 500 reads and
 * 412 writes, with 10 % 101 and 847. The direction with a rate has its share of the draws and no more than
 * the rate; the other one all that is left.
 */
Test(open_loop, a_rate_for_one_direction_of_a_mix)
{
    static const struct {
        uint64_t mix;
        enum dir rated;
        double held; /* I/Os per second of the direction with the rate */
        double noise;
    } load[] = {{90, DIR_READ, 500, 0.002},
                {10, DIR_READ, 100, 0.05},
                {10, DIR_WRITE, 500, 0.002},
                {90, DIR_WRITE, 100, 0.05},
                {50, DIR_READ, 500, 0.05}};
    for (size_t i = 0; i < sizeof load / sizeof *load; i++) {
        for (uint64_t jobs = 1; jobs <= 4; jobs *= 4) {
            struct cell *c = sim_cell(RW_RANDRW, 4096, 8, jobs, "iops=1000,lat=1ms");
            SET(&c->key, CELL_KEY, rwmixread, load[i].mix);
            if (load[i].rated == DIR_READ)
                SET(&c->key, CELL_KEY, rate_iops, 500.0 / (double)jobs);
            SET(&c->key, CELL_KEY, rate_iops_write,
                load[i].rated == DIR_WRITE ? 500.0 / (double)jobs : 0);
            struct job_spec spec = sim_spec(1, 50);
            run_cell(&spec, c);
            const struct direction *held = &c->dir[load[i].rated];
            const struct direction *other =
                &c->dir[load[i].rated == DIR_READ ? DIR_WRITE : DIR_READ];
            NEAR(held->iops, load[i].held, load[i].noise);
            NEAR(held->iops + other->iops, 1000, 0.001);
            /* a closed loop: always as deep as asked for, nothing due and nothing late */
            NEAR(c->little_ratio, 1, 0.001);
            NEAR(other->lat[LAT_LAT].mean, 8e6 * (double)jobs, 0.01);
            cr_expect_not(IS_KNOWN(held, DIRECTION, offered_iops));
            cr_expect_not(IS_KNOWN(other, DIRECTION, late_share));
            cr_expect_null(c->caveats, "%s", c->caveats);
            cell_destroy(c);
        }
    }
}
