/* Opening stores: new, old, newer, foreign, broken, locked, read-only. */
#include <criterion/criterion.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/xalloc.h"
#include "store/db/store_internal.h"
#include "tests/support/sample.h"
#include "tests/support/scratch.h"

#define NOBODY 65534

static char *folder, *path;

static void set_up(void)
{
    folder = scratch_make();
    path = scratch_path(folder, "results.db");
}

static void tear_down(void)
{
    free(path);
    scratch_remove(folder);
}

TestSuite(open, .init = set_up, .fini = tear_down);

static void expect_refused(const char *file, enum store_mode mode, const char *part)
{
    struct error err = ERROR_INIT;
    struct store *s = NULL;
    cr_expect_eq(store_open(&s, file, mode, &err), -ERR_STORE);
    cr_expect_null(s);
    cr_expect_eq(err.code, ERR_STORE);
    cr_expect(strstr(err.message, part), "expected \"%s\" in: %s", part, err.message);
    cr_expect(strstr(err.message, file), "no path in: %s", err.message);
    cr_expect(strchr(err.message, '\n'), "no advice in: %s", err.message);
    store_close(s);
}

static struct store *must_open(const char *file, enum store_mode mode)
{
    struct error err = ERROR_INIT;
    struct store *s = NULL;
    cr_assert_eq(store_open(&s, file, mode, &err), 0, "%s", err.message);
    return s;
}

static void put_run(struct store *s, unsigned cells)
{
    struct error err = ERROR_INIT;
    struct run *run = sample_run(cells);
    struct sink sink = store_sink(s, SINK_DURABLE);
    cr_assert_eq(sink.begin(sink.self, run, &err), 0, "%s", err.message);
    for (unsigned i = 0; i < cells; i++) {
        struct cell *c = sample_cell(i);
        SET(c, CELL, ordinal, i);
        cr_assert_eq(sink.cell(sink.self, c, &err), 0, "%s", err.message);
        cell_destroy(c);
    }
    cr_assert_eq(sink.end(sink.self, run, &err), 0, "%s", err.message);
    run_destroy(run);
}

static uint64_t count(struct store *s)
{
    struct error err = ERROR_INIT;
    uint64_t n = 0;
    cr_assert_eq(store_count_cells(s, 1, &n, &err), 0, "%s", err.message);
    return n;
}

static void make_store(unsigned cells)
{
    struct store *s = must_open(path, STORE_WRITE);
    put_run(s, cells);
    store_close(s);
}

static void run_sql(const char *file, const char *sql)
{
    sqlite3 *db;
    char *why = NULL;
    cr_assert_eq(sqlite3_open(file, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, &why), SQLITE_OK, "%s", why);
    sqlite3_close(db);
}

Test(open, a_new_store_is_made_with_its_folders_and_found_again)
{
    char *data = scratch_path(folder, "a/b c/%%41?x#y");
    char *deep = scratch_path(data, "blkmatrix/results.db");
    setenv("XDG_DATA_HOME", data, 1);
    struct store *s = must_open(deep, STORE_WRITE);
    cr_expect_str_eq(store_path(s), deep);
    put_run(s, 2);
    store_close(s);
    cr_expect_eq(access(deep, F_OK), 0);
    s = must_open(deep, STORE_READ);
    cr_expect_eq(count(s), 2);
    store_close(s);
    char *wal = xasprintf("%s-wal", deep);
    cr_expect_neq(access(wal, F_OK), 0, "closing leaves one file");
    free(wal);
    free(deep);
    free(data);
}

/* A slip in a name leaves no tree of folders. */
Test(open, folders_of_a_named_store_are_not_made)
{
    char *deep = scratch_path(folder, "a/b/results.db"), *first = scratch_path(folder, "a");
    setenv("XDG_DATA_HOME", folder, 1);
    expect_refused(deep, STORE_WRITE, "there is no folder");
    cr_expect_neq(access(first, F_OK), 0);
    cr_assert_eq(chdir(folder), 0);
    expect_refused("a/results.db", STORE_WRITE, "there is no folder a");
    cr_expect_neq(access(first, F_OK), 0);
    cr_assert_eq(chdir("/"), 0);
    free(first);
    free(deep);
}

Test(open, file_knows_it)
{
    make_store(0);
    size_t n;
    char *bytes = scratch_read(path, &n);
    cr_expect_arr_eq(bytes + 68, "BLKM", 4);
    free(bytes);
}

Test(open, what_cannot_be_a_store)
{
    expect_refused(path, STORE_READ, "there is no store");
    expect_refused("", STORE_WRITE, "empty name");
    expect_refused(folder, STORE_READ, "it is a folder");
    expect_refused(folder, STORE_WRITE, "it is a folder");
    expect_refused("/dev/null", STORE_WRITE, "no regular file");
    char *below = scratch_path(folder, "file/results.db"), *file = scratch_path(folder, "file");
    scratch_write(file, "x", 1);
    expect_refused(below, STORE_WRITE, "Not a directory");
    expect_refused(below, STORE_READ, "Not a directory");
    free(below);
    free(file);
}

Test(open, an_empty_file_is_filled_or_has_nothing)
{
    scratch_write(path, "", 0);
    expect_refused(path, STORE_READ, "is empty");
    make_store(1);
    run_sql(path, "PRAGMA user_version"); /* still readable */
}

static void expect_untouched(const void *bytes, size_t n)
{
    size_t now;
    char *read = scratch_read(path, &now);
    cr_expect_eq(now, n);
    cr_expect(now == n && memcmp(read, bytes, n) == 0, "the file was changed");
    free(read);
}

Test(open, other_files_are_refused_and_not_touched)
{
    static const char text[] = "{\"fio version\": \"fio-3.33\"} and more than enough bytes for the "
                               "head of a database, which has a hundred of them ................";
    scratch_write(path, text, sizeof text);
    expect_refused(path, STORE_READ, "not a database");
    expect_refused(path, STORE_WRITE, "not a database");
    expect_untouched(text, sizeof text);
}

Test(open, databases_of_other_programs_are_refused_and_not_touched)
{
    run_sql(path, "CREATE TABLE t (a); INSERT INTO t VALUES (1)");
    size_t n;
    char *before = scratch_read(path, &n);
    expect_refused(path, STORE_READ, "of another program");
    expect_refused(path, STORE_WRITE, "of another program");
    expect_untouched(before, n);
    free(before);
    run_sql(path, "PRAGMA application_id = 252006673"); /* Fossil's */
    expect_refused(path, STORE_WRITE, "application id 252006673");
}

Test(open, an_empty_database_of_nobody_is_taken_for_writing_only)
{
    run_sql(path, "PRAGMA journal_mode = WAL; CREATE TABLE t (a); DROP TABLE t; VACUUM");
    expect_refused(path, STORE_READ, "empty database");
    make_store(1);
}

Test(open, a_newer_store_is_refused_and_not_touched)
{
    make_store(1);
    run_sql(path, "PRAGMA user_version = 9999");
    size_t n;
    char *before = scratch_read(path, &n);
    expect_refused(path, STORE_READ, "newer blkmatrix (schema 9999");
    expect_refused(path, STORE_WRITE, "newer blkmatrix (schema 9999");
    expect_untouched(before, n);
    free(before);
}

Test(open, a_cut_file_is_said_to_be_damaged)
{
    make_store(3);
    struct stat st;
    cr_assert_eq(stat(path, &st), 0);
    cr_assert_eq(truncate(path, st.st_size / 2 + 100), 0);
    struct error err = ERROR_INIT;
    struct store *s = NULL;
    int rc = store_open(&s, path, STORE_READ, &err);
    if (rc == 0)
        rc = store_verify(s, &err);
    cr_expect_eq(rc, -ERR_STORE);
    cr_expect(strstr(err.message, "damaged") || strstr(err.message, "malformed"), "%s",
              err.message);
    store_close(s);
}

Test(open, verify_finds_a_blob_that_does_not_decode)
{
    make_store(1);
    run_sql(path, "UPDATE latency SET hist = x'4801060102' WHERE hist IS NOT NULL");
    struct error err = ERROR_INIT;
    struct store *s = must_open(path, STORE_READ);
    cr_expect_eq(store_verify(s, &err), -ERR_STORE);
    cr_expect(strstr(err.message, "cell 1"), "%s", err.message);
    store_close(s);
}

static int keep_stage(struct cell *cell, void *arg)
{
    *(char **)arg = xstrdup_null(cell->stage);
    return 0;
}

/* SQLite takes a quoted name that is no column for a text: "stage" would be what every cell has there. */
Test(open, a_column_that_the_file_lacks_is_an_error_and_not_its_name)
{
    make_store(1);
    run_sql(path, "DROP VIEW v_cell; ALTER TABLE cell RENAME COLUMN stage TO other");
    struct error err = ERROR_INIT;
    char *stage = NULL;
    struct store *s = NULL;
    int rc = store_open(&s, path, STORE_READ, &err);
    if (rc == 0)
        rc = store_each_cell(s, 1, LOAD_ALL, keep_stage, &stage, &err);
    cr_expect_eq(rc, -ERR_STORE);
    cr_expect_null(stage);
    cr_expect(strstr(err.message, "stage"), "%s", err.message);
    store_close(s);
}

Test(open, verify_finds_values_that_cannot_be)
{
    make_store(1);
    struct error err = ERROR_INIT;
    run_sql(path, "UPDATE cell SET rw = 'sideways'");
    struct store *s = must_open(path, STORE_READ);
    cr_expect_eq(store_verify(s, &err), -ERR_STORE);
    cr_expect(strstr(err.message, "\"sideways\" cannot be the rw"), "%s", err.message);
    store_close(s);
    run_sql(path, "UPDATE cell SET rw = 'randread', bs = -1");
    s = must_open(path, STORE_READ);
    cr_expect_eq(store_verify(s, &err), -ERR_STORE);
    cr_expect(strstr(err.message, "\"-1\" cannot be the bs"), "%s", err.message);
    store_close(s);
    run_sql(path, "UPDATE cell SET bs = 1; UPDATE cell_device SET device = 99");
    s = must_open(path, STORE_READ);
    cr_expect_eq(store_verify(s, &err), -ERR_STORE);
    cr_expect(strstr(err.message, "a device that its run has not"), "%s", err.message);
    store_close(s);
    run_sql(path, "PRAGMA foreign_keys = 0; DELETE FROM run");
    s = must_open(path, STORE_READ);
    cr_expect_eq(store_verify(s, &err), -ERR_STORE);
    cr_expect(strstr(err.message, "without its parent"), "%s", err.message);
    store_close(s);
}

Test(open, another_writer_is_named_as_the_reason)
{
    make_store(0);
    struct store *a = must_open(path, STORE_WRITE), *b = must_open(path, STORE_WRITE);
    struct error err = ERROR_INIT;
    cr_assert_eq(store_group_begin(a, &err), 0);
    sqlite3_busy_timeout(b->db, 10);
    struct run *run = sample_run(0);
    struct sink sink = store_sink(b, SINK_DURABLE);
    cr_expect_eq(sink.begin(sink.self, run, &err), -ERR_STORE);
    cr_expect(strstr(err.message, "Another program is writing to it"), "%s", err.message);
    cr_expect_eq(store_group_end(a, &err), 0);
    error_clear(&err);
    cr_expect_eq(sink.begin(sink.self, run, &err), 0, "%s", err.message);
    run_destroy(run);
    store_close(a);
    store_close(b);
}

Test(open, readers_do_not_write)
{
    make_store(1);
    struct store *s = must_open(path, STORE_READ);
    struct error err = ERROR_INIT;
    cr_expect_eq(store_delete_runs(s, &(struct run_ids){(int64_t[]){1}, 1}, &err), -ERR_STORE);
    cr_expect_eq(count(s), 1);
    store_close(s);
}

/* From here on as a user without rights; as root nothing would be refused. */
static void become_nobody(void)
{
    if (geteuid() == 0)
        cr_assert_eq(chown(folder, 0, 0) + setegid(NOBODY) + seteuid(NOBODY), 0);
}

static void become_root(void)
{
    if (getuid() == 0)
        cr_assert_eq(seteuid(0) + setegid(0), 0);
}

Test(open, a_read_only_folder_can_be_read_and_not_written)
{
    make_store(2);
    cr_assert_eq(chmod(path, 0444) + chmod(folder, 0555), 0);
    become_nobody();
    struct store *s = must_open(path, STORE_READ);
    cr_expect_eq(count(s), 2);
    store_close(s);
    expect_refused(path, STORE_WRITE, "read-only");
    char *other = scratch_path(folder, "other.db");
    char *deep = scratch_path(folder, "blkmatrix/results.db");
    setenv("XDG_DATA_HOME", folder, 1);
    expect_refused(other, STORE_WRITE, "Permission denied");
    expect_refused(deep, STORE_WRITE, "Permission denied");
    free(other);
    free(deep);
    become_root();
    chmod(folder, 0755);
}

Test(open, a_file_without_rights_is_refused)
{
    make_store(1);
    cr_assert_eq(chmod(path, 0) + chmod(folder, 0755), 0);
    become_nobody();
    expect_refused(path, STORE_READ, "Permission denied");
    become_root();
}

/* Leaves the store as a writer does that was killed: run 2 with three cells is in the WAL only. */
static void leave_wal(void)
{
    make_store(1);
    pid_t pid = fork();
    if (pid == 0) {
        put_run(must_open(path, STORE_WRITE), 3);
        _exit(0);
    }
    cr_assert_eq(waitpid(pid, NULL, 0), pid);
}

static void expect_wal_is_read(void)
{
    cr_assert_eq(chmod(path, 0444) + chmod(folder, 0555), 0);
    become_nobody();
    struct store *s = must_open(path, STORE_READ);
    struct error err = ERROR_INIT;
    uint64_t cells = 0;
    cr_expect_eq(store_count_cells(s, 2, &cells, &err), 0, "%s", err.message);
    cr_expect_eq(cells, 3);
    store_close(s);
    become_root();
    chmod(folder, 0755);
}

Test(open, a_wal_that_was_left_over_is_read_in_a_read_only_folder)
{
    leave_wal();
    expect_wal_is_read();
}

Test(open, a_wal_without_its_shm_is_read_in_a_read_only_folder)
{
    leave_wal();
    char *shm = xasprintf("%s-shm", path);
    cr_assert_eq(unlink(shm), 0);
    free(shm);
    expect_wal_is_read();
}

/* Many programs that start at once on a new store: one makes it, all can use it. */
Test(open, a_new_store_opened_by_many_at_once)
{
    enum { PROGRAMS = 16 };
    for (int i = 0; i < PROGRAMS; i++) {
        if (fork() == 0) {
            struct error err = ERROR_INIT;
            struct store *s = NULL;
            if (store_open(&s, path, STORE_WRITE, &err) < 0) {
                fprintf(stderr, "%s\n", err.message);
                _exit(1);
            }
            put_run(s, 1);
            store_close(s);
            _exit(0);
        }
    }
    for (int i = 0; i < PROGRAMS; i++) {
        int status;
        cr_assert(wait(&status) > 0);
        cr_expect_eq(status, 0);
    }
    struct store *s = must_open(path, STORE_READ);
    struct error err = ERROR_INIT;
    struct run_ids ids = {0};
    cr_assert_eq(store_all_runs(s, &ids, &err), 0);
    cr_expect_eq(ids.n, PROGRAMS);
    run_ids_release(&ids);
    store_close(s);
}

Test(open, the_default_path_follows_the_environment)
{
    setenv("BLKMATRIX_DB", "/x/y.db", 1);
    char *p = store_default_path();
    cr_expect_str_eq(p, "/x/y.db");
    free(p);
    unsetenv("BLKMATRIX_DB");
    setenv("XDG_DATA_HOME", "/data", 1);
    p = store_default_path();
    cr_expect_str_eq(p, "/data/blkmatrix/results.db");
    free(p);
    setenv("XDG_DATA_HOME", "relative", 1);
    setenv("HOME", "/home/u", 1);
    p = store_default_path();
    cr_expect_str_eq(p, "/home/u/.local/share/blkmatrix/results.db");
    free(p);
    /* as started by a timer */
    const struct passwd *user = getpwuid(getuid());
    cr_assert(user);
    char *usual = xasprintf("%s/.local/share/blkmatrix/results.db", user->pw_dir);
    setenv("HOME", "", 1);
    p = store_default_path();
    cr_expect_str_eq(p, usual);
    free(p);
    unsetenv("HOME");
    p = store_default_path();
    cr_expect_str_eq(p, usual);
    free(p);
    free(usual);
}
