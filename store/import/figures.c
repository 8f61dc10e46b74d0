#include "store/import/figures.h"

#include <math.h>

#define TOLERANCE 0.1
#define COUNTED   0.02

/* fio gives times in whole ms and some rates in whole I/Os: below these, rounding is more than the tolerance. */
#define TIME_MIN_NS 100e6
#define COUNT_MIN   100

static bool disagree(double a, double b)
{
    return fabs(a - b) > TOLERANCE * fmax(a, b);
}

/* 0: not known, or not one. */
static double block_size(const struct cell_key *key, int dir)
{
    if (key->bs_text || !IS_KNOWN(key, CELL_KEY, bs))
        return 0;
    bool differ = IS_KNOWN(key, CELL_KEY, bs_write) && key->bs_write != key->bs;
    if (differ && dir != DIR_READ)
        return dir == DIR_WRITE ? (double)key->bs_write : 0;
    return (double)key->bs;
}

static bool is_odd(const struct direction *d, double bs)
{
    bool iops = IS_KNOWN(d, DIRECTION, iops), ios = IS_KNOWN(d, DIRECTION, ios);
    bool many = ios && d->ios >= COUNT_MIN;
    bool timed = IS_KNOWN(d, DIRECTION, runtime_ns) && (double)d->runtime_ns >= TIME_MIN_NS;
    if (iops && many && timed && disagree(d->iops, (double)d->ios / ((double)d->runtime_ns / 1e9)))
        return true;
    if (bs <= 0 || (IS_KNOWN(d, DIRECTION, short_ios) && d->short_ios > 0))
        return false;
    if (iops && d->iops >= COUNT_MIN && IS_KNOWN(d, DIRECTION, bw) && disagree(d->iops * bs, d->bw))
        return true;
    return many && IS_KNOWN(d, DIRECTION, bytes) && disagree((double)d->ios * bs, (double)d->bytes);
}

void figures_check(struct cell *cell)
{
    for (int dir = 0; dir < DIR_COUNT; dir++) {
        const struct direction *d = &cell->dir[dir];
        if (direction_is_used(d) && is_odd(d, block_size(&cell->key, dir)))
            cell_add_caveat(cell, "figures-disagree");
    }
}

void figures_check_counts(struct cell *cell)
{
    for (int dir = 0; dir < DIR_COUNT; dir++) {
        const struct direction *d = &cell->dir[dir];
        double bs = block_size(&cell->key, dir);
        bool counted =
            IS_KNOWN(d, DIRECTION, ios) && IS_KNOWN(d, DIRECTION, bytes) && d->ios > 0 && bs > 0;
        bool is_short = IS_KNOWN(d, DIRECTION, short_ios) && d->short_ios > 0;
        if (counted && !is_short && fabs((double)d->bytes / (double)d->ios - bs) > COUNTED * bs)
            cell_add_caveat(cell, "figures-disagree");
    }
}
