#include "core/model/cell.h"

#include <criterion/criterion.h>
#include <math.h>

#include "core/base/xalloc.h"

Test(cell, caveats_are_a_set)
{
    struct cell *c = cell_create();
    cr_expect_not(cell_has_caveat(c, "buffered"));
    cell_add_caveat(c, "buffered");
    cell_add_caveat(c, "short \"run\"");
    cell_add_caveat(c, "buffered");
    cr_expect_str_eq(c->caveats, "[\"buffered\",\"short \\\"run\\\"\"]");
    cr_expect(cell_has_caveat(c, "buffered"));
    cr_expect(cell_has_caveat(c, "short \"run\""));
    cr_expect_not(cell_has_caveat(c, "buf"));
    cell_add_assumed(c, "numjobs");
    cr_expect_str_eq(c->assumed, "[\"numjobs\"]");
    cr_expect(field_is_known(&cell_fields, c, CELL_assumed));
    cell_destroy(c);
    cell_destroy(NULL);
}

Test(cell, broken_caveats_are_replaced)
{
    struct cell c = {.caveats = xstrdup("{\"no\":1}")};
    cell_add_caveat(&c, "x");
    cr_expect_str_eq(c.caveats, "[\"x\"]");
    cell_release(&c);
}

Test(cell, rates_add_up_over_directions)
{
    struct cell c = {0};
    cr_expect(isnan(cell_iops(&c)));
    cr_expect(isnan(cell_bw(&c)));
    SET(&c.dir[DIR_READ], DIRECTION, iops, 100);
    SET(&c.dir[DIR_WRITE], DIRECTION, iops, 50);
    SET(&c.dir[DIR_SYNC], DIRECTION, iops, 7);
    SET(&c.dir[DIR_READ], DIRECTION, bw, 4096);
    cr_expect_eq(cell_iops(&c), 150);
    cr_expect_eq(cell_bw(&c), 4096);
}

Test(cell, mixed_is_the_sum_already)
{
    struct cell c = {0};
    SET(&c.dir[DIR_MIXED], DIRECTION, iops, 150);
    cr_expect_eq(cell_iops(&c), 150);
    SET(&c.dir[DIR_READ], DIRECTION, iops, 0); /* fio writes zeros beside it */
    cr_expect_eq(cell_iops(&c), 150);
    SET(&c.dir[DIR_READ], DIRECTION, iops, 100);
    SET(&c.dir[DIR_WRITE], DIRECTION, iops, 50);
    cr_expect_eq(cell_iops(&c), 150);
}

Test(cell, a_rate_follows_from_its_count)
{
    struct cell c = {0};
    SET(&c.dir[DIR_READ], DIRECTION, ios, 500);
    cr_expect(isnan(cell_iops(&c)));
    SET(&c.dir[DIR_READ], DIRECTION, runtime_ns, 2000000000);
    cr_expect_eq(cell_iops(&c), 250);
    cr_expect(isnan(cell_bw(&c)), "bytes are unknown");
}

Test(cell, rate_limits)
{
    struct cell c = {0};
    cr_expect_not(cell_is_rate_limited(&c));
    SET(&c.key, CELL_KEY, rate_bw_write, 0);
    cr_expect_not(cell_is_rate_limited(&c));
    SET(&c.key, CELL_KEY, rate_iops, 5);
    cr_expect(cell_is_rate_limited(&c));
}

Test(cell, release_frees_all)
{
    struct cell *c = cell_create();
    field_set_text(&cell_fields, c, CELL_name, "job");
    field_set_text(&cell_key_fields, &c->key, CELL_KEY_engine, "libaio");
    c->device = xcalloc(1, sizeof *c->device);
    c->n_devices = 1;
    c->part = xcalloc(1, sizeof *c->part);
    c->n_parts = 1;
    c->part[0].dir[DIR_READ].series = xcalloc(1, sizeof(struct series));
    c->disk = xcalloc(1, sizeof *c->disk);
    c->n_disks = 1;
    field_set_text(&disk_stat_fields, &c->disk[0], DISK_STAT_name, "sda");
    c->bucket = xcalloc(1, sizeof *c->bucket);
    c->n_buckets = 1;
    cell_destroy(c); /* the leak checker is the judge */
}
