/* A direction of a mix that the other one paces. */
#include <math.h>

#include "report/diagnosis/rule.h"

/* Shares of a mix are drawn for each I/O: measured ones are near, not equal. */
#define NEAR_SHARE 0.02

/* A rate for one direction only leaves the other one free. */
static bool is_held(const struct finding *f)
{
    if (f->binds == BINDS_RATE)
        return cell_key_is_open(&f->row->cell->key);
    return f->binds >= BINDS_DISK_IOPS && f->binds <= BINDS_HOST_BW;
}

/* Both directions of one cell, in the shares that the mix asks for: the one cannot be ahead. */
static bool keeps_share(const struct row *a, const struct row *b)
{
    const struct cell_key *key = &a->cell->key;
    if (!IS_KNOWN(key, CELL_KEY, rw) || !rw_is_mixed(key->rw) ||
        !IS_KNOWN(key, CELL_KEY, rwmixread))
        return false;
    const struct row *reads = a->dir == DIR_READ ? a : b;
    double share = reads->iops / (a->iops + b->iops);
    return fabs(share - (double)key->rwmixread / 100) <= NEAR_SHARE;
}

static const struct finding *other_direction(const struct finding *all, size_t n,
                                             const struct finding *f)
{
    enum dir other = f->row->dir == DIR_READ ? DIR_WRITE : DIR_READ;
    for (size_t i = 0; i < n; i++) {
        if (all[i].row->cell == f->row->cell && all[i].row->part == 0 && all[i].row->dir == other)
            return &all[i];
    }
    return NULL;
}

void mix_paced(struct finding *f, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct row *r = f[i].row;
        if (f[i].binds != BINDS_UNEXPLAINED || r->part > 0)
            continue;
        const struct finding *other = other_direction(f, n, &f[i]);
        if (!other || !is_held(other) || !keeps_share(r, other->row))
            continue;
        f[i].binds = BINDS_MIX;
        f[i].confidence = other->confidence;
    }
}
