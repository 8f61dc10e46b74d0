/* Every SQL statement of the program, by name. */
#include "store/db/store_internal.h"

const struct table_info table_info[TABLE_COUNT] = {
    [TABLE_RUN] = {"run", "id", "id", NULL, {&run_fields, NULL}},
    [TABLE_HOST] = {"host", "run_id", "run_id", NULL, {&host_fields, NULL}},
    [TABLE_DEVICE] = {"device", "run_id, number", "run_id", NULL, {&device_fields, NULL}},
    [TABLE_LIMIT] = {"run_limit", "run_id, number", "run_id", NULL, {&limit_fields, NULL}},
    [TABLE_CELL] = {"cell", "id, run_id", "id", "lat_buckets", {&cell_fields, &cell_key_fields}},
    [TABLE_DIRECTION] =
        {"direction", "cell_id, part, direction", "cell_id", "main_latency", {&direction_fields}},
    [TABLE_LATENCY] = {"latency",
                       "cell_id, part, direction, kind",
                       "cell_id",
                       "p50, p90, p99, p99_9, reported, hist",
                       {&lat_fields}},
    [TABLE_DISK_STAT] = {"disk_stat", "cell_id, number", "cell_id", NULL, {&disk_stat_fields}},
    [TABLE_VOLUME_STAT] =
        {"volume_stat", "cell_id, number", "cell_id", NULL, {&volume_stat_fields}},
};

/* clang-format off */
static const char *const text[Q_INSERT] = {
    [Q_BEGIN] = "BEGIN IMMEDIATE",
    [Q_BEGIN_READ] = "BEGIN",
    [Q_COMMIT] = "COMMIT",
    [Q_ROLLBACK] = "ROLLBACK",
    [Q_SAVEPOINT] = "SAVEPOINT import",
    [Q_RELEASE] = "RELEASE import",
    [Q_ROLLBACK_TO] = "ROLLBACK TO import",
    [Q_INSERT_LABEL] = ("INSERT INTO label (run_id, key, value) VALUES (?, ?, ?)"
                        " ON CONFLICT DO UPDATE SET value = excluded.value"),
    [Q_SELECT_LABELS] = "SELECT key, value FROM label WHERE run_id = ? ORDER BY key",
    [Q_DELETE_LABEL] = "DELETE FROM label WHERE run_id = ? AND key = ?",
    [Q_INSERT_CELL_DEVICE] = "INSERT INTO cell_device (cell_id, position, device) VALUES (?, ?, ?)",
    [Q_SELECT_CELL_DEVICES] = "SELECT device FROM cell_device WHERE cell_id = ? ORDER BY position",
    [Q_INSERT_SERIES] = ("INSERT INTO series"
                         " (cell_id, part, direction, interval_ns, points, samples, hist)"
                         " VALUES (?, ?, ?, ?, ?, ?, ?)"),
    [Q_SELECT_SERIES] = "SELECT part, direction, samples, hist FROM series WHERE cell_id = ?",
    [Q_SELECT_LAT_BUCKETS] = ("SELECT lo_ns, hi_ns, share FROM lat_bucket"
                              " WHERE cell_id = ? ORDER BY number"),
    [Q_DELETE_RUN] = "DELETE FROM run WHERE id = ?",
    [Q_DELETE_LIMITS] = "DELETE FROM run_limit WHERE run_id = ?",
    [Q_SELECT_DIAGNOSIS] = "SELECT document FROM diagnosis WHERE run_id = ? AND version = ?",
    [Q_SAVE_DIAGNOSIS] = ("INSERT INTO diagnosis (run_id, version, document) VALUES (?, ?, ?)"
                          " ON CONFLICT DO UPDATE"
                          " SET version = excluded.version, document = excluded.document"),
    [Q_DELETE_SAME_CELL] = "DELETE FROM cell WHERE run_id = ? AND ordinal = ? AND repeat IS ? AND round IS ?",
    [Q_FIND_SOURCE] = "SELECT id FROM run WHERE source_sha256 = ? ORDER BY id LIMIT 1",
    [Q_FIND_PATH] = "SELECT max(id) FROM run WHERE source_path = ? AND source_sha256 <> ?",
    [Q_FIND_UUID] = "SELECT id FROM run WHERE uuid = ?",
    [Q_COUNT_CELLS] = "SELECT count(*) FROM cell WHERE run_id = ? AND round IS NULL",
    [Q_COUNT_ROUNDS] = "SELECT count(*) FROM cell WHERE run_id = ? AND round IS NOT NULL",
    [Q_COUNT_DEVICES] = "SELECT count(*) FROM device WHERE run_id = ?",
    [Q_CELL_IDS] = ("SELECT id FROM cell WHERE run_id = ?1 AND (?2 OR round IS NULL)"
                    " ORDER BY ordinal, repeat, round, id"),
    [Q_ROUND_IDS] = ("SELECT id FROM cell WHERE run_id = ?1 AND ordinal = ?2 AND round >= ?3"
                     " ORDER BY round"),
    [Q_RUN_IDS] = "SELECT id FROM run ORDER BY id",
    [Q_RUN_IDS_BY_ID] = "SELECT id FROM run WHERE id = ?",
    [Q_RUN_IDS_BY_NAME] = "SELECT id FROM run WHERE name = ? ORDER BY id",
    [Q_RUN_IDS_BY_UUID] = "SELECT id FROM run WHERE uuid >= ?1 AND uuid < ?1 || 'g' ORDER BY id",
    [Q_RUN_IDS_BY_LABEL] = "SELECT run_id FROM label WHERE key = ? AND value = ? ORDER BY run_id",
    [Q_RUN_IDS_NEWEST] = "SELECT id FROM run ORDER BY id DESC LIMIT 1 OFFSET ?",
    [Q_RUN_LINE] = "SELECT id, uuid, name, started FROM v_run WHERE id = ?",
    [Q_LABEL_VALUES] = "SELECT DISTINCT value FROM label WHERE key = ? ORDER BY value LIMIT 10",
    [Q_LABEL_KEYS] = "SELECT DISTINCT key FROM label ORDER BY key LIMIT 10",
    [Q_INTEGRITY] = "PRAGMA integrity_check(10)",
    [Q_FOREIGN_KEYS] = "PRAGMA foreign_key_check",
};
/* clang-format on */

/* The columns of a table in order: key, fields, extra. Returns their number. */
static size_t add_columns(struct strbuf *out, const struct table_info *t)
{
    size_t n = 1;
    for (const char *p = t->key; *p; p++)
        n += *p == ',';
    strbuf_adds(out, t->key);
    for (size_t k = 0; k < 2 && t->set[k]; k++)
        for (size_t i = 0; i < t->set[k]->n; i++, n++)
            strbuf_addf(out, ", \"%s\"", t->set[k]->field[i].name);
    if (t->extra) {
        strbuf_addf(out, ", %s", t->extra);
        n++;
        for (const char *p = t->extra; *p; p++)
            n += *p == ',';
    }
    return n;
}

static void insert_text(struct strbuf *out, const struct table_info *t)
{
    strbuf_addf(out, "INSERT INTO %s (", t->name);
    size_t n = add_columns(out, t);
    strbuf_adds(out, ") VALUES (?");
    while (--n > 0)
        strbuf_adds(out, ", ?");
    strbuf_adds(out, ")");
}

static void select_text(struct strbuf *out, const struct table_info *t)
{
    strbuf_adds(out, "SELECT ");
    add_columns(out, t);
    strbuf_addf(out, " FROM %s WHERE %s = ? ORDER BY %s", t->name, t->parent, t->key);
}

static void update_run_text(struct strbuf *out)
{
    strbuf_adds(out, "UPDATE run SET ");
    for (size_t i = 0; i < run_fields.n; i++)
        strbuf_addf(out, "%s\"%s\" = ?", i ? ", " : "", run_fields.field[i].name);
    strbuf_adds(out, " WHERE id = ?");
}

void query_text(struct strbuf *out, enum query q)
{
    if (q >= Q_SELECT)
        select_text(out, &table_info[q - Q_SELECT]);
    else if (q >= Q_INSERT)
        insert_text(out, &table_info[q - Q_INSERT]);
    else if (q == Q_UPDATE_RUN)
        update_run_text(out);
    else
        strbuf_adds(out, text[q]);
}
