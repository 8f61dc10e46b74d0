/*
 * Inside store/db only: the store object and its prepared statements. Every SQL text of the program
 * is in query.c (and schemas/sql/); a statement is prepared at its first use and kept until the
 * store is closed. Statements are used one after another: whoever starts one finishes it
 * (query_done) before calling out.
 */
#ifndef STORE_DB_STORE_INTERNAL_H
#define STORE_DB_STORE_INTERNAL_H

#include <sqlite3.h>

#include "core/base/strbuf.h"
#include "store/db/store.h"

/* Tables whose columns are the rows of field sets: their INSERT and SELECT are made from those. */
enum table {
    TABLE_RUN,
    TABLE_HOST,
    TABLE_DEVICE,
    TABLE_LIMIT,
    TABLE_CELL,
    TABLE_DIRECTION,
    TABLE_LATENCY,
    TABLE_DISK_STAT,
    TABLE_VOLUME_STAT,
    TABLE_COUNT,
};

struct table_info {
    const char *name;
    const char *key;    /* leading columns that place the record, comma-separated */
    const char *parent; /* column that SELECT looks records up by, in the order of key */
    const char *extra;  /* further columns behind the fields, comma-separated; NULL none */
    const struct field_set *set[2];
};
extern const struct table_info table_info[TABLE_COUNT];

enum query {
    Q_BEGIN,
    Q_BEGIN_READ,
    Q_COMMIT,
    Q_ROLLBACK,
    Q_SAVEPOINT,
    Q_RELEASE,
    Q_ROLLBACK_TO,
    Q_INSERT_LABEL,
    Q_SELECT_LABELS,
    Q_DELETE_LABEL,
    Q_INSERT_CELL_DEVICE,
    Q_SELECT_CELL_DEVICES,
    Q_INSERT_SERIES,
    Q_SELECT_SERIES,
    Q_SELECT_LAT_BUCKETS,
    Q_UPDATE_RUN,
    Q_DELETE_RUN,
    Q_DELETE_LIMITS,
    Q_SELECT_DIAGNOSIS,
    Q_SAVE_DIAGNOSIS,
    Q_DELETE_SAME_CELL,
    Q_FIND_SOURCE,
    Q_FIND_PATH,
    Q_FIND_UUID,
    Q_COUNT_CELLS,
    Q_COUNT_ROUNDS,
    Q_COUNT_DEVICES,
    Q_CELL_IDS,
    Q_ROUND_IDS,
    Q_RUN_IDS,
    Q_RUN_IDS_BY_ID,
    Q_RUN_IDS_BY_NAME,
    Q_RUN_IDS_BY_UUID,
    Q_RUN_IDS_BY_LABEL,
    Q_RUN_IDS_NEWEST,
    Q_RUN_LINE,
    Q_LABEL_VALUES,
    Q_LABEL_KEYS,
    Q_INTEGRITY,
    Q_FOREIGN_KEYS,
    Q_INSERT,                          /* + enum table */
    Q_SELECT = Q_INSERT + TABLE_COUNT, /* + enum table */
    QUERY_COUNT = Q_SELECT + TABLE_COUNT,
};

struct sink_state {
    enum store_sink_mode mode;
    bool open;      /* between begin and end */
    bool resumed;   /* the run was there before */
    int64_t run_id; /* of the open run */
    size_t n_devices;
    enum run_status status; /* of the open run as it was put in, with the next */
    int64_t finished_ns;
};

struct store {
    sqlite3 *db;
    char *path;
    enum store_mode mode;
    bool in_group;
    struct sink_state sink;
    struct strbuf blob; /* scratch for encoding */
    int claim_fd;       /* of STORE-lock, see claim.c; -1 until it is needed */
    sqlite3_stmt *stmt[QUERY_COUNT];
};

/*
 * claim.c: the run is ours to measure until claim_release or the end of the process; ERR_USAGE when another
 * process has it. claim_refuse_other only asks. claim_is_free: it is known that nobody measures it.
 */
int claim_take(struct store *s, int64_t run_id, struct error *err);
int claim_refuse_other(struct store *s, int64_t run_id, struct error *err);
bool claim_is_free(struct store *s, int64_t run_id);
void claim_release(struct store *s, int64_t run_id);

/* error.c: the SQLite error code `rc` on this store as an ERR_STORE message with what to do. */
int store_error(const char *path, sqlite3 *db, int rc, const char *what, struct error *err);

/* query.c: the text of a query, appended to out. */
void query_text(struct strbuf *out, enum query q);

/*
 * statement.c: the prepared statement, without values; NULL and ERR_STORE in err when it cannot be
 * prepared. Its user ends it with query_done.
 */
sqlite3_stmt *query_start(struct store *s, enum query q, struct error *err);
/* Steps: 1 a row, 0 the end, negative on errors. */
int query_step(struct store *s, sqlite3_stmt *stmt, struct error *err);
/* Steps to the end and resets. */
int query_finish(struct store *s, sqlite3_stmt *stmt, struct error *err);
void query_done(sqlite3_stmt *stmt);
/* A query without values. */
int query_run(struct store *s, enum query q, struct error *err);
/* A query whose one value is an id. */
int query_run_id(struct store *s, enum query q, int64_t id, struct error *err);
/* Starts a transaction (write: IMMEDIATE), unless one is open; *began says whether. */
int transaction_begin(struct store *s, bool write, bool *began, struct error *err);
/* Commits when `began` and rc is 0, takes back otherwise; returns rc or the error of the commit. */
int transaction_end(struct store *s, bool began, int rc, struct error *err);

/* record.c: binds all fields of a record from place *at on; moves *at behind them. */
void record_bind(sqlite3_stmt *stmt, int *at, const struct field_set *set, const void *rec);
/* Reads them from column *at on. ERR_STORE when a column holds what cannot be. */
int record_read(sqlite3_stmt *stmt, int *at, const struct field_set *set, void *rec,
                struct error *err);
/*
 * Makes U64 values above INT64_MAX (SQLite's largest integer) unknown; true when there was one. No
 * counter or time reaches them, but damaged input may hold anything.
 */
bool record_drop_oversized(const struct field_set *set, void *rec);
void bind_text(sqlite3_stmt *stmt, int at, const char *text);
void bind_blob(sqlite3_stmt *stmt, int at, const struct strbuf *bytes);
const char *column_text(sqlite3_stmt *stmt, int at);

/* run_record.c */
int run_insert(struct store *s, struct run *run, struct error *err);
int run_update(struct store *s, const struct run *run, struct error *err);
int run_insert_limits(struct store *s, int64_t run_id, const struct limit *limit, size_t n,
                      struct error *err);

/* cell_write.c: inserts the cell with all it holds; sets its id. No transaction of its own. */
int cell_insert(struct store *s, struct cell *cell, struct error *err);
/* True when every device of the cell is one of the n of its run. */
bool cell_devices_exist(const struct cell *cell, size_t n);
/* cell_read.c: fills *cell ({0}); the caller releases it, also after an error. */
int cell_load(struct store *s, int64_t cell_id, unsigned flags, struct cell *cell,
              struct error *err);

/* migrate.c: checks whose database it is, and brings it to the newest schema. */
struct migration {
    int version; /* user_version after it */
    const char *sql;
};
int store_migrate(struct store *s, const struct migration *list, size_t n, struct error *err);
/* The migrations in the binary, ascending; free with free(). */
struct migration *store_migrations(size_t *n);

#define STORE_APPLICATION_ID 0x424c4b4d

#endif
