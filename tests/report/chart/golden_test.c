/*
 * Every kind, drawn with letters of fixed width, as text: tests/data/golden/. A change of look shows
 * as a difference; UPDATE=1 in the environment writes the files again.
 */
#include <criterion/criterion.h>

#include "core/base/xalloc.h"
#include "tests/report/chart/figures.h"

static char *read_file(const char *path)
{
    struct strbuf sb = STRBUF_INIT;
    FILE *f = fopen(path, "rbe");
    if (!f)
        return NULL;
    for (size_t n = 1; n > 0;) {
        char *room = strbuf_reserve(&sb, 65536);
        n = fread(room, 1, 65536, f);
        strbuf_advance(&sb, n);
    }
    fclose(f);
    return strbuf_detach(&sb);
}

/* The first line that differs, for the message. */
static void explain(const char *name, const char *a, const char *b)
{
    size_t line = 1;
    while (*a && *a == *b) {
        line += *a == '\n';
        a++;
        b++;
    }
    while (line > 1 && a[-1] != '\n') {
        a--;
        b--;
    }
    cr_assert(false, "%s, line %zu:\n  was %.*s\n  is  %.*s", name, line, (int)strcspn(a, "\n"), a,
              (int)strcspn(b, "\n"), b);
}

static void check(struct dataset *d, const char *kind, const char *data)
{
    struct fonts *f = fonts_create(METRICS_FIXED);
    const struct kind_query all = {0};
    struct scene *s = fig_draw(kind, d, &all, CHART_STANDALONE, f);
    struct strbuf dump = STRBUF_INIT;
    scene_write_dump(&dump, s);
    char *path = xasprintf("%s/golden/%s-%s.txt", TEST_DATA, kind, data);
    if (getenv("UPDATE")) {
        FILE *out = fopen(path, "wbe");
        cr_assert(out, "%s", path);
        fputs(dump.text, out);
        fclose(out);
    }
    char *golden = read_file(path);
    cr_assert(golden, "%s is not there: UPDATE=1 makes it", path);
    if (strcmp(golden, dump.text) != 0)
        explain(path, golden, dump.text);
    free(golden);
    free(path);
    strbuf_release(&dump);
    scene_destroy(s);
    fonts_destroy(f);
}

static void check_every_kind(struct dataset *d, const char *data)
{
    for (size_t i = 0; kind_table[i]; i++)
        check(d, kind_table[i]->name, data);
}

Test(golden, a_disk_behind_a_vm)
{
    struct dataset *d = dataset_create();
    struct device_model m = fig_cloud("cache on");
    fig_add(d, &m, true, 9, 5);
    check_every_kind(d, "cloud");
    dataset_destroy(d);
}

Test(golden, two_runs)
{
    struct dataset *d = dataset_create();
    struct device_model m = fig_cloud("cache on");
    fig_add(d, &m, true, 9, 4);
    m.name = "cache off";
    m.cache = "none";
    m.cap_bytes = 100.6e6;
    m.latency_us = 2400;
    fig_add(d, &m, true, 9, 4);
    check_every_kind(d, "two");
    dataset_destroy(d);
}

Test(golden, no_data)
{
    struct dataset *d = dataset_create();
    check(d, "roofline", "none");
    dataset_destroy(d);
}

Test(golden, no_limits)
{
    struct dataset *d = dataset_create();
    struct device_model m = fig_nvme("nvme");
    fig_add(d, &m, false, 6, 7);
    check(d, "roofline", "nvme");
    check(d, "matrix", "nvme");
    dataset_destroy(d);
}

Test(golden, many_runs)
{
    struct dataset *d = dataset_create();
    struct device_model m = fig_nvme("release");
    m.repeats = 1;
    for (int i = 0; i < 8; i++) {
        m.latency_us += 9;
        fig_add(d, &m, false, 4, 2);
    }
    check(d, "bs", "many");
    dataset_destroy(d);
}

Test(golden, a_burst)
{
    struct dataset *d = dataset_create();
    struct device_model m = fig_cloud("burst");
    m.seconds = 900;
    m.burst_s = 600;
    m.sustained_iops = 1100;
    m.cap_iops = 3500;
    fig_add(d, &m, true, 1, 6);
    check(d, "time", "burst");
    dataset_destroy(d);
}

/* As a text of fio gives it: percentiles and shares of slots, no histogram. */
Test(golden, imported_percentiles)
{
    struct dataset *d = dataset_create();
    size_t run = fig_add_run(d, "imported");
    struct cell *c = cell_create();
    SET(c, CELL, status, STATUS_COMPLETE);
    SET(&c->key, CELL_KEY, rw, RW_RANDWRITE);
    SET(&c->key, CELL_KEY, bs, 16384);
    SET(&c->key, CELL_KEY, iodepth, 64);
    struct direction *w = &c->dir[DIR_WRITE];
    SET(w, DIRECTION, ios, 41234);
    SET(w, DIRECTION, iops, 412.34);
    SET(w, DIRECTION, bw, 412.34 * 16384);
    struct lat *l = &w->lat[LAT_CLAT];
    static const struct lat_point reported[] = {{50, 120000000},
                                                {90, 900000000},
                                                {99, 2400000000},
                                                {99.9, 3100000000},
                                                {99.99, 3400000000}};
    l->n_reported = sizeof reported / sizeof *reported;
    l->reported = xcalloc(l->n_reported, sizeof *l->reported);
    memcpy(l->reported, reported, sizeof reported);
    SET(l, LAT_F, max, 3600000000);
    static const struct lat_bucket bucket[] = {
        {20000000, 50000000, 0.112},    {50000000, 100000000, 0.304},
        {100000000, 250000000, 0.2203}, {250000000, 500000000, 0.0601},
        {500000000, 750000000, 0.04},   {750000000, 1000000000, 0},
        {1000000000, 2000000000, 0.2},  {2000000000, UINT64_MAX, 0.0636}};
    c->n_buckets = sizeof bucket / sizeof *bucket;
    c->bucket = xcalloc(c->n_buckets, sizeof *c->bucket);
    memcpy(c->bucket, bucket, sizeof bucket);
    dataset_add_cell(d, run, c);
    cell_destroy(c);
    check(d, "percentile", "imported");
    check(d, "latency", "imported");
    dataset_destroy(d);
}
