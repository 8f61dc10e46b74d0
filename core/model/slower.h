/*
 * Share of I/Os slower than a time, "6.00 % took longer than 1 s", with what is not known about it:
 * a histogram counts values in buckets, so those in the bucket of that time may be on either side.
 * The share is within lo..hi (0..1); the two are equal when nothing is in doubt.
 */
#ifndef CORE_MODEL_SLOWER_H
#define CORE_MODEL_SLOWER_H

#include "core/model/cell.h"

struct share {
    double lo;
    double hi;
};

/* Of one latency, from its histogram; false when it has none. */
bool lat_slower_than(struct share *out, const struct lat *l, uint64_t ns);
/*
 * Of a cell: all directions but sync together, by their main latency; else (imports without
 * histograms) from the ranges that fio's tables give. False when there is neither.
 */
bool cell_slower_than(struct share *out, const struct cell *c, uint64_t ns);

#endif
