/*
 * Every file of tests/data/import/fio-json: against the facts its manifest gives (taken from the files
 * by other people's tools), and against expected.tsv (made by expected.py of that folder).
 */
#include <criterion/criterion.h>
#include <math.h>

#include "core/base/xalloc.h"
#include "tests/store/import/import_bytes.h"
#include "tests/support/scratch.h"
#include "tests/support/tsv.h"

#define FOLDER TEST_DATA "/import/fio-json/"

static char *read_file(const char *name, size_t *n)
{
    char *path = xasprintf(FOLDER "%s", name);
    char *bytes = scratch_read(path, n);
    cr_assert(bytes, "%s", path);
    free(path);
    return bytes;
}

/* "-" in a table is unknown; other numbers must be the same but for the last digits. */
static void expect_number(const char *where, const char *what, const char *text, bool known,
                          double v)
{
    if (strcmp(text, "-") == 0)
        return;
    double e = strtod(text, NULL);
    if (!known && e == 0)
        return; /* a direction without I/O */
    cr_expect(known, "%s: %s is unknown, %s is expected", where, what, text);
    cr_expect(!known || fabs(v - e) <= fabs(e) * 1e-6 + 1e-6, "%s: %s is %.17g, %s is expected",
              where, what, v, text);
}

static double percentile(const struct lat *l, double p, bool *known)
{
    uint64_t ns = 0;
    *known = lat_percentile(l, p, &ns);
    return (double)ns;
}

/* The clat percentile as the file states it; the histogram's is held within its largest value. */
static void expect_p99(const char *where, const char *text, const struct lat *l)
{
    bool known;
    double v = percentile(l, 99, &known);
    if (strcmp(text, "-") != 0 && known && l->hist && v == (double)l->max)
        return; /* checked against the bins in expected.tsv */
    expect_number(where, "p99", text, known, v);
}

static void check_first_direction(const char *where, const struct direction *d, const char *iops,
                                  const char *bw, const char *p99)
{
    expect_number(where, "iops", iops, IS_KNOWN(d, DIRECTION, iops), d->iops);
    expect_number(where, "bw", bw, IS_KNOWN(d, DIRECTION, bw), d->bw);
    expect_p99(where, p99, &d->lat[LAT_CLAT]);
}

/* Documents after the first are running totals in some files: facts are of the first one. */
static size_t first_document(const char *bytes, size_t n)
{
    const char *first = strstr(bytes, "{\n  \"fio version\"");
    const char *second = first ? strstr(first + 1, "{\n  \"fio version\"") : NULL;
    return second ? (size_t)(second - bytes) : n;
}

static uint64_t total_ios(const struct collected *c, enum dir dir)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < c->n_cells; i++)
        sum += c->cell[i]->dir[dir].ios;
    return sum;
}

/* The first entry stands alone as a cell, or as the part of a host. */
static const struct direction *first_entry(const struct collected *c, size_t entries)
{
    const struct cell *cell = c->cell[0];
    if (c->n_cells == entries)
        return cell->dir;
    return cell->n_parts == entries ? cell->part[0].dir : NULL;
}

static void check_manifest_row(const struct tsv *t, size_t row)
{
    const char *file = tsv_get(t, row, "file");
    if (strcmp(tsv_get(t, row, "kind"), "json-broken") == 0)
        return; /* fio_broken_test.c */
    size_t n, jobs = strtoul(tsv_get(t, row, "jobs"), NULL, 10);
    char *bytes = read_file(file, &n);
    size_t one = first_document(bytes, n);
    bytes[one] = '\0';
    struct collected c = {0};
    struct import_outcome outcome;
    struct error err = ERROR_INIT;
    int rc = import_bytes(&importer_fio_json, &c, &outcome, file, bytes, one, &err);
    cr_assert_eq(rc, 0, "%s: %s", file, err.message);
    cr_assert(outcome.runs == 1 && c.n_runs == 1 && c.n_cells > 0, "%s", file);
    cr_expect_str_eq(c.run[0]->tool, tsv_get(t, row, "fio_version"), "%s", file);
    expect_number(file, "read ios", tsv_get(t, row, "read_ios_total"), true,
                  (double)total_ios(&c, DIR_READ));
    expect_number(file, "write ios", tsv_get(t, row, "write_ios_total"), true,
                  (double)total_ios(&c, DIR_WRITE));
    expect_number(file, "error", tsv_get(t, row, "error"), true, (double)c.cell[0]->error_code);
    const struct direction *first = first_entry(&c, jobs);
    if (first) {
        check_first_direction(file, &first[DIR_READ], tsv_get(t, row, "first_read_iops"),
                              tsv_get(t, row, "first_read_bw_Bps"),
                              tsv_get(t, row, "first_read_clat_p99_ns"));
        check_first_direction(file, &first[DIR_WRITE], tsv_get(t, row, "first_write_iops"),
                              tsv_get(t, row, "first_write_bw_Bps"),
                              tsv_get(t, row, "first_write_clat_p99_ns"));
    }
    collect_release(&c);
    free(bytes);
}

Test(fio_json, every_fact_of_the_manifest)
{
    struct tsv t;
    tsv_load(&t, FOLDER "manifest.tsv");
    cr_assert_geq(t.n_rows, 49);
    for (size_t row = 0; row < t.n_rows; row++)
        check_manifest_row(&t, row);
    tsv_release(&t);
}

static int dir_of(const char *name)
{
    for (int i = 0; i < DIR_COUNT; i++) {
        if (strcmp(dir_names[i], name) == 0)
            return i;
    }
    return -1;
}

static void expect_lat(const char *where, const struct tsv *t, size_t row, const struct lat *l)
{
    bool known;
    expect_number(where, "clat n", tsv_get(t, row, "clat_n"), IS_KNOWN(l, LAT_F, n), (double)l->n);
    expect_number(where, "clat min", tsv_get(t, row, "clat_min"), IS_KNOWN(l, LAT_F, min),
                  (double)l->min);
    expect_number(where, "clat max", tsv_get(t, row, "clat_max"), IS_KNOWN(l, LAT_F, max),
                  (double)l->max);
    expect_number(where, "clat mean", tsv_get(t, row, "clat_mean"), IS_KNOWN(l, LAT_F, mean),
                  l->mean);
    expect_number(where, "clat stddev", tsv_get(t, row, "clat_stddev"), IS_KNOWN(l, LAT_F, stddev),
                  l->stddev);
    double p50 = percentile(l, 50, &known);
    expect_number(where, "clat p50", tsv_get(t, row, "clat_p50"), known, p50);
    double p99 = percentile(l, 99, &known);
    expect_number(where, "clat p99", tsv_get(t, row, "clat_p99"), known, p99);
    cr_expect(known == (strcmp(tsv_get(t, row, "clat_p99"), "-") != 0), "%s: clat p99", where);
    cr_expect(!l->hist || fabs(hist_mean(l->hist) - l->mean) < 1e-6 * l->mean, "%s: sums", where);
    cr_expect(!l->hist || hist_n(l->hist) == l->n, "%s: counts", where);
}

static void check_direction(const char *where, const struct tsv *t, size_t row,
                            const struct direction *d)
{
    bool known;
    expect_number(where, "ios", tsv_get(t, row, "ios"), IS_KNOWN(d, DIRECTION, ios),
                  (double)d->ios);
    expect_number(where, "bytes", tsv_get(t, row, "bytes"), IS_KNOWN(d, DIRECTION, bytes),
                  (double)d->bytes);
    expect_number(where, "runtime", tsv_get(t, row, "runtime_ms"),
                  IS_KNOWN(d, DIRECTION, runtime_ns), (double)d->runtime_ns / 1e6);
    expect_number(where, "iops", tsv_get(t, row, "iops"), IS_KNOWN(d, DIRECTION, iops), d->iops);
    expect_number(where, "bw", tsv_get(t, row, "bw"), IS_KNOWN(d, DIRECTION, bw), d->bw);
    expect_lat(where, t, row, &d->lat[LAT_CLAT]);
    const struct lat *slat = &d->lat[LAT_SLAT], *lat = &d->lat[LAT_LAT];
    expect_number(where, "slat", tsv_get(t, row, "slat_mean"), IS_KNOWN(slat, LAT_F, mean),
                  slat->mean);
    expect_number(where, "lat mean", tsv_get(t, row, "lat_mean"), IS_KNOWN(lat, LAT_F, mean),
                  lat->mean);
    expect_number(where, "lat max", tsv_get(t, row, "lat_max"), IS_KNOWN(lat, LAT_F, max),
                  (double)lat->max);
    double p99 = percentile(lat, 99, &known);
    expect_number(where, "lat p99", tsv_get(t, row, "lat_p99"), known, p99);
}

/* Imports the file of a row, unless the rows before were of it, too. */
static void load_file(struct collected *c, const struct tsv *t, size_t row)
{
    const char *file = tsv_get(t, row, "file");
    if (row > 0 && strcmp(tsv_get(t, row - 1, "file"), file) == 0)
        return;
    collect_release(c);
    size_t n;
    char *bytes = read_file(file, &n);
    struct import_outcome outcome;
    struct error err = ERROR_INIT;
    cr_assert_eq(import_bytes(&importer_fio_json, c, &outcome, file, bytes, n, &err), 0, "%s: %s",
                 file, err.message);
    free(bytes);
}

Test(fio_json, every_row_of_expected)
{
    struct tsv t;
    struct collected c = {0};
    tsv_load(&t, FOLDER "expected.tsv");
    cr_assert_geq(t.n_rows, 76);
    for (size_t row = 0; row < t.n_rows; row++) {
        load_file(&c, &t, row);
        size_t run = strtoul(tsv_get(&t, row, "run"), NULL, 10);
        size_t i = collect_cell_index(&c, run, strtoul(tsv_get(&t, row, "cell"), NULL, 10));
        const struct cell *cell = c.cell[i];
        int dir = dir_of(tsv_get(&t, row, "direction"));
        char *where = xasprintf("%s %s %s", tsv_get(&t, row, "file"), tsv_get(&t, row, "name"),
                                tsv_get(&t, row, "direction"));
        cr_expect_str_eq(cell->name, tsv_get(&t, row, "name"), "%s", where);
        expect_number(where, "error", tsv_get(&t, row, "error"), true, (double)cell->error_code);
        if (dir >= 0)
            check_direction(where, &t, row, &cell->dir[dir]);
        free(where);
    }
    collect_release(&c);
    tsv_release(&t);
}

/* Nothing is there that expected.tsv does not know. */
Test(fio_json, no_direction_beyond_expected)
{
    struct tsv t;
    struct collected c = {0};
    tsv_load(&t, FOLDER "expected.tsv");
    size_t in_table = 0, imported = 0;
    for (size_t row = 0; row < t.n_rows; row++) {
        in_table += dir_of(tsv_get(&t, row, "direction")) >= 0;
        load_file(&c, &t, row);
        if (row > 0 && strcmp(tsv_get(&t, row - 1, "file"), tsv_get(&t, row, "file")) == 0)
            continue;
        for (size_t i = 0; i < c.n_cells; i++) {
            for (int d = 0; d < DIR_COUNT; d++)
                imported += direction_is_used(&c.cell[i]->dir[d]);
        }
    }
    cr_expect_eq(in_table, imported);
    collect_release(&c);
    tsv_release(&t);
}
