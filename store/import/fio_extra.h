/*
 * Facts of an entry that have no field of their own, kept as JSON under fio's names: its options,
 * queue depth tables, latency target, steady state, I/O priorities, zones, context switches.
 */
#ifndef STORE_IMPORT_FIO_EXTRA_H
#define STORE_IMPORT_FIO_EXTRA_H

#include "store/import/fio_group.h"
#include "store/import/fio_read_internal.h"

/*
 * Sets cell->extra. Tables are kept when the cell is of one entry; bounds (may be empty) else.
 * verification: the reads that are none of the cell's, if any.
 */
void fio_extra_read(const struct json_doc *d, const struct fio_group *group,
                    const struct fio_bounds *bounds, const struct direction *verification,
                    struct cell *cell);

#endif
