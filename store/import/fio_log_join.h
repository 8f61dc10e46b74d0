/*
 * The logs of the jobs of a result: found by name and folder (write_bw_log=... and its like, else the name of the job),
 * told apart by the number of the job, and held against what the result says before they are believed.
 */
#ifndef STORE_IMPORT_FIO_LOG_JOIN_H
#define STORE_IMPORT_FIO_LOG_JOIN_H

#include "core/model/cell.h"
#include "store/import/fio_group.h"
#include "store/import/fio_log_set.h"
#include "store/import/fio_version.h"
#include "store/import/importer.h"

struct fio_log_join;

/* What the options and names of the groups say; before the cells are read. NULL without a set of logs. src must stay. */
struct fio_log_join *fio_log_join_create(const struct import_source *src,
                                         const struct fio_document *doc,
                                         const struct fio_groups *groups);
void fio_log_join_destroy(struct fio_log_join *j);

/*
 * Adds series and histograms to the cell of the group; the cells of a document in their order. What was joined or left
 * out goes to the note.
 */
void fio_log_join_cell(struct fio_log_join *j, size_t group, struct fio_version version,
                       struct cell *cell, struct strbuf *note);

#endif
