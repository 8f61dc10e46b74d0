/* The store as the place where results go, and transactions over several imports. */
#include "store/db/store_internal.h"

/* Takes the open run back: the whole transaction, or inside a group the savepoint. */
static void take_back(struct store *s)
{
    if (sqlite3_get_autocommit(s->db) || s->sink.mode == SINK_GROUPED)
        return; /* a full disk has ended it already, or the whole group will be */
    if (s->in_group) {
        query_run(s, Q_ROLLBACK_TO, NULL);
        query_run(s, Q_RELEASE, NULL);
    } else {
        query_run(s, Q_ROLLBACK, NULL);
    }
}

static int begin_atomic(struct store *s, struct run *run, struct error *err)
{
    int rc =
        s->sink.mode == SINK_GROUPED ? 0 : query_run(s, s->in_group ? Q_SAVEPOINT : Q_BEGIN, err);
    if (rc < 0)
        return rc;
    run->id = 0;
    rc = run_insert(s, run, err);
    if (rc < 0)
        take_back(s);
    s->sink.status = run->status;
    s->sink.finished_ns = run->finished_ns;
    return rc;
}

static int begin_durable(struct store *s, struct run *run, struct error *err)
{
    bool began;
    int rc = transaction_begin(s, true, &began, err);
    if (rc < 0)
        return rc;
    s->sink.resumed = run->id != 0;
    if (s->sink.resumed)
        rc = claim_take(s, run->id, err);
    if (rc == 0)
        rc = s->sink.resumed ? run_update(s, run, err) : run_insert(s, run, err);
    if (rc == 0 && !s->sink.resumed)
        rc = claim_take(s, run->id, err);
    return transaction_end(s, began, rc, err);
}

static int sink_begin(void *self, struct run *run, struct error *err)
{
    struct store *s = self;
    int rc = s->sink.mode == SINK_DURABLE ? begin_durable(s, run, err) : begin_atomic(s, run, err);
    if (rc == 0) {
        s->sink.open = true;
        s->sink.run_id = run->id;
        s->sink.n_devices = run->n_devices;
    }
    return rc;
}

/* A resumed run measures a cell anew that was cut short: the new result replaces the old. */
static int delete_same_cell(struct store *s, const struct cell *cell, struct error *err)
{
    if (!s->sink.resumed || !IS_KNOWN(cell, CELL, ordinal))
        return 0;
    sqlite3_stmt *stmt = query_start(s, Q_DELETE_SAME_CELL, err);
    if (!stmt)
        return -ERR_STORE;
    sqlite3_bind_int64(stmt, 1, cell->run_id);
    sqlite3_bind_int64(stmt, 2, (sqlite3_int64)cell->ordinal);
    if (IS_KNOWN(cell, CELL, repeat))
        sqlite3_bind_int64(stmt, 3, (sqlite3_int64)cell->repeat);
    if (IS_KNOWN(cell, CELL, round))
        sqlite3_bind_int64(stmt, 4, (sqlite3_int64)cell->round);
    return query_finish(s, stmt, err);
}

static int sink_cell(void *self, struct cell *cell, struct error *err)
{
    struct store *s = self;
    cell->run_id = s->sink.run_id;
    if (!cell_devices_exist(cell, s->sink.n_devices))
        return error_set(err, ERR_STORE, "a cell of run %lld names a device that the run has not",
                         (long long)cell->run_id);
    if (s->sink.mode != SINK_DURABLE)
        return cell_insert(s, cell, err);
    bool began;
    int rc = transaction_begin(s, true, &began, err);
    if (rc < 0)
        return rc;
    rc = delete_same_cell(s, cell, err);
    if (rc == 0)
        rc = cell_insert(s, cell, err);
    return transaction_end(s, began, rc, err);
}

static int end_atomic(struct store *s, const struct run *run, struct error *err)
{
    if (run->status == STATUS_FAILED) {
        take_back(s);
        return 0;
    }
    bool same = run->status == s->sink.status && run->finished_ns == s->sink.finished_ns;
    int rc = same ? 0 : run_update(s, run, err);
    if (rc == 0 && s->sink.mode != SINK_GROUPED)
        rc = query_run(s, s->in_group ? Q_RELEASE : Q_COMMIT, err);
    if (rc < 0)
        take_back(s);
    return rc;
}

static int sink_end(void *self, struct run *run, struct error *err)
{
    struct store *s = self;
    if (!s->sink.open)
        return 0; /* begin had failed: nothing is there */
    s->sink.open = false;
    if (s->sink.mode != SINK_DURABLE)
        return end_atomic(s, run, err);
    bool began;
    int rc = transaction_begin(s, true, &began, err);
    if (rc == 0)
        rc = transaction_end(s, began, run_update(s, run, err), err);
    claim_release(s, run->id);
    return rc;
}

struct sink store_sink(struct store *s, enum store_sink_mode mode)
{
    s->sink = (struct sink_state){.mode = mode};
    return (struct sink){.self = s, .begin = sink_begin, .cell = sink_cell, .end = sink_end};
}

/*
 * What goes into a group comes with its parents, in order; to look those up again for each row takes a
 * third of the time. The setting only changes outside of transactions.
 */
static void check_parents(struct store *s, bool yes)
{
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_FKEY, yes ? 1 : 0, NULL);
}

int store_group_begin(struct store *s, struct error *err)
{
    check_parents(s, false);
    int rc = query_run(s, Q_BEGIN, err);
    s->in_group = rc == 0;
    if (rc < 0)
        check_parents(s, true);
    return rc;
}

int store_group_end(struct store *s, struct error *err)
{
    s->in_group = false;
    int rc = query_run(s, Q_COMMIT, err);
    if (rc < 0 && !sqlite3_get_autocommit(s->db))
        query_run(s, Q_ROLLBACK, NULL);
    check_parents(s, true);
    return rc;
}
