#include "store/import/figures.h"

#include <math.h>
#include <stdio.h>

#include "core/base/numfmt.h"

#define TOLERANCE 0.1
#define COUNTED   0.02

/* fio gives times in whole ms, some rates in whole I/Os, some bytes in KiB: below these, rounding is more than the tolerance. */
#define TIME_MIN_NS 100e6
#define COUNT_MIN   100
#define BYTES_MIN   1e6

#define WORDS_MAX (4 * NUMFMT_MAX)

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

/* Rates against counts and time. */
static bool rate_is_odd(const struct direction *d, char words[WORDS_MAX])
{
    char a[NUMFMT_MAX], b[NUMFMT_MAX], c[NUMFMT_MAX];
    double s = IS_KNOWN(d, DIRECTION, runtime_ns) ? (double)d->runtime_ns / 1e9 : 0;
    if (s * 1e9 < TIME_MIN_NS)
        return false;
    fmt_duration(b, d->runtime_ns);
    if (IS_KNOWN(d, DIRECTION, iops) && IS_KNOWN(d, DIRECTION, ios) && d->ios > 0 &&
        fmax((double)d->ios, d->iops * s) >= COUNT_MIN && disagree(d->iops, (double)d->ios / s)) {
        snprintf(words, WORDS_MAX, "%s I/Os in %s are not %s IOPS", fmt_count(a, d->ios), b,
                 fmt_iops(c, d->iops));
        return true;
    }
    if (!IS_KNOWN(d, DIRECTION, bw) || !IS_KNOWN(d, DIRECTION, bytes) ||
        fmax(d->bw * s, (double)d->bytes) < BYTES_MIN || !disagree(d->bw, (double)d->bytes / s))
        return false;
    snprintf(words, WORDS_MAX, "%s in %s are not %s MiB/s", fmt_bytes(a, d->bytes), b,
             fmt_mib(c, d->bw));
    return true;
}

/* Rates and counts against the block size. */
static bool size_is_odd(const struct direction *d, double bs, char words[WORDS_MAX])
{
    char a[NUMFMT_MAX], b[NUMFMT_MAX], c[NUMFMT_MAX];
    if (bs <= 0 || (IS_KNOWN(d, DIRECTION, short_ios) && d->short_ios > 0))
        return false;
    fmt_bytes(b, (uint64_t)bs);
    if (IS_KNOWN(d, DIRECTION, iops) && IS_KNOWN(d, DIRECTION, bw) &&
        fmax(d->iops, d->bw / bs) >= COUNT_MIN && disagree(d->iops * bs, d->bw)) {
        snprintf(words, WORDS_MAX, "%s IOPS of %s are not %s MiB/s", fmt_iops(a, d->iops), b,
                 fmt_mib(c, d->bw));
        return true;
    }
    if (!IS_KNOWN(d, DIRECTION, ios) || d->ios < COUNT_MIN || !IS_KNOWN(d, DIRECTION, bytes) ||
        !disagree((double)d->ios * bs, (double)d->bytes))
        return false;
    snprintf(words, WORDS_MAX, "%s I/Os of %s are not %s", fmt_count(a, d->ios), b,
             fmt_bytes(c, d->bytes));
    return true;
}

void figures_check(struct cell *cell, figures_say *say, void *self)
{
    for (int dir = 0; dir < DIR_COUNT; dir++) {
        const struct direction *d = &cell->dir[dir];
        char what[WORDS_MAX], words[WORDS_MAX + 16];
        if (!direction_is_used(d) ||
            (!rate_is_odd(d, what) && !size_is_odd(d, block_size(&cell->key, dir), what)))
            continue;
        cell_add_caveat(cell, "figures-disagree");
        snprintf(words, sizeof words, "%s: %s", dir_names[dir], what);
        if (say)
            say(self, words);
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
