#include "cli/best_cells.h"

#include <criterion/criterion.h>

#include "core/model/cell.h"

static void add(struct best_cells *b, int64_t id, enum rw rw, uint64_t bs, uint64_t iodepth,
                double bw)
{
    struct cell *cell = cell_create();
    cell->id = id;
    SET(&cell->key, CELL_KEY, rw, rw);
    SET(&cell->key, CELL_KEY, bs, bs);
    SET(&cell->key, CELL_KEY, iodepth, iodepth);
    SET(&cell->key, CELL_KEY, numjobs, 1);
    if (bw >= 0)
        SET(&cell->dir[rw == RW_RANDWRITE ? DIR_WRITE : DIR_READ], DIRECTION, bw, bw);
    best_cells_add(b, cell);
    cell_destroy(cell);
}

static void assert_chosen(struct best_cells *b, const int64_t *expected, size_t n)
{
    size_t got;
    const int64_t *id = best_cells_choose(b, &got);
    cr_assert_eq(got, n, "%zu cells", got);
    for (size_t i = 0; i < n; i++)
        cr_assert_eq(id[i], expected[i], "cell %zu is %ld", i, (long)id[i]);
}

Test(best_cells, shallowest_of_those_as_good_as_the_best)
{
    struct best_cells *b = best_cells_create(false);
    add(b, 1, RW_RANDREAD, 4096, 1, 500);
    add(b, 2, RW_RANDREAD, 4096, 4, 995);
    add(b, 3, RW_RANDREAD, 4096, 16, 1000); /* more by 0.5 % only, for four times the wait */
    add(b, 4, RW_RANDREAD, 65536, 1, 900);
    add(b, 5, RW_RANDREAD, 65536, 4, 980);
    add(b, 6, RW_RANDREAD, 65536, 16, 1000); /* by 2 % */
    assert_chosen(b, (int64_t[]){2, 6}, 2);
    best_cells_destroy(b);
}

Test(best_cells, of_repeats_the_median_in_order_of_the_loads)
{
    struct best_cells *b = best_cells_create(false);
    for (int repeat = 0; repeat < 3; repeat++) {
        static const double writes[] = {300, 100, 200};
        /* one lucky repeat of the shallow queue does not win */
        add(b, 10 * repeat + 1, RW_RANDWRITE, 4096, 1, writes[repeat]);
        add(b, 10 * repeat + 2, RW_RANDWRITE, 4096, 8, 250 + repeat);
        add(b, 10 * repeat + 3, RW_RANDREAD, 4096, 1, 50 - repeat);
    }
    cr_assert_eq(best_cells_count(b), 9);
    assert_chosen(b, (int64_t[]){13, 12}, 2);
    best_cells_destroy(b);
}

Test(best_cells, unknown_bandwidth)
{
    struct best_cells *b = best_cells_create(false);
    add(b, 1, RW_RANDREAD, 4096, 1, -1);
    add(b, 2, RW_RANDREAD, 4096, 4, 10);
    add(b, 3, RW_RANDREAD, 4096, 4, -1);
    add(b, 4, RW_RANDREAD, 8192, 1, -1);
    assert_chosen(b, (int64_t[]){2, 4}, 2);
    best_cells_destroy(b);
}
