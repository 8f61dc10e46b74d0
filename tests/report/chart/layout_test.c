/*
 * Random data and names, any number of series: no words over each other, none cut off, and every
 * coordinate a number. The seed of a failure is in its message.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "core/base/xalloc.h"
#include "tests/report/chart/figures.h"
#include "tests/support/made.h"

static uint64_t next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static uint64_t below(uint64_t *state, uint64_t n)
{
    return next(state) % n;
}

/* 1e-9 to 1e12, sometimes unknown, sometimes the same again. */
static double rate(uint64_t *state)
{
    static const double often[] = {1000, 1000, 3500, NAN, 0};
    if (below(state, 4) == 0)
        return often[below(state, 5)];
    double decades = below(state, 2) ? 21 : 3;
    return pow(10, (double)below(state, 100000) / 100000 * decades - (decades > 3 ? 9 : -2));
}

static const char *const names[] = {
    "before",
    "after",
    "",
    "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D \xD7\xA2\xD7\x95\xD7\x9C\xD7\x9D (\xD7\x90) 12",
    "a name of eighty characters that goes on and on until there is no more room for it",
    "</text><text x=\"0\">",
    "unbrokenwordunbrokenwordunbrokenwordunbrokenwordunbrokenwordunbroken",
    "\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2\xe5\xad\x97",
    "\xff\x01\xe2\x80\xae reversed"};

static void random_limits(struct run *r, uint64_t *state)
{
    for (uint64_t n = below(state, 9); n > 0; n--) {
        enum limit_kind kind = (enum limit_kind)below(state, CAP_COUNT);
        double value = kind == CAP_IOPS ? pow(10, (double)below(state, 70) / 10)
                                        : pow(10, 5 + (double)below(state, 50) / 10);
        model_limit(r, (enum limit_owner)below(state, OWNER_COUNT), kind,
                    (enum limit_phase)below(state, PHASE_COUNT),
                    (enum limit_path)below(state, PATH_COUNT), value,
                    below(state, 2) ? value * 1.048576 : 0);
        if (kind == CAP_IOPS && below(state, 3) == 0)
            SET(&r->limit[r->n_limits - 1], LIMIT, io_size, UINT64_C(16384) << below(state, 6));
    }
}

static void random_latency(struct direction *d, uint64_t *state)
{
    struct lat *l = &d->lat[LAT_CLAT];
    uint64_t kind = below(state, 4);
    if (kind == 0)
        return;
    if (kind == 1) {
        l->n_reported = 3;
        l->reported = xcalloc(3, sizeof *l->reported);
        uint64_t at = 1 + below(state, 1000000);
        l->reported[0] = (struct lat_point){50, at};
        l->reported[1] = (struct lat_point){99, at + below(state, 100000000)};
        l->reported[2] = (struct lat_point){99.9, at + 100000000 + below(state, 10000000000)};
        SET(l, LAT_F, n, 5000);
        return;
    }
    l->hist = xmalloc(sizeof *l->hist);
    hist_init(l->hist);
    for (uint64_t n = 1 + below(state, kind == 2 ? 5 : 3000); n > 0; n--)
        hist_add(l->hist, (uint64_t)pow(10, (double)below(state, 1000) / 100));
    lat_from_hist(l);
}

static void random_series(struct direction *d, uint64_t *state)
{
    if (below(state, 2))
        return;
    d->series = xcalloc(1, sizeof *d->series);
    d->series->interval_ns = UINT64_C(1000000000);
    uint64_t level = 1 + below(state, 100000);
    for (uint64_t i = 0, n = 1 + below(state, 700); i < n; i++) {
        if (below(state, 200) == 0)
            level = 1 + below(state, 100000);
        struct series_point *p = series_append(d->series);
        *p = (struct series_point){.end_ns = (i + 1) * UINT64_C(1000000000),
                                   .len_ns = UINT64_C(1000000000),
                                   .ios = level + below(state, 100),
                                   .lat_p50_ns = below(state, 50000000),
                                   .lat_p99_ns = below(state, 5000000000)};
        p->lat_sum_ns = p->lat_p50_ns * p->ios;
    }
}

static void random_cell(struct dataset *d, size_t run, uint64_t *state)
{
    struct cell *c = cell_create();
    uint64_t bs = UINT64_C(512) << below(state, 13);
    double iops = rate(state);
    SET(c, CELL, status, below(state, 10) ? STATUS_COMPLETE : STATUS_FAILED);
    SET(&c->key, CELL_KEY, rw, below(state, 8) ? RW_RANDREAD : RW_RANDRW);
    if (below(state, 12))
        SET(&c->key, CELL_KEY, bs, bs);
    if (below(state, 12))
        SET(&c->key, CELL_KEY, iodepth, UINT64_C(1) << below(state, 10));
    struct direction *r = &c->dir[DIR_READ];
    SET(r, DIRECTION, ios, 1 + below(state, 100000));
    SET(r, DIRECTION, iops, iops);
    if (below(state, 4))
        SET(r, DIRECTION, bw, iops * (double)bs);
    random_latency(r, state);
    random_series(r, state);
    c->device = xcalloc(1, sizeof *c->device);
    c->n_devices = 1;
    dataset_add_cell(d, run, c);
    cell_destroy(c);
}

static struct dataset *random_dataset(size_t runs, size_t cells, uint64_t *state)
{
    static const char *const modes[] = {"none", "ro", "rw"};
    struct dataset *d = dataset_create();
    for (size_t i = 0; i < runs; i++) {
        struct run *r = run_create();
        const char *name = names[below(state, sizeof names / sizeof *names)];
        field_set_text(&run_fields, r, RUN_name, name);
        struct device_info *device = run_add_device(r);
        field_set_text(&device_fields, device, DEVICE_path,
                       names[below(state, sizeof names / sizeof *names)]);
        if (below(state, 2))
            field_set_text(&device_fields, device, DEVICE_cache_mode, modes[below(state, 3)]);
        if (below(state, 2))
            random_limits(r, state);
        size_t run = dataset_add_run(d, r);
        for (size_t k = 0; k < cells; k++)
            random_cell(d, run, state);
    }
    return d;
}

static void check(const struct scene *s, const char *kind, uint64_t seed)
{
    for (size_t i = 0; i < scene_n_text_boxes(s); i++) {
        const struct text_box *a = scene_text_box_at(s, i);
        cr_assert(text_box_inside(a, 0, 0, scene_width(s), scene_height(s)),
                  "%s, seed %lu: \"%s\" is cut off", kind, (unsigned long)seed, a->text);
        for (size_t j = 0; j < i; j++)
            cr_assert_not(text_boxes_overlap(a, scene_text_box_at(s, j), 0),
                          "%s, seed %lu: \"%s\" over \"%s\"", kind, (unsigned long)seed, a->text,
                          scene_text_box_at(s, j)->text);
    }
    struct strbuf svg = STRBUF_INIT;
    scene_write_svg(&svg, s, SVG_EMBEDDED, "x");
    /* what a NaN or an infinity becomes */
    cr_assert_not(strstr(svg.text, "22337203685477580"), "%s, seed %lu", kind, (unsigned long)seed);
    strbuf_release(&svg);
}

static void check_seed(size_t runs, size_t cells, uint64_t seed, struct fonts *f)
{
    uint64_t state = seed * 0x9E3779B97F4A7C15u + 1;
    struct dataset *d = random_dataset(runs, cells, &state);
    const struct kind_query all = {0};
    for (size_t k = 0; kind_table[k]; k++) {
        struct scene *s =
            fig_draw(kind_table[k]->name, d, &all, (enum chart_place)(seed % CHART_PLACE_COUNT), f);
        check(s, kind_table[k]->name, seed);
        scene_destroy(s);
    }
    dataset_destroy(d);
}

Test(layout, a_few_series)
{
    struct fonts *f = fonts_create(METRICS_PANGO);
    for (uint64_t seed = 1; seed <= 60; seed++)
        check_seed((size_t)(seed % 6), 1 + (size_t)(seed * 7 % 40), seed, f);
    fonts_destroy(f);
}

Test(layout, any_number_of_series)
{
    static const size_t runs[] = {0, 1, 2, 9, 200};
    struct fonts *f = fonts_create(METRICS_FIXED);
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        for (uint64_t seed = 1; seed <= 4; seed++)
            check_seed(runs[i], runs[i] > 9 ? 6 : 30, 1000 * (i + 1) + seed, f);
    fonts_destroy(f);
}

/* A path that takes a line of its own, and one block size that is too close to another for its words. */
Test(layout, long_paths_and_close_sizes_hide_nothing_else)
{
    static const uint64_t bs[] = {512, 4096, 4097, 65536, 1048576, 16777216};
    struct dataset *d = dataset_create();
    struct run *run = made_run();
    field_set_text(&device_fields, &run->device[0], DEVICE_path,
                   "/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_vol0123456789abcdef0-ns-1-part-"
                   "with-a-very-long-name");
    dataset_add_run(d, run);
    for (size_t i = 0; i < sizeof bs / sizeof *bs; i++) {
        struct cell c = {0};
        made_cell(&c, &(struct made){.rw = RW_RANDREAD, .bs = bs[i], .depth = 8, .iops = 3000});
        dataset_add_cell(d, 0, &c);
        cell_release(&c);
    }
    const struct kind_query all = {0};
    struct fonts *f = fonts_create(METRICS_FIXED);
    struct chart *c = kind_build(kind_find("roofline"), d, &all);
    struct scene *s = chart_draw(c, CHART_STANDALONE, f);
    struct strbuf dump = STRBUF_INIT;
    scene_write_dump(&dump, s);
    cr_expect(strstr(dump.text, "\"64k\""), "%s", dump.text);
    cr_expect(strstr(dump.text, "Log scales.\""), "%s", dump.text);
    strbuf_release(&dump);
    scene_destroy(s);
    chart_destroy(c);
    fonts_destroy(f);
    dataset_destroy(d);
}
