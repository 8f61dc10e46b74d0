/* Lines of percentiles that a source states, and the names of their runs. */
#include <criterion/criterion.h>

#include "core/base/xalloc.h"
#include "tests/report/chart/figures.h"
#include "tests/support/made.h"

static struct chart *build(struct dataset *d)
{
    const struct kind_query all = {0};
    struct chart *c = kind_build(kind_find("percentile"), d, &all);
    cr_assert_null(c->empty, "%s", c->empty);
    return c;
}

/* As of a histogram: of 1,000 I/Os fewer than 10 were slower than p99.9 and p99.99. */
Test(percentile, reported_percentiles_are_dotted_where_few_were_slower)
{
    static const struct lat_point reported[] = {
        {50, 1000000}, {90, 2000000}, {99, 3000000}, {99.9, 4000000}, {99.99, 5000000}};
    struct dataset *d = dataset_create();
    struct cell c = {0};
    size_t run = fig_add_run(d, "text");
    made_cell(&c, &(struct made){.rw = RW_RANDREAD, .bs = 4096, .iops = 100, .no_hist = true});
    struct lat *l = &c.dir[DIR_READ].lat[LAT_CLAT];
    free(l->reported);
    l->n_reported = sizeof reported / sizeof *reported;
    l->reported = xcalloc(l->n_reported, sizeof *l->reported);
    memcpy(l->reported, reported, sizeof reported);
    SET(l, LAT_F, n, 1000);
    dataset_add_cell(d, run, &c);
    cell_release(&c);
    struct chart *chart = build(d);
    const struct trace *t = &chart->panel[0].trace[0];
    cr_assert_eq(t->n, 5);
    cr_expect_eq(t->dotted_from, 2);
    cr_assert_eq(chart->panel[0].n_markings, 1);
    cr_expect_float_eq(chart->panel[0].marking[0].x, 2, 1e-9);
    chart_destroy(chart);
    dataset_destroy(d);
}

/* Two imports of files of one name: each line says which run it is. */
Test(percentile, runs_of_one_name_are_told_apart)
{
    struct dataset *d = dataset_create();
    for (int64_t i = 0; i < 2; i++) {
        struct run *run = run_create();
        run->id = 74 + i;
        field_set_text(&run_fields, run, RUN_name, "two");
        dataset_add_run(d, run);
        struct cell c = {0};
        made_cell(&c, &(struct made){.rw = RW_RANDREAD, .bs = 4096, .iops = 100});
        dataset_add_cell(d, (size_t)i, &c);
        cell_release(&c);
    }
    struct chart *c = build(d);
    cr_expect_str_eq(c->title, "Latency by percentile: two (run 74) and two (run 75)");
    chart_destroy(c);
    dataset_destroy(d);
}
