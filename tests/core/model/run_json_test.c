#include "core/model/run_json.h"

#include <criterion/criterion.h>

#include "core/base/json.h"
#include "core/base/xalloc.h"

/* The names that others rely on: the manual's example of `show RUN --format json`. */
static const char *const run_names[] = {"id",      "uuid",    "name",   "labels", "tool",
                                        "command", "started", "status", "source"};
static const char *const cell_names[] = {"id",      "devices", "rw",     "rwmixread", "bs",
                                         "iodepth", "numjobs", "repeat", "engine",    "direct",
                                         "status",  "read",    "write",  "trim",      "cpu"};
static const char *const direction_names[] = {"ios", "bytes",   "runtime_ns", "iops",
                                              "bw",  "slat_ns", "clat_ns",    "lat_ns"};
static const char *const lat_names[] = {"n", "min", "max", "mean", "stddev", "percentiles"};

static void expect_members(const cJSON *obj, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        cr_expect(cJSON_HasObjectItem(obj, names[i]), "%s is missing", names[i]);
}

#define EXPECT_MEMBERS(obj, names) expect_members((obj), (names), sizeof(names) / sizeof *(names))

static struct run *example_run(void)
{
    struct run *r = run_create();
    r->id = 7;
    field_set_text(&run_fields, r, RUN_uuid, "3f2a");
    SET(r, RUN, status, STATUS_COMPLETE);
    SET(r, RUN, started_ns, INT64_C(1777636800000000000));
    run_set_label(r, "release", "6.9 \"rc\"\xFF");
    field_set_text(&device_fields, run_add_device(r), DEVICE_path, "/dev/loop0");
    struct limit *l = run_add_limit(r);
    SET(l, LIMIT, value, 3500);
    return r;
}

static struct cell *example_cell(void)
{
    struct cell *c = cell_create();
    c->device = xcalloc(1, sizeof *c->device);
    c->n_devices = 1;
    SET(&c->key, CELL_KEY, rw, RW_RANDREAD);
    SET(&c->key, CELL_KEY, bs, 4096);
    SET(c, CELL, user_ns, UINT64_MAX);
    struct direction *d = &c->dir[DIR_READ];
    SET(d, DIRECTION, ios, 100);
    struct lat *l = &d->lat[LAT_CLAT];
    l->hist = xmalloc(sizeof *l->hist);
    hist_init(l->hist);
    for (int i = 0; i < 100; i++)
        hist_add(l->hist, 100);
    lat_from_hist(l);
    d->series = xcalloc(1, sizeof *d->series);
    d->series->interval_ns = 1000000000;
    struct series_point *p = series_append(d->series);
    p->len_ns = 1000000000;
    p->ios = 100;
    return c;
}

static char *printed(cJSON *o)
{
    char *text = json_print(o, false);
    cr_expect(json_is_valid(text), "%s", text);
    return text;
}

Test(run_json, run)
{
    struct run *r = example_run();
    cJSON *o = json_add_object(NULL, NULL);
    run_to_json(o, r);
    EXPECT_MEMBERS(o, run_names);
    cr_expect_str_eq(cJSON_GetObjectItem(o, "started")->valuestring, "2026-05-01T12:00:00Z");
    cr_expect_str_eq(cJSON_GetObjectItem(o, "status")->valuestring, "complete");
    cr_expect(cJSON_IsNull(cJSON_GetObjectItem(o, "source")), "measured, not imported");
    char *text = printed(o);
    cr_expect_not_null(strstr(text, "\"release\":\"6.9 \\\"rc\\\"\uFFFD\""), "%s", text);
    free(text);
    cJSON_Delete(o);
    run_destroy(r);
}

Test(run_json, a_source_is_an_object)
{
    struct run *r = example_run();
    field_set_text(&run_fields, r, RUN_source_path, "a.json");
    field_set_text(&run_fields, r, RUN_source_sha256, "ab");
    cJSON *o = json_add_object(NULL, NULL);
    run_to_json(o, r);
    const cJSON *source = cJSON_GetObjectItem(o, "source");
    cr_expect_str_eq(cJSON_GetObjectItem(source, "path")->valuestring, "a.json");
    cr_expect_str_eq(cJSON_GetObjectItem(source, "sha256")->valuestring, "ab");
    cJSON_Delete(o);
    run_destroy(r);
}

Test(run_json, parts)
{
    struct run *r = example_run();
    cJSON *o = json_add_object(NULL, NULL);
    run_parts_to_json(o, r);
    cr_expect_eq(cJSON_GetArraySize(cJSON_GetObjectItem(o, "devices")), 1);
    cr_expect_eq(cJSON_GetArraySize(cJSON_GetObjectItem(o, "limits")), 1);
    cr_expect(cJSON_IsObject(cJSON_GetObjectItem(o, "host")));
    free(printed(o));
    cJSON_Delete(o);
    run_destroy(r);
}

Test(run_json, cell)
{
    struct run *r = example_run();
    struct cell *c = example_cell();
    cJSON *o = json_add_object(NULL, NULL);
    cell_to_json(o, c, r, CELL_JSON_SERIES | CELL_JSON_BINS);
    EXPECT_MEMBERS(o, cell_names);
    const cJSON *read = cJSON_GetObjectItem(o, "read");
    EXPECT_MEMBERS(read, direction_names);
    EXPECT_MEMBERS(cJSON_GetObjectItem(read, "clat_ns"), lat_names);
    cr_expect(cJSON_IsNull(cJSON_GetObjectItem(o, "write")));
    cr_expect(cJSON_IsNull(cJSON_GetObjectItem(read, "slat_ns")));
    char *text = printed(o);
    cr_expect_not_null(strstr(text, "\"devices\":[\"/dev/loop0\"]"));
    cr_expect_not_null(strstr(text, "\"user_ns\":18446744073709551615"));
    cr_expect_not_null(strstr(text, "\"bins\":[[100,1,100]]"));
    cr_expect_not_null(strstr(text, "\"percentiles\":{\"1\":100,\"5\":100"));
    cr_expect_not_null(strstr(text, "\"90\":100}"), "p95 has five samples beyond it: not shown");
    cr_expect_not_null(strstr(text, "\"lat_mean_ns\":null"), "unknown in the series too");
    free(text);
    cJSON_Delete(o);
    cell_destroy(c);
    run_destroy(r);
}

Test(run_json, a_device_that_is_not_there)
{
    struct run *r = run_create();
    struct cell *c = example_cell();
    c->device[0] = 99;
    cJSON *o = json_add_object(NULL, NULL);
    cell_to_json(o, c, r, 0);
    cr_expect(cJSON_IsNull(cJSON_GetArrayItem(cJSON_GetObjectItem(o, "devices"), 0)));
    cJSON_Delete(o);
    cell_destroy(c);
    run_destroy(r);
}

Test(run_json, names_of_percentiles)
{
    char buf[32];
    cr_expect_str_eq(percentile_name(buf, 50), "50");
    cr_expect_str_eq(percentile_name(buf, 99.9), "99.9");
    cr_expect_str_eq(percentile_name(buf, 99.99), "99.99");
}
