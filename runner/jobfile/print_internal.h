/* What the sections of imported cells say of their source. */
#ifndef RUNNER_JOBFILE_PRINT_INTERNAL_H
#define RUNNER_JOBFILE_PRINT_INTERNAL_H

#include "core/base/json.h"
#include "core/model/run.h"
#include "runner/jobfile/options_internal.h"

enum source_end {
    SOURCE_ENDS_BY_TIME,   /* time_based */
    SOURCE_ENDS_BY_SIZE,   /* no runtime was asked for */
    SOURCE_ENDS_BY_EITHER, /* its size was done before its runtime */
};

/* Text of a line: what would end it or begin a comment is left out. */
void print_text(struct strbuf *out, const char *text);
/* fio's options as the source states them; NULL: not imported, or it states none. To be deleted. */
cJSON *source_options(const struct cell *cell);
/* Set, and not to 0. NULL as options: false. */
bool source_sets(const cJSON *options, const char *name);
/* fio named the files itself: the devices of the cell are folders. */
bool source_is_in_folders(const cJSON *options);
/*
 * Sections of the source that are one cell, each with files of its own; options of fio hold for all files
 * of a section together.
 */
uint64_t source_times(const cJSON *options, const struct cell *cell);
/* The engine of the key; where that is an installed fio, the one that fio was given. */
const char *source_engine(const cJSON *options, const struct cell_key *key);
/* How the cell was to end; *runtime_ns is what was asked for, left as it is where nothing was. */
enum source_end source_end(const cJSON *options, const struct cell *cell, uint64_t *runtime_ns);
/* A comment on settings that would be fio's defaults when the section is read again, and may have been others. */
void source_print_gaps(struct strbuf *out, const cJSON *options, const struct cell_key *key);
/* Lines that the key has no place for; a comment names options that get none. */
void source_print(struct strbuf *out, const cJSON *options, const struct cell_key *key);

#endif
