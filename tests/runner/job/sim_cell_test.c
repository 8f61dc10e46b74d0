/*
 * Whole cells on the simulated device: what comes out must be what was put in. The expected values
 * follow from the model in runner/engine/sim_internal.h by hand: min(caps, depth / latency), Little's
 * law, credits / (burst - base).
 */
#include "tests/runner/job/sim_cell.h"

static const struct direction *reads(const struct cell *c)
{
    return &c->dir[DIR_READ];
}

Test(sim_cell, iops_cap)
{
    struct cell *c = run_sim(RW_RANDREAD, 4096, 32, 1, "iops=3500,lat=1ms", 2, 10);
    const struct direction *r = reads(c);
    NEAR(r->iops, 3500, 0.0002);
    NEAR(r->bw, 3500.0 * 4096, 0.0002);
    NEAR(r->lat[LAT_LAT].mean, 32e9 / 3500, 0.0002);
    NEAR(r->lat[LAT_CLAT].mean, 32e9 / 3500, 0.0002);
    NEAR(c->little_ratio, 1, 0.001);
    NEAR(c->depth_reached, 32, 0.001);
    cr_expect_eq(c->status, STATUS_COMPLETE);
    cr_expect_eq(r->runtime_ns, 10 * NS_PER_S);
    cr_expect_eq(c->ramp_ns, 2 * NS_PER_S);
    cr_expect_eq(r->lat[LAT_SLAT].n, r->ios);
    cr_expect_eq(r->lat[LAT_LAT].n, r->ios);
    cr_expect_not(direction_is_used(&c->dir[DIR_WRITE]));
    cr_assert_eq(r->series->n, 10);
    for (size_t i = 0; i < 10; i++) {
        const struct series_point *p = &r->series->point[i];
        NEAR(series_iops(r->series, i), 3500, 0.0005);
        NEAR(series_lat_mean(r->series, i), 32e9 / 3500, 0.001);
        NEAR(p->lat_p99_ns, 32e9 / 3500, 0.001); /* all alike: the ends of a step are cut off */
        cr_expect_eq(p->inflight, 32);
        cr_expect_eq(p->end_ns, (i + 1) * NS_PER_S);
    }
    NEAR(r->iops_mean, 3500, 0.0005);
    cr_expect_eq(r->rate_samples, 10);
    cell_destroy(c);
}

/* The same sweep point by point: IOPS cap below 32 KiB, bandwidth cap above, latency at depth 1. */
Test(sim_cell, roofline)
{
    static const struct {
        uint64_t bs, depth;
        double iops;
    } point[] = {{4096, 64, 3500}, {16384, 64, 3200}, /* 50 MiB/s */
                 {65536, 64, 800}, {1048576, 64, 50}, {4096, 1, 1000}, {4096, 2, 2000}};
    for (size_t i = 0; i < sizeof point / sizeof point[0]; i++) {
        struct cell *c =
            run_sim(RW_RANDREAD, point[i].bs, point[i].depth, 1, "iops=3500,bw=50M,lat=1ms", 2, 20);
        NEAR(reads(c)->iops, point[i].iops, 0.001);
        NEAR(c->little_ratio, 1, 0.005);
        cell_destroy(c);
    }
}

/* A throttle with periods of 100 ms, cut at any phase: whole periods are measured. */
Test(sim_cell, bursts_of_a_throttle)
{
    static const double ramp[] = {0, 1, 1.0005, 1.03, 1.08};
    for (size_t i = 0; i < sizeof ramp / sizeof ramp[0]; i++) {
        struct cell *c =
            run_sim(RW_RANDREAD, 4096, 32, 2, "iops=3500,lat=100us,slice=100ms", ramp[i], 4);
        NEAR(reads(c)->iops, 3500, ramp[i] > 0 ? 0.001 : 0.01);
        NEAR(c->little_ratio, 1, 0.01);
        NEAR((double)reads(c)->ios * 1e9 / (double)reads(c)->runtime_ns, reads(c)->iops, 1e-6);
        cell_destroy(c);
    }
}

/*
 * Pauses of 3 to 57 ms look like bursts now and then. One I/O at a time, from completion to
 * completion: the latencies add up to the time to the last ns, whichever completion was taken.
 */
Test(sim_cell, irregular_pauses)
{
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct cell *c = sim_cell(RW_RANDREAD, 4096, 1, 1, "lat=30ms,jitter=90");
        struct job_spec spec = sim_spec(1, 5);
        spec.run_seed = seed;
        run_cell(&spec, c);
        cr_expect_eq(reads(c)->lat[LAT_LAT].hist->sum, c->runtime_ns, "seed %llu",
                     (unsigned long long)seed);
        cell_destroy(c);
    }
}

Test(sim_cell, large_ios_count_as_several)
{
    struct cell *c = run_sim(RW_RANDREAD, 1 << 20, 64, 1, "iops=400,io_size=256k", 1, 20);
    NEAR(reads(c)->iops, 100, 0.005);
    cell_destroy(c);
}

/* 9000 credits at 1000 - 100 a second over the refill last 10 s, then the base rate holds. */
Test(sim_cell, burst_then_base)
{
    struct cell *c =
        run_sim(RW_RANDREAD, 4096, 64, 1, "iops=100,burst_iops=1000,credits=9000", 0, 30);
    const struct series *s = reads(c)->series;
    cr_assert_eq(s->n, 30);
    for (size_t i = 0; i < 30; i++)
        NEAR(series_iops(s, i), i < 10 ? 1000 : 100, 0.02);
    NEAR(reads(c)->ios, 9000 + 30 * 100, 0.001);
    cell_destroy(c);
    c = run_sim(RW_RANDREAD, 4096, 64, 1, "iops=100,burst_iops=1000,credits=9000,spent=1", 0, 30);
    NEAR(reads(c)->ios, 30 * 100, 0.001);
    cell_destroy(c);
}

/* A device kept over two cells keeps its credits: the second finds them spent. */
Test(sim_cell, credits_last_over_cells)
{
    const char *options = "iops=100,burst_iops=1000,credits=9000";
    struct cell *a = sim_cell(RW_RANDREAD, 4096, 64, 1, options);
    struct cell *b = sim_cell(RW_RANDREAD, 4096, 64, 1, options);
    struct error err = ERROR_INIT;
    struct job_spec spec = sim_spec(0, 10);
    cr_assert_eq(engine_sim.share_create(&spec.shared, a->key.engine_options, 1, &err), 0);
    run_cell(&spec, a);
    run_cell(&spec, b);
    NEAR(reads(a)->iops, 1000, 0.01);
    NEAR(reads(b)->iops, 100, 0.01);
    engine_sim.share_destroy(spec.shared);
    cell_destroy(a);
    cell_destroy(b);
}

Test(sim_cell, jobs_share_the_device)
{
    struct cell *c = run_sim(RW_RANDREAD, 4096, 16, 4, "iops=5000,lat=500us", 1, 10);
    NEAR(reads(c)->iops, 5000, 0.0005);
    NEAR(reads(c)->lat[LAT_LAT].mean, 64e9 / 5000, 0.001);
    NEAR(c->little_ratio, 1, 0.001);
    NEAR(reads(c)->series->point[5].ios, 5000, 0.001);
    cr_expect_eq(reads(c)->series->point[5].inflight, 64);
    cell_destroy(c);
}

Test(sim_cell, vm_cap_over_disks)
{
    struct cell *c = sim_cell(RW_RANDREAD, 4096, 32, 1, "iops=3500,vm_iops=6400");
    struct job_spec spec = sim_spec(1, 10);
    run_cell(&spec, c);
    NEAR(reads(c)->iops, 3500, 0.001);
    cell_destroy(c);

    c = sim_cell(RW_RANDREAD, 4096, 32, 1, "iops=3500,vm_iops=6400");
    spec.n_targets = 4;
    run_cell(&spec, c);
    NEAR(reads(c)->iops, 6400, 0.001);
    cr_expect(c->together);
    cr_assert_eq(c->n_parts, 4);
    double sum = 0;
    for (size_t i = 0; i < 4; i++) {
        const struct direction *d = &c->part[i].dir[DIR_READ];
        NEAR(d->iops, 1600, 0.005);
        cr_expect_eq(d->series->n, 10);
        cr_expect_eq(c->part[i].device, i);
        sum += d->iops;
    }
    NEAR(sum, reads(c)->iops, 1e-9);
    cell_destroy(c);
}

Test(sim_cell, mix)
{
    struct cell *c = sim_cell(RW_RANDRW, 4096, 16, 1, "lat=200us,write_lat=2ms");
    SET(&c->key, CELL_KEY, rwmixread, 70);
    struct job_spec spec = sim_spec(1, 20);
    run_cell(&spec, c);
    double r = (double)c->dir[DIR_READ].ios, w = (double)c->dir[DIR_WRITE].ios;
    NEAR(r / (r + w), 0.7, 0.01);
    NEAR(c->dir[DIR_READ].lat[LAT_CLAT].mean, 200e3, 0.001);
    NEAR(c->dir[DIR_WRITE].lat[LAT_CLAT].mean, 2e6, 0.001);
    NEAR(c->little_ratio, 1, 0.01);
    cell_destroy(c);
}

/* Uniform within +- 50 % of 1 ms: mean 1 ms, p50 1 ms, min and max at the ends. */
Test(sim_cell, jitter_and_slow_ios)
{
    struct cell *c = run_sim(RW_RANDREAD, 4096, 8, 1, "lat=1ms,jitter=50", 1, 20);
    const struct lat *l = &reads(c)->lat[LAT_CLAT];
    uint64_t p50 = 0, p90 = 0;
    cr_assert(lat_percentile(l, 50, &p50) && lat_percentile(l, 90, &p90));
    NEAR(l->mean, 1e6, 0.01);
    NEAR(p50, 1e6, 0.02);
    NEAR(p90, 1.4e6, 0.02);
    NEAR(l->min, 0.5e6, 0.001);
    NEAR(l->max, 1.5e6, 0.001);
    cell_destroy(c);

    c = run_sim(RW_RANDREAD, 4096, 1, 1, "lat=1ms,slow_every=200,slow_by=9ms", 0, 100);
    l = &reads(c)->lat[LAT_CLAT];
    uint64_t p99 = 0, p999 = 0;
    cr_assert(lat_percentile(l, 99, &p99) && lat_percentile(l, 99.9, &p999));
    NEAR(p99, 1e6, 0.008);
    NEAR(p999, 10e6, 0.008);
    NEAR(l->mean, 1e6 + 9e6 / 200, 0.001);
    cell_destroy(c);
}

Test(sim_cell, transfer_time)
{
    struct cell *c = run_sim(RW_READ, 1 << 20, 1, 1, "lat=100us,xfer=1000MB", 0, 10);
    NEAR(reads(c)->lat[LAT_CLAT].mean, 100e3 + 1048576, 0.0001);
    cell_destroy(c);
}

/* Depth 8 in a stall of 200 ms: 8 I/Os wait for its end, and the rate of that second shows it. */
Test(sim_cell, stall)
{
    struct cell *c =
        run_sim(RW_RANDREAD, 4096, 8, 1, "lat=1ms,stall_at=2.5s,stall_for=200ms", 0, 5);
    const struct series *s = reads(c)->series;
    NEAR(series_iops(s, 1), 8000, 0.005);
    NEAR(series_iops(s, 2), 8000 * 0.8, 0.005);
    NEAR(series_iops(s, 3), 8000, 0.005);
    NEAR(reads(c)->lat[LAT_LAT].max, 201e6, 0.01);
    NEAR(s->point[2].lat_max_ns, 201e6, 0.01);
    cr_expect_lt(s->point[3].lat_max_ns, 2 * NS_PER_MS);
    cell_destroy(c);
}

/* The same seed gives the same cell to the last I/O, however many threads run it. */
Test(sim_cell, repeatable)
{
    const char *options = "iops=9000,lat=700us,jitter=40,slow_every=100";
    struct cell *a = run_sim(RW_RANDRW, 4096, 4, 8, options, 0.5, 3);
    struct cell *b = run_sim(RW_RANDRW, 4096, 4, 8, options, 0.5, 3);
    for (int d = DIR_READ; d <= DIR_WRITE; d++) {
        const struct direction *x = &a->dir[d], *y = &b->dir[d];
        cr_expect_gt(x->ios, 0);
        cr_expect_eq(x->ios, y->ios);
        cr_expect_eq(x->lat[LAT_LAT].hist->sum, y->lat[LAT_LAT].hist->sum);
        cr_expect_eq(memcmp(x->lat[LAT_LAT].hist->count, y->lat[LAT_LAT].hist->count,
                            sizeof x->lat[LAT_LAT].hist->count),
                     0);
        cr_expect_eq(
            memcmp(x->series->point, y->series->point, x->series->n * sizeof *x->series->point), 0);
    }
    cell_destroy(a);
    cell_destroy(b);
}
