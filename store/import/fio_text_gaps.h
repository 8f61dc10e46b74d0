/*
 * What fio's normal output announces and does not have, because it was cut or only a part was copied: jobs
 * without a block, blocks without their figures or without one direction of a mix. A text that announces
 * nothing lacks nothing.
 */
#ifndef STORE_IMPORT_FIO_TEXT_GAPS_H
#define STORE_IMPORT_FIO_TEXT_GAPS_H

#include "store/import/fio_text_run.h"

/* The one announcement of the job; NULL when the group has several: they are reported as one. */
const struct fio_text_setup *fio_text_setup_of(const struct fio_text_run *r,
                                               const struct fio_text_job *j, bool *several);

/* What the block lacks ("its writes are missing", a literal); NULL: nothing that was announced. */
const char *fio_text_block_lacks(const struct fio_text_run *r, const struct fio_text_job *j);

/* True when fio said that it starts more jobs than the blocks have. */
bool fio_text_lacks_jobs(const struct fio_text_run *r);

/* Tells `say` of each gap, with the line where it was announced or the block begins. */
typedef void fio_text_say_gap(void *self, size_t line, const char *why);
void fio_text_gaps_find(const struct fio_text_run *r, fio_text_say_gap *say, void *self);

#endif
