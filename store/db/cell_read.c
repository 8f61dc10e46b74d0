/* Cells out of the store. */
#include "core/base/decimal.h"
#include "core/base/xalloc.h"
#include "store/db/store_internal.h"

static int damaged(struct error *err, int64_t cell_id, const char *what)
{
    return error_set(err, ERR_STORE,
                     "the store is damaged: cell %lld has %s\n`blkmatrix verify` says more; go "
                     "back to a copy.",
                     (long long)cell_id, what);
}

static int name_index(const char *const *names, int n, const char *text)
{
    for (int i = 0; i < n; i++)
        if (text && strcmp(names[i], text) == 0)
            return i;
    return -1;
}

/* Finds the direction that a row with columns part and direction (at, at + 1) belongs to. */
static bool row_direction(struct direction **out, sqlite3_stmt *stmt, int at, struct cell *cell)
{
    int dir = name_index(dir_names, DIR_COUNT, column_text(stmt, at + 1));
    int64_t part = sqlite3_column_int64(stmt, at);
    if (dir < 0 || part < -1)
        return false;
    *out = &cell->dir[dir];
    if (part == -1)
        return true;
    for (size_t i = 0; i < cell->n_parts; i++) {
        *out = &cell->part[i].dir[dir];
        if (cell->part[i].device == (size_t)part)
            return true;
    }
    cell->part = xrealloc(cell->part, cell->n_parts + 1, sizeof *cell->part);
    struct cell_part *p = &cell->part[cell->n_parts++];
    *p = (struct cell_part){.device = (size_t)part};
    *out = &p->dir[dir];
    return true;
}

static int load_cell_row(struct store *s, int64_t cell_id, struct cell *cell, struct error *err)
{
    sqlite3_stmt *stmt = query_start(s, Q_SELECT + TABLE_CELL, err);
    if (!stmt)
        return -ERR_STORE;
    sqlite3_bind_int64(stmt, 1, cell_id);
    int rc = query_step(s, stmt, err);
    if (rc == 0)
        rc = damaged(err, cell_id, "gone");
    if (rc > 0) {
        cell->id = sqlite3_column_int64(stmt, 0);
        cell->run_id = sqlite3_column_int64(stmt, 1);
        int at = 2;
        rc = record_read(stmt, &at, &cell_fields, cell, err);
        if (rc == 0)
            rc = record_read(stmt, &at, &cell_key_fields, &cell->key, err);
    }
    query_done(stmt);
    return rc;
}

/* Starts a query by cell id and hands each row to `row`. */
static int each_row(struct store *s, enum query q, struct cell *cell, unsigned flags,
                    int (*row)(sqlite3_stmt *stmt, struct cell *cell, unsigned flags,
                               struct error *err),
                    struct error *err)
{
    sqlite3_stmt *stmt = query_start(s, q, err);
    if (!stmt)
        return -ERR_STORE;
    sqlite3_bind_int64(stmt, 1, cell->id);
    int rc;
    while ((rc = query_step(s, stmt, err)) > 0) {
        rc = row(stmt, cell, flags, err);
        if (rc < 0)
            break;
    }
    query_done(stmt);
    return rc;
}

static int device_row(sqlite3_stmt *stmt, struct cell *cell, unsigned flags, struct error *err)
{
    (void)flags;
    int64_t device = sqlite3_column_int64(stmt, 0);
    if (device < 0)
        return damaged(err, cell->id, "a device number below 0");
    cell->device = xrealloc(cell->device, cell->n_devices + 1, sizeof *cell->device);
    cell->device[cell->n_devices++] = (size_t)device;
    return 0;
}

static int direction_row(sqlite3_stmt *stmt, struct cell *cell, unsigned flags, struct error *err)
{
    (void)flags;
    struct direction *d;
    if (!row_direction(&d, stmt, 1, cell))
        return damaged(err, cell->id, "an unknown direction");
    int at = 3;
    return record_read(stmt, &at, &direction_fields, d, err);
}

/* One "50":123 of the text; moves *text behind it. */
static bool read_point(struct lat_point *point, const char **text)
{
    char p[32];
    size_t n = strcspn(*text + 1, "\"");
    if (**text != '"' || n >= sizeof p)
        return false;
    memcpy(p, *text + 1, n);
    p[n] = '\0';
    const char *ns = *text + 1 + n;
    if (!decimal_parse(p, &point->p) || ns[0] != '"' || ns[1] != ':' || ns[2] < '0' || ns[2] > '9')
        return false;
    char *end;
    point->ns = strtoull(ns + 2, &end, 10);
    *text = end;
    return true;
}

/* {"50":123,"99.9":456}, as cell_write.c writes it: whole numbers may exceed what a double holds. */
static bool read_reported(struct lat *l, const char *text)
{
    size_t room = 0;
    if (*text != '{')
        return false;
    do {
        text++;
        GROW(l->reported, l->n_reported + 1, room);
        if (!read_point(&l->reported[l->n_reported], &text))
            return false;
        l->n_reported++;
    } while (*text == ',');
    return text[0] == '}' && !text[1];
}

/* The blob has counts only; the exact figures are the columns beside it. */
static int read_hist(struct lat *l, const void *bytes, size_t n, struct error *err)
{
    l->hist = xmalloc(sizeof *l->hist);
    int rc = hist_decode(l->hist, bytes, n, err);
    if (rc < 0)
        return rc;
    if (IS_KNOWN(l, LAT_F, min))
        l->hist->min = l->min;
    if (IS_KNOWN(l, LAT_F, max))
        l->hist->max = l->max;
    uint64_t count = hist_n(l->hist);
    if (IS_KNOWN(l, LAT_F, mean) && l->mean >= 0 && l->mean * (double)count < 0x1p63) {
        long double sum = (long double)l->mean * count;
        l->hist->sum = (uint64_t)(sum + 0.5L);
        if (IS_KNOWN(l, LAT_F, stddev) && count > 0) {
            long double var = (long double)l->stddev * l->stddev;
            l->hist->sum_sq = (hist_u128)(var * (count - 1) + sum * l->mean + 0.5L);
        }
    }
    return 0;
}

static int latency_row(sqlite3_stmt *stmt, struct cell *cell, unsigned flags, struct error *err)
{
    struct direction *d;
    int kind = name_index(lat_kind_names, LAT_KIND_COUNT, column_text(stmt, 3));
    if (!row_direction(&d, stmt, 1, cell) || kind < 0)
        return damaged(err, cell->id, "an unknown latency");
    struct lat *l = &d->lat[kind];
    int at = 4;
    int rc = record_read(stmt, &at, &lat_fields, l, err);
    if (rc < 0)
        return rc;
    at += 4; /* p50 ... are for readers of SQL */
    const char *reported = column_text(stmt, at++);
    if (reported && !read_reported(l, reported))
        return damaged(err, cell->id, "reported percentiles that cannot be read");
    if (!(flags & LOAD_HIST) || sqlite3_column_type(stmt, at) == SQLITE_NULL)
        return 0;
    const void *bytes = sqlite3_column_blob(stmt, at);
    rc = read_hist(l, bytes, (size_t)sqlite3_column_bytes(stmt, at), err);
    return rc < 0 ? error_prefix(err, ERR_STORE, "cell %lld", (long long)cell->id) : 0;
}

static int series_row(sqlite3_stmt *stmt, struct cell *cell, unsigned flags, struct error *err)
{
    struct direction *d;
    if (!row_direction(&d, stmt, 0, cell) || d->series)
        return damaged(err, cell->id, "a series of an unknown direction");
    d->series = xcalloc(1, sizeof *d->series);
    const void *bytes = sqlite3_column_blob(stmt, 2);
    int rc = series_decode(d->series, bytes, (size_t)sqlite3_column_bytes(stmt, 2), err);
    if (rc == 0 && (flags & LOAD_SERIES_HIST) && sqlite3_column_type(stmt, 3) != SQLITE_NULL) {
        bytes = sqlite3_column_blob(stmt, 3);
        rc = series_decode_hist(d->series, bytes, (size_t)sqlite3_column_bytes(stmt, 3), err);
    }
    return rc < 0 ? error_prefix(err, ERR_STORE, "cell %lld", (long long)cell->id) : 0;
}

static int bucket_row(sqlite3_stmt *stmt, struct cell *cell, unsigned flags, struct error *err)
{
    (void)flags;
    bool open = sqlite3_column_type(stmt, 1) == SQLITE_NULL;
    int64_t lo = sqlite3_column_int64(stmt, 0), hi = sqlite3_column_int64(stmt, 1);
    if (lo < 0 || hi < 0)
        return damaged(err, cell->id, "a latency below 0");
    cell->bucket = xrealloc(cell->bucket, cell->n_buckets + 1, sizeof *cell->bucket);
    cell->bucket[cell->n_buckets++] = (struct lat_bucket){
        (uint64_t)lo, open ? UINT64_MAX : (uint64_t)hi, sqlite3_column_double(stmt, 2)};
    return 0;
}

static int disk_row(sqlite3_stmt *stmt, struct cell *cell, unsigned flags, struct error *err)
{
    (void)flags;
    cell->disk = xrealloc(cell->disk, cell->n_disks + 1, sizeof *cell->disk);
    struct disk_stat *disk = &cell->disk[cell->n_disks++];
    *disk = (struct disk_stat){0};
    int at = 2;
    return record_read(stmt, &at, &disk_stat_fields, disk, err);
}

static int volume_row(sqlite3_stmt *stmt, struct cell *cell, unsigned flags, struct error *err)
{
    (void)flags;
    cell->volume = xrealloc(cell->volume, cell->n_volumes + 1, sizeof *cell->volume);
    struct volume_stat *volume = &cell->volume[cell->n_volumes++];
    *volume = (struct volume_stat){0};
    int at = 2;
    return record_read(stmt, &at, &volume_stat_fields, volume, err);
}

int cell_load(struct store *s, int64_t cell_id, unsigned flags, struct cell *cell,
              struct error *err)
{
    int rc = load_cell_row(s, cell_id, cell, err);
    if (rc == 0)
        rc = each_row(s, Q_SELECT_CELL_DEVICES, cell, flags, device_row, err);
    if (rc == 0)
        rc = each_row(s, Q_SELECT + TABLE_DIRECTION, cell, flags, direction_row, err);
    if (rc == 0)
        rc = each_row(s, Q_SELECT + TABLE_LATENCY, cell, flags, latency_row, err);
    if (rc == 0 && (flags & (LOAD_SERIES | LOAD_SERIES_HIST)))
        rc = each_row(s, Q_SELECT_SERIES, cell, flags, series_row, err);
    if (rc == 0)
        rc = each_row(s, Q_SELECT_LAT_BUCKETS, cell, flags, bucket_row, err);
    if (rc == 0)
        rc = each_row(s, Q_SELECT + TABLE_DISK_STAT, cell, flags, disk_row, err);
    if (rc == 0)
        rc = each_row(s, Q_SELECT + TABLE_VOLUME_STAT, cell, flags, volume_row, err);
    return rc;
}

/* Ids of cells, owned. */
struct ids {
    int64_t *id;
    size_t n;
};

/* The rows of a statement, which it ends. */
static int take_ids(struct ids *out, struct store *s, sqlite3_stmt *stmt, struct error *err)
{
    size_t room = 0;
    int rc;
    while ((rc = query_step(s, stmt, err)) > 0) {
        GROW(out->id, out->n + 1, room);
        out->id[out->n++] = sqlite3_column_int64(stmt, 0);
    }
    query_done(stmt);
    return rc;
}

static int cell_ids(struct ids *out, struct store *s, int64_t run_id, unsigned flags,
                    struct error *err)
{
    sqlite3_stmt *stmt = query_start(s, Q_CELL_IDS, err);
    if (!stmt)
        return -ERR_STORE;
    sqlite3_bind_int64(stmt, 1, run_id);
    sqlite3_bind_int(stmt, 2, (flags & LOAD_ROUNDS) != 0);
    return take_ids(out, s, stmt, err);
}

static int round_ids(struct ids *out, struct store *s, int64_t run_id, uint64_t ordinal,
                     uint64_t first, struct error *err)
{
    sqlite3_stmt *stmt = query_start(s, Q_ROUND_IDS, err);
    if (!stmt)
        return -ERR_STORE;
    sqlite3_bind_int64(stmt, 1, run_id);
    sqlite3_bind_int64(stmt, 2, (sqlite3_int64)ordinal);
    sqlite3_bind_int64(stmt, 3, (sqlite3_int64)first);
    return take_ids(out, s, stmt, err);
}

static int count(struct store *s, enum query q, int64_t run_id, uint64_t *n, struct error *err)
{
    sqlite3_stmt *stmt = query_start(s, q, err);
    if (!stmt)
        return -ERR_STORE;
    sqlite3_bind_int64(stmt, 1, run_id);
    int rc = query_step(s, stmt, err);
    if (rc > 0)
        *n = (uint64_t)sqlite3_column_int64(stmt, 0);
    query_done(stmt);
    return rc < 0 ? rc : 0;
}

int store_count_cells(struct store *s, int64_t run_id, uint64_t *n, struct error *err)
{
    return count(s, Q_COUNT_CELLS, run_id, n, err);
}

int store_count_rounds(struct store *s, int64_t run_id, uint64_t *n, struct error *err)
{
    return count(s, Q_COUNT_ROUNDS, run_id, n, err);
}

/* What is done with each cell. */
struct each {
    unsigned flags;
    int (*fn)(struct cell *cell, void *arg);
    void *arg;
};

static int visit(struct store *s, int64_t run_id, const struct ids *ids, const struct each *each,
                 struct error *err)
{
    uint64_t devices = 0;
    int rc = count(s, Q_COUNT_DEVICES, run_id, &devices, err);
    for (size_t i = 0; i < ids->n && rc == 0; i++) {
        struct cell *cell = cell_create();
        rc = cell_load(s, ids->id[i], each->flags, cell, err);
        if (rc == 0 && !cell_devices_exist(cell, devices))
            rc = damaged(err, ids->id[i], "a device that its run has not");
        if (rc == 0)
            rc = each->fn(cell, each->arg);
        cell_destroy(cell);
    }
    return rc;
}

/* The ids first, so that no statement is busy while fn runs and may use the store itself. */
int store_each_cell(struct store *s, int64_t run_id, unsigned flags,
                    int (*fn)(struct cell *cell, void *arg), void *arg, struct error *err)
{
    struct ids ids = {0};
    bool began;
    int rc = transaction_begin(s, false, &began, err);
    if (rc < 0)
        return rc;
    rc = cell_ids(&ids, s, run_id, flags, err);
    if (rc == 0)
        rc = visit(s, run_id, &ids, &(struct each){flags, fn, arg}, err);
    free(ids.id);
    return transaction_end(s, began, rc, err);
}

int store_each_round(struct store *s, int64_t run_id, uint64_t ordinal, uint64_t first,
                     unsigned flags, int (*fn)(struct cell *cell, void *arg), void *arg,
                     struct error *err)
{
    struct ids ids = {0};
    bool began;
    int rc = transaction_begin(s, false, &began, err);
    if (rc < 0)
        return rc;
    rc = round_ids(&ids, s, run_id, ordinal, first, err);
    if (rc == 0)
        rc = visit(s, run_id, &ids, &(struct each){flags, fn, arg}, err);
    free(ids.id);
    return transaction_end(s, began, rc, err);
}
