#include "report/analysis/analysis.h"

#include <math.h>

static bool side_applies(const struct limit *l, enum dir dir)
{
    if (!IS_KNOWN(l, LIMIT, side) || l->side == SIDE_ANY || dir == DIR_MIXED)
        return true;
    return l->side == (dir == DIR_READ ? SIDE_READ : SIDE_WRITE);
}

static enum limit_phase phase_of(const struct limit *l)
{
    return IS_KNOWN(l, LIMIT, phase) ? l->phase : PHASE_BASE;
}

static enum limit_path path_of(const struct limit *l)
{
    return IS_KNOWN(l, LIMIT, path) ? l->path : PATH_ANY;
}

static bool same_kind(const struct limit *a, const struct limit *b)
{
    return a->owner == b->owner && a->kind == b->kind && phase_of(a) == phase_of(b) &&
           path_of(a) == path_of(b);
}

/* Each device has its own: disks, and throttles of the host that name one. */
static bool is_of_device(const struct limit *l)
{
    return l->owner == OWNER_DISK || IS_KNOWN(l, LIMIT, device);
}

/*
 * The cap of the same kind for one device: its own (of several throttles the lowest), else a disk's that is
 * given for each of them.
 */
static const struct limit *cap_of_device(const struct row *r, const struct limit *like,
                                         size_t device)
{
    const struct limit *found = NULL, *own = NULL;
    for (size_t i = 0; i < r->run->n_limits; i++) {
        const struct limit *l = &r->run->limit[i];
        if (!same_kind(l, like) || !side_applies(l, r->dir))
            continue;
        if (IS_KNOWN(l, LIMIT, device) && l->device == device &&
            (!own || (l->owner == OWNER_HOST && l->value < own->value)))
            own = l;
        if (!IS_KNOWN(l, LIMIT, device) && l->owner == OWNER_DISK)
            found = l;
    }
    return own ? own : found;
}

/* Devices may stand on one that is throttled: what they do together counts there. */
static bool are_one_throttle(const struct limit *a, const struct limit *b)
{
    return a->owner == OWNER_HOST && b->owner == OWNER_HOST && a->kind == b->kind &&
           a->side == b->side && a->name && b->name && strcmp(a->name, b->name) == 0;
}

static double upper(const struct limit *l)
{
    return IS_KNOWN(l, LIMIT, value_max) ? fmax(l->value, l->value_max) : l->value;
}

/* The throttle of device i of the row is that of one before it. */
static bool is_counted(const struct row *r, const struct limit *l, size_t i)
{
    for (size_t k = 0; k < i; k++) {
        const struct limit *before = cap_of_device(r, l, r->cell->device[k]);
        if (r->part == 0 && before && are_one_throttle(before, l))
            return true;
    }
    return false;
}

/* Sum over the devices of the row; false when `l` stands for another device or one has no cap. */
static bool add_devices(const struct row *r, const struct limit *l, double *lo, double *hi)
{
    const struct cell *c = r->cell;
    *lo = *hi = 0;
    if (!is_of_device(l) || c->n_devices == 0) {
        *lo = l->value;
        *hi = upper(l);
        return true;
    }
    bool first = true;
    for (size_t i = 0; i < c->n_devices; i++) {
        if (r->part > 0 && c->part[r->part - 1].device != c->device[i])
            continue;
        const struct limit *own = cap_of_device(r, l, c->device[i]);
        if (!own || (first && own != l))
            return false;
        if (first || !is_counted(r, own, i)) {
            *lo += own->value;
            *hi += upper(own);
        }
        first = false;
    }
    return !first;
}

/* Directions that were measured over other times than the row's own did not always go on with it. */
#define SAME_TIME 0.9

static bool same_time(const struct direction *a, const struct direction *b)
{
    if (!IS_KNOWN(a, DIRECTION, runtime_ns) || !IS_KNOWN(b, DIRECTION, runtime_ns))
        return true;
    double x = (double)a->runtime_ns, y = (double)b->runtime_ns;
    return fmin(x, y) >= SAME_TIME * fmax(x, y);
}

/* All devices of the cell stand on the one that is throttled. */
static bool is_shared(const struct row *r, const struct limit *l)
{
    const struct cell *c = r->cell;
    for (size_t i = 0; i < c->n_devices; i++) {
        const struct limit *other = cap_of_device(r, l, c->device[i]);
        if (!other || !are_one_throttle(other, l))
            return false;
    }
    return true;
}

double row_share_of_budget(const struct row *r, const struct limit *l)
{
    if (cell_has_caveat(r->cell, "beside-others"))
        return NAN; /* the budget saw those others, too */
    bool one_side = IS_KNOWN(l, LIMIT, side) && l->side != SIDE_ANY;
    const struct direction *own = r->part ? r->cell->part[r->part - 1].dir : r->cell->dir;
    const struct direction *seen = is_of_device(l) && !is_shared(r, l) ? own : r->cell->dir;
    size_t field = l->kind == CAP_IOPS ? DIRECTION_iops : DIRECTION_bw;
    double all = 0;
    for (enum dir d = 0; d < DIR_SYNC; d++) {
        double rate = field_get_f64(&direction_fields, &seen[d], field);
        if (!(rate > 0) || (one_side && d != r->dir))
            continue;
        if (!same_time(&seen[d], &own[r->dir]))
            return NAN;
        all += rate;
    }
    double mine = field_get_f64(&direction_fields, &own[r->dir], field);
    return all > 0 && mine > 0 ? mine / all : 1;
}

/* at_most: what cannot be added up counts as idle. */
static bool apply(const struct row *r, const struct limit *l, bool at_most, struct row_cap *out)
{
    double lo, hi;
    if (!(l->value > 0) || !side_applies(l, r->dir) || !add_devices(r, l, &lo, &hi))
        return false;
    double bytes = r->bs ? (double)r->bs : r->bw / r->iops;
    double each = 1; /* what one I/O of the row costs */
    if (l->kind == CAP_BW)
        each = bytes;
    else if (IS_KNOWN(l, LIMIT, io_size) && l->io_size > 0)
        each = fmax(1, ceil(bytes / (double)l->io_size));
    if (!(each > 0))
        return false;
    double share = row_share_of_budget(r, l);
    if (isnan(share) && !at_most)
        return false;
    if (isnan(share))
        share = 1;
    *out = (struct row_cap){l, lo * share / each, hi * share / each, lo, hi};
    return true;
}

static size_t collect(const struct row *r, bool at_most, struct row_cap *out)
{
    size_t n = 0;
    if (!(r->iops > 0))
        return 0;
    for (size_t i = 0; i < r->run->n_limits; i++) {
        struct row_cap cap;
        if (!apply(r, &r->run->limit[i], at_most, &cap))
            continue;
        size_t at = n++;
        for (; at > 0 && out[at - 1].iops > cap.iops; at--)
            out[at] = out[at - 1];
        out[at] = cap;
    }
    return n;
}

size_t row_caps(const struct row *r, struct row_cap *out)
{
    return collect(r, false, out);
}

size_t row_caps_at_most(const struct row *r, struct row_cap *out)
{
    return collect(r, true, out);
}
