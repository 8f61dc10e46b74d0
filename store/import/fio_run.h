/* What a document of fio's JSON says about its run. */
#ifndef STORE_IMPORT_FIO_RUN_H
#define STORE_IMPORT_FIO_RUN_H

#include "store/import/fio_group.h"
#include "store/import/importer.h"

/*
 * Fills a new run: a UUID made from the content and the number of the document in it (from 1), name
 * of the file, tool, times, messages, devices of the groups, labels of the source.
 */
void fio_run_read(struct run *run, const struct import_source *src, const struct fio_document *doc,
                  size_t number, struct fio_groups *groups);

/* True when fio said that a signal ended it. */
bool fio_messages_interrupted(const struct fio_messages *m);

#endif
