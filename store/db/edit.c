/* Changes to stored runs: labels, limits, removal. */
#include "store/db/store_internal.h"

int store_set_label(struct store *s, int64_t run_id, const char *key, const char *value,
                    struct error *err)
{
    int rc = label_check(key, value, err);
    if (rc < 0)
        return rc;
    sqlite3_stmt *stmt = query_start(s, value ? Q_INSERT_LABEL : Q_DELETE_LABEL, err);
    if (!stmt)
        return -ERR_STORE;
    sqlite3_bind_int64(stmt, 1, run_id);
    bind_text(stmt, 2, key);
    if (value)
        bind_text(stmt, 3, value);
    return query_finish(s, stmt, err);
}

int store_set_limits(struct store *s, int64_t run_id, const struct limit *limit, size_t n,
                     struct error *err)
{
    bool began;
    int rc = transaction_begin(s, true, &began, err);
    if (rc < 0)
        return rc;
    rc = query_run_id(s, Q_DELETE_LIMITS, run_id, err);
    if (rc == 0)
        rc = run_insert_limits(s, run_id, limit, n, err);
    return transaction_end(s, began, rc, err);
}

static int delete_run(struct store *s, int64_t run_id, struct error *err)
{
    int rc = claim_refuse_other(s, run_id, err);
    if (rc == 0)
        rc = query_run_id(s, Q_DELETE_RUN, run_id, err);
    if (rc == 0 && sqlite3_changes(s->db) == 0)
        rc = error_set(err, ERR_USAGE,
                       "there is no run %lld in the store %s\n`blkmatrix list` shows the runs.",
                       (long long)run_id, s->path);
    return rc;
}

int store_delete_runs(struct store *s, const struct run_ids *ids, struct error *err)
{
    bool began;
    int rc = transaction_begin(s, true, &began, err);
    if (rc < 0)
        return rc;
    for (size_t i = 0; i < ids->n && rc == 0; i++)
        rc = delete_run(s, ids->id[i], err);
    return transaction_end(s, began, rc, err);
}

/* The id that a query by text, and perhaps one more, gives; 0 when none. */
static int find_id(struct store *s, enum query q, const char *text, const char *second,
                   int64_t *run_id, struct error *err)
{
    sqlite3_stmt *stmt = query_start(s, q, err);
    if (!stmt)
        return -ERR_STORE;
    bind_text(stmt, 1, text);
    if (second)
        bind_text(stmt, 2, second);
    int rc = query_step(s, stmt, err);
    if (rc >= 0)
        *run_id = rc > 0 ? sqlite3_column_int64(stmt, 0) : 0;
    query_done(stmt);
    return rc < 0 ? rc : 0;
}

int store_find_source(struct store *s, const char *sha256, int64_t *run_id, struct error *err)
{
    return find_id(s, Q_FIND_SOURCE, sha256, NULL, run_id, err);
}

int store_find_changed(struct store *s, const char *path, const char *sha256, int64_t *run_id,
                       struct error *err)
{
    return find_id(s, Q_FIND_PATH, path, sha256, run_id, err);
}

int store_find_uuid(struct store *s, const char *uuid, int64_t *run_id, struct error *err)
{
    return find_id(s, Q_FIND_UUID, uuid, NULL, run_id, err);
}
