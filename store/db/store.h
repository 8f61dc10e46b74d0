/*
 * The result store: one SQLite file (WAL, foreign keys, STRICT tables; schemas/sql/). Belongs to
 * one thread. Every cell is one transaction; what store_sink's cell() returned 0 for survives kill
 * -9, a full disk and power loss. A store of a newer program, or a foreign database, is refused
 * (ERR_STORE); an older one is migrated after a backup copy beside it.
 */
#ifndef STORE_DB_STORE_H
#define STORE_DB_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/model/sink.h"

struct store;

enum store_mode {
    STORE_READ, /* must exist */
    STORE_WRITE, /* made when missing; its folders as well in the usual place, not in one that was named */
    STORE_MEMORY, /* a new one in memory (tests, --dry-run) */
};

/* `path` is ignored for STORE_MEMORY. */
int store_open(struct store **out, const char *path, enum store_mode mode, struct error *err);
/* Checkpoints the WAL. Accepts NULL. */
void store_close(struct store *s);
const char *store_path(const struct store *s);

/* The default path: $BLKMATRIX_DB, else $XDG_DATA_HOME/blkmatrix/results.db, else
 * ~/.local/share/... */
char *store_default_path(void); /* free with free() */

enum store_sink_mode {
    SINK_DURABLE, /* one transaction a cell, synced: measuring */
    SINK_ATOMIC,  /* one transaction from begin to end, all or nothing: importing */
    SINK_GROUPED, /* part of a group that is given up as a whole when anything fails */
};
/*
 * A sink that writes into the store. One at a time; valid until the store is closed. With
 * SINK_DURABLE, begin() on a run whose id is set continues that run (resume). With SINK_ATOMIC,
 * end() with STATUS_FAILED takes everything back.
 */
struct sink store_sink(struct store *s, enum store_sink_mode mode);
/*
 * Several imports in one transaction (a folder of small files): group_begin, any number of atomic
 * sinks (each a savepoint, taken back alone when it fails) and labels, group_end; nothing that deletes
 * runs: foreign keys rest meanwhile. Closing the store before the end takes everything back.
 */
int store_group_begin(struct store *s, struct error *err);
int store_group_end(struct store *s, struct error *err);

/* Id of the run that was imported from content with this SHA-256 (and document number), else 0. */
int store_find_source(struct store *s, const char *sha256, int64_t *run_id, struct error *err);

/* Id of the newest run that was imported from this path with other content, else 0. */
int store_find_changed(struct store *s, const char *path, const char *sha256, int64_t *run_id,
                       struct error *err);

/* Id of the run with this UUID, else 0. */
int store_find_uuid(struct store *s, const char *uuid, int64_t *run_id, struct error *err);

struct run_ids {
    int64_t *id;
    size_t n;
};
void run_ids_release(struct run_ids *ids);

/*
 * Runs that a selector names (product: choosing runs), oldest first: id, UUID prefix, @latest, @-N,
 * label=value[,label=value], name. ERR_USAGE when none matches, or a form that must be one matches
 * several: the message lists the candidates. A label selector may match many.
 */
int store_select(struct store *s, const char *selector, struct run_ids *out, struct error *err);
/* As store_select, and it must be exactly one. */
int store_select_one(struct store *s, const char *selector, int64_t *id, struct error *err);
/* All runs, oldest first. */
int store_all_runs(struct store *s, struct run_ids *out, struct error *err);

/*
 * The run with labels, host, devices and limits; run_destroy it. One that was running when its program was
 * killed is partial.
 */
int store_load_run(struct store *s, int64_t id, struct run **out, struct error *err);
int store_count_cells(struct store *s, int64_t run_id, uint64_t *n, struct error *err);
/* Rounds of tests for steady state, which are no results of their own. */
int store_count_rounds(struct store *s, int64_t run_id, uint64_t *n, struct error *err);

enum load_flag {
    LOAD_HIST = 1 << 0,        /* latency histograms */
    LOAD_SERIES = 1 << 1,      /* series */
    LOAD_SERIES_HIST = 1 << 2, /* and their interval histograms */
    LOAD_ALL = 7,
    LOAD_ROUNDS = 1 << 3, /* also the rounds of tests for steady state, after their result */
};
/*
 * Calls fn for each cell of a run in order of ordinal, repeat and round. The cell belongs to the store and
 * is released after the call (move members out to keep them). fn returning nonzero stops with that
 * value.
 */
int store_each_cell(struct store *s, int64_t run_id, unsigned flags,
                    int (*fn)(struct cell *cell, void *arg), void *arg, struct error *err);

/* The same for the rounds from `first` on (from 1) that one cell of the plan has, in their order. */
int store_each_round(struct store *s, int64_t run_id, uint64_t ordinal, uint64_t first,
                     unsigned flags, int (*fn)(struct cell *cell, void *arg), void *arg,
                     struct error *err);

/* Replaces the limits of a run. */
int store_set_limits(struct store *s, int64_t run_id, const struct limit *limit, size_t n,
                     struct error *err);
/*
 * The diagnosis of a run as a JSON document, by the version of the method that made it. *document is
 * NULL when there is none of this version, or cells or limits have changed since; free with free().
 */
int store_load_diagnosis(struct store *s, int64_t run_id, int version, char **document,
                         struct error *err);
int store_save_diagnosis(struct store *s, int64_t run_id, int version, const char *document,
                         struct error *err);
int store_set_label(struct store *s, int64_t run_id, const char *key, const char *value,
                    struct error *err); /* value NULL removes it */
/* All of them or, on an error, none. ERR_USAGE when one is not there. */
int store_delete_runs(struct store *s, const struct run_ids *ids, struct error *err);

struct merge_outcome {
    size_t runs;  /* copied */
    size_t cells; /* theirs */
    size_t known; /* runs that were there already (same UUID) and stay as they are */
};
/*
 * Copies the runs of another store that are not in this one, each whole or not at all. *out counts
 * what was copied, also when a later run fails.
 */
int store_merge(struct store *s, struct store *from, struct merge_outcome *out, struct error *err);
/*
 * SQLite's integrity check, foreign keys, and that every record and blob can be read. ERR_STORE with
 * what is wrong.
 */
int store_verify(struct store *s, struct error *err);

#endif
