/* One cell into the store: its row, devices, directions, latencies, series, buckets, counters. */
#include "core/base/json.h"
#include "store/db/store_internal.h"

/* Where a direction stands. */
struct place {
    int64_t cell_id;
    int64_t part; /* -1: the whole cell */
    enum dir dir;
};

static void bind_place(sqlite3_stmt *stmt, int *at, const struct place *p)
{
    sqlite3_bind_int64(stmt, (*at)++, p->cell_id);
    sqlite3_bind_int64(stmt, (*at)++, p->part);
    bind_text(stmt, (*at)++, dir_names[p->dir]);
}

static bool lat_is_empty(const struct lat *l)
{
    return !l->known && !l->hist && l->n_reported == 0;
}

static bool direction_is_empty(const struct direction *d)
{
    bool empty = !d->known && !d->series;
    for (int k = 0; k < LAT_KIND_COUNT; k++)
        empty = empty && lat_is_empty(&d->lat[k]);
    return empty;
}

/* A percentile for people who read with plain SQL; NULL where it would not mean anything. */
static void bind_percentile(sqlite3_stmt *stmt, int at, const struct lat *l, double p)
{
    uint64_t ns;
    bool known =
        lat_percentile(l, p, &ns) && (!l->hist || hist_supports(l->hist, p)) && ns <= INT64_MAX;
    if (known)
        sqlite3_bind_int64(stmt, at, (sqlite3_int64)ns);
    else
        sqlite3_bind_null(stmt, at);
}

static void reported_text(struct strbuf *out, const struct lat *l)
{
    for (size_t i = 0; i < l->n_reported; i++) {
        strbuf_adds(out, i ? ",\"" : "{\"");
        json_number(out, l->reported[i].p);
        strbuf_adds(out, "\":");
        strbuf_addu(out, l->reported[i].ns);
    }
    if (l->n_reported)
        strbuf_addc(out, '}');
}

static int insert_latency(struct store *s, const struct place *place, enum lat_kind kind,
                          const struct lat *l, struct error *err)
{
    sqlite3_stmt *stmt = query_start(s, Q_INSERT + TABLE_LATENCY, err);
    if (!stmt)
        return -ERR_STORE;
    int at = 1;
    bind_place(stmt, &at, place);
    bind_text(stmt, at++, lat_kind_names[kind]);
    record_bind(stmt, &at, &lat_fields, l);
    static const double shown[] = {50, 90, 99, 99.9};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        bind_percentile(stmt, at++, l, shown[i]);
    struct strbuf reported = STRBUF_INIT;
    reported_text(&reported, l);
    bind_text(stmt, at++, l->n_reported ? reported.text : NULL);
    strbuf_reset(&s->blob);
    if (l->hist) {
        hist_encode(&s->blob, l->hist);
        bind_blob(stmt, at, &s->blob);
    }
    int rc = query_finish(s, stmt, err);
    strbuf_release(&reported);
    return rc;
}

static int insert_series(struct store *s, const struct place *place, const struct series *series,
                         struct error *err)
{
    sqlite3_stmt *stmt = query_start(s, Q_INSERT_SERIES, err);
    if (!stmt)
        return -ERR_STORE;
    int at = 1;
    bind_place(stmt, &at, place);
    sqlite3_bind_int64(stmt, at++, (sqlite3_int64)series->interval_ns);
    sqlite3_bind_int64(stmt, at++, (sqlite3_int64)series->n);
    struct strbuf hist = STRBUF_INIT;
    strbuf_reset(&s->blob);
    series_encode(&s->blob, series);
    bind_blob(stmt, at++, &s->blob);
    if (series->hist) {
        series_encode_hist(&hist, series);
        bind_blob(stmt, at, &hist);
    }
    int rc = query_finish(s, stmt, err);
    strbuf_release(&hist);
    return rc;
}

static int insert_direction(struct store *s, const struct place *place, const struct direction *d,
                            bool rate_limited, struct error *err)
{
    if (direction_is_empty(d))
        return 0;
    sqlite3_stmt *stmt = query_start(s, Q_INSERT + TABLE_DIRECTION, err);
    if (!stmt)
        return -ERR_STORE;
    int at = 1;
    bind_place(stmt, &at, place);
    record_bind(stmt, &at, &direction_fields, d);
    enum lat_kind main_lat = direction_main_lat(d, rate_limited);
    bind_text(stmt, at, main_lat < LAT_KIND_COUNT ? lat_kind_names[main_lat] : NULL);
    int rc = query_finish(s, stmt, err);
    for (int k = 0; k < LAT_KIND_COUNT && rc == 0; k++)
        if (!lat_is_empty(&d->lat[k]))
            rc = insert_latency(s, place, (enum lat_kind)k, &d->lat[k], err);
    if (rc == 0 && d->series)
        rc = insert_series(s, place, d->series, err);
    return rc;
}

static int insert_directions(struct store *s, const struct cell *cell, int64_t part,
                             const struct direction *dir, struct error *err)
{
    int rc = 0;
    for (int i = 0; i < DIR_COUNT && rc == 0; i++) {
        struct place place = {cell->id, part, (enum dir)i};
        rc = insert_direction(s, &place, &dir[i], cell_is_rate_limited(cell), err);
    }
    return rc;
}

/* Bounds above INT64_MAX are open ends: 292 years is as good as for ever. */
static void bucket_text(struct strbuf *out, const struct cell *cell)
{
    for (size_t i = 0; i < cell->n_buckets; i++) {
        const struct lat_bucket *b = &cell->bucket[i];
        strbuf_adds(out, i ? ",\"" : "{\"");
        strbuf_addu(out, b->lo_ns > INT64_MAX ? INT64_MAX : b->lo_ns);
        strbuf_addc(out, '-');
        if (b->hi_ns <= INT64_MAX)
            strbuf_addu(out, b->hi_ns);
        strbuf_adds(out, "\":");
        json_number(out, b->share);
    }
    if (cell->n_buckets > 0)
        strbuf_addc(out, '}');
}

static int insert_cell_row(struct store *s, struct cell *cell, struct error *err)
{
    sqlite3_stmt *stmt = query_start(s, Q_INSERT + TABLE_CELL, err);
    if (!stmt)
        return -ERR_STORE;
    int at = 1;
    sqlite3_bind_null(stmt, at++); /* SQLite chooses the id */
    sqlite3_bind_int64(stmt, at++, cell->run_id);
    record_bind(stmt, &at, &cell_fields, cell);
    record_bind(stmt, &at, &cell_key_fields, &cell->key);
    strbuf_reset(&s->blob);
    bucket_text(&s->blob, cell);
    bind_text(stmt, at, cell->n_buckets > 0 ? s->blob.text : NULL);
    int rc = query_finish(s, stmt, err);
    if (rc == 0)
        cell->id = sqlite3_last_insert_rowid(s->db);
    return rc;
}

static int insert_devices(struct store *s, const struct cell *cell, struct error *err)
{
    int rc = 0;
    for (size_t i = 0; i < cell->n_devices && rc == 0; i++) {
        sqlite3_stmt *stmt = query_start(s, Q_INSERT_CELL_DEVICE, err);
        if (!stmt)
            return -ERR_STORE;
        sqlite3_bind_int64(stmt, 1, cell->id);
        sqlite3_bind_int64(stmt, 2, (sqlite3_int64)i);
        sqlite3_bind_int64(stmt, 3, (sqlite3_int64)cell->device[i]);
        rc = query_finish(s, stmt, err);
    }
    return rc;
}

/* Record `number` of a list of the cell. */
static int insert_listed(struct store *s, const struct cell *cell, enum table table, size_t number,
                         const struct field_set *set, const void *record, struct error *err)
{
    sqlite3_stmt *stmt = query_start(s, Q_INSERT + table, err);
    if (!stmt)
        return -ERR_STORE;
    int at = 1;
    sqlite3_bind_int64(stmt, at++, cell->id);
    sqlite3_bind_int64(stmt, at++, (sqlite3_int64)number);
    record_bind(stmt, &at, set, record);
    return query_finish(s, stmt, err);
}

static int insert_counters(struct store *s, const struct cell *cell, struct error *err)
{
    int rc = 0;
    for (size_t i = 0; i < cell->n_disks && rc == 0; i++)
        rc = insert_listed(s, cell, TABLE_DISK_STAT, i, &disk_stat_fields, &cell->disk[i], err);
    for (size_t i = 0; i < cell->n_volumes && rc == 0; i++)
        rc = insert_listed(s, cell, TABLE_VOLUME_STAT, i, &volume_stat_fields, &cell->volume[i],
                           err);
    return rc;
}

static bool drop_oversized_direction(struct direction *d)
{
    bool dropped = record_drop_oversized(&direction_fields, d);
    for (int k = 0; k < LAT_KIND_COUNT; k++)
        dropped |= record_drop_oversized(&lat_fields, &d->lat[k]);
    return dropped;
}

/* Numbers that SQLite cannot hold (only damaged input has them) become unknown, and it is said. */
static void drop_oversized(struct cell *cell)
{
    bool dropped = record_drop_oversized(&cell_fields, cell);
    dropped |= record_drop_oversized(&cell_key_fields, &cell->key);
    for (int i = 0; i < DIR_COUNT; i++)
        dropped |= drop_oversized_direction(&cell->dir[i]);
    for (size_t p = 0; p < cell->n_parts; p++)
        for (int i = 0; i < DIR_COUNT; i++)
            dropped |= drop_oversized_direction(&cell->part[p].dir[i]);
    for (size_t i = 0; i < cell->n_disks; i++)
        dropped |= record_drop_oversized(&disk_stat_fields, &cell->disk[i]);
    for (size_t i = 0; i < cell->n_volumes; i++)
        dropped |= record_drop_oversized(&volume_stat_fields, &cell->volume[i]);
    if (dropped)
        cell_add_caveat(cell, "number-too-large");
}

bool cell_devices_exist(const struct cell *cell, size_t n)
{
    bool exist = true;
    for (size_t i = 0; i < cell->n_devices; i++)
        exist = exist && cell->device[i] < n;
    for (size_t i = 0; i < cell->n_parts; i++)
        exist = exist && cell->part[i].device < n;
    return exist;
}

int cell_insert(struct store *s, struct cell *cell, struct error *err)
{
    drop_oversized(cell);
    int rc = insert_cell_row(s, cell, err);
    if (rc == 0)
        rc = insert_devices(s, cell, err);
    if (rc == 0)
        rc = insert_directions(s, cell, -1, cell->dir, err);
    for (size_t p = 0; p < cell->n_parts && rc == 0; p++)
        rc = insert_directions(s, cell, (int64_t)cell->part[p].device, cell->part[p].dir, err);
    if (rc == 0)
        rc = insert_counters(s, cell, err);
    return rc;
}
