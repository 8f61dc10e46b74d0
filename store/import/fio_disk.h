/* fio's disk_util: kernel counters of the disks over the whole fio run. */
#ifndef STORE_IMPORT_FIO_DISK_H
#define STORE_IMPORT_FIO_DISK_H

#include "core/model/cell.h"
#include "store/import/json_reader.h"

/* Fills cell->disk from the array of a document. */
void fio_disk_read(const struct json_doc *d, json_id root, struct cell *cell);

#endif
