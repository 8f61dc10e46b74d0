/* Figures of one result that cannot all be true get a doubt, those that are only rounded do not. */
#include <criterion/criterion.h>

#include "store/import/figures.h"

struct figures {
    double iops, bw;
    uint64_t ios, bytes, ns, bs; /* 0: unknown */
    bool odd;
};

static void check(const struct figures *f)
{
    struct cell cell = {0};
    struct direction *d = &cell.dir[DIR_READ];
    if (f->iops > 0)
        SET(d, DIRECTION, iops, f->iops);
    if (f->bw > 0)
        SET(d, DIRECTION, bw, f->bw);
    if (f->ios > 0)
        SET(d, DIRECTION, ios, f->ios);
    if (f->bytes > 0)
        SET(d, DIRECTION, bytes, f->bytes);
    if (f->ns > 0)
        SET(d, DIRECTION, runtime_ns, f->ns);
    if (f->bs > 0)
        SET(&cell.key, CELL_KEY, bs, f->bs);
    figures_check(&cell, NULL, NULL);
    cr_expect_eq(cell_has_caveat(&cell, "figures-disagree"), f->odd, "%g IOPS, %g B/s", f->iops,
                 f->bw);
    cell_release(&cell);
}

Test(figures, what_cannot_all_be_true)
{
    static const struct figures cases[] = {
        {1000, 4096000, 10000, 40960000, UINT64_C(10000000000), 4096, false},
        {99999.5, 4096000, 10000, 40960000, UINT64_C(10000000000), 4096, true},
        {99999.5, 0, 10000, 0, UINT64_C(10000000000), 0, true},
        {1000, 16384000, 0, 0, 0, 4096, true},
        {1000, 4.1e6, 0, 0, 0, 4096, false},   /* rounded */
        {1000, 16384000, 0, 0, 0, 0, false},   /* no block size */
        {1, 2048, 0, 0, 0, 4096, false},       /* whole I/Os */
        {5000, 0, 120, 0, 20000000, 0, false}, /* 20 ms, as whole ms */
        {0, 0, 1000, 4096000, 0, 4096, false},
        {0, 0, 1000, 512000, 0, 4096, true},
        {1e288, 0, 1000, 0, UINT64_C(10000000000), 0, true},
        {1000, 0, 5, 0, UINT64_C(10000000000), 0, true}, /* far fewer than the rate makes */
        {0, 4096000, 0, 1e15, UINT64_C(10000000000), 0, true},
        {0, 4096000, 0, 40960000, UINT64_C(10000000000), 0, false},
        {1e-9, 4096000, 0, 0, 0, 4096, true}, /* no I/Os a second, and 1000 blocks */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(&cases[i]);
}

Test(figures, writes_have_their_own_block_size)
{
    struct cell cell = {0};
    SET(&cell.key, CELL_KEY, bs, 4096);
    SET(&cell.key, CELL_KEY, bs_write, 65536);
    SET(&cell.dir[DIR_WRITE], DIRECTION, iops, 1000);
    SET(&cell.dir[DIR_WRITE], DIRECTION, bw, 65536000);
    figures_check(&cell, NULL, NULL);
    cr_expect_not(cell_has_caveat(&cell, "figures-disagree"));
    SET(&cell.dir[DIR_WRITE], DIRECTION, bw, 4096000);
    figures_check(&cell, NULL, NULL);
    cr_expect(cell_has_caveat(&cell, "figures-disagree"));
    cell_release(&cell);
}

/* Of a fio 3.33 with a ramp on a throttled device: 193 I/Os of 1 MiB, and 224 MiB. */
Test(figures, blocks_that_were_not_asked_for)
{
    static const struct {
        uint64_t ios, bytes, bs, short_ios;
        bool odd;
    } cases[] = {
        {193, UINT64_C(224) << 20, 1 << 20, 0, true},
        {193, UINT64_C(193) << 20, 1 << 20, 0, false},
        {1000, 4096 * 1015, 4096, 0, false},
        {1000, 4096 * 1025, 4096, 0, true},
        {1000, 4096 * 900, 4096, 0, true},
        {1000, 4096 * 900, 4096, 100, false},
        {0, 4096, 4096, 0, false},
        {1000, 4096, 0, 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cell cell = {0};
        struct direction *d = &cell.dir[DIR_READ];
        SET(d, DIRECTION, ios, cases[i].ios);
        SET(d, DIRECTION, bytes, cases[i].bytes);
        SET(d, DIRECTION, short_ios, cases[i].short_ios);
        if (cases[i].bs)
            SET(&cell.key, CELL_KEY, bs, cases[i].bs);
        figures_check_counts(&cell);
        cr_expect_eq(cell_has_caveat(&cell, "figures-disagree"), cases[i].odd, "case %zu", i);
        cell_release(&cell);
    }
}
