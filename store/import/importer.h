/*
 * Plug point: reading results of other tools. An importer gets the whole input as bytes (files are
 * mapped), and tells a sink about runs and cells. All input is hostile: sizes, depths, counts and
 * numbers are checked, text is kept as it is and escaped where it is shown.
 *
 * To add one: a .c file with a const struct importer, a row in registry.c, a line in
 * CMakeLists.txt, a folder tests/data/import/<name>/ and a fuzz harness.
 */
#ifndef STORE_IMPORT_IMPORTER_H
#define STORE_IMPORT_IMPORTER_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/model/sink.h"

struct fio_log_set;

struct import_source {
    const char *path;  /* for messages and provenance; "-" for stdin */
    const char *name;  /* path as if archives were folders: for names and hints; NULL: path */
    const char *bytes; /* n bytes, and a NUL after them */
    size_t n;
    const char *sha256;        /* of those bytes */
    const char *identity;      /* what makes the UUIDs of its runs; NULL: sha256 */
    const struct label *label; /* set on every run */
    size_t n_labels;
    struct fio_log_set *logs; /* log files that may belong to it (fio_log_set.h); NULL: none */
    const char *map;          /* what the columns of a table are (docs/import.md); NULL: find out */
};

/* What came of one source, for the table at the end. */
struct import_outcome {
    const char *format; /* importer name */
    char version[64];   /* of the tool that wrote it, "" unknown */
    size_t runs, cells;
    size_t skipped; /* entries left out; reasons were told to sink.skip */
    char note[256]; /* what was assumed or skipped, in short words */
};

#define SNIFF_SURE 95

struct importer {
    const char *name;
    const char *summary;
    /*
     * How well the bytes fit: 0 no, 100 surely; at SNIFF_SURE no other importer is asked. Must not read
     * past n.
     */
    int (*sniff)(const char *bytes, size_t n);
    /*
     * Reads all of it. ERR_INPUT (with line or byte and reason) when nothing, or not everything,
     * could be read: what is whole was given to the sink before, and outcome counts it. Errors of
     * the sink are passed on as they are.
     */
    int (*read)(const struct import_source *src, struct sink *sink, struct import_outcome *outcome,
                struct error *err);
};

extern const struct importer importer_csv;
extern const struct importer importer_diskspd;
extern const struct importer importer_fio_json;
extern const struct importer importer_fio_log;
extern const struct importer importer_fio_terse;
extern const struct importer importer_fio_text;
extern const struct importer importer_pairs;

extern const struct importer *const importer_registry[]; /* NULL-terminated */

/* True for those that read a table by import_source.map. */
bool importer_takes_map(const struct importer *importer);
/* The importer with the best sniff, NULL when none knows it. */
const struct importer *importer_for(const char *bytes, size_t n);
const struct importer *importer_find(const char *name);

#endif
