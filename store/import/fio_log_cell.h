/* What logs say, into a cell: added to that of a result, or a cell of their own. */
#ifndef STORE_IMPORT_FIO_LOG_CELL_H
#define STORE_IMPORT_FIO_LOG_CELL_H

#include "core/model/cell.h"
#include "store/import/fio_log_read.h"

/* Moves the series of a direction over; nothing when it has none. */
void fio_log_take_series(struct fio_logs *l, unsigned dir, struct direction *to);
/* Keeps which latency the series has, in the further facts of the cell. */
void fio_log_say_latency(const struct fio_logs *l, struct cell *cell);

/*
 * A cell of logs alone: `prefix` is what their names have in common, and its name; job: the one that it is of, from 1, 0
 * all of them. Settings are unknown but for the block
 * size, where every I/O states it, and what the name says (assumed). False when the logs have nothing.
 */
bool fio_log_cell_read(struct fio_logs *l, const char *prefix, size_t job, struct cell *cell);

#endif
