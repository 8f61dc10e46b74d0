/* Prepared statements by name, steps, and transactions around them. */
#include "store/db/store_internal.h"

/* COMMIT and RELEASE count as read-only to SQLite, and are what writes: only what gives rows reads. */
static const char *failing_at(sqlite3_stmt *stmt)
{
    return sqlite3_column_count(stmt) > 0 ? "cannot read" : "cannot write to";
}

sqlite3_stmt *query_start(struct store *s, enum query q, struct error *err)
{
    if (s->stmt[q])
        return s->stmt[q];
    struct strbuf text = STRBUF_INIT;
    query_text(&text, q);
    int rc = sqlite3_prepare_v3(s->db, text.text, (int)text.len + 1, SQLITE_PREPARE_PERSISTENT,
                                &s->stmt[q], NULL);
    strbuf_release(&text);
    if (rc != SQLITE_OK)
        store_error(s->path, s->db, rc, "cannot read", err);
    return s->stmt[q];
}

int query_step(struct store *s, sqlite3_stmt *stmt, struct error *err)
{
    int rc = sqlite3_step(stmt);
    if (rc == SQLITE_ROW)
        return 1;
    if (rc == SQLITE_DONE)
        return 0;
    int fault = store_error(s->path, s->db, rc, failing_at(stmt), err);
    query_done(stmt);
    return fault;
}

void query_done(sqlite3_stmt *stmt)
{
    sqlite3_reset(stmt);
    sqlite3_clear_bindings(stmt);
}

int query_finish(struct store *s, sqlite3_stmt *stmt, struct error *err)
{
    int rc;
    do
        rc = query_step(s, stmt, err);
    while (rc > 0);
    query_done(stmt);
    return rc;
}

int query_run(struct store *s, enum query q, struct error *err)
{
    sqlite3_stmt *stmt = query_start(s, q, err);
    return stmt ? query_finish(s, stmt, err) : -ERR_STORE;
}

int query_run_id(struct store *s, enum query q, int64_t id, struct error *err)
{
    sqlite3_stmt *stmt = query_start(s, q, err);
    if (!stmt)
        return -ERR_STORE;
    sqlite3_bind_int64(stmt, 1, id);
    return query_finish(s, stmt, err);
}

int transaction_begin(struct store *s, bool write, bool *began, struct error *err)
{
    *began = sqlite3_get_autocommit(s->db) != 0;
    return *began ? query_run(s, write ? Q_BEGIN : Q_BEGIN_READ, err) : 0;
}

int transaction_end(struct store *s, bool began, int rc, struct error *err)
{
    if (!began)
        return rc;
    if (rc == 0)
        rc = query_run(s, Q_COMMIT, err);
    /* A full disk ends the transaction by itself: then there is nothing to take back. */
    if (rc != 0 && !sqlite3_get_autocommit(s->db))
        query_run(s, Q_ROLLBACK, NULL);
    return rc;
}
