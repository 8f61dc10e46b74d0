/* One group of entries as a cell. */
#ifndef STORE_IMPORT_FIO_CELL_H
#define STORE_IMPORT_FIO_CELL_H

#include "store/import/fio_group.h"
#include "store/import/fio_read_internal.h"

/* What is the same for all cells of a document. */
struct fio_cell_setting {
    const struct fio_document *doc;
    struct fio_version version;
    const char *path; /* of the file */
    bool interrupted; /* fio was stopped by a signal */
    struct fio_bad_numbers *bad;
};

/* Fills an empty cell. Options in the group that are not those of all its jobs are dropped. */
void fio_cell_read(const struct fio_cell_setting *s, struct fio_group *group, struct cell *cell);

/* Sets status and error; name, key and directions of the cell are there. For fio_cell.c. */
void fio_status_read(const struct fio_cell_setting *s, const struct fio_options *o,
                     uint64_t failed_ios, struct cell *cell);

#endif
