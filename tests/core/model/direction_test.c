#include "core/model/direction.h"

#include <criterion/criterion.h>
#include <math.h>

#include "core/base/xalloc.h"

static struct direction example(void)
{
    struct direction d = {0};
    SET(&d, DIRECTION, ios, 3);
    struct lat *l = &d.lat[LAT_CLAT];
    l->hist = xmalloc(sizeof *l->hist);
    hist_init(l->hist);
    hist_add(l->hist, 1000);
    hist_add(l->hist, 2000);
    hist_add(l->hist, 6000);
    lat_from_hist(l);
    struct lat *r = &d.lat[LAT_LAT];
    r->reported = xcalloc(2, sizeof *r->reported);
    r->n_reported = 2;
    r->reported[0] = (struct lat_point){50, 2100};
    r->reported[1] = (struct lat_point){99.9, 6100};
    d.series = xcalloc(1, sizeof *d.series);
    series_append(d.series)->ios = 3;
    return d;
}

Test(direction, from_hist)
{
    struct direction d = example();
    const struct lat *l = &d.lat[LAT_CLAT];
    cr_expect_eq(l->n, 3);
    cr_expect_eq(l->min, 1000);
    cr_expect_eq(l->max, 6000);
    cr_expect_eq(l->mean, 3000);
    cr_expect_float_eq(l->stddev, sqrt(7e6), 1e-9);
    direction_release(&d);
    cr_expect_eq(d.known, 0);
    direction_release(&d);
}

Test(direction, an_empty_histogram_knows_only_its_number)
{
    struct lat l = {.hist = xmalloc(sizeof(struct hist))};
    hist_init(l.hist);
    lat_from_hist(&l);
    cr_expect(IS_KNOWN(&l, LAT_F, n) && l.n == 0);
    cr_expect_not(IS_KNOWN(&l, LAT_F, min));
    cr_expect_not(IS_KNOWN(&l, LAT_F, mean));
    uint64_t ns;
    cr_expect_not(lat_percentile(&l, 50, &ns));
    lat_release(&l);
}

Test(direction, percentiles_come_from_the_histogram_or_the_source)
{
    struct direction d = example();
    uint64_t ns = 0;
    cr_expect(lat_percentile(&d.lat[LAT_CLAT], 50, &ns));
    cr_expect_eq(ns, hist_mid(hist_index(2000)));
    cr_expect(lat_percentile(&d.lat[LAT_LAT], 99.9000000001, &ns));
    cr_expect_eq(ns, 6100);
    cr_expect_not(lat_percentile(&d.lat[LAT_LAT], 99, &ns));
    cr_expect_not(lat_percentile(&d.lat[LAT_SLAT], 50, &ns));
    cr_expect_eq(ns, 6100);
    direction_release(&d);
}

Test(direction, copy_is_deep)
{
    struct direction d = example(), copy = {0};
    direction_copy(&copy, &d);
    direction_release(&d);
    uint64_t ns = 0;
    cr_expect_eq(copy.ios, 3);
    cr_expect(lat_percentile(&copy.lat[LAT_CLAT], 100, &ns));
    cr_expect_eq(ns, 6000);
    cr_expect(lat_percentile(&copy.lat[LAT_LAT], 50, &ns));
    cr_expect_eq(ns, 2100);
    cr_expect_eq(copy.series->point[0].ios, 3);
    direction_release(&copy);
}

Test(direction, is_used)
{
    struct direction d = {0};
    cr_expect_not(direction_is_used(&d));
    SET(&d, DIRECTION, ios, 0);
    SET(&d, DIRECTION, runtime_ns, 5);
    cr_expect_not(direction_is_used(&d), "no I/O in it");
    SET(&d, DIRECTION, bytes, 1);
    cr_expect(direction_is_used(&d));
    struct direction sync = {0};
    SET(&sync.lat[LAT_LAT], LAT_F, n, 4);
    cr_expect(direction_is_used(&sync));
}

Test(direction, the_latency_that_stands_for_it)
{
    struct direction d = {0};
    cr_expect_eq(direction_main_lat(&d, false), LAT_KIND_COUNT);
    SET(&d.lat[LAT_SLAT], LAT_F, mean, 1);
    cr_expect_eq(direction_main_lat(&d, false), LAT_KIND_COUNT);
    SET(&d.lat[LAT_CLAT], LAT_F, mean, 1);
    cr_expect_eq(direction_main_lat(&d, false), LAT_CLAT);
    cr_expect_eq(direction_main_lat(&d, true), LAT_CLAT);
    SET(&d.lat[LAT_LAT], LAT_F, mean, 1);
    cr_expect_eq(direction_main_lat(&d, false), LAT_CLAT);
    cr_expect_eq(direction_main_lat(&d, true), LAT_LAT);
    struct lat_point p50 = {50, 1}; /* fio states percentiles of one kind */
    d.lat[LAT_CLAT].reported = &p50;
    d.lat[LAT_CLAT].n_reported = 1;
    cr_expect_eq(direction_main_lat(&d, true), LAT_CLAT);
    d.lat[LAT_LAT].reported = d.lat[LAT_CLAT].reported;
    d.lat[LAT_LAT].n_reported = 1;
    d.lat[LAT_CLAT].n_reported = 0;
    cr_expect_eq(direction_main_lat(&d, false), LAT_LAT);
    d.lat[LAT_LAT].n_reported = 0;
    UNSET(&d.lat[LAT_CLAT], LAT_F, mean);
    cr_expect_eq(direction_main_lat(&d, false), LAT_LAT);
}

/* Ten samples beyond a percentile, whether it comes from a histogram or from a source. */
Test(lat, few_samples_do_not_support_a_percentile)
{
    struct lat_point p99 = {99, 1000};
    struct lat reported = {.reported = &p99, .n_reported = 1};
    cr_expect(lat_supports(&reported, 0, 99), "how many there were is not known");
    cr_expect(lat_supports(&reported, 1000, 99));
    cr_expect_not(lat_supports(&reported, 20, 99));
    cr_expect(lat_supports(&reported, 20, 50));
    SET(&reported, LAT_F, n, 999);
    cr_expect_not(lat_supports(&reported, 100000, 99), "its own number of samples counts");
}

/* A source that counts no I/Os (fio's terse output) gives their rate and time. */
Test(direction, samples_from_rate_and_time)
{
    struct direction d = {0};
    cr_expect_eq(direction_samples(&d), 0);
    SET(&d, DIRECTION, iops, 1521);
    cr_expect_eq(direction_samples(&d), 0);
    SET(&d, DIRECTION, runtime_ns, 2000000000);
    cr_expect_eq(direction_samples(&d), 3042);
    SET(&d, DIRECTION, ios, 17);
    cr_expect_eq(direction_samples(&d), 17);
}
