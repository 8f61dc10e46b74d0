/* Logs of fio without a result beside them: a run with one cell. */
#ifndef STORE_IMPORT_FIO_LOG_H
#define STORE_IMPORT_FIO_LOG_H

#include "store/import/fio_log_set.h"
#include "store/import/importer.h"

/*
 * Stores the logs of one prefix as a run. Of src, sha256 stands for all files; bytes are not used. ERR_INPUT with file and
 * line when not everything could be read.
 */
int fio_log_store(const struct import_source *src, struct fio_log_set *set,
                  struct fio_log_entry *const *entry, size_t n, struct sink *sink,
                  struct import_outcome *outcome, struct error *err);

#endif
