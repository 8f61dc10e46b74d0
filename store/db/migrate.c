/* Whose database is it, and which schema has it: made new, brought up to date, or refused. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "core/base/embedded.h"
#include "core/base/xalloc.h"
#include "store/db/store_internal.h"

#define SQL_FOLDER "schemas/sql/"

/* embedded_name is sorted, so NNNN_name.sql come in order. */
struct migration *store_migrations(size_t *n)
{
    struct migration *list = NULL;
    size_t room = 0;
    const char *name;
    *n = 0;
    for (size_t i = 0; (name = embedded_name(i)); i++) {
        if (strncmp(name, SQL_FOLDER, strlen(SQL_FOLDER)) != 0)
            continue;
        GROW(list, *n + 1, room);
        list[(*n)++] = (struct migration){(int)strtol(name + strlen(SQL_FOLDER), NULL, 10),
                                          embedded_find(name, NULL)};
    }
    return list;
}

static int read_number(struct store *s, const char *sql, int64_t *v, struct error *err)
{
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(s->db, sql, -1, &stmt, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(stmt);
    if (rc == SQLITE_ROW)
        *v = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    return rc == SQLITE_ROW ? 0 : store_error(s->path, s->db, rc, "cannot read", err);
}

struct identity {
    int64_t application_id;
    int64_t version;
    int64_t objects; /* tables, indexes, views */
};

/* In one read transaction: another program may be making the store at this moment. */
static int read_identity(struct store *s, struct identity *id, struct error *err)
{
    int sqlite_rc = sqlite3_exec(s->db, "BEGIN", NULL, NULL, NULL);
    if (sqlite_rc != SQLITE_OK)
        return store_error(s->path, s->db, sqlite_rc, "cannot read", err);
    int rc = read_number(s, "PRAGMA application_id", &id->application_id, err);
    if (rc == 0)
        rc = read_number(s, "PRAGMA user_version", &id->version, err);
    if (rc == 0)
        rc = read_number(s, "SELECT count(*) FROM sqlite_schema", &id->objects, err);
    sqlite3_exec(s->db, rc == 0 ? "COMMIT" : "ROLLBACK", NULL, NULL, NULL);
    return rc;
}

static int check_identity(struct store *s, const struct identity *id, int newest, struct error *err)
{
    bool ours = id->application_id == STORE_APPLICATION_ID;
    bool empty = id->application_id == 0 && id->version == 0 && id->objects == 0;
    if (!ours && !empty)
        return error_set(err, ERR_STORE,
                         "%s is the database of another program (application id %lld), not a "
                         "blkmatrix store\nIt was not touched; name another file with --db FILE.",
                         s->path, (long long)id->application_id);
    if (id->version > newest)
        return error_set(err, ERR_STORE,
                         "the store %s was made by a newer blkmatrix (schema %lld; this is "
                         "%s and knows up to %d)\nUse that version or a newer one; the store was "
                         "not touched.",
                         s->path, (long long)id->version, BLKMATRIX_VERSION, newest);
    if (empty && s->mode == STORE_READ)
        return error_set(err, ERR_STORE,
                         "%s is an empty database: nothing was ever stored in it\n`blkmatrix "
                         "sweep` and `blkmatrix import` fill it.",
                         s->path);
    return 0;
}

static int sync_file(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    int rc = fsync(fd) == 0 ? 0 : -errno;
    close(fd);
    return rc;
}

/* Copies the store to PATH.schema-N.bak before its schema changes; an older copy is kept. */
static int back_up(struct store *s, int64_t version, struct error *err)
{
    char *copy = xasprintf("%s.schema-%lld.bak", s->path, (long long)version);
    for (int i = 2; access(copy, F_OK) == 0; i++) {
        free(copy);
        copy = xasprintf("%s.schema-%lld.%d.bak", s->path, (long long)version, i);
    }
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(s->db, "VACUUM INTO ?", -1, &stmt, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_text(stmt, 1, copy, -1, SQLITE_STATIC);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(stmt);
    int fault = 0;
    if (rc != SQLITE_DONE) {
        fault =
            store_error(s->path, s->db, rc, "cannot make a backup copy before the upgrade of", err);
        unlink(copy);
    } else if (sync_file(copy) < 0) {
        fault = error_set(err, ERR_STORE, "cannot write the backup copy %s to disk", copy);
    }
    sqlite3_finalize(stmt);
    free(copy);
    return fault;
}

/*
 * One schema file in one transaction. The version is read again inside it: another program may have
 * done the same while this one waited.
 */
static int apply(struct store *s, const struct migration *m, struct error *err)
{
    int rc = sqlite3_exec(s->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (rc != SQLITE_OK)
        return store_error(s->path, s->db, rc, "cannot upgrade", err);
    int64_t version = 0;
    int fault = read_number(s, "PRAGMA user_version", &version, err);
    if (fault == 0 && version < m->version) {
        char set[64];
        snprintf(set, sizeof set, "PRAGMA user_version = %d", m->version);
        rc = sqlite3_exec(s->db, m->sql, NULL, NULL, NULL);
        if (rc == SQLITE_OK)
            rc = sqlite3_exec(s->db, set, NULL, NULL, NULL);
    }
    if (fault == 0 && rc == SQLITE_OK)
        rc = sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL);
    if (fault == 0 && rc != SQLITE_OK)
        fault = store_error(s->path, s->db, rc, "cannot make the tables of", err);
    if (fault < 0 && !sqlite3_get_autocommit(s->db))
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return fault;
}

int store_migrate(struct store *s, const struct migration *list, size_t n, struct error *err)
{
    struct identity id = {0};
    int newest = n ? list[n - 1].version : 0;
    int rc = read_identity(s, &id, err);
    if (rc == 0)
        rc = check_identity(s, &id, newest, err);
    if (rc < 0 || id.version == newest)
        return rc;
    if (sqlite3_db_readonly(s->db, "main") == 1)
        return error_set(err, ERR_STORE,
                         "the store %s has an older schema (%lld) and cannot be upgraded where it "
                         "is: it is read-only\nCopy it to a folder you may write to and name the "
                         "copy with --db FILE.",
                         s->path, (long long)id.version);
    if (id.objects > 0)
        rc = back_up(s, id.version, err);
    for (size_t i = 0; i < n && rc == 0; i++)
        if (list[i].version > id.version)
            rc = apply(s, &list[i], err);
    return rc;
}
