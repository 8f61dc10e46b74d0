/* Opening and closing a store file. */
#include <errno.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/xalloc.h"
#include "store/db/store_internal.h"

/*
 * How long to wait for another program that is writing. A cell takes milliseconds, on a disk that is busy seconds, and
 * many programs take turns; who gives up loses what was measured.
 */
#define BUSY_TIMEOUT_MS 60000

/* As a shell finds "~": timers and services often start without HOME. */
static char *home_folder(void)
{
    const char *home = getenv("HOME");
    if (home && *home)
        return xstrdup(home);
    char buf[4096];
    struct passwd entry, *found = NULL;
    bool known = getpwuid_r(getuid(), &entry, buf, sizeof buf, &found) == 0 && found;
    return xstrdup(known ? found->pw_dir : "");
}

/* Where results go when nobody says where. */
static char *usual_path(void)
{
    const char *data = getenv("XDG_DATA_HOME");
    if (data && *data == '/') /* the XDG rules: a relative path is to be ignored */
        return xasprintf("%s/blkmatrix/results.db", data);
    char *home = home_folder();
    char *path = xasprintf("%s/.local/share/blkmatrix/results.db", home);
    free(home);
    return path;
}

char *store_default_path(void)
{
    const char *path = getenv("BLKMATRIX_DB");
    return path && *path ? xstrdup(path) : usual_path();
}

static int cannot_make(const char *folder, const char *path, int errnum, struct error *err)
{
    int rc = error_errno(err, ERR_STORE, errnum, "cannot make the store %s in %s", path, folder);
    error_hint(err, "Name a place you may write to with --db FILE.");
    return rc;
}

/* Makes the folders above path that are missing. */
static int make_folders(const char *path, struct error *err)
{
    char *folder = xstrdup(path);
    int rc = 0;
    char *slash = strchr(folder + 1, '/');
    for (; slash && rc == 0; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(folder, 0777) != 0 && errno != EEXIST)
            rc = cannot_make(folder, path, errno, err);
        *slash = '/';
    }
    free(folder);
    return rc;
}

/*
 * Before a store is made: its folder must be there and writable. Those of the usual place are made; those of
 * a place that was named are not, since a slip in its name would leave a tree of folders.
 */
static int prepare_folder(const char *path, struct error *err)
{
    char *usual = usual_path();
    int rc = strcmp(path, usual) == 0 ? make_folders(path, err) : 0;
    free(usual);
    if (rc < 0)
        return rc;
    char *folder = xstrdup(path), *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0'; /* "/x" is in "/" */
    const char *parent = slash ? folder : ".";
    if (access(parent, F_OK) != 0 && errno == ENOENT)
        rc = error_set(err, ERR_STORE,
                       "cannot make the store %s: there is no folder %s\nMake the folder, or name "
                       "another place with --db FILE.",
                       path, parent);
    else if (eaccess(parent, W_OK | X_OK) != 0)
        rc = cannot_make(parent, path, errno, err);
    free(folder);
    return rc;
}

/* Says what is wrong with a path before SQLite says something vaguer. */
static int check_path(const char *path, enum store_mode mode, struct error *err)
{
    struct stat st;
    if (!*path)
        return error_set(err, ERR_STORE,
                         "the store has an empty name\nName a file with --db FILE.");
    if (stat(path, &st) != 0) {
        if (errno == ENOENT && mode == STORE_WRITE)
            return prepare_folder(path, err);
        if (errno == ENOENT)
            return error_set(err, ERR_STORE,
                             "there is no store %s yet\n`blkmatrix sweep` and `blkmatrix import` "
                             "make it; another one is named with --db FILE.",
                             path);
        error_errno(err, ERR_STORE, errno, "cannot open the store %s", path);
        error_hint(err, "Check the path and its permissions, or name another with --db FILE.");
        return -ERR_STORE;
    }
    if (S_ISDIR(st.st_mode))
        return error_set(err, ERR_STORE,
                         "cannot open the store %s: it is a folder\nName a file in it, e.g. --db "
                         "%s/results.db.",
                         path, path);
    if (!S_ISREG(st.st_mode))
        return error_set(err, ERR_STORE,
                         "cannot open the store %s: it is no regular file\nName one with --db "
                         "FILE.",
                         path);
    if (st.st_size == 0 && mode == STORE_READ)
        return error_set(err, ERR_STORE,
                         "the store %s is empty: nothing was ever stored in it\n`blkmatrix sweep` "
                         "and `blkmatrix import` fill it.",
                         path);
    return 0;
}

/* SQLite's name for a path: as URI, so that no character of it means anything else. */
static char *path_uri(const char *path, const char *query)
{
    struct strbuf uri = STRBUF_INIT;
    strbuf_adds(&uri, *path == '/' ? "file:" : "file:./"); /* else :memory: would be none */
    for (const unsigned char *p = (const unsigned char *)path; *p; p++) {
        bool plain = (*p >= '0' && *p <= '9') || (*p >= 'A' && *p <= 'Z') ||
                     (*p >= 'a' && *p <= 'z') || strchr("/._-", *p);
        strbuf_addf(&uri, plain ? "%c" : "%%%02x", *p);
    }
    strbuf_adds(&uri, query);
    return strbuf_detach(&uri);
}

static int connect_db(struct store *s, int flags, const char *query, struct error *err)
{
    sqlite3_close(s->db);
    s->db = NULL;
    flags |= SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX; /* a store belongs to one thread */
    char *uri = s->mode == STORE_MEMORY ? xstrdup("file::memory:") : path_uri(s->path, query);
    int rc = sqlite3_open_v2(uri, &s->db, flags, NULL);
    free(uri);
    if (rc != SQLITE_OK)
        return store_error(s->path, s->db, rc, "cannot open", err);
    /*
     * Enough cache that a folder of imports does not spill; savepoints without files; and no trust
     * in what the schema of a file that somebody sent may call.
     */
    sqlite3_exec(s->db,
                 "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384;"
                 "PRAGMA trusted_schema = 0",
                 NULL, NULL, NULL);
    /* a column that the file lacks is an error; SQLite would read its quoted name as a text */
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    sqlite3_extended_result_codes(s->db, 1);
    sqlite3_busy_timeout(s->db, BUSY_TIMEOUT_MS);
    return 0;
}

/* Reads the file's head and, in WAL mode, needs the files beside it: says whether it is usable. */
static int try_read(struct store *s)
{
    return sqlite3_exec(s->db, "SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL);
}

/* True when the WAL of the file holds something that the file has not yet. */
static bool has_wal(const char *path)
{
    char *wal = xasprintf("%s-wal", path);
    struct stat st;
    bool yes = stat(wal, &st) == 0 && st.st_size > 0;
    free(wal);
    return yes;
}

/*
 * Read-only media and full disks: SQLite cannot make its -shm file there. As that file is missing,
 * no program is writing; so the file alone (immutable) is the whole truth, or the file with the WAL
 * that a killed writer left, read without locks.
 */
static int connect_without_shm(struct store *s, struct error *err)
{
    bool wal = has_wal(s->path);
    int rc = connect_db(s, SQLITE_OPEN_READONLY, wal ? "?vfs=unix-none" : "?immutable=1", err);
    if (rc == 0 && wal)
        sqlite3_exec(s->db, "PRAGMA locking_mode = EXCLUSIVE", NULL, NULL, NULL);
    return rc;
}

static int connect_existing(struct store *s, struct error *err)
{
    int flags = SQLITE_OPEN_READWRITE | (s->mode == STORE_WRITE ? SQLITE_OPEN_CREATE : 0);
    int rc = connect_db(s, flags, "", err);
    if (rc < 0 || s->mode != STORE_READ)
        return rc;
    int sqlite_rc = try_read(s);
    switch (sqlite_rc & 0xff) {
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_FULL:
    case SQLITE_IOERR:
        rc = connect_without_shm(s, err);
        if (rc < 0)
            return rc;
        sqlite_rc = try_read(s);
    }
    return sqlite_rc == SQLITE_OK ? 0 : store_error(s->path, s->db, sqlite_rc, "cannot read", err);
}

static int check_writable(struct store *s, struct error *err)
{
    if (s->mode != STORE_WRITE || sqlite3_db_readonly(s->db, "main") == 0)
        return 0;
    return error_set(err, ERR_STORE,
                     "cannot write to the store %s: the file is read-only\nCheck its permissions "
                     "and whether its file system is mounted read-only, or use another store with "
                     "--db FILE.",
                     s->path);
}

/*
 * Turning a new file to WAL asks for the whole file at once, and SQLite does not call its busy
 * handler where waiting could lock two programs up (https://sqlite.org/c3ref/busy_handler.html):
 * of many programs that start together on a new store, some are told at once that it is busy.
 */
static int exec_patiently(sqlite3 *db, const char *sql)
{
    int waited_ms = 0;
    int rc = sqlite3_exec(db, sql, NULL, NULL, NULL);
    while ((rc & 0xff) == SQLITE_BUSY && waited_ms < BUSY_TIMEOUT_MS) {
        waited_ms += sqlite3_sleep(10);
        rc = sqlite3_exec(db, sql, NULL, NULL, NULL);
    }
    return rc;
}

static int set_up(struct store *s, struct error *err)
{
    int rc = check_writable(s, err);
    if (rc < 0)
        return rc;
    size_t n;
    struct migration *list = store_migrations(&n);
    rc = store_migrate(s, list, n, err);
    free(list);
    if (rc < 0)
        return rc;
    const char *settings = s->mode == STORE_READ
                               ? "PRAGMA query_only = 1"
                               : "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                                 "PRAGMA foreign_keys = 1";
    int sqlite_rc = exec_patiently(s->db, settings);
    return sqlite_rc == SQLITE_OK ? 0
                                  : store_error(s->path, s->db, sqlite_rc, "cannot set up", err);
}

int store_open(struct store **out, const char *path, enum store_mode mode, struct error *err)
{
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS,
                   0); /* costs a lock an allocation; only counts before the first store */
    int rc = mode == STORE_MEMORY ? 0 : check_path(path, mode, err);
    if (rc < 0)
        return rc;
    struct store *s = xcalloc(1, sizeof *s);
    s->path = xstrdup(mode == STORE_MEMORY ? "(in memory)" : path);
    s->mode = mode;
    s->claim_fd = -1;
    strbuf_init(&s->blob);
    rc = mode == STORE_MEMORY ? connect_db(s, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, "", err)
                              : connect_existing(s, err);
    if (rc == 0)
        rc = set_up(s, err);
    if (rc < 0)
        store_close(s);
    else
        *out = s;
    return rc;
}

/* Closing the last connection writes the WAL back and removes it. */
void store_close(struct store *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < QUERY_COUNT; i++)
        sqlite3_finalize(s->stmt[i]);
    if (s->db && !sqlite3_get_autocommit(s->db))
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_close(s->db);
    if (s->claim_fd >= 0)
        close(s->claim_fd);
    strbuf_release(&s->blob);
    free(s->path);
    free(s);
}

const char *store_path(const struct store *s)
{
    return s->path;
}
