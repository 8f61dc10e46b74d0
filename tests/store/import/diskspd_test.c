/* Text of diskspd: settings, totals, percentiles; several calls, pasted tables, what breaks off. */
#include <criterion/criterion.h>

#include "tests/store/import/import_bytes.h"
#include "tests/support/scratch.h"

#define FOLDER TEST_DATA "/import/diskspd/"

static void import_text(struct collected *c, const char *text, size_t n, int expected,
                        struct error *err)
{
    struct import_outcome outcome;
    *c = (struct collected){0};
    error_clear(err);
    cr_assert_eq(importer_for(text, n), &importer_diskspd);
    int rc = import_bytes(&importer_diskspd, c, &outcome, "d.txt", text, n, err);
    cr_assert_eq(rc, expected, "%d %s", rc, err->message);
    cr_expect(outcome.cells == c->n_cells && outcome.runs == c->n_runs);
}

Test(diskspd, mix)
{
    struct collected c;
    struct error err = ERROR_INIT;
    size_t n;
    uint64_t ns;
    char *text = scratch_read(FOLDER "mix.txt", &n);
    import_text(&c, text, n, 0, &err);
    cr_assert(c.n_runs == 1 && c.n_cells == 1);
    const struct cell *cell = c.cell[0];
    const struct direction *r = &cell->dir[DIR_READ], *w = &cell->dir[DIR_WRITE];
    cr_expect(cell->key.rw == RW_RANDRW && cell->key.rwmixread == 70 && cell->key.bs == 8192);
    cr_expect(cell->key.iodepth == 4 && cell->key.numjobs == 2 && cell->key.direct);
    cr_expect_str_eq(cell->key.engine, "iocp");
    cr_expect(r->ios == 70000 && r->iops == 3500 && r->bw == 573440000 / 20.0);
    cr_expect(w->ios == 30000 && w->iops == 1500 && w->bytes == 245760000);
    cr_expect(r->lat[LAT_LAT].mean == 1.5e6 && w->lat[LAT_LAT].max == 44000000);
    cr_expect(lat_percentile(&r->lat[LAT_LAT], 99, &ns) && ns == 4100000);
    cr_expect(lat_percentile(&w->lat[LAT_LAT], 99.99, &ns) && ns == 26500000);
    cr_expect_not(direction_is_used(&cell->dir[DIR_MIXED]));
    cr_expect(cell->runtime_ns == UINT64_C(20000000000) && cell->ramp_ns == UINT64_C(5000000000));
    cr_expect(cell_has_caveat(cell, "latency-in-whole-us"));
    cr_expect_str_eq(c.run[0]->command,
                     "diskspd.exe -b8K -d20 -Sh -L -o4 -t2 -r -w30 -c1G d:\\io.dat");
    cr_expect_eq(c.run[0]->started_ns,
                 INT64_C(1709629811000000000)); /* date -u -d "2024-03-05 09:10:11" +%s */
    cr_assert(c.n_devices == 1);
    cr_expect_str_eq(c.device[0], "1:d:\\io.dat");
    collect_release(&c);

    /* pasted: only the tables */
    const char *tables = strstr(text, "Total IO");
    import_text(&c, tables, strlen(tables), 0, &err);
    cr_assert_eq(c.n_cells, 1);
    cr_expect(c.cell[0]->dir[DIR_READ].ios == 70000 &&
              !IS_KNOWN(&c.cell[0]->dir[DIR_READ], DIRECTION, iops));
    cr_expect_eq(c.cell[0]->key.known, 0);
    collect_release(&c);

    /* cut behind the first table: all I/Os together */
    size_t cut = (size_t)(strstr(text, "Read IO") - text);
    import_text(&c, text, cut, 0, &err);
    cr_expect(c.n_cells == 1 && c.cell[0]->dir[DIR_MIXED].ios == 100000);
    collect_release(&c);

    /* cut before it: said with its line */
    cut = (size_t)(strstr(text, "total: ") - text);
    import_text(&c, text, cut, -ERR_INPUT, &err);
    cr_expect_str_eq(err.message, "d.txt: line 32: results without totals: it breaks off");
    cr_expect_eq(c.n_runs, 0);
    collect_release(&c);
    free(text);
}

/* An older version, two targets: what differs between them stays unknown. */
Test(diskspd, targets_that_differ)
{
    struct collected c;
    struct error err = ERROR_INIT;
    size_t n;
    char *text = scratch_read(FOLDER "old.txt", &n);
    import_text(&c, text, n, 0, &err);
    cr_assert_eq(c.n_cells, 1);
    const struct cell *cell = c.cell[0];
    cr_expect(cell->key.rw == RW_WRITE && cell->key.bs == 524288 && cell->key.numjobs == 1);
    cr_expect_not(IS_KNOWN(&cell->key, CELL_KEY, iodepth));
    cr_expect(cell->dir[DIR_WRITE].iops == 300 && !direction_is_used(&cell->dir[DIR_READ]));
    cr_expect_eq(cell->dir[DIR_WRITE].lat[LAT_LAT].known, 0);
    cr_expect(c.n_devices == 2 && cell->n_devices == 2 && cell->together);
    collect_release(&c);
    free(text);
}
