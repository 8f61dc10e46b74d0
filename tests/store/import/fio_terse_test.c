/* Terse lines of versions 2 to 5, against facts taken from them and against the JSON of the same run. */
#include <criterion/criterion.h>
#include <math.h>

#include "core/base/xalloc.h"
#include "tests/store/import/import_bytes.h"
#include "tests/support/scratch.h"
#include "tests/support/tsv.h"

#define FOLDER TEST_DATA "/import/fio-terse/"

static int import_text(struct collected *c, const struct importer *importer, const char *name,
                       const char *bytes, size_t n, struct error *err)
{
    struct import_outcome outcome;
    *c = (struct collected){0};
    return import_bytes(importer, c, &outcome, name, bytes, n, err);
}

static void import_file(struct collected *c, const struct importer *importer, const char *name)
{
    size_t n;
    char *path = xasprintf(FOLDER "%s", name), *bytes = scratch_read(path, &n);
    cr_assert(bytes, "%s", path);
    struct error err = ERROR_INIT;
    cr_assert_eq(importer_for(bytes, n), importer, "%s is taken for another format", name);
    cr_assert_eq(import_text(c, importer, name, bytes, n, &err), 0, "%s: %s", name, err.message);
    free(bytes);
    free(path);
}

static void expect_fact(const char *where, const char *text, bool known, double v)
{
    double e = strtod(text, NULL);
    if (strcmp(text, "-") == 0 || (e == 0 && !known))
        return;
    cr_expect(known && fabs(v - e) <= 1e-9 * e, "%s: %.9g, %s is expected", where, v, text);
}

static void expect_facts(const char *file, const struct tsv *t, size_t row, const char *dir,
                         const struct direction *d)
{
    char column[32];
    uint64_t ns = 0;
    bool known = lat_percentile(&d->lat[LAT_CLAT], 99, &ns);
    snprintf(column, sizeof column, "%s_iops", dir);
    expect_fact(file, tsv_get(t, row, column), IS_KNOWN(d, DIRECTION, iops), d->iops);
    snprintf(column, sizeof column, "%s_bw", dir);
    expect_fact(file, tsv_get(t, row, column), IS_KNOWN(d, DIRECTION, bw), d->bw);
    snprintf(column, sizeof column, "%s_p99", dir);
    expect_fact(file, tsv_get(t, row, column), known, (double)ns);
}

Test(fio_terse, facts_of_the_lines)
{
    struct tsv t;
    tsv_load(&t, FOLDER "facts.tsv");
    cr_assert_eq(t.n_rows, 8);
    for (size_t row = 0; row < t.n_rows; row++) {
        struct collected c;
        const char *file = tsv_get(&t, row, "file"), *version = tsv_get(&t, row, "fio_version");
        import_file(&c, &importer_fio_terse, file);
        cr_assert(c.n_runs == 1 && c.n_cells == 1, "%s", file);
        cr_expect_str_eq(c.run[0]->tool, strcmp(version, "-") == 0 ? "fio" : version, "%s", file);
        expect_facts(file, &t, row, "read", &c.cell[0]->dir[DIR_READ]);
        expect_facts(file, &t, row, "write", &c.cell[0]->dir[DIR_WRITE]);
        collect_release(&c);
    }
    tsv_release(&t);
}

/* Whole us in the text: the JSON's ns are less than one more. */
static void expect_us(const char *where, uint64_t text, uint64_t json)
{
    cr_expect(text % 1000 == 0 && text <= json && json - text < 1000, "%s: %lu, JSON has %lu",
              where, text, json);
}

static void expect_same_lat(const char *where, const struct lat *text, const struct lat *json)
{
    if (!json->known || json->max < 1000)
        return;
    expect_us(where, text->min, json->min);
    expect_us(where, text->max, json->max);
    cr_expect_float_eq(text->mean, json->mean, 0.002 * json->mean + 1, "%s: mean", where);
    cr_expect_eq(text->n_reported, json->n_reported, "%s: percentiles", where);
    for (size_t i = 0; i < text->n_reported && i < json->n_reported; i++)
        expect_us(where, text->reported[i].ns, json->reported[i].ns);
}

static void expect_same(const char *where, const struct cell *text, const struct cell *json)
{
    cr_expect_str_eq(text->name, json->name, "%s", where);
    cr_expect_eq(text->status, json->status, "%s", where);
    cr_expect_eq(text->error_code, json->error_code, "%s", where);
    cr_expect(text->n_disks == json->n_disks || strstr(where, "v2"), "%s", where);
    for (int i = DIR_READ; i <= DIR_MIXED; i++) {
        const struct direction *a = &text->dir[i], *b = &json->dir[i];
        cr_expect_eq(direction_is_used(a), direction_is_used(b), "%s: direction %d", where, i);
        if (!direction_is_used(b))
            continue;
        cr_expect(a->bytes <= b->bytes && b->bytes - a->bytes < 1024, "%s: bytes", where);
        cr_expect(a->runtime_ns == b->runtime_ns, "%s: runtime", where);
        cr_expect(a->iops <= b->iops && b->iops - a->iops < 1, "%s: %g, JSON has %g", where,
                  a->iops, b->iops);
        for (int k = 0; k < LAT_KIND_COUNT; k++)
            expect_same_lat(where, &a->lat[k], &b->lat[k]);
    }
}

Test(fio_terse, gives_what_the_json_of_the_same_run_gives)
{
    static const char *const pairs[] = {"q02-v2", "q03-v3",         "q04-v4-trim",
                                        "q05-v5", "q06-v3-unified", "q07-v3-error"};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct collected text, json;
        char *name = xasprintf("%s.txt", pairs[i]);
        import_file(&text, &importer_fio_terse, name);
        free(name);
        name = xasprintf("%s.json", pairs[i]);
        import_file(&json, &importer_fio_json, name);
        free(name);
        cr_assert_eq(text.n_cells, json.n_cells, "%s", pairs[i]);
        for (size_t k = 0; k < text.n_cells; k++)
            expect_same(pairs[i], text.cell[k], json.cell[k]);
        collect_release(&text);
        collect_release(&json);
    }
}

/* The tables of terse lines have us first; the JSON's ns table is counted in it. */
Test(fio_terse, latency_tables)
{
    struct collected c;
    import_file(&c, &importer_fio_terse, "d31-terse-v3-cut.txt");
    const struct cell *cell = c.cell[0];
    cr_assert_geq(cell->n_buckets, 3);
    cr_expect(cell->bucket[0].lo_ns == 4000 && cell->bucket[0].hi_ns == 10000);
    cr_expect_float_eq(cell->bucket[0].share, 0.0001, 1e-12);
    cr_expect(cell->bucket[1].hi_ns == 20000 && fabs(cell->bucket[1].share - 0.2149) < 1e-12);
    cr_assert_eq(cell->n_disks, 1);
    cr_expect_str_eq(cell->disk[0].name, "nvme0n1");
    cr_expect_eq(cell->disk[0].write_ios, 934217);
    cr_expect_float_eq(cell->disk[0].util, 0.9924, 1e-12);
    collect_release(&c);
}

Test(fio_terse, disks_of_client_mode_and_announcements)
{
    struct collected c;
    import_file(&c, &importer_fio_terse, "l32-client-terse.txt");
    cr_assert_eq(c.cell[0]->n_disks, 1);
    cr_expect_str_eq(c.cell[0]->disk[0].name, "vda");
    cr_expect(cell_has_caveat(c.cell[0], "several-sections"));
    collect_release(&c);
}

Test(fio_terse, lines_of_one_name_are_not_added_up)
{
    size_t n;
    char *line = scratch_read(FOLDER "q05-v5.txt", &n);
    char *text = xasprintf("%s%s", line, line);
    struct collected c;
    struct error err = ERROR_INIT;
    cr_assert_eq(import_text(&c, &importer_fio_terse, "a.txt", text, strlen(text), &err), 0, "%s",
                 err.message);
    cr_assert(c.n_runs == 1 && c.n_cells == 2);
    cr_expect(c.cell[0]->repeat == 1 && c.cell[1]->repeat == 2);
    cr_expect_eq(c.cell[0]->dir[DIR_READ].bytes, c.cell[1]->dir[DIR_READ].bytes);
    cr_expect(cell_has_caveat(c.cell[0], "jobs-apart") && cell_has_caveat(c.cell[1], "jobs-apart"));
    collect_release(&c);
    cr_assert_eq(import_text(&c, &importer_fio_terse, "a.txt", line, n, &err), 0);
    cr_expect_not(cell_has_caveat(c.cell[0], "jobs-apart"));
    collect_release(&c);
    free(text);
    free(line);
}

Test(fio_terse, cut_at_every_byte)
{
    size_t n;
    char *bytes = scratch_read(FOLDER "q03-v3.txt", &n);
    cr_assert(bytes);
    size_t last = 0;
    for (size_t cut = 0; cut <= n; cut++) {
        char *exact = xmalloc(cut + 1);
        memcpy(exact, bytes, cut);
        exact[cut] = '\0';
        struct collected c;
        struct error err = ERROR_INIT;
        int rc = import_text(&c, &importer_fio_terse, "cut.txt", exact, cut, &err);
        cr_assert(rc == 0 || rc == -ERR_INPUT);
        cr_assert(c.n_cells >= last && c.n_cells <= 2);
        last = c.n_cells;
        collect_release(&c);
        free(exact);
    }
    cr_expect_eq(last, 2);
    free(bytes);
}

Test(fio_terse, says_the_line_that_breaks_off)
{
    struct collected c;
    struct error err = ERROR_INIT;
    static const char text[] = "warning\n3;fio-3.33;a;0;0;1;2;3\n";
    cr_expect_eq(import_text(&c, &importer_fio_terse, "cut.txt", text, sizeof text - 1, &err),
                 -ERR_INPUT);
    cr_expect(strstr(err.message, "cut.txt: line 2: a terse line that breaks off"), "%s",
              err.message);
    cr_expect_eq(c.n_skipped, 1);
    collect_release(&c);
    cr_expect_null(importer_for("3;4;5;6\n2;a;b;c\n", 16));
}

/* A field in place of another: what it is stays unknown, and the table names it. */
static void import_with(struct collected *c, struct import_outcome *outcome, size_t field,
                        const char *value)
{
    size_t n, at = 0;
    char *bytes = scratch_read(FOLDER "q03-v3.txt", &n);
    cr_assert(bytes);
    for (size_t i = 1; i < field; i++)
        at = (size_t)(strchr(bytes + at, ';') + 1 - bytes);
    size_t len = strcspn(bytes + at, ";");
    char *text = xasprintf("%.*s%s%s", (int)at, bytes, value, bytes + at + len);
    struct error err = ERROR_INIT;
    *c = (struct collected){0};
    cr_assert_eq(import_bytes(&importer_fio_terse, c, outcome, "x", text, strlen(text), &err), 0,
                 "%s", err.message);
    free(text);
    free(bytes);
}

Test(fio_terse, numbers_that_cannot_be_are_said)
{
    static const struct {
        size_t field;
        const char *value, *note;
        size_t unknown; /* of reads */
    } rows[] = {
        {6, "-5", "1 impossible number left unknown: field 6 = -5 in line 1", DIRECTION_bytes},
        {8, "many", "field 8 = many in line 1", DIRECTION_iops},
        {9, "-1", "field 9 = -1 in line 1", DIRECTION_runtime_ns},
        {9, "99999999999999999999", "field 9 = 99999999999999999999", DIRECTION_runtime_ns},
        {9, "1001", NULL, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct collected c;
        struct import_outcome outcome;
        import_with(&c, &outcome, rows[i].field, rows[i].value);
        bool said = strstr(outcome.note, "impossible") != NULL;
        cr_expect_eq(said, rows[i].note != NULL, "%s", outcome.note);
        cr_expect(!said || strstr(outcome.note, rows[i].note), "%s", outcome.note);
        cr_expect(!said ||
                  !field_is_known(&direction_fields, &c.cell[0]->dir[DIR_READ], rows[i].unknown));
        collect_release(&c);
    }
    struct collected c;
    struct import_outcome outcome;
    import_with(&c, &outcome, 14, "-34"); /* smallest clat: the others stay */
    const struct lat *l = &c.cell[0]->dir[DIR_READ].lat[LAT_CLAT];
    cr_expect(!IS_KNOWN(l, LAT_F, min) && l->max == 13607000 && l->n_reported > 0);
    collect_release(&c);
}
