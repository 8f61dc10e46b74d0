/* The cells that stand for a run of many: one for each device, pattern and block size. */
#ifndef CLI_BEST_CELLS_H
#define CLI_BEST_CELLS_H

#include <stdint.h>

#include "core/model/cell.h"

struct best_cells;

/* With `curves`, the steps of a response curve are left out where they are added. */
struct best_cells *best_cells_create(bool curves);
void best_cells_destroy(struct best_cells *b);
/* A cell of the run; it stays the caller's. */
void best_cells_add(struct best_cells *b, const struct cell *cell);
/* How many were added. */
size_t best_cells_count(const struct best_cells *b);
/*
 * Ids of the chosen cells by device, pattern, mix and block size, in whatever order they were measured;
 * their number goes to *n. Of each of these it is the queue depth with the highest bandwidth, or
 * the shallowest that comes within 1 % of it: deeper ones only wait longer. Of repeats it is the
 * one with the median bandwidth (the lower one of two). The array belongs to b and is valid until
 * the next call.
 */
const int64_t *best_cells_choose(struct best_cells *b, size_t *n);

#endif
