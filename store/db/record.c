/* Records to and from SQL columns: loops over their field tables. */
#include "store/db/store_internal.h"

void bind_text(sqlite3_stmt *stmt, int at, const char *text)
{
    sqlite3_bind_text(stmt, at, text, -1, SQLITE_STATIC); /* NULL binds NULL */
}

void bind_blob(sqlite3_stmt *stmt, int at, const struct strbuf *bytes)
{
    sqlite3_bind_blob64(stmt, at, bytes->text, bytes->len, SQLITE_STATIC);
}

const char *column_text(sqlite3_stmt *stmt, int at)
{
    return (const char *)sqlite3_column_text(stmt, at);
}

static void bind_field(sqlite3_stmt *stmt, int at, const struct field_set *set, const void *rec,
                       size_t i)
{
    if (!field_is_known(set, rec, i)) {
        sqlite3_bind_null(stmt, at);
        return;
    }
    switch (set->field[i].type) {
    case FIELD_U64:
    case FIELD_BOOL:
        sqlite3_bind_int64(stmt, at, (sqlite3_int64)field_get_u64(set, rec, i));
        break;
    case FIELD_I64:
        sqlite3_bind_int64(stmt, at, field_get_i64(set, rec, i));
        break;
    case FIELD_F64:
        sqlite3_bind_double(stmt, at, field_get_f64(set, rec, i)); /* NaN binds NULL */
        break;
    case FIELD_TEXT:
    case FIELD_JSON:
    case FIELD_ENUM:
        bind_text(stmt, at, field_get_text(set, rec, i));
        break;
    }
}

void record_bind(sqlite3_stmt *stmt, int *at, const struct field_set *set, const void *rec)
{
    for (size_t i = 0; i < set->n; i++)
        bind_field(stmt, (*at)++, set, rec, i);
}

bool record_drop_oversized(const struct field_set *set, void *rec)
{
    bool dropped = false;
    for (size_t i = 0; i < set->n; i++) {
        if (set->field[i].type == FIELD_U64 && field_is_known(set, rec, i) &&
            field_get_u64(set, rec, i) > INT64_MAX) {
            field_forget(set, rec, i);
            dropped = true;
        }
    }
    return dropped;
}

static bool read_field(sqlite3_stmt *stmt, int at, const struct field_set *set, void *rec, size_t i)
{
    switch (set->field[i].type) {
    case FIELD_U64:
    case FIELD_BOOL:
        if (sqlite3_column_int64(stmt, at) < 0)
            return false;
        field_set_u64(set, rec, i, (uint64_t)sqlite3_column_int64(stmt, at));
        return true;
    case FIELD_I64:
        field_set_i64(set, rec, i, sqlite3_column_int64(stmt, at));
        return true;
    case FIELD_F64:
        field_set_f64(set, rec, i, sqlite3_column_double(stmt, at));
        return true;
    case FIELD_TEXT:
    case FIELD_JSON:
    case FIELD_ENUM:
        return field_set_text(set, rec, i, column_text(stmt, at));
    }
    return false;
}

int record_read(sqlite3_stmt *stmt, int *at, const struct field_set *set, void *rec,
                struct error *err)
{
    for (size_t i = 0; i < set->n; i++, (*at)++) {
        if (sqlite3_column_type(stmt, *at) == SQLITE_NULL)
            continue;
        if (!read_field(stmt, *at, set, rec, i)) {
            const char *value = column_text(stmt, *at);
            return error_set(err, ERR_STORE,
                             "the store is damaged: \"%s\" cannot be the %s of a %s\n"
                             "`blkmatrix verify` says more; go back to a copy.",
                             value ? value : "", set->field[i].name, set->record);
        }
    }
    return 0;
}
