#include "store/import/csv_row.h"

#include <math.h>

#include "core/base/json.h"
#include "core/base/units.h"
#include "core/base/xalloc.h"

/* What a row says beside fields. */
struct row {
    struct cell *cell;
    const char *operation;
    bool random, random_known;
    int dir; /* its direction column; -1: none */
    uint64_t hosts;
    bool figure; /* one was given */
    struct lat_point percentile[64];
    int percentile_dir[64];
    enum lat_kind percentile_kind[64];
    size_t n_percentiles;
};

const char *csv_row_value(const struct csv_reading *r, size_t column)
{
    return csv_table_get(&r->table, r->row, column);
}

static void say_skipped(struct csv_reading *r, const char *reason)
{
    char place[64];
    snprintf(place, sizeof place, "line %zu", (size_t)r->table.row[r->row].line);
    r->outcome->skipped++;
    if (r->sink->skip)
        r->sink->skip(r->sink->self, place, reason);
}

/* The row is left out, and the whole import is not without fault. */
static void say_fault(struct csv_reading *r, const char *reason)
{
    say_skipped(r, reason);
    if (r->fault.code == 0)
        error_set(&r->fault, ERR_INPUT, "%s: line %zu: %s", r->src->path,
                  (size_t)r->table.row[r->row].line, reason);
}

void csv_row_bad_value(struct csv_reading *r, size_t column)
{
    struct error reason = ERROR_INIT;
    const struct column *c = &r->map.column[column];
    error_set(&reason, ERR_INPUT, "column \"%s\": \"%.60s\" %s", r->table.column[column],
              csv_row_value(r, column), column_misfit(c, csv_row_value(r, column)));
    say_fault(r, reason.message);
}

/* elbencho names a mix by its share of reads: "RWMIX70". */
static bool mix_share(const char *text, uint64_t *share)
{
    static const char name[] = "rwmix";
    return strncasecmp(text, name, sizeof name - 1) == 0 &&
           parse_u64(text + sizeof name - 1, 0, 100, share, NULL) == 0;
}

/* READ, WRITE and their like; other phases of a tool (MKDIRS, STAT) are no cells. */
static int rw_of_operation(const char *text, uint64_t *rwmixread)
{
    static const struct {
        const char *word;
        enum rw rw;
    } words[] = {{"read", RW_READ}, {"write", RW_WRITE}, {"trim", RW_TRIM},
                 {"rw", RW_RW},     {"mixed", RW_RW},    {"rwmix", RW_RW}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcasecmp(text, words[i].word) == 0)
            return (int)words[i].rw;
    }
    uint64_t share;
    if (!mix_share(text, &share))
        return -1;
    *rwmixread = share;
    return RW_RW;
}

static void make_random(struct cell_key *key)
{
    static const struct {
        enum rw from, to;
    } pairs[] = {{RW_READ, RW_RANDREAD},
                 {RW_WRITE, RW_RANDWRITE},
                 {RW_TRIM, RW_RANDTRIM},
                 {RW_RW, RW_RANDRW}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (IS_KNOWN(key, CELL_KEY, rw) && key->rw == pairs[i].from) {
            key->rw = pairs[i].to;
            return;
        }
    }
}

/* Blocks of no bytes, or none in flight, are no load. Tables of known programs say it of phases that are none. */
static bool is_load(const struct csv_reading *r, const struct cell_key *key)
{
    if (r->map.name && strcmp(r->map.name, "guessed") != 0)
        return true;
    return !(IS_KNOWN(key, CELL_KEY, bs) && key->bs == 0) &&
           !(IS_KNOWN(key, CELL_KEY, iodepth) && key->iodepth == 0) &&
           !(IS_KNOWN(key, CELL_KEY, numjobs) && key->numjobs == 0);
}

/* Settings and facts of the cell; figures come when the direction is known. */
static bool read_setting(struct csv_reading *r, size_t i, struct row *row)
{
    const struct column *c = &r->map.column[i];
    const char *text = csv_row_value(r, i);
    bool flag;
    if (!*text)
        return true;
    switch (c->kind) {
    case COLUMN_KEY:
        return column_read(&cell_key_fields, &row->cell->key, c, text) &&
               is_load(r, &row->cell->key);
    case COLUMN_CELL:
        return column_read(&cell_fields, row->cell, c, text);
    case COLUMN_OPERATION:
        row->operation = text;
        return true;
    case COLUMN_RANDOM:
        row->random_known = parse_bool(text, &flag, NULL) == 0;
        row->random = row->random_known && flag;
        return row->random_known;
    case COLUMN_HOSTS:
        return parse_u64(text, 1, UINT32_MAX, &row->hosts, NULL) == 0;
    case COLUMN_DIRECTION_NAME:
        for (row->dir = 0; row->dir < DIR_COUNT && strcasecmp(text, dir_names[row->dir]) != 0;)
            row->dir++;
        return row->dir < DIR_COUNT;
    default:
        return true;
    }
}

/* Figures without a direction are those of the pattern: reads, writes, or all together. */
static int default_direction(const struct row *row)
{
    const struct cell_key *key = &row->cell->key;
    if (row->dir >= 0)
        return row->dir;
    if (!IS_KNOWN(key, CELL_KEY, rw))
        return DIR_MIXED;
    if (!rw_writes(key->rw))
        return DIR_READ;
    if (rw_reads(key->rw) || key->rw == RW_TRIMWRITE || key->rw == RW_RANDTRIMWRITE)
        return DIR_MIXED;
    return rw_trims(key->rw) ? DIR_TRIM : DIR_WRITE;
}

/* "p99" and "read p99" of a row that reads are one. */
static bool has_percentile(const struct row *row, const struct column *c, int dir)
{
    for (size_t i = 0; i < row->n_percentiles; i++) {
        if (row->percentile_dir[i] == dir && row->percentile_kind[i] == c->lat &&
            fabs(row->percentile[i].p - c->p) < 1e-9)
            return true;
    }
    return false;
}

static bool read_percentile(const struct column *c, const char *text, int dir, struct row *row)
{
    struct lat l = {0}; /* any field in ns reads it as a latency */
    const struct column as_max = {
        .kind = COLUMN_LATENCY, .field = LAT_F_max, .unit = c->unit, .numbers = c->numbers};
    if (!column_read(&lat_fields, &l, &as_max, text))
        return false;
    size_t n = row->n_percentiles;
    if (n < sizeof row->percentile / sizeof *row->percentile && !has_percentile(row, c, dir)) {
        row->percentile[n] = (struct lat_point){c->p, l.max};
        row->percentile_dir[n] = dir;
        row->percentile_kind[n] = c->lat;
        row->n_percentiles++;
    }
    return true;
}

static bool read_figure(struct csv_reading *r, size_t i, struct row *row)
{
    const struct column *c = &r->map.column[i];
    const char *text = csv_row_value(r, i);
    if (!*text || !column_is_figure(c))
        return true;
    int dir = c->dir >= 0 ? c->dir : default_direction(row);
    struct direction *d = &row->cell->dir[dir];
    row->figure = true;
    if (c->kind == COLUMN_DIRECTION)
        return column_read(&direction_fields, d, c, text);
    if (c->kind == COLUMN_LATENCY)
        return column_read(&lat_fields, &d->lat[c->lat], c, text);
    return read_percentile(c, text, dir, row);
}

static int by_percentile(const void *a, const void *b)
{
    const struct lat_point *x = a, *y = b;
    return (x->p > y->p) - (x->p < y->p);
}

static void keep_percentiles(struct row *row)
{
    for (size_t i = 0; i < row->n_percentiles; i++) {
        struct lat *l = &row->cell->dir[row->percentile_dir[i]].lat[row->percentile_kind[i]];
        l->reported = xrealloc(l->reported, l->n_reported + 1, sizeof *l->reported);
        l->reported[l->n_reported++] = row->percentile[i];
    }
    for (int dir = 0; dir < DIR_COUNT; dir++) {
        for (int k = 0; k < LAT_KIND_COUNT; k++) {
            struct lat *l = &row->cell->dir[dir].lat[k];
            if (l->n_reported > 1)
                qsort(l->reported, l->n_reported, sizeof *l->reported, by_percentile);
        }
    }
}

/* Columns that are not understood are kept under their own names. */
static void keep_others(struct csv_reading *r, struct cell *cell)
{
    struct strbuf out = STRBUF_INIT;
    for (size_t i = 0; i < r->map.n; i++) {
        if (r->map.column[i].kind != COLUMN_OTHER || !*csv_row_value(r, i) || !*r->table.column[i])
            continue;
        strbuf_addc(&out, out.len ? ',' : '{');
        json_quote(&out, r->table.column[i]);
        strbuf_addc(&out, ':');
        json_quote(&out, csv_row_value(r, i));
    }
    if (out.len > 0 && !cell->extra) {
        strbuf_addc(&out, '}');
        field_set_text(&cell_fields, cell, CELL_extra, out.text);
    }
    strbuf_release(&out);
}

static bool finish_settings(struct csv_reading *r, struct row *row)
{
    struct cell_key *key = &row->cell->key;
    if (row->operation) {
        uint64_t rwmixread = UINT64_MAX;
        int rw = rw_of_operation(row->operation, &rwmixread);
        if (rw < 0) {
            struct error reason = ERROR_INIT;
            error_set(&reason, ERR_INPUT, "\"%.60s\" is neither reading nor writing",
                      row->operation);
            say_skipped(r, reason.message);
            return false;
        }
        SET(key, CELL_KEY, rw, (enum rw)rw);
        if (rwmixread <= 100)
            SET(key, CELL_KEY, rwmixread, rwmixread);
    }
    if (row->random)
        make_random(key);
    if (row->hosts > 1 && IS_KNOWN(key, CELL_KEY, numjobs) && key->numjobs < UINT32_MAX)
        key->numjobs *= row->hosts;
    return true;
}

static bool read_columns(struct csv_reading *r, struct row *row,
                         bool (*read)(struct csv_reading *r, size_t i, struct row *row))
{
    for (size_t i = 0; i < r->map.n; i++) {
        if (!read(r, i, row)) {
            csv_row_bad_value(r, i);
            return false;
        }
    }
    return true;
}

const char *csv_row_misshape(const struct csv_reading *r, size_t row)
{
    const struct csv_row *shape = &r->table.row[row];
    if (shape->wide)
        return "more values than the heading has columns";
    if (r->map.own && shape->open)
        return "the file ends in it, without the newline that ends every row of an export";
    if (shape->narrow && shape->open)
        return "the file ends in it, with fewer values than the heading has columns";
    if (shape->narrow)
        return "fewer values than the heading has columns; where one is empty, its delimiter must "
               "be there";
    return NULL;
}

/* Counts and rates that are stated, and all 0. */
static bool did_nothing(const struct cell *cell)
{
    bool stated = false;
    for (int dir = 0; dir < DIR_COUNT; dir++) {
        const struct direction *d = &cell->dir[dir];
        if (direction_is_used(d))
            return false;
        for (int k = 0; k < LAT_KIND_COUNT; k++) {
            if (d->lat[k].n_reported > 0)
                return false;
        }
        stated = stated || IS_KNOWN(d, DIRECTION, ios) || IS_KNOWN(d, DIRECTION, bytes) ||
                 IS_KNOWN(d, DIRECTION, iops) || IS_KNOWN(d, DIRECTION, bw);
    }
    return stated;
}

/* As with results of fio: who did nothing has failed. */
static void set_status(struct cell *cell)
{
    if (IS_KNOWN(cell, CELL, status))
        return;
    bool failed = did_nothing(cell);
    SET(cell, CELL, status, failed ? STATUS_FAILED : STATUS_COMPLETE);
    if (failed && !cell->error)
        field_set_text(&cell_fields, cell, CELL_error, "no I/O was done");
}

bool csv_row_read(struct csv_reading *r, struct cell *cell)
{
    struct row row = {.cell = cell, .dir = -1};
    const char *misshape = csv_row_misshape(r, r->row);
    if (misshape) {
        say_fault(r, misshape);
        return false;
    }
    if (!read_columns(r, &row, read_setting) || !finish_settings(r, &row) ||
        !read_columns(r, &row, read_figure))
        return false;
    if (!row.figure && !r->map.own) {
        say_skipped(r, "no figure in it");
        return false;
    }
    keep_percentiles(&row);
    keep_others(r, cell);
    if (!r->map.own)
        set_status(cell);
    else if (!IS_KNOWN(cell, CELL, status))
        SET(cell, CELL, status, STATUS_COMPLETE);
    return true;
}
