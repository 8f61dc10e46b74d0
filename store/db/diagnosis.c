/* What was found to limit a run, kept beside it. The triggers of the schema take it away when it is out of date. */
#include "core/base/xalloc.h"
#include "store/db/store_internal.h"

int store_load_diagnosis(struct store *s, int64_t run_id, int version, char **document,
                         struct error *err)
{
    *document = NULL;
    sqlite3_stmt *stmt = query_start(s, Q_SELECT_DIAGNOSIS, err);
    if (!stmt)
        return -ERR_STORE;
    sqlite3_bind_int64(stmt, 1, run_id);
    sqlite3_bind_int(stmt, 2, version);
    int rc = query_step(s, stmt, err);
    if (rc > 0)
        *document = xstrdup(column_text(stmt, 0));
    query_done(stmt);
    return rc < 0 ? rc : 0;
}

int store_save_diagnosis(struct store *s, int64_t run_id, int version, const char *document,
                         struct error *err)
{
    sqlite3_stmt *stmt = query_start(s, Q_SAVE_DIAGNOSIS, err);
    if (!stmt)
        return -ERR_STORE;
    sqlite3_bind_int64(stmt, 1, run_id);
    sqlite3_bind_int(stmt, 2, version);
    bind_text(stmt, 3, document);
    return query_finish(s, stmt, err);
}
