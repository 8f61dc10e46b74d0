/*
 * Importers for tables: CSV with a heading (our own export, known tools, anything with a map), and
 * lines of "name=value" pairs. A row is a cell, in our own export a direction of one.
 */
#include "core/base/xalloc.h"
#include "store/import/csv_heading.h"
#include "store/import/csv_row.h"
#include "store/import/repeats.h"
#include "store/import/run_source.h"
#include "store/import/text_input.h"

struct reading {
    struct csv_reading csv;
    struct repeats repeats;
    struct run *run;
    bool begun; /* the sink has the run: it gets none without a cell */
    uint64_t ordinal;
};

/* Calls fn with each name of a value "a + b". */
static void each_device(struct reading *r,
                        void (*fn)(struct reading *r, const char *path, void *arg), void *arg)
{
    for (size_t i = 0; i < r->csv.map.n; i++) {
        if (r->csv.map.column[i].kind != COLUMN_DEVICES || !*csv_row_value(&r->csv, i))
            continue;
        char *copy = xstrdup(csv_row_value(&r->csv, i)), *path = copy, *end;
        do {
            end = strstr(path, " + ");
            if (end)
                *end = '\0';
            fn(r, path, arg);
            path = end ? end + strlen(" + ") : NULL;
        } while (end);
        free(copy);
    }
}

static size_t find_device(const struct run *run, const char *path)
{
    size_t i = 0;
    while (i < run->n_devices && strcmp(run->device[i].path, path) != 0)
        i++;
    return i;
}

static void add_to_run(struct reading *r, const char *path, void *arg)
{
    (void)arg;
    if (find_device(r->run, path) == r->run->n_devices)
        field_set_text(&device_fields, run_add_device(r->run), DEVICE_path, path);
}

static void add_to_cell(struct reading *r, const char *path, void *arg)
{
    struct cell *cell = arg;
    cell->device = xrealloc(cell->device, cell->n_devices + 1, sizeof *cell->device);
    cell->device[cell->n_devices++] = find_device(r->run, path);
}

/* True for rows of one run, or one cell. A row that ends before or in its id may belong to those before it. */
static bool same_id(const struct reading *r, size_t a, size_t b, enum column_kind kind)
{
    const struct csv_table *t = &r->csv.table;
    size_t i = 0;
    while (i < r->csv.map.n && r->csv.map.column[i].kind != kind)
        i++;
    return t->row[b].n <= i + 1 || strcmp(csv_table_get(t, a, i), csv_table_get(t, b, i)) == 0;
}

/* Rows of one run follow each other; a table that is no export of ours is one run. */
static size_t run_end(const struct reading *r, size_t first)
{
    size_t end = first + 1;
    while (end < r->csv.table.n_rows && (!r->csv.map.own || same_id(r, first, end, COLUMN_RUN_ID)))
        end++;
    return end;
}

/* "key=value,key=value"; what has no '=' goes on the value before it, which had a comma in it. */
static void set_labels(struct run *run, const char *text)
{
    char *copy = xstrdup(text), *at = copy;
    while (*at) {
        char *equals = strchr(at, '=');
        if (!equals)
            break;
        *equals = '\0';
        char *value = equals + 1, *end = value + strlen(value), *next = strchr(value, '=');
        while (next && next > value && *next != ',')
            next--;
        if (next && *next == ',') {
            *next = '\0';
            end = next + 1;
        }
        if (*at)
            run_set_label(run, at, value);
        at = end;
    }
    free(copy);
}

/* A run of our own export that is not all there: rows of it are cut off. */
static bool is_broken(const struct reading *r, size_t first, size_t end)
{
    while (first < end && !csv_row_misshape(&r->csv, first))
        first++;
    return r->csv.map.own && first < end;
}

/* By these the store knows a run that it has: what is left of one must not stand in the way of the whole. */
static bool is_identity(const struct column *c)
{
    return c->field == RUN_uuid || c->field == RUN_source_path || c->field == RUN_source_sha256 ||
           c->field == RUN_source_format;
}

/* Fields of the run stand in each of its rows: the first counts. */
static bool read_run(struct reading *r, size_t first, size_t end, size_t number)
{
    r->csv.row = first;
    run_from_source(r->run, r->csv.src, r->csv.outcome->format, number);
    bool broken = is_broken(r, first, end);
    for (size_t i = 0; i < r->csv.map.n; i++) {
        const struct column *c = &r->csv.map.column[i];
        if (c->kind == COLUMN_RUN && !(broken && is_identity(c)) &&
            !column_read(&run_fields, r->run, c, csv_row_value(&r->csv, i))) {
            csv_row_bad_value(&r->csv, i);
            return false;
        }
        if (c->kind == COLUMN_LABELS)
            set_labels(r->run, csv_row_value(&r->csv, i));
        if (c->kind == COLUMN_LABEL && *csv_row_value(&r->csv, i))
            run_set_label(r->run, c->label, csv_row_value(&r->csv, i));
    }
    /* a failed run would be taken back by the store, and an open one is nobody's */
    if (broken || !IS_KNOWN(r->run, RUN, status) || r->run->status == STATUS_FAILED ||
        r->run->status == STATUS_RUNNING)
        SET(r->run, RUN, status, STATUS_PARTIAL);
    for (r->csv.row = first; r->csv.row < end; r->csv.row++) {
        if (!csv_row_misshape(&r->csv, r->csv.row))
            each_device(r, add_to_run, NULL);
    }
    return true;
}

/* Rows of one cell, a direction each, follow each other in our own export. */
static size_t cell_end(const struct reading *r, size_t first, size_t end)
{
    size_t next = first + 1;
    while (r->csv.map.own && next < end && same_id(r, first, next, COLUMN_CELL_ID))
        next++;
    return next;
}

/* Moves the direction of a further row of the same cell. */
static void join_row(struct cell *cell, struct cell *more)
{
    for (int dir = 0; dir < DIR_COUNT; dir++) {
        if (direction_is_used(&more->dir[dir]) && !direction_is_used(&cell->dir[dir])) {
            direction_release(&cell->dir[dir]);
            cell->dir[dir] = more->dir[dir];
            more->dir[dir] = (struct direction){0};
        }
    }
}

static int give_cell(struct reading *r, struct cell *cell, struct error *err)
{
    int rc = 0;
    if (!r->csv.map.own)
        repeats_place(&r->repeats, cell, r->ordinal++);
    if (!r->csv.map.own && cell->status != STATUS_COMPLETE)
        SET(r->run, RUN, status, STATUS_PARTIAL);
    if (!r->begun)
        rc = r->csv.sink->begin(r->csv.sink->self, r->run, err);
    r->begun = true;
    if (rc == 0)
        rc = r->csv.sink->cell(r->csv.sink->self, cell, err);
    r->csv.outcome->cells += rc == 0;
    return rc;
}

/* Without one of its rows a cell would be another one: reads of a mix, say, without its writes. */
static bool read_cell(struct reading *r, size_t first, size_t end, struct cell *cell)
{
    r->csv.row = first;
    bool whole = csv_row_read(&r->csv, cell);
    each_device(r, add_to_cell, cell);
    for (size_t row = first + 1; row < end; row++) {
        struct cell more = {0};
        r->csv.row = row;
        if (csv_row_read(&r->csv, &more))
            join_row(cell, &more);
        else
            whole = false;
        cell_release(&more);
    }
    return whole;
}

static int read_cells(struct reading *r, size_t first, size_t end, struct error *err)
{
    int rc = 0;
    for (size_t next, at = first; at < end && rc == 0; at = next) {
        struct cell cell = {0};
        next = cell_end(r, at, end);
        if (read_cell(r, at, next, &cell))
            rc = give_cell(r, &cell, err);
        cell_release(&cell);
    }
    return rc;
}

static int end_run(struct reading *r, int rc, struct error *err)
{
    if (!r->begun)
        return rc;
    if (rc < 0)
        SET(r->run, RUN, status, STATUS_FAILED);
    int ended = r->csv.sink->end(r->csv.sink->self, r->run, rc < 0 ? NULL : err);
    r->csv.outcome->runs += rc == 0 && ended == 0;
    return rc < 0 ? rc : ended;
}

static int store_run(struct reading *r, size_t first, size_t end, size_t number, struct error *err)
{
    r->run = run_create();
    r->begun = false;
    r->ordinal = 0;
    repeats_release(&r->repeats);
    int rc = 0;
    if (read_run(r, first, end, number)) {
        if (r->csv.outcome->version[0] == '\0' && r->run->tool)
            snprintf(r->csv.outcome->version, sizeof r->csv.outcome->version, "%s", r->run->tool);
        rc = end_run(r, read_cells(r, first, end, err), err);
    }
    run_destroy(r->run);
    return rc;
}

static int store_table(struct reading *r, struct error *err)
{
    int rc = 0;
    size_t number = 1;
    for (size_t at = 0, end; at < r->csv.table.n_rows && rc == 0; at = end) {
        end = run_end(r, at);
        rc = store_run(r, at, end, number++, err);
    }
    if (rc == 0 && r->csv.fault.code)
        rc = error_set(err, ERR_INPUT, "%s", r->csv.fault.message);
    else if (rc == 0 && r->csv.outcome->cells == 0)
        rc = error_set(err, ERR_INPUT, "%s: a heading, but no row with results", r->csv.src->path);
    return rc;
}

static int read_from_heading(struct csv_table *t, const struct text_input *in, const char *map,
                             struct error *err)
{
    struct csv_heading h = csv_heading_find(in->text, in->n, map);
    return csv_table_read_from(t, in->text, in->n, &h.start, err);
}

/* Which columns were guessed wrong, or not at all, the user must see. */
static void add_note(const struct reading *r)
{
    const struct csv_map *map = &r->csv.map;
    struct strbuf note = STRBUF_INIT;
    strbuf_addf(&note, "columns: %s", map->name);
    bool guessed = !map->own && strcmp(map->name, "guessed") == 0, any = false;
    for (size_t i = 0; i < map->n && guessed; i++) {
        const char *name = r->csv.table.column[i];
        if (map->column[i].kind != COLUMN_OTHER || !*name)
            continue;
        strbuf_addf(&note, "%s\"%.40s\"", any ? ", " : ", not understood and kept as text: ", name);
        any = true;
    }
    snprintf(r->csv.outcome->note, sizeof r->csv.outcome->note, "%s", note.text);
    strbuf_release(&note);
}

static int read_table(const struct import_source *src, struct sink *sink,
                      struct import_outcome *outcome, struct error *err)
{
    struct reading r = {.csv = {.src = src, .sink = sink, .outcome = outcome}};
    struct text_input in;
    text_input_init(&in, src->bytes, src->n);
    int rc = outcome->format == importer_pairs.name
                 ? csv_table_read_pairs(&r.csv.table, in.text, in.n, err)
                 : read_from_heading(&r.csv.table, &in, src->map, err);
    if (rc == 0)
        rc = src->map ? csv_map_apply(&r.csv.map, &r.csv.table, src->map, err)
                      : csv_map_find(&r.csv.map, &r.csv.table, err);
    if (rc == 0 && r.csv.map.own)
        csv_table_unprotect(&r.csv.table);
    if (rc < 0)
        rc = error_prefix(err, ERR_INPUT, "%s", src->path);
    else
        rc = store_table(&r, err);
    if (r.csv.map.n > 0 && r.csv.map.name)
        add_note(&r);
    csv_table_release(&r.csv.table);
    csv_map_release(&r.csv.map);
    repeats_release(&r.repeats);
    text_input_release(&in);
    return rc;
}

static int csv_read(const struct import_source *src, struct sink *sink,
                    struct import_outcome *outcome, struct error *err)
{
    *outcome = (struct import_outcome){.format = importer_csv.name};
    return read_table(src, sink, outcome, err);
}

static int pairs_read(const struct import_source *src, struct sink *sink,
                      struct import_outcome *outcome, struct error *err)
{
    *outcome = (struct import_outcome){.format = importer_pairs.name};
    return read_table(src, sink, outcome, err);
}

static int csv_sniff(const char *bytes, size_t n)
{
    struct text_input in;
    text_input_init(&in, bytes, n);
    struct csv_heading h = csv_heading_find(in.text, in.n, NULL);
    text_input_release(&in);
    if (!h.found)
        return 0;
    return !h.first ? 30 : h.format ? 90 : 40;
}

static bool is_noted(const char *line, size_t n)
{
    struct csv_table t;
    bool format,
        noted = csv_pairs_count(line, n) >= 2 && csv_table_read_pairs(&t, line, n, NULL) == 0;
    if (noted) {
        noted = csv_understood(&t, &format) >= 2;
        csv_table_release(&t);
    }
    return noted;
}

static int pairs_sniff(const char *bytes, size_t n)
{
    enum { LINES = 40, LINE_BYTES = 65536 };
    struct text_input in;
    text_input_init(&in, bytes, n);
    bool noted = false;
    for (size_t at = 0, lines = 0; at < in.n && lines < LINES && !noted; lines++) {
        const char *line = in.text + at, *end = memchr(line, '\n', in.n - at);
        size_t len = end ? (size_t)(end - line) : in.n - at;
        at += len + 1;
        noted =
            len > 0 && *line != '#' && *line != '\r' && len <= LINE_BYTES && is_noted(line, len);
    }
    text_input_release(&in);
    return noted ? 35 : 0;
}

const struct importer importer_csv = {
    .name = "csv",
    .summary = "tables with a heading: our own export, elbencho, others by --map or their headings",
    .sniff = csv_sniff,
    .read = csv_read,
};

const struct importer importer_pairs = {
    .name = "pairs",
    .summary = "lines like \"bs=1M, iodepth=64, rw=randwrite, iops=63, bw=67.1 MB/s\"",
    .sniff = pairs_sniff,
    .read = pairs_read,
};
