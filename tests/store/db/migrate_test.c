/* Upgrades of an older schema: backup first, all or nothing. */
#include <criterion/criterion.h>
#include <glob.h>

#include "core/base/xalloc.h"
#include "store/db/store_internal.h"
#include "tests/support/sample.h"
#include "tests/support/scratch.h"

static char *folder, *path;
static struct store *s;
static struct migration *list; /* the program's own, and one more */
static size_t n;

static void set_up(void)
{
    folder = scratch_make();
    path = scratch_path(folder, "results.db");
    struct error err = ERROR_INIT;
    cr_assert_eq(store_open(&s, path, STORE_WRITE, &err), 0, "%s", err.message);
    struct run *run = sample_run(0);
    struct sink sink = store_sink(s, SINK_DURABLE);
    cr_assert_eq(sink.begin(sink.self, run, &err), 0, "%s", err.message);
    cr_assert_eq(sink.end(sink.self, run, &err), 0, "%s", err.message);
    run_destroy(run);
    list = store_migrations(&n);
    list = xrealloc(list, n + 2, sizeof *list);
}

static void tear_down(void)
{
    store_close(s);
    free(list);
    free(path);
    scratch_remove(folder);
}

TestSuite(migrate, .init = set_up, .fini = tear_down);

static int64_t number(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *stmt;
    cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK, "%s", sqlite3_errmsg(db));
    cr_assert_eq(sqlite3_step(stmt), SQLITE_ROW);
    int64_t v = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    return v;
}

static size_t backups(glob_t *found)
{
    char *pattern = xasprintf("%s.schema-*.bak", path);
    int rc = glob(pattern, 0, NULL, found);
    free(pattern);
    return rc == 0 ? found->gl_pathc : 0;
}

Test(migrate, an_older_store_is_copied_and_upgraded)
{
    struct error err = ERROR_INIT;
    int old = list[n - 1].version;
    list[n] = (struct migration){old + 1, "ALTER TABLE run ADD COLUMN mood TEXT;"
                                          "UPDATE run SET mood = 'fine'"};
    list[n + 1] = (struct migration){old + 2, "CREATE INDEX run_mood ON run (mood)"};
    cr_assert_eq(store_migrate(s, list, n + 2, &err), 0, "%s", err.message);
    cr_expect_eq(number(s->db, "PRAGMA user_version"), old + 2);
    cr_expect_eq(number(s->db, "SELECT count(*) FROM run WHERE mood = 'fine'"), 1);
    glob_t found;
    cr_assert_eq(backups(&found), 1);
    sqlite3 *copy;
    cr_assert_eq(sqlite3_open(found.gl_pathv[0], &copy), SQLITE_OK);
    cr_expect_eq(number(copy, "PRAGMA user_version"), old);
    cr_expect_eq(number(copy, "PRAGMA application_id"), STORE_APPLICATION_ID);
    cr_expect_eq(number(copy, "SELECT count(*) FROM run"), 1);
    sqlite3_close(copy);
    globfree(&found);
    cr_assert_eq(store_migrate(s, list, n + 2, &err), 0, "%s", err.message);
    cr_expect_eq(backups(&found), 1, "nothing to do: no further copy");
    globfree(&found);
}

Test(migrate, an_upgrade_that_fails_changes_nothing)
{
    struct error err = ERROR_INIT;
    int old = list[n - 1].version;
    list[n] = (struct migration){old + 1, "DELETE FROM run; CREATE TABLE run (a)"};
    cr_assert_eq(store_migrate(s, list, n + 1, &err), -ERR_STORE);
    cr_expect_eq(number(s->db, "PRAGMA user_version"), old);
    cr_expect_eq(number(s->db, "SELECT count(*) FROM run"), 1);
}

Test(migrate, earlier_copies_are_kept)
{
    struct error err = ERROR_INIT;
    int old = list[n - 1].version;
    list[n] = (struct migration){old + 1, "CREATE TABLE run (a)"};
    cr_assert_eq(store_migrate(s, list, n + 1, &err), -ERR_STORE);
    cr_assert_eq(store_migrate(s, list, n + 1, &err), -ERR_STORE);
    glob_t found;
    cr_expect_eq(backups(&found), 2);
    globfree(&found);
}
