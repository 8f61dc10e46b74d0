/* Checks the whole store: SQLite's structures, references between tables, and every record. */
#include "store/db/store_internal.h"

/* The first problem that a PRAGMA reports; "ok" is none. */
static int check_pragma(struct store *s, enum query q, const char *what, struct error *err)
{
    sqlite3_stmt *stmt = query_start(s, q, err);
    if (!stmt)
        return -ERR_STORE;
    int rc;
    while ((rc = query_step(s, stmt, err)) > 0) {
        const char *text = column_text(stmt, 0);
        if (text && strcmp(text, "ok") == 0)
            continue;
        rc = error_set(err, ERR_STORE, "the store %s is damaged: %s %s\nGo back to a copy.",
                       s->path, what, text ? text : "");
        break;
    }
    query_done(stmt);
    return rc;
}

static int decoded(struct cell *cell, void *arg)
{
    (void)cell;
    (void)arg;
    return 0;
}

int store_verify(struct store *s, struct error *err)
{
    int rc = check_pragma(s, Q_INTEGRITY, "SQLite says:", err);
    if (rc == 0)
        rc = check_pragma(s, Q_FOREIGN_KEYS, "a row without its parent in table", err);
    struct run_ids ids = {0};
    if (rc == 0)
        rc = store_all_runs(s, &ids, err);
    for (size_t i = 0; i < ids.n && rc == 0; i++) {
        struct run *run = NULL;
        rc = store_load_run(s, ids.id[i], &run, err);
        run_destroy(run);
        if (rc == 0)
            rc = store_each_cell(s, ids.id[i], LOAD_ALL | LOAD_ROUNDS, decoded, NULL, err);
        if (rc < 0)
            error_prefix(err, ERR_STORE, "run %lld", (long long)ids.id[i]);
    }
    run_ids_release(&ids);
    return rc;
}
