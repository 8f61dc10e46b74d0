/* What every kind must do, whatever the data: the table "sparse, empty and huge data". */
#include "tests/report/chart/figures.h"

#include <criterion/criterion.h>
#include <math.h>

/* No two words overlap, none leaves the picture, no coordinate is infinite. */
static void check_picture(const char *kind, const char *what, struct scene *s)
{
    cr_assert(isfinite(scene_width(s)) && scene_height(s) > 0 && scene_height(s) < 4000, "%s %s",
              kind, what);
    for (size_t i = 0; i < scene_n_text_boxes(s); i++) {
        const struct text_box *a = scene_text_box_at(s, i);
        cr_assert(text_box_inside(a, 0, 0, scene_width(s), scene_height(s)),
                  "%s, %s: \"%s\" is cut off", kind, what, a->text);
        for (size_t j = 0; j < i; j++)
            cr_assert_not(text_boxes_overlap(a, scene_text_box_at(s, j), 0),
                          "%s, %s: \"%s\" over \"%s\"", kind, what, a->text,
                          scene_text_box_at(s, j)->text);
    }
    struct strbuf svg = STRBUF_INIT;
    scene_write_svg(&svg, s, SVG_EMBEDDED, "x");
    cr_assert_not(strstr(svg.text, "922337203685477580"), "%s, %s: a coordinate is not a number",
                  kind, what);
    cr_assert_not(strstr(svg.text, " width=\"-"), "%s, %s: a width below zero", kind, what);
    strbuf_release(&svg);
}

static void check_all(struct dataset *d, const char *what)
{
    struct fonts *f = fonts_create(METRICS_PANGO);
    const struct kind_query all = {0};
    for (size_t k = 0; kind_table[k]; k++)
        for (enum chart_place place = CHART_STANDALONE; place < CHART_PLACE_COUNT; place++) {
            struct scene *s = fig_draw(kind_table[k]->name, d, &all, place, f);
            check_picture(kind_table[k]->name, what, s);
            scene_destroy(s);
        }
    fonts_destroy(f);
    dataset_destroy(d);
}

static bool is_empty(const char *kind, struct dataset *d, const char *word)
{
    const struct kind_query all = {0};
    struct chart *c = kind_build(kind_find(kind), d, &all);
    bool empty = c->empty != NULL && strstr(c->empty, word) != NULL;
    chart_destroy(c);
    return empty;
}

Test(kinds, every_row_of_the_registry_says_what_it_is)
{
    for (size_t i = 0; kind_table[i]; i++) {
        cr_assert(kind_table[i]->name && kind_table[i]->title && kind_table[i]->help);
        cr_assert_eq(kind_find(kind_table[i]->name), kind_table[i]);
    }
    cr_assert_null(kind_find("pie"));
}

Test(kinds, no_data_is_a_sentence_and_a_command)
{
    struct dataset *d = dataset_create();
    const struct kind_query all = {0};
    for (size_t i = 0; kind_table[i]; i++) {
        struct chart *c = kind_build(kind_table[i], d, &all);
        cr_assert(c->empty && *c->empty && strstr(c->command, "blkmatrix "), "%s",
                  kind_table[i]->name);
        cr_assert(*c->title);
        chart_destroy(c);
    }
    check_all(d, "no data");
}

Test(kinds, failed_cells_are_said_to_have_failed)
{
    struct dataset *d = dataset_create();
    size_t run = fig_add_run(d, "broken");
    struct cell *c = cell_create();
    SET(c, CELL, status, STATUS_FAILED);
    SET(&c->key, CELL_KEY, rw, RW_RANDREAD);
    SET(&c->key, CELL_KEY, bs, 4096);
    SET(&c->key, CELL_KEY, iodepth, 1);
    dataset_add_cell(d, run, c);
    cell_destroy(c);
    for (size_t i = 0; kind_table[i]; i++)
        cr_assert(is_empty(kind_table[i]->name, d, "failed"), "%s", kind_table[i]->name);
    check_all(d, "all failed");
}

Test(kinds, a_filter_that_fits_nothing_says_so)
{
    struct dataset *d = dataset_create();
    fig_add_cell(d, fig_add_run(d, "one"), 4096, 1, 1000);
    const uint64_t bs = 12345;
    const struct kind_query q = {.bs = &bs, .n_bs = 1};
    for (size_t i = 0; kind_table[i]; i++) {
        struct chart *c = kind_build(kind_table[i], d, &q);
        cr_assert(c->empty && strstr(c->empty, "filter"), "%s", kind_table[i]->name);
        chart_destroy(c);
    }
    dataset_destroy(d);
}

Test(kinds, rates_alone_make_the_charts_of_rates)
{
    struct dataset *d = dataset_create();
    fig_add_cell(d, fig_add_run(d, "one"), 4096, 1, 1000);
    cr_assert_not(is_empty("roofline", d, ""));
    cr_assert_not(is_empty("bs", d, ""));
    cr_assert_not(is_empty("qd", d, ""));
    cr_assert_not(is_empty("matrix", d, ""));
    cr_assert(is_empty("hockey", d, "latency"));
    cr_assert(is_empty("percentile", d, "latency"));
    cr_assert(is_empty("latency", d, "latency"));
    cr_assert(is_empty("time", d, "time"));
    check_all(d, "one rate");
}

Test(kinds, two_points_make_no_trend)
{
    struct dataset *d = dataset_create();
    size_t run = fig_add_run(d, "two");
    fig_add_cell(d, run, 4096, 1, 1000);
    fig_add_cell(d, run, 8192, 1, 900);
    const struct kind_query all = {0};
    struct chart *c = kind_build(kind_find("bs"), d, &all);
    cr_assert_str_eq(c->title, "IOPS and bandwidth by block size");
    chart_destroy(c);
    check_all(d, "two points");
}

Test(kinds, equal_values_are_not_zoomed_into)
{
    struct dataset *d = dataset_create();
    size_t run = fig_add_run(d, "equal");
    for (size_t i = 0; i < 5; i++)
        fig_add_cell(d, run, 4096, fig_depths[i], 1000);
    const struct kind_query all = {0};
    struct chart *c = kind_build(kind_find("qd"), d, &all);
    cr_assert_float_eq(c->panel[0].y.lo, 0, 1e-9);
    chart_destroy(c);
    c = kind_build(kind_find("bs"), d, &all);
    cr_assert_geq(c->panel[0].y.hi / c->panel[0].y.lo, 2);
    chart_destroy(c);
    check_all(d, "equal values");
}

Test(kinds, unknown_rates_are_left_out)
{
    struct dataset *d = dataset_create();
    size_t run = fig_add_run(d, "nan");
    fig_add_cell(d, run, 4096, 1, NAN);
    fig_add_cell(d, run, 8192, 1, 1000);
    fig_add_cell(d, run, 16384, 1, 0);
    const struct kind_query all = {0};
    struct chart *c = kind_build(kind_find("roofline"), d, &all);
    for (size_t i = 0; i < c->panel[0].trace[0].n; i++)
        cr_assert(isnan(c->panel[0].trace[0].datum[i].y) || c->panel[0].trace[0].datum[i].y > 0);
    chart_destroy(c);
    check_all(d, "an unknown and a zero rate");
}

Test(kinds, extreme_rates)
{
    struct dataset *d = dataset_create();
    size_t run = fig_add_run(d, "extreme");
    fig_add_cell(d, run, 512, 1, 1e-9);
    fig_add_cell(d, run, 4096, 1, 1);
    fig_add_cell(d, run, UINT64_C(1) << 30, 65536, 1e12);
    check_all(d, "1e-9 to 1e12");
}

Test(kinds, more_columns_than_there_are_pixels)
{
    struct dataset *d = dataset_create();
    size_t run = fig_add_run(d, "wide");
    for (uint64_t i = 1; i <= 600; i++)
        for (uint64_t depth = 1; depth <= 2; depth++)
            fig_add_cell(d, run, 512 * i, depth, 1000);
    check_all(d, "600 block sizes");
}

Test(kinds, realistic_runs)
{
    struct dataset *d = dataset_create();
    struct device_model m = fig_cloud("cache on");
    fig_add(d, &m, true, 9, 8);
    check_all(d, "cloud");
    d = dataset_create();
    fig_add(d, &m, true, 9, 8);
    m.name = "cache off";
    m.cache = "none";
    m.cap_bytes = 96e6;
    m.latency_us = 2400;
    fig_add(d, &m, true, 9, 8);
    check_all(d, "cloud, two runs");
    d = dataset_create();
    m = fig_nvme("nvme");
    fig_add(d, &m, false, 9, 7);
    check_all(d, "nvme");
    d = dataset_create();
    for (int i = 0; i < 9; i++) {
        m.latency_us += 5;
        fig_add(d, &m, false, 4, 3);
    }
    check_all(d, "nine runs");
}

Test(kinds, names_of_any_kind_and_length)
{
    static const char *const name[] = {
        "</text><script>alert(1)</script>",
        "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D \xD7\xA2\xD7\x95\xD7\x9C\xD7\x9D 12",
        "a name of eighty characters that goes on and on until there is no more room for it",
        "line\nbreak \xff\xfe and \x01 control",
        "",
    };
    struct dataset *d = dataset_create();
    struct device_model m = fig_nvme(name[0]);
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        m.name = name[i];
        m.device = name[i];
        m.latency_us += 30;
        fig_add(d, &m, false, 5, 4);
    }
    check_all(d, "hostile names");
}

Test(kinds, several_patterns_of_one_run)
{
    struct dataset *d = dataset_create();
    struct device_model m = fig_nvme("both");
    m.repeats = 1;
    size_t run = fig_add(d, &m, false, 3, 3);
    m.rw = RW_RANDWRITE;
    m.latency_us = 200;
    struct model_cells c = {0};
    model_sweep(&c, &m, fig_sizes, 3, fig_depths, 3);
    for (size_t i = 0; i < c.n; i++)
        dataset_add_cell(d, run, &c.cell[i]);
    model_cells_release(&c);
    const struct kind_query first = {0};
    struct chart *chart = kind_build(kind_find("roofline"), d, &first);
    cr_assert(strstr(chart->source, "Not shown: random write"), "%s", chart->source);
    chart_destroy(chart);
    const char *const rw[] = {"randread", "randwrite"};
    const struct kind_query both = {.rw = rw, .n_rw = 2};
    chart = kind_build(kind_find("roofline"), d, &both);
    cr_assert_eq(chart->panel[0].n_traces, 2);
    cr_assert_str_eq(chart->panel[0].trace[1].name, "B random write");
    chart_destroy(chart);
    const struct kind_query one = {.rw = rw + 1, .n_rw = 1};
    chart = kind_build(kind_find("roofline"), d, &one);
    cr_assert(strstr(chart->subtitle, "random write"), "%s", chart->subtitle);
    chart_destroy(chart);
    check_all(d, "two patterns");
}

/* Whether rates would rise at another depth was not tried. */
Test(kinds, one_depth_has_no_level)
{
    struct dataset *d = dataset_create();
    size_t run = fig_add_run(d, "box");
    for (size_t i = 0; i < 9; i++)
        fig_add_cell(d, run, fig_sizes[i], 32, fmin(20000, 200 * 1048576.0 / (double)fig_sizes[i]));
    const struct kind_query query = {0};
    struct chart *c = kind_build(kind_find("roofline"), d, &query);
    cr_expect_str_eq(c->title, "Small reads stay at 20.0k IOPS, large ones at 200 MiB/s");
    chart_destroy(c);
    dataset_destroy(d);
}
