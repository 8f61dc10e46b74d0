/* The tables of schemas/sql and the field tables say the same. */
#include <criterion/criterion.h>

#include "core/base/xalloc.h"
#include "store/db/store_internal.h"

static sqlite3 *new_database(void)
{
    sqlite3 *db;
    cr_assert_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
    size_t n;
    struct migration *list = store_migrations(&n);
    cr_assert(n > 0);
    for (size_t i = 0; i < n; i++) {
        char *why = NULL;
        cr_assert_eq(list[i].version, (int)i + 1, "schemas/sql is numbered without gaps");
        cr_assert_eq(sqlite3_exec(db, list[i].sql, NULL, NULL, &why), SQLITE_OK, "%s", why);
    }
    free(list);
    return db;
}

static const char *sql_type(enum field_type type)
{
    switch (type) {
    case FIELD_U64:
    case FIELD_I64:
    case FIELD_BOOL:
        return "INTEGER";
    case FIELD_F64:
        return "REAL";
    default:
        return "TEXT";
    }
}

/* The field of the table's sets with that name; NULL none. */
static const struct field *find_field(const struct table_info *t, const char *name)
{
    for (size_t k = 0; k < 2 && t->set[k]; k++) {
        size_t i = field_find(t->set[k], name);
        if (i < t->set[k]->n)
            return &t->set[k]->field[i];
    }
    return NULL;
}

/* True when name is in a comma-separated list. */
static bool listed(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = list; p && *p; p += strcspn(p, ","), p += strspn(p, ", "))
        if (strncmp(p, name, n) == 0 && (p[n] == '\0' || p[n] == ','))
            return true;
    return false;
}

static size_t count_fields(const struct table_info *t)
{
    return t->set[0]->n + (t->set[1] ? t->set[1]->n : 0);
}

Test(schema, every_field_is_a_column_of_its_type_and_no_column_is_without_a_field)
{
    sqlite3 *db = new_database();
    for (int i = 0; i < TABLE_COUNT; i++) {
        const struct table_info *t = &table_info[i];
        sqlite3_stmt *stmt;
        cr_assert_eq(
            sqlite3_prepare_v2(db, "SELECT name, type FROM pragma_table_info(?)", -1, &stmt, NULL),
            SQLITE_OK);
        sqlite3_bind_text(stmt, 1, t->name, -1, SQLITE_STATIC);
        size_t found = 0;
        while (sqlite3_step(stmt) == SQLITE_ROW) {
            const char *name = (const char *)sqlite3_column_text(stmt, 0);
            const char *type = (const char *)sqlite3_column_text(stmt, 1);
            const struct field *f = find_field(t, name);
            if (f)
                cr_expect_str_eq(type, sql_type(f->type), "%s.%s", t->name, name);
            else
                cr_expect(listed(t->key, name) || listed(t->extra, name),
                          "%s.%s is the column of no field", t->name, name);
            found += f != NULL;
        }
        cr_expect_eq(found, count_fields(t), "%s has columns for %zu of %zu fields", t->name, found,
                     count_fields(t));
        sqlite3_finalize(stmt);
    }
    sqlite3_close(db);
}

Test(schema, all_tables_are_strict)
{
    sqlite3 *db = new_database();
    sqlite3_stmt *stmt;
    cr_assert_eq(sqlite3_prepare_v2(db,
                                    "SELECT name FROM pragma_table_list WHERE type = 'table' AND "
                                    "NOT strict AND name NOT LIKE 'sqlite_%'",
                                    -1, &stmt, NULL),
                 SQLITE_OK);
    while (sqlite3_step(stmt) == SQLITE_ROW)
        cr_expect_fail("%s is not STRICT", sqlite3_column_text(stmt, 0));
    sqlite3_finalize(stmt);
    sqlite3_close(db);
}

/* Foreign keys without an index make every DELETE scan its children. */
Test(schema, every_query_prepares_and_removal_scans_no_table)
{
    struct store *s = NULL;
    struct error err = ERROR_INIT;
    cr_assert_eq(store_open(&s, NULL, STORE_MEMORY, &err), 0, "%s", err.message);
    for (int q = 0; q < QUERY_COUNT; q++) {
        cr_expect_not_null(query_start(s, (enum query)q, &err), "query %d: %s", q, err.message);
    }
    static const char *const children[] = {
        "cell WHERE run_id = 1",
        "label WHERE run_id = 1",
        "direction WHERE cell_id = 1",
        "latency WHERE cell_id = 1 AND part = 1 AND direction = ''",
        "series WHERE cell_id = 1 AND part = 1 AND direction = ''",
        "disk_stat WHERE cell_id = 1",
        "volume_stat WHERE cell_id = 1"};
    for (size_t i = 0; i < sizeof children / sizeof *children; i++) {
        char *sql = xasprintf("EXPLAIN QUERY PLAN DELETE FROM %s", children[i]);
        sqlite3_stmt *stmt;
        cr_assert_eq(sqlite3_prepare_v2(s->db, sql, -1, &stmt, NULL), SQLITE_OK);
        cr_assert_eq(sqlite3_step(stmt), SQLITE_ROW);
        const char *plan = (const char *)sqlite3_column_text(stmt, 3);
        cr_expect(strstr(plan, "SEARCH"), "%s: %s", children[i], plan);
        sqlite3_finalize(stmt);
        free(sql);
    }
    store_close(s);
}
