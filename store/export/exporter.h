/*
 * Plug point: data out. An exporter turns one run after another into text; the caller writes that
 * out and empties the buffer between the calls, so a run of any size needs memory for one cell.
 *
 * To add one: a .c file with a const struct exporter, a row in registry.c, a line in
 * CMakeLists.txt; tests/store/export/ and tests/cli/export.sh loop over the registry.
 */
#ifndef STORE_EXPORT_EXPORTER_H
#define STORE_EXPORT_EXPORTER_H

#include "core/base/strbuf.h"
#include "core/model/run.h"

enum export_flag {
    EXPORT_SERIES = 1 << 0, /* samples over time too, where the format has a place for them */
    EXPORT_BINS = 1 << 1,   /* whole histograms too */
};

/* What an export has come to; the caller starts with zeros and its flags. */
struct export_state {
    unsigned flags;
    uint64_t slower_than; /* ns: also the share of I/Os that took longer; 0: not asked for */
    bool many;            /* several runs go into this one text */
    size_t n_runs;        /* begun */
    size_t n_cells;       /* of the current run */
};

struct exporter {
    const char *name;
    const char *suffix; /* of files, without dot */
    const char *summary;
    void (*begin)(struct strbuf *out, struct export_state *state, const struct run *run);
    void (*cell)(struct strbuf *out, struct export_state *state, const struct run *run,
                 const struct cell *cell);
    /* After the last cell of a run. May be NULL. */
    void (*end)(struct strbuf *out, struct export_state *state);
    /* After the last run. May be NULL. */
    void (*finish)(struct strbuf *out, struct export_state *state);
};

extern const struct exporter exporter_json;
extern const struct exporter exporter_csv;

extern const struct exporter *const exporter_registry[]; /* NULL-terminated */
const struct exporter *exporter_find(const char *name);  /* NULL when there is none */

#endif
