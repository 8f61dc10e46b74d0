/* Figures that cannot be are forgotten and told; what bins and rounding explain is neither. */
#include <criterion/criterion.h>

#include "core/base/xalloc.h"
#include "store/import/figures.h"

#define MS 1e6

static void note(void *self, const char *words)
{
    struct strbuf *said = self;
    strbuf_addf(said, "%s\n", words);
}

/* Drops and expects the words to hold `said`, or that nothing is said. */
static void drop(struct cell *cell, const char *said)
{
    struct strbuf words = STRBUF_INIT;
    figures_drop_impossible(cell, note, &words);
    if (said)
        cr_expect(strstr(words.text, said), "\"%s\" is expected, not \"%s\"", said, words.text);
    else
        cr_expect_eq(words.len, 0, "%s", words.text);
    strbuf_release(&words);
}

Test(figures_possible, settings)
{
    static const struct {
        uint64_t iodepth, numjobs, bs;
        const char *said;
    } rows[] = {
        {32, 1, 4096, NULL},
        {65536, 4096, UINT64_C(1) << 30, NULL},
        {0, 1, 4096, "iodepth of 0 left unknown"},
        {UINT64_C(1000000000000), 1, 4096, "iodepth of 1,000,000,000,000 left unknown"},
        {1, 0, 4096, "numjobs of 0 left unknown"},
        {1, 1, 0, "bs of 0 left unknown"},
        {1, 1, UINT64_C(1) << 50, "bs of 1,125,899,906,842,624 left unknown"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cell cell = {0};
        SET(&cell.key, CELL_KEY, iodepth, rows[i].iodepth);
        SET(&cell.key, CELL_KEY, numjobs, rows[i].numjobs);
        SET(&cell.key, CELL_KEY, bs, rows[i].bs);
        drop(&cell, rows[i].said);
        bool all = IS_KNOWN(&cell.key, CELL_KEY, iodepth) &&
                   IS_KNOWN(&cell.key, CELL_KEY, numjobs) && IS_KNOWN(&cell.key, CELL_KEY, bs);
        cr_expect_eq(all, rows[i].said == NULL, "row %zu", i);
        cell_release(&cell);
    }
}

Test(figures_possible, rates)
{
    struct cell cell = {0};
    struct direction *d = &cell.dir[DIR_WRITE];
    SET(d, DIRECTION, iops, 1e7);
    SET(d, DIRECTION, bw, 4e10);
    SET(d, DIRECTION, ios, 1000);
    SET(d, DIRECTION, short_ios, 1);
    SET(d, DIRECTION, iops_min, 5);
    SET(d, DIRECTION, iops_max, 5);
    drop(&cell, NULL);
    SET(d, DIRECTION, iops, 1.8e19);
    drop(&cell, "write: iops of 1.8e+19 left unknown");
    cr_expect_not(IS_KNOWN(d, DIRECTION, iops));
    SET(d, DIRECTION, iops_min, 6);
    drop(&cell, "write: iops_min of 6 above iops_max of 5: both left unknown");
    cr_expect(!IS_KNOWN(d, DIRECTION, iops_min) && !IS_KNOWN(d, DIRECTION, iops_max));
    SET(d, DIRECTION, short_ios, 1001);
    drop(&cell, "write: 1,001 short I/Os of 1,000 left unknown");
    SET(d, DIRECTION, iops, 1000);
    SET(d, DIRECTION, runtime_ns, 0);
    drop(&cell, "write: runtime of 0");
    cr_expect(!IS_KNOWN(d, DIRECTION, runtime_ns) && IS_KNOWN(d, DIRECTION, iops));
    drop(&cell, NULL);
    cell_release(&cell);
}

struct lat_row {
    double min, max, mean, stddev, p50, p99; /* ms; 0: unknown */
    const char *said;
    bool extremes, middle, percentiles; /* still known */
};

static void check_lat(const struct lat_row *r)
{
    struct cell cell = {0};
    struct direction *d = &cell.dir[DIR_READ];
    struct lat *l = &d->lat[LAT_CLAT];
    SET(d, DIRECTION, runtime_ns, UINT64_C(1000000000));
    if (r->min > 0)
        SET(l, LAT_F, min, (uint64_t)(r->min * MS));
    if (r->max > 0)
        SET(l, LAT_F, max, (uint64_t)(r->max * MS));
    SET(l, LAT_F, mean, r->mean * MS);
    SET(l, LAT_F, stddev, r->stddev * MS);
    l->reported = xcalloc(2, sizeof *l->reported);
    l->reported[l->n_reported++] = (struct lat_point){50, (uint64_t)(r->p50 * MS)};
    l->reported[l->n_reported++] = (struct lat_point){99, (uint64_t)(r->p99 * MS)};
    drop(&cell, r->said);
    cr_expect_eq(IS_KNOWN(l, LAT_F, max), r->extremes, "largest: %s", r->said);
    cr_expect_eq(IS_KNOWN(l, LAT_F, mean) && IS_KNOWN(l, LAT_F, stddev), r->middle, "mean: %s",
                 r->said);
    cr_expect_eq(l->n_reported == 2, r->percentiles, "percentiles: %s", r->said);
    cell_release(&cell);
}

Test(figures_possible, latencies)
{
    static const struct lat_row rows[] = {
        {1, 9, 5, 2, 4, 8, NULL, true, true, true},
        {1, 9, 5, 2, 4, 4, NULL, true, true, true},
        {2.9, 9, 5, 2, 2, 9.15, NULL, true, true, true}, /* cut to whole ms; a bin */
        {1, 9, 9.1, 2, 4, 8, NULL, true, true, true},
        {9, 1, 5, 2, 4, 8, "read clat: smallest of 9.00", false, true, true},
        {1, 9, 12, 2, 4, 8, "read clat: mean of 12.0", true, false, true},
        {1, 9, 0.5, 2, 4, 8, "read clat: mean of 500", true, false, true},
        {1, 9, 5, 20, 4, 8, "read clat: deviation of 20.0", true, false, true},
        {1, 9, 5, 2, 8, 4, "read clat: p99 of 4.00", true, true, false},
        {1, 9, 5, 2, 4, 80, "read clat: p99 of 80.0", true, true, false},
        {1, 9, 5, 2, 0.1, 8, "read clat: p50 of 100", true, true, false},
        {1, 1e9, 5, 2, 4, 8, "read clat: largest of 11", false, true, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_lat(&rows[i]);
}
