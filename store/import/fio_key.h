/*
 * What the options of a job of fio mean as the settings of a cell: one reading of them for results
 * that are imported and for job files that are run, so that their cells can be compared.
 */
#ifndef STORE_IMPORT_FIO_KEY_H
#define STORE_IMPORT_FIO_KEY_H

#include "core/model/cell.h"
#include "store/import/fio_options.h"

/*
 * Fills the key of an empty cell from all options of a job, with what fio assumes where none is
 * given (named in cell->assumed). Values that are no such setting leave it unknown.
 */
void fio_key_of_job(struct cell *cell, const struct fio_options *o);

/* So many jobs of `each` seconds cannot have spent so much time: the entry is of several sections. */
bool fio_time_is_of_more(uint64_t jobs, double seconds, double each);

/* An engine that waits for each I/O has one in flight, whatever was asked for; said by a caveat. */
void fio_key_cap_depth(struct cell *cell);

#endif
