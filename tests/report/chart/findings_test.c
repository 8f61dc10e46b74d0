/* Titles are findings made from the data by rule; without one they name the content. */
#include <criterion/criterion.h>
#include <math.h>

#include "core/base/clock.h"
#include "tests/report/chart/figures.h"
#include "tests/support/made.h"

static struct chart *build(struct dataset *d, const char *kind)
{
    const struct kind_query all = {0};
    struct chart *c = kind_build(kind_find(kind), d, &all);
    cr_assert_null(c->empty, "%s", c->empty);
    return c;
}

static void expect_title(struct dataset *d, const char *kind, const char *title)
{
    struct chart *c = build(d, kind);
    cr_assert_str_eq(c->title, title);
    chart_destroy(c);
}

static const struct block *block(const struct chart *c, size_t i)
{
    cr_assert_gt(c->n_blocks, i);
    return &c->block[i];
}

static size_t add_run(struct dataset *d, void (*fill)(struct run *r))
{
    struct run *r = run_create();
    fill(r);
    return dataset_add_run(d, r);
}

static void io2_limits(struct run *r)
{
    model_limit(r, OWNER_DISK, CAP_IOPS, PHASE_BASE, PATH_ANY, 400, 0);
    SET(&r->limit[0], LIMIT, io_size, 262144);
}

static void two_disks(struct run *r)
{
    run_add_device(r);
    run_add_device(r);
    model_limit(r, OWNER_DISK, CAP_IOPS, PHASE_BASE, PATH_ANY, 500, 0);
}

/* The public write-up: a P6 with host caching on a DS2_v2, QD 64. 4k: 3,420 IOPS; 1M: 63.99 IOPS. */
Test(findings, the_disk_caps_small_writes_and_the_vm_large_ones)
{
    struct dataset *d = dataset_create();
    size_t run = add_run(d, fig_cloud_limits);
    fig_add_cell(d, run, 4096, 64, 3420);
    fig_add_cell(d, run, 1048576, 64, 63.99);
    struct chart *c = build(d, "roofline");
    cr_assert_str_eq(c->title, "The disk caps small reads, the VM caps large ones");
    cr_assert_eq(c->n_blocks, 2);
    cr_assert_str_eq(block(c, 0)->name, "Disk");
    cr_assert_str_eq(block(c, 0)->text, "burst IOPS binds: 4k");
    cr_assert_str_eq(block(c, 1)->name, "VM");
    cr_assert_str_eq(block(c, 1)->text, "cached throughput binds: 1M and up");
    /* 3,500 IOPS meet 64 x 2^20 bytes/s, the upper reading of 64 MBps, at 18.7k */
    cr_assert_eq(c->panel[0].n_rings, 1);
    cr_assert_float_eq(c->panel[0].ring[0].x, 64 * 1048576.0 / 3500, 1);
    cr_assert_str_eq(c->panel[0].ring[0].drop, "Caps cross at 18.7k");
    chart_destroy(c);
    dataset_destroy(d);
}

Test(findings, an_uncached_disk_is_held_against_uncached_caps)
{
    struct dataset *d = dataset_create();
    struct device_model m = fig_cloud("cache off");
    m.cache = "none";
    m.cap_bytes = 100.6e6;
    fig_add(d, &m, true, 9, 5);
    struct chart *c = build(d, "roofline");
    cr_assert_str_eq(c->block[c->n_blocks - 1].text, "uncached throughput binds: 32k and up");
    chart_destroy(c);
    dataset_destroy(d);
}

/* Credit that ran out during the sweep: the base figure holds what was measured after that. */
Test(findings, what_is_left_after_a_burst_is_named)
{
    struct dataset *d = dataset_create();
    size_t run = add_run(d, fig_cloud_limits);
    fig_add_cell(d, run, 4096, 64, 3480);
    fig_add_cell(d, run, 8192, 64, 239);
    fig_add_cell(d, run, 65536, 64, 240);
    fig_add_cell(d, run, 262144, 64, 239); /* 60 MiB/s: I/O credit is gone, byte credit is not */
    struct chart *c = build(d, "roofline");
    cr_assert_eq(c->n_blocks, 2);
    cr_assert_str_eq(block(c, 0)->text, "burst IOPS binds: 4k");
    cr_assert_str_eq(block(c, 1)->text, "base IOPS binds: 8k and up");
    cr_assert_str_eq(c->title, "The disk caps small reads by burst IOPS, large ones by base IOPS");
    chart_destroy(c);
    dataset_destroy(d);
}

/* Noise of a few percent does not make a cap wrong, twice its value does. */
Test(findings, one_value_above_a_cap_does_not_refute_it)
{
    static const double noise[] = {1.06, 0.98, 1.01, 0.97, 1.0};
    struct dataset *d = dataset_create();
    size_t run = add_run(d, fig_cloud_limits);
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 5; k++)
            fig_add_cell(d, run, fig_sizes[i], fig_depths[k + 3], 3500 * noise[(i + k) % 5]);
    struct chart *c = build(d, "roofline");
    cr_assert_str_eq(c->title, "The disk's burst IOPS cap binds at every block size");
    chart_destroy(c);
    fig_add_cell(d, run, 16384, 64, 7000);
    c = build(d, "roofline");
    cr_assert_str_neq(block(c, 0)->name, "Disk");
    chart_destroy(c);
    dataset_destroy(d);
}

Test(findings, large_ios_count_as_several)
{
    struct dataset *d = dataset_create();
    size_t run = add_run(d, io2_limits);
    fig_add_cell(d, run, 4096, 64, 400);
    fig_add_cell(d, run, 262144, 64, 400);
    fig_add_cell(d, run, 1048576, 64, 100);
    struct chart *c = build(d, "roofline");
    cr_assert_str_eq(c->title, "The disk's IOPS cap binds at every block size");
    const struct cap *line = &c->panel[0].cap[0];
    cr_assert_eq(line->n, 3);
    cr_assert_float_eq(line->point[1].x, 262144, 1e-6);
    cr_assert_float_eq(line->point[1].y, 100, 1e-9);
    cr_assert_float_eq(line->point[2].y, 100, 1e-9);
    chart_destroy(c);
    dataset_destroy(d);
}

Test(findings, caps_of_several_disks_add_up)
{
    struct dataset *d = dataset_create();
    size_t run = add_run(d, two_disks);
    struct cell *cell = cell_create();
    SET(cell, CELL, status, STATUS_COMPLETE);
    SET(&cell->key, CELL_KEY, rw, RW_RANDREAD);
    SET(&cell->key, CELL_KEY, bs, 4096);
    SET(&cell->key, CELL_KEY, iodepth, 32);
    SET(&cell->dir[DIR_READ], DIRECTION, ios, 9900);
    SET(&cell->dir[DIR_READ], DIRECTION, iops, 990);
    SET(&cell->dir[DIR_READ], DIRECTION, bw, 990 * 4096.0);
    cell->device = calloc(2, sizeof *cell->device);
    cell->device[1] = 1;
    cell->n_devices = 2;
    dataset_add_cell(d, run, cell);
    cell_destroy(cell);
    struct chart *c = build(d, "roofline");
    cr_assert_str_eq(c->panel[0].cap[0].label, "2 disks 1,000 IOPS");
    cr_assert_eq(block(c, 0)->colour, COLOUR_DISK);
    chart_destroy(c);
    dataset_destroy(d);
}

Test(findings, under_the_caps_nothing_is_claimed)
{
    struct dataset *d = dataset_create();
    size_t run = add_run(d, fig_cloud_limits);
    for (size_t i = 0; i < 4; i++) { /* each doubling of the depth doubles the rate */
        fig_add_cell(d, run, 4096, fig_depths[i], 20.0 * (double)fig_depths[i]);
        fig_add_cell(d, run, 8192, fig_depths[i], 19.0 * (double)fig_depths[i]);
    }
    struct chart *c = build(d, "roofline");
    cr_assert_str_eq(c->title, "No known cap is reached");
    cr_assert_str_eq(block(c, 0)->name, "Latency");
    chart_destroy(c);
    expect_title(d, "qd", "Deeper queues still gain at queue depth 8");
    dataset_destroy(d);
}

Test(findings, a_deeper_queue_that_falls_does_not_deny_a_cap)
{
    struct dataset *d = dataset_create();
    size_t run = add_run(d, io2_limits);
    for (size_t i = 0; i < 3; i++)
        fig_add_cell(d, run, 4096, (uint64_t)4 << i, i < 2 ? 400 : 200);
    expect_title(d, "roofline", "The disk's IOPS cap binds");
    dataset_destroy(d);
}

Test(findings, without_limits_the_ceiling_that_was_seen)
{
    struct dataset *d = dataset_create();
    size_t run = fig_add_run(d, "box");
    for (size_t i = 0; i < 9; i++)
        for (size_t k = 3; k < 6; k++)
            fig_add_cell(d, run, fig_sizes[i], fig_depths[k],
                         fmin(20000, 200 * 1048576.0 / (double)fig_sizes[i]));
    expect_title(d, "roofline", "Small reads level off at 20.0k IOPS, large ones at 200 MiB/s");
    expect_title(d, "bs", "IOPS hold at 20.0k up to 8k, throughput at 200 MiB/s from 16k");
    struct chart *c = build(d, "roofline");
    cr_assert(strstr(c->source, "No limits are known"), "%s", c->source);
    cr_assert_str_eq(block(c, 0)->text, "level off at 20.0k");
    chart_destroy(c);
    dataset_destroy(d);
}

/* A limit of the run stands in the report: the chart must not say that none is known. */
Test(findings, caps_that_a_mix_shares_are_known_though_not_drawn)
{
    struct dataset *d = dataset_create();
    size_t run = add_run(d, io2_limits);
    struct cell c = {0};
    for (size_t i = 0; i < 3; i++) {
        made_cell(&c, &(struct made){
                          .rw = RW_RANDRW, .bs = (uint64_t)4096 << i, .depth = 4, .iops = 200});
        dataset_add_cell(d, run, &c);
        cell_release(&c);
        c = (struct cell){0};
    }
    static const char *const kinds[] = {"roofline", "matrix"};
    for (size_t i = 0; i < 2; i++) {
        struct chart *chart = build(d, kinds[i]);
        cr_expect_null(strstr(chart->source, "No limits are known"), "%s", chart->source);
        cr_expect(strstr(chart->source, "a mix share the known caps"), "%s", chart->source);
        chart_destroy(chart);
    }
    dataset_destroy(d);
}

/* No latency was recorded, so nothing is said of it; 1 to 4 slots bring 1,000 I/Os each. */
Test(findings, without_latency_the_depths_are_about_rates)
{
    static const double iops[] = {1000, 3000, 3000, 3000};
    static const uint64_t depth[] = {1, 4, 16, 64};
    struct dataset *d = dataset_create();
    size_t run = fig_add_run(d, "gp3");
    for (size_t i = 0; i < 4; i++)
        fig_add_cell(d, run, 4096, depth[i], iops[i]);
    struct chart *c = build(d, "qd");
    cr_expect_str_eq(c->title, "IOPS stop growing at queue depth 4");
    const struct panel *p = &c->panel[0];
    cr_assert_eq(p->n_caps, 1);
    /* straight like the measured line: 1,000 at QD 1, towards 4,000 at QD 4, cut at 1.3 x 3,000 */
    cr_assert_eq(p->cap[0].n, 2);
    cr_expect_float_eq(p->cap[0].point[0].y, 1000, 1e-9);
    cr_expect_float_eq(p->cap[0].point[1].y, 3900, 1e-9);
    cr_expect_float_eq(p->cap[0].point[1].x, pow(4, 2900.0 / 3000), 1e-9);
    chart_destroy(c);
    dataset_destroy(d);
}

/* 1, 2, 4, 8 grow; 16 brings 3 %, so the knee is at 8. */
Test(findings, the_knee_is_where_doubling_brings_little)
{
    static const double iops[] = {1000, 1900, 3500, 5000, 5150, 5200};
    struct dataset *d = dataset_create();
    size_t run = fig_add_run(d, "knee");
    for (size_t i = 0; i < 6; i++)
        fig_add_cell(d, run, 4096, fig_depths[i], iops[i]);
    expect_title(d, "qd", "IOPS stop growing at queue depth 8");
    struct chart *c = build(d, "qd");
    cr_assert_eq(c->panel[0].n_rings, 1);
    cr_assert_float_eq(c->panel[0].ring[0].x, 8, 1e-9);
    chart_destroy(c);
    dataset_destroy(d);
}

Test(findings, a_burst_is_named_only_when_a_burst_cap_is_known)
{
    struct device_model m = fig_cloud("burst");
    m.seconds = 900;
    m.burst_s = 600;
    m.sustained_iops = 1100;
    m.cap_iops = 3480;
    m.noise = 0;
    struct dataset *d = dataset_create();
    fig_add(d, &m, true, 1, 6);
    expect_title(d, "time", "After 10\u00a0min the burst credit is gone");
    dataset_destroy(d);
    d = dataset_create();
    fig_add(d, &m, false, 1, 6);
    struct chart *c = build(d, "time");
    const char *falls = "After 10\u00a0min the rate falls from 3,4";
    cr_assert(strncmp(c->title, falls, strlen(falls)) == 0, "%s", c->title);
    cr_assert_eq(c->n_stretches, 2);
    cr_assert_str_eq(c->stretch[0].name, "Burst");
    cr_assert_str_eq(c->stretch[1].name, "Sustained");
    cr_assert_float_eq(c->stretch[0].to, 600, 3);
    chart_destroy(c);
    dataset_destroy(d);
}

/* Nobody knows whether the samples of a log begin with a ramp, nor what measured them. */
Test(findings, samples_of_an_import_say_no_more_than_is_known)
{
    struct dataset *d = dataset_create();
    struct run *run = run_create();
    field_set_text(&run_fields, run, RUN_source_format, "fio-log");
    struct cell c = {0};
    made_cell(&c, &(struct made){.rw = RW_RANDREAD, .bs = 4096, .depth = 8, .iops = 700});
    dataset_add_cell(d, dataset_add_run(d, run), &c);
    cell_release(&c);
    struct chart *chart = build(d, "time");
    cr_expect(strncmp(chart->source, "Imported.", 9) == 0, "%s", chart->source);
    cr_expect_null(strstr(chart->source, "ramp"), "%s", chart->source);
    chart_destroy(chart);
    dataset_destroy(d);
}

/* 900 samples are more than the picture has columns: lowest, median and highest of each three. */
Test(findings, long_series_keep_their_extremes)
{
    struct dataset *d = dataset_create();
    struct device_model m = fig_cloud("long");
    m.seconds = 900;
    fig_add(d, &m, false, 1, 1);
    struct chart *c = build(d, "time");
    const struct trace *t = &c->panel[0].trace[0];
    cr_assert_eq(t->n, 300);
    cr_assert_eq(t->n_bands, 300);
    size_t n;
    const struct series *s = dataset_rows(d, &n)[0].cell->dir[DIR_WRITE].series;
    double lo = INFINITY, hi = 0, drawn_lo = INFINITY, drawn_hi = 0;
    for (size_t i = 0; i < s->n; i++) {
        lo = fmin(lo, series_iops(s, i));
        hi = fmax(hi, series_iops(s, i));
    }
    for (size_t i = 0; i < t->n_bands; i++) {
        drawn_lo = fmin(drawn_lo, t->band[i].lo);
        drawn_hi = fmax(drawn_hi, t->band[i].hi);
    }
    cr_assert_float_eq(lo, drawn_lo, 1e-9);
    cr_assert_float_eq(hi, drawn_hi, 1e-9);
    cr_assert(strstr(c->subtitle, "median of each 3\u00a0s; band: lowest and highest"), "%s",
              c->subtitle);
    chart_destroy(c);
    dataset_destroy(d);
}

/* 20,000 I/Os: from p99.95 on fewer than 10 were slower. */
Test(findings, percentiles_are_dotted_where_few_samples_are_left)
{
    struct dataset *d = dataset_create();
    size_t run = fig_add_run(d, "tail");
    struct cell *cell = cell_create();
    SET(cell, CELL, status, STATUS_COMPLETE);
    SET(&cell->key, CELL_KEY, rw, RW_RANDREAD);
    SET(&cell->key, CELL_KEY, bs, 4096);
    SET(&cell->key, CELL_KEY, iodepth, 1);
    struct direction *r = &cell->dir[DIR_READ];
    SET(r, DIRECTION, ios, 20000);
    SET(r, DIRECTION, iops, 1000);
    struct hist *h = r->lat[LAT_CLAT].hist = malloc(sizeof *h);
    hist_init(h);
    for (uint64_t i = 0; i < 20000; i++)
        hist_add(h, 1000000 + i * 100);
    lat_from_hist(&r->lat[LAT_CLAT]);
    dataset_add_cell(d, run, cell);
    cell_destroy(cell);
    struct chart *c = build(d, "percentile");
    const struct trace *t = &c->panel[0].trace[0];
    double thin = t->datum[t->dotted_from].x; /* -log10 of the share that is slower */
    cr_assert_float_eq(thin, log10(20000 / 10.0), 0.021);
    cr_assert_eq(c->panel[0].n_markings, 1);
    /* p99.9 has 20 beyond and is shown, p99.99 has 2 and is not */
    const struct trace *values = &c->panel[0].trace[1];
    cr_assert_eq(values->n, 3);
    cr_assert_str_neq(c->table.cell[4], "–");
    cr_assert_str_eq(c->table.cell[6], "–");
    chart_destroy(c);
    dataset_destroy(d);
}

/* A closed loop at a block size, and an open loop at shares of its 1,000 IOPS, as M/M/1 answers. */
static void add_response(struct dataset *d, size_t run, uint64_t bs, uint64_t depth)
{
    static const double share[] = {0.9, 0.25, 0.5, 0.75};
    struct cell c = {0};
    made_cell(&c, &(struct made){.rw = RW_RANDREAD, .bs = bs, .depth = depth, .iops = 1000});
    dataset_add_cell(d, run, &c);
    for (size_t i = 0; i < 4; i++) {
        made_cell(&c, &(struct made){.rw = RW_RANDREAD,
                                     .bs = bs,
                                     .depth = depth,
                                     .iops = 1000 * share[i],
                                     .lat_ns = 1e6 / (1 - share[i]),
                                     .rate_bw = 1000 * share[i] * (double)bs});
        dataset_add_cell(d, run, &c);
    }
}

Test(findings, a_response_curve_has_its_knee)
{
    struct dataset *d = dataset_create();
    size_t run = dataset_add_run(d, made_run());
    add_response(d, run, 4096, 8);
    struct chart *c = build(d, "hockey");
    cr_assert_str_eq(c->title, "Past 50\u00a0% of the maximum latency grows faster than the rate");
    const struct panel *p = &c->panel[0];
    cr_assert(c->n_panels == 1 && p->n_traces == 1 && p->n_rings == 1 && p->n_caps == 1);
    static const char *const label[] = {"25\u00a0%", "50\u00a0%", "75\u00a0%", "90\u00a0%"};
    cr_assert_eq(p->trace[0].n, 4);
    for (size_t i = 0; i < 4; i++)
        cr_expect_str_eq(p->trace[0].datum[i].label, label[i]);
    cr_expect_eq(p->trace[0].datum[1].x, 500);
    cr_expect(p->ring[0].x == 500 && p->cap[0].point[0].x == 1000);
    cr_expect_str_eq(p->cap[0].label, "Maximum at QD 8: 1,000 IOPS");
    chart_destroy(c);
    /* the steps are no cells of the matrix: one point at one depth stays one */
    c = build(d, "qd");
    cr_expect_eq(c->panel[0].trace[0].n, 1);
    chart_destroy(c);
    /* of several sizes the smallest, of several depths all */
    add_response(d, run, 4096, 16);
    add_response(d, run, 8192, 8);
    c = build(d, "hockey");
    cr_assert_eq(c->panel[0].n_traces, 2);
    cr_expect_str_eq(c->panel[0].trace[1].name, "QD 16");
    cr_expect(strstr(c->subtitle, "lock size 4k"), "%s", c->subtitle);
    chart_destroy(c);
    dataset_destroy(d);
}

static size_t add_named(struct dataset *d, const char *name, const char *tool, const char *start)
{
    struct run *r = run_create();
    field_set_text(&run_fields, r, RUN_name, name);
    field_set_text(&run_fields, r, RUN_tool, tool);
    cr_assert(clock_parse_rfc3339(start, &r->started_ns));
    SET(r, RUN, started_ns, r->started_ns);
    return dataset_add_run(d, r);
}

/* Seven runs of different cells, one of them without latency: what is said holds for all that is drawn. */
Test(findings, percentiles_of_many_runs_are_counted_and_named)
{
    static const enum rw rw[] = {RW_RANDREAD, RW_RANDWRITE};
    struct dataset *d = dataset_create();
    for (uint64_t i = 0; i < 6; i++) {
        char name[] = {'r', (char)('0' + i), 0};
        size_t run = add_named(d, name, i ? "fio-3.36" : "fio-3.1",
                               i ? "2022-10-13T00:00:00Z" : "2017-05-17T00:00:00Z");
        struct cell c = {0};
        made_cell(&c, &(struct made){.rw = rw[i % 2], .bs = i ? 4096 : 524288, .iops = 100});
        dataset_add_cell(d, run, &c);
        cell_release(&c);
    }
    fig_add_cell(d, add_named(d, "bare", "fio-3.36", "2022-10-13T00:00:00Z"), 4096, 1, 100);
    struct chart *c = build(d, "percentile");
    cr_expect_str_eq(c->title, "Latency by percentile: 6 runs");
    cr_expect(c->small_multiples);
    cr_assert_eq(c->panel[0].n_traces, 6, "a line a run, and no marks");
    cr_expect_str_eq(c->panel[0].trace[0].name, "512k: r0, random read");
    cr_expect_null(strstr(c->subtitle, "block size"), "%s", c->subtitle);
    cr_expect_str_eq(c->x.title, "Share of I/Os that were slower");
    cr_expect(strstr(c->source, "Several tools, 2017-05-17 to 2022-10-13."), "%s", c->source);
    cr_expect(strstr(c->source, "Without latency, so not shown: bare, random read."), "%s",
              c->source);
    chart_destroy(c);
    dataset_destroy(d);
}

/* The line of reported percentiles ends at the last of them: the slowest I/O is not there. */
Test(findings, the_slowest_is_not_the_end_of_the_line)
{
    struct dataset *d = dataset_create();
    size_t run = fig_add_run(d, "one");
    struct cell c = {0};
    made_cell(&c, &(struct made){.rw = RW_RANDREAD, .bs = 4096, .iops = 100, .no_hist = true});
    SET(&c.dir[DIR_READ].lat[LAT_CLAT], LAT_F, max, 521000);
    dataset_add_cell(d, run, &c);
    cell_release(&c);
    struct chart *chart = build(d, "percentile");
    cr_assert_null(chart->panel[0].trace[0].name);
    cr_expect(strstr(chart->source, "The slowest read took 521\u00a0µs."), "%s", chart->source);
    chart_destroy(chart);
    dataset_destroy(d);
}

/* Each run has a line through its own depths: one that only the other has is no gap. */
Test(findings, runs_of_different_depths_have_whole_lines)
{
    struct dataset *d = dataset_create();
    for (size_t i = 0; i < 2; i++) {
        size_t run = fig_add_run(d, i ? "few" : "many");
        for (uint64_t depth = 1; depth <= 64; depth *= i ? 4 : 2)
            fig_add_cell(d, run, 4096, depth, 1000 * (double)depth);
    }
    struct chart *c = build(d, "qd");
    cr_assert_eq(c->panel[0].n_traces, 2);
    cr_assert_eq(c->panel[0].trace[0].n, 7);
    cr_assert_eq(c->panel[0].trace[1].n, 4);
    for (size_t j = 0; j < 4; j++)
        cr_assert(isfinite(c->panel[0].trace[1].datum[j].y));
    chart_destroy(c);
    dataset_destroy(d);
}
