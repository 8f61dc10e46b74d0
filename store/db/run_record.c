/* Runs with what belongs to them but their cells: labels, host, devices, limits. */
#include "core/base/xalloc.h"
#include "store/db/store_internal.h"

static int insert_run_row(struct store *s, struct run *run, struct error *err)
{
    sqlite3_stmt *stmt = query_start(s, Q_INSERT + TABLE_RUN, err);
    if (!stmt)
        return -ERR_STORE;
    int at = 1;
    sqlite3_bind_null(stmt, at++); /* SQLite chooses the id */
    record_bind(stmt, &at, &run_fields, run);
    int rc = query_finish(s, stmt, err);
    if (rc == 0)
        run->id = sqlite3_last_insert_rowid(s->db);
    return rc;
}

static int insert_labels(struct store *s, const struct run *run, struct error *err)
{
    int rc = 0;
    for (size_t i = 0; i < run->n_labels && rc == 0; i++)
        rc = store_set_label(s, run->id, run->label[i].key, run->label[i].value, err);
    return rc;
}

/* A record that belongs to the run: row `number`, or the only one when number is -1. */
static int insert_part(struct store *s, enum table table, int64_t run_id, int64_t number,
                       const void *rec, struct error *err)
{
    sqlite3_stmt *stmt = query_start(s, Q_INSERT + table, err);
    if (!stmt)
        return -ERR_STORE;
    int at = 1;
    sqlite3_bind_int64(stmt, at++, run_id);
    if (number >= 0)
        sqlite3_bind_int64(stmt, at++, number);
    record_bind(stmt, &at, table_info[table].set[0], rec);
    return query_finish(s, stmt, err);
}

int run_insert_limits(struct store *s, int64_t run_id, const struct limit *limit, size_t n,
                      struct error *err)
{
    int rc = 0;
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = insert_part(s, TABLE_LIMIT, run_id, (int64_t)i, &limit[i], err);
    return rc;
}

/* A run record holds what this program found out itself: a value out of range is said, not lost. */
static int check_run(struct run *run, struct error *err)
{
    bool over = record_drop_oversized(&run_fields, run);
    over |= record_drop_oversized(&host_fields, &run->host);
    for (size_t i = 0; i < run->n_devices; i++)
        over |= record_drop_oversized(&device_fields, &run->device[i]);
    for (size_t i = 0; i < run->n_limits; i++)
        over |= record_drop_oversized(&limit_fields, &run->limit[i]);
    if (over)
        return error_set(err, ERR_USAGE,
                         "a number of the run (its seed?) is above %lld, the largest the store "
                         "can keep\nUse a smaller one.",
                         (long long)INT64_MAX);
    return 0;
}

/* A run with the same UUID is the same run: say which one it is. */
static int check_uuid(struct store *s, const struct run *run, struct error *err)
{
    if (!run->uuid)
        return 0;
    int64_t id = 0;
    int rc = store_find_uuid(s, run->uuid, &id, err);
    if (rc == 0 && id)
        rc = error_set(err, ERR_STORE, "the store %s has this run already: it is run %lld", s->path,
                       (long long)id);
    return rc;
}

int run_insert(struct store *s, struct run *run, struct error *err)
{
    int rc = check_run(run, err);
    if (rc == 0)
        rc = check_uuid(s, run, err);
    if (rc == 0)
        rc = insert_run_row(s, run, err);
    if (rc == 0)
        rc = insert_labels(s, run, err);
    if (rc == 0 && run->host.known)
        rc = insert_part(s, TABLE_HOST, run->id, -1, &run->host, err);
    for (size_t i = 0; i < run->n_devices && rc == 0; i++)
        rc = insert_part(s, TABLE_DEVICE, run->id, (int64_t)i, &run->device[i], err);
    if (rc == 0)
        rc = run_insert_limits(s, run->id, run->limit, run->n_limits, err);
    return rc;
}

int run_update(struct store *s, const struct run *run, struct error *err)
{
    sqlite3_stmt *stmt = query_start(s, Q_UPDATE_RUN, err);
    if (!stmt)
        return -ERR_STORE;
    int at = 1;
    record_bind(stmt, &at, &run_fields, run);
    sqlite3_bind_int64(stmt, at, run->id);
    int rc = query_finish(s, stmt, err);
    if (rc == 0 && sqlite3_changes(s->db) == 0)
        return error_set(err, ERR_STORE, "run %lld is not in the store %s (any more)",
                         (long long)run->id, s->path);
    return rc;
}

static int load_run_row(struct store *s, struct run *run, struct error *err)
{
    sqlite3_stmt *stmt = query_start(s, Q_SELECT + TABLE_RUN, err);
    if (!stmt)
        return -ERR_STORE;
    sqlite3_bind_int64(stmt, 1, run->id);
    int rc = query_step(s, stmt, err);
    if (rc == 0)
        rc = error_set(err, ERR_USAGE,
                       "there is no run %lld in the store %s\n`blkmatrix list` shows the runs.",
                       (long long)run->id, s->path);
    int at = 1;
    if (rc > 0)
        rc = record_read(stmt, &at, &run_fields, run, err);
    query_done(stmt);
    return rc;
}

static int load_labels(struct store *s, struct run *run, struct error *err)
{
    sqlite3_stmt *stmt = query_start(s, Q_SELECT_LABELS, err);
    if (!stmt)
        return -ERR_STORE;
    sqlite3_bind_int64(stmt, 1, run->id);
    int rc;
    while ((rc = query_step(s, stmt, err)) > 0)
        run_set_label(run, column_text(stmt, 0), column_text(stmt, 1));
    query_done(stmt);
    return rc;
}

/* Reads the rows of a table that belong to the run, each into the record that `add` gives. */
static int load_parts(struct store *s, enum table table, struct run *run,
                      void *(*add)(struct run *run), struct error *err)
{
    sqlite3_stmt *stmt = query_start(s, Q_SELECT + table, err);
    if (!stmt)
        return -ERR_STORE;
    sqlite3_bind_int64(stmt, 1, run->id);
    int rc;
    while ((rc = query_step(s, stmt, err)) > 0) {
        int at = table == TABLE_HOST ? 1 : 2; /* behind the key */
        rc = record_read(stmt, &at, table_info[table].set[0], add(run), err);
        if (rc < 0)
            break;
    }
    query_done(stmt);
    return rc;
}

static void *the_host(struct run *run)
{
    return &run->host;
}

static void *next_device(struct run *run)
{
    return run_add_device(run);
}

static void *next_limit(struct run *run)
{
    return run_add_limit(run);
}

int store_load_run(struct store *s, int64_t id, struct run **out, struct error *err)
{
    struct run *run = run_create();
    run->id = id;
    bool began;
    int rc = transaction_begin(s, false, &began, err);
    if (rc == 0) {
        rc = load_run_row(s, run, err);
        if (rc == 0)
            rc = load_labels(s, run, err);
        if (rc == 0)
            rc = load_parts(s, TABLE_HOST, run, the_host, err);
        if (rc == 0)
            rc = load_parts(s, TABLE_DEVICE, run, next_device, err);
        if (rc == 0)
            rc = load_parts(s, TABLE_LIMIT, run, next_limit, err);
        rc = transaction_end(s, began, rc, err);
    }
    /* its program was killed: what is there is what was finished */
    if (rc == 0 && IS_KNOWN(run, RUN, status) && run->status == STATUS_RUNNING &&
        claim_is_free(s, id))
        run->status = STATUS_PARTIAL;
    if (rc < 0)
        run_destroy(run);
    else
        *out = run;
    return rc;
}
