/* What every importer says about where a run is from. */
#ifndef STORE_IMPORT_RUN_SOURCE_H
#define STORE_IMPORT_RUN_SOURCE_H

#include "store/import/importer.h"

/*
 * Fills a new run: a UUID made from the content and the number of the run in it (from 1), so that the
 * same content is known again; the name of the file; source fields; labels; status complete.
 */
void run_from_source(struct run *run, const struct import_source *src, const char *format,
                     size_t number);

/* The UUID of run `number` (from 1) of a source whose identity (its SHA-256 or import_source.identity) is given. */
const char *source_run_uuid(char uuid[UUID_TEXT_MAX], const char *identity, size_t number);

/* The path that says what the source is called. */
static inline const char *source_name(const struct import_source *src)
{
    return src->name ? src->name : src->path;
}

/* Keeps lines of the source that are no results; left_out further ones were dropped. */
void run_set_messages(struct run *run, char *const *line, size_t n, size_t left_out);

#endif
