/* Every exporter: all fields go out, hostile text comes back the same, several runs are one text. */
#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <csv.h>

#include "core/base/xalloc.h"
#include "store/export/exporter.h"
#include "tests/support/sample.h"

static struct run *run;
static struct cell *cell[2];

static void set_up(void)
{
    run = sample_run(1);
    run->id = 7;
    for (unsigned i = 0; i < 2; i++) {
        cell[i] = sample_cell(i);
        cell[i]->id = 40 + i;
    }
}

static void tear_down(void)
{
    cell_destroy(cell[0]);
    cell_destroy(cell[1]);
    run_destroy(run);
}

TestSuite(exporter, .init = set_up, .fini = tear_down);

static char *export(const struct exporter *e, unsigned flags, size_t runs, size_t cells)
{
    struct strbuf out = STRBUF_INIT;
    struct export_state state = {.flags = flags, .many = runs != 1};
    for (size_t r = 0; r < runs; r++, state.n_runs++) {
        state.n_cells = 0;
        e->begin(&out, &state, run);
        for (size_t i = 0; i < cells; i++, state.n_cells++)
            e->cell(&out, &state, run, cell[i]);
        if (e->end)
            e->end(&out, &state);
    }
    if (e->finish)
        e->finish(&out, &state);
    return strbuf_detach(&out);
}

Test(exporter, all_are_found_by_name_and_say_what_they_do)
{
    for (size_t i = 0; exporter_registry[i]; i++) {
        const struct exporter *e = exporter_registry[i];
        cr_expect_eq(exporter_find(e->name), e);
        cr_expect(*e->suffix && *e->summary && e->begin && e->cell);
        char *text = export(e, 0, 1, 0);
        cr_expect(text[0] && text[strlen(text) - 1] == '\n', "%s ends in a line", e->name);
        free(text);
    }
    cr_expect_null(exporter_find("xls"));
}

/* Every known field of the record is a member with its value. */
static void expect_members(const cJSON *obj, const struct field_set *set, const void *rec)
{
    for (size_t i = 0; i < set->n; i++) {
        const struct field *f = &set->field[i];
        if (f->unit == UNIT_INSTANT)
            continue; /* under its name without _ns */
        const cJSON *m = cJSON_GetObjectItemCaseSensitive(obj, f->name);
        if (!m || cJSON_IsObject(m) || !field_is_known(set, rec, i))
            continue; /* grouped or under another name: the schema test sees to that */
        if (f->type == FIELD_TEXT || f->type == FIELD_ENUM)
            cr_expect_str_eq(m->valuestring, field_get_text(set, rec, i), "%s", f->name);
        else if (f->type == FIELD_U64 || f->type == FIELD_I64 || f->type == FIELD_F64)
            cr_expect_eq(m->valuedouble, field_get_f64(set, rec, i), "%s", f->name);
    }
}

Test(exporter, json_holds_what_the_records_hold)
{
    char *text = export(&exporter_json, EXPORT_SERIES | EXPORT_BINS, 1, 2);
    cJSON *doc = cJSON_Parse(text);
    cr_assert_not_null(doc);
    const cJSON *r = cJSON_GetObjectItemCaseSensitive(doc, "run");
    expect_members(r, &run_fields, run);
    cr_expect_str_eq(cJSON_GetObjectItem(cJSON_GetObjectItem(r, "source"), "path")->valuestring,
                     run->source_path);
    expect_members(cJSON_GetObjectItem(doc, "host"), &host_fields, &run->host);
    expect_members(cJSON_GetArrayItem(cJSON_GetObjectItem(doc, "devices"), 1), &device_fields,
                   &run->device[1]);
    const cJSON *cells = cJSON_GetObjectItem(doc, "cells");
    cr_assert_eq(cJSON_GetArraySize(cells), 2);
    const cJSON *c = cJSON_GetArrayItem(cells, 1);
    expect_members(c, &cell_fields, cell[1]);
    expect_members(c, &cell_key_fields, &cell[1]->key);
    const cJSON *write = cJSON_GetObjectItem(c, "write");
    expect_members(write, &direction_fields, &cell[1]->dir[DIR_WRITE]);
    cr_expect_eq(
        cJSON_GetArraySize(cJSON_GetObjectItem(cJSON_GetObjectItem(write, "series"), "points")), 5);
    const cJSON *reported =
        cJSON_GetObjectItem(cJSON_GetObjectItem(write, "slat_ns"), "percentiles");
    cr_expect_str_eq(reported->child->next->string, "99.95");
    cr_expect(strstr(text, "9007199254740993"), "integers keep all their digits");
    cr_expect_eq(cJSON_GetArraySize(cJSON_GetObjectItem(c, "parts")), 2);
    cJSON_Delete(doc);
    free(text);
}

Test(exporter, several_runs_are_a_json_array)
{
    char *text = export(&exporter_json, 0, 3, 1);
    cJSON *doc = cJSON_Parse(text);
    cr_assert(cJSON_IsArray(doc));
    cr_expect_eq(cJSON_GetArraySize(doc), 3);
    cJSON_Delete(doc);
    free(text);
    text = export(&exporter_json, 0, 0, 0);
    doc = cJSON_Parse(text);
    cr_expect(cJSON_IsArray(doc) && cJSON_GetArraySize(doc) == 0);
    cJSON_Delete(doc);
    free(text);
}

/* A table read back by libcsv. */
struct table {
    char **value;
    size_t n, room, columns, rows;
};

static void on_value(void *bytes, size_t n, void *arg)
{
    struct table *t = arg;
    GROW(t->value, t->n + 1, t->room);
    t->value[t->n++] = bytes ? xstrndup(bytes, n) : xstrdup("");
}

static void on_row(int c, void *arg)
{
    (void)c;
    struct table *t = arg;
    if (t->rows++ == 0)
        t->columns = t->n;
    cr_expect_eq(t->n, t->rows * t->columns, "row %zu has as many columns as the head", t->rows);
}

static const char *value_of(const struct table *t, size_t row, const char *prefix, const char *name)
{
    char column[128];
    snprintf(column, sizeof column, "%s%s", prefix, name);
    for (size_t i = 0; i < t->columns; i++)
        if (strcmp(t->value[i], column) == 0)
            return t->value[row * t->columns + i];
    return "(no such column)";
}

static void expect_values(const struct table *t, size_t row, const char *prefix,
                          const struct field_set *set, const void *rec)
{
    for (size_t i = 0; i < set->n; i++) {
        if (set == &run_fields && set->field[i].type == FIELD_JSON)
            continue;
        struct strbuf want = STRBUF_INIT;
        field_format(&want, set, rec, i);
        cr_expect_str_eq(value_of(t, row, prefix, set->field[i].name), want.text, "%s%s", prefix,
                         set->field[i].name);
        strbuf_release(&want);
    }
}

Test(exporter, csv_is_read_back_equal_by_libcsv)
{
    char *text = export(&exporter_csv, 0, 2, 2);
    struct table t = {0};
    struct csv_parser parser;
    cr_assert_eq(csv_init(&parser, CSV_STRICT), 0);
    cr_assert_eq(csv_parse(&parser, text, strlen(text), on_value, on_row, &t), strlen(text));
    csv_fini(&parser, on_value, on_row, &t);
    csv_free(&parser);
    cr_assert_eq(t.rows, 1 + 2 * 2 * DIR_COUNT, "one head, a row a direction");
    size_t row = 1 + DIR_COUNT + DIR_WRITE; /* the second cell of the first run */
    expect_values(&t, row, "run_", &run_fields, run);
    expect_values(&t, row, "cell_", &cell_fields, cell[1]);
    expect_values(&t, row, "", &cell_key_fields, &cell[1]->key);
    expect_values(&t, row, "", &direction_fields, &cell[1]->dir[DIR_WRITE]);
    expect_values(&t, row, "clat_", &lat_fields, &cell[1]->dir[DIR_WRITE].lat[LAT_CLAT]);
    cr_expect_str_eq(value_of(&t, row, "", "direction"), "write");
    cr_expect_str_eq(value_of(&t, row, "slat_p", "99.95"), "9007199254740993");
    for (size_t i = 0; i < t.n; i++)
        free(t.value[i]);
    free(t.value);
    free(text);
}
