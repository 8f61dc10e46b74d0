/* Shares of slow I/Os from histograms and from fio's ranges. */
#include <criterion/criterion.h>

#include "core/base/xalloc.h"
#include "core/model/slower.h"

#define MS UINT64_C(1000000)

static void add_bucket(struct cell *c, uint64_t lo, uint64_t hi, double percent)
{
    c->bucket = xrealloc(c->bucket, c->n_buckets + 1, sizeof *c->bucket);
    c->bucket[c->n_buckets++] = (struct lat_bucket){lo, hi, percent / 100};
}

/* Ranges as a text output of fio gives them; the last two add up to 26.36 % above a second. */
Test(slower, from_ranges_of_a_text_output)
{
    struct cell *c = cell_create();
    struct share s;
    cr_assert_not(cell_slower_than(&s, c, 1));
    add_bucket(c, 500 * MS, 750 * MS, 21.31);
    add_bucket(c, 750 * MS, 1000 * MS, 4.07);
    add_bucket(c, 1000 * MS, 2000 * MS, 20.31);
    add_bucket(c, 2000 * MS, UINT64_MAX, 6.05);
    cr_assert(cell_slower_than(&s, c, 1000 * MS));
    cr_expect_float_eq(s.lo, 0.2636, 1e-12);
    cr_expect_float_eq(s.hi, 0.2636, 1e-12);
    cr_assert(cell_slower_than(&s, c, 1500 * MS)); /* inside a range: anything in it may be */
    cr_expect_float_eq(s.lo, 0.0605, 1e-12);
    cr_expect_float_eq(s.hi, 0.2636, 1e-12);
    cr_assert(cell_slower_than(&s, c, 100 * MS));
    cr_expect_float_eq(s.lo, 0.5174, 1e-12);
    cr_assert(cell_slower_than(&s, c, 60000 * MS)); /* beyond the last bound */
    cr_expect_float_eq(s.lo, 0, 1e-12);
    cr_expect_float_eq(s.hi, 0.0605, 1e-12);
    cell_destroy(c);
}

static void add_values(struct direction *d, uint64_t ns, unsigned n)
{
    struct lat *l = &d->lat[LAT_CLAT];
    if (!l->hist) {
        l->hist = xmalloc(sizeof *l->hist);
        hist_init(l->hist);
    }
    for (unsigned i = 0; i < n; i++)
        hist_add(l->hist, ns);
    lat_from_hist(l);
    SET(d, DIRECTION, ios, l->n);
}

Test(slower, directions_count_by_their_ios)
{
    struct cell *c = cell_create();
    struct share s;
    add_values(&c->dir[DIR_READ], 1 * MS, 900);
    add_values(&c->dir[DIR_READ], 20 * MS, 100);   /* 10 % of 1000 */
    add_values(&c->dir[DIR_WRITE], 20 * MS, 3000); /* all of 3000 */
    add_values(&c->dir[DIR_SYNC], 20 * MS, 5000);  /* flushes are no I/Os */
    cr_assert(cell_slower_than(&s, c, 10 * MS));
    cr_expect_float_eq(s.lo, 3100.0 / 4000, 1e-12);
    cr_expect_float_eq(s.hi, 3100.0 / 4000, 1e-12);
    cr_assert(lat_slower_than(&s, &c->dir[DIR_READ].lat[LAT_CLAT], 10 * MS));
    cr_expect_float_eq(s.lo, 0.1, 1e-12);
    cell_destroy(c);
}

Test(slower, a_direction_without_histogram_leaves_the_ranges)
{
    struct cell *c = cell_create();
    struct share s;
    add_values(&c->dir[DIR_READ], 1 * MS, 10);
    SET(&c->dir[DIR_WRITE], DIRECTION, ios, 10);
    SET(&c->dir[DIR_WRITE].lat[LAT_CLAT], LAT_F, mean, 5e6);
    cr_assert_not(cell_slower_than(&s, c, 2 * MS));
    add_bucket(c, 2 * MS, 4 * MS, 50);
    cr_assert(cell_slower_than(&s, c, 2 * MS));
    cr_expect_float_eq(s.lo, 0.5, 1e-12);
    cell_destroy(c);
}
