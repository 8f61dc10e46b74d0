/*
 * Documents that follow each other in one file are several runs, or the running totals of one
 * (--status-interval, SIGUSR1). Of running totals only the last counts.
 */
#ifndef STORE_IMPORT_FIO_SNAPSHOT_H
#define STORE_IMPORT_FIO_SNAPSHOT_H

#include "store/import/fio_scan.h"

/*
 * True when `later` reports the same fio process as `earlier`, at a later moment: the same jobs, begun
 * at the same time, no count smaller, and a count that grew only where running time did.
 */
bool fio_snapshot_continues(const struct fio_document *earlier, const struct fio_document *later);

#endif
