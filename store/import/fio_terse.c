/*
 * Importer for fio's terse output (--minimal, --output-format=terse), versions 2 to 5: one line of fields
 * between semicolons for each job. All latencies are in us whatever the version of fio, bandwidth is
 * KiB/s. Fields of a line (source: fio HOWTO, "Terse output"; counted in real lines):
 *   version; [fio version, not in v2]; name; group; error;
 *   41 fields for reads, 41 for writes, 41 for trims (v2, v4, v5; v5: 47 each);
 *   CPU 5; queue depth 7; latency us 10; latency ms 12; 9 for each disk; [errors 2]; [description].
 */
#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/xalloc.h"
#include "store/import/fio_read_internal.h"
#include "store/import/fio_terse_line.h"
#include "store/import/fio_text_line.h"
#include "store/import/importer.h"
#include "store/import/number.h"
#include "store/import/repeats.h"
#include "store/import/run_source.h"
#include "store/import/text_input.h"

enum { DISK_FIELDS = 9 };

struct reading {
    const struct import_source *src;
    struct sink *sink;
    struct import_outcome *outcome;
    struct run *run;
    bool open;
    struct fio_text_setup *setup; /* announcements of the jobs, where the text has them */
    size_t n_setups, room_setups;
    struct cell pending; /* the job whose disks may stand on the next line */
    bool has_pending;
    struct repeats repeats; /* of "group name" */
    char *last_id;          /* of the line before */
    bool apart;             /* some lines of one name follow each other */
    size_t cells;
    struct fio_text_odd odd;
    struct error fault;
};

/* min, max, mean, deviation in us. All zeros: not measured. */
static void read_lat(const struct terse_line *l, size_t at, struct lat *out)
{
    uint64_t min, max = 0;
    double mean = 0, dev;
    bool has_max = terse_figure_u64(l, at + 1, 1000, &max);
    bool has_mean = terse_figure_f64(l, at + 2, 1000, &mean);
    if (max == 0 && mean <= 0)
        return;
    if (terse_figure_u64(l, at, 1000, &min))
        SET(out, LAT_F, min, min);
    if (has_max)
        SET(out, LAT_F, max, max);
    if (has_mean)
        SET(out, LAT_F, mean, mean);
    if (terse_figure_f64(l, at + 3, 1000, &dev))
        SET(out, LAT_F, stddev, dev);
}

static void read_percentiles(const struct terse_line *l, size_t at, struct lat *out)
{
    for (size_t i = 0; i < TERSE_PERCENTILES; i++) {
        double p;
        uint64_t ns;
        if (!terse_percentile(l, at + i, &p, &ns))
            continue;
        if (out->n_reported > 0 && out->reported[out->n_reported - 1].p >= p)
            continue;
        out->reported = xrealloc(out->reported, out->n_reported + 1, sizeof *out->reported);
        out->reported[out->n_reported++] = (struct lat_point){p, ns};
    }
}

static void read_direction(const struct terse_line *l, size_t at, struct direction *d)
{
    uint64_t v;
    double f;
    if (terse_figure_u64(l, at, 1024, &v))
        SET(d, DIRECTION, bytes, v);
    if (terse_figure_f64(l, at + 1, 1024, &f))
        SET(d, DIRECTION, bw, f);
    if (terse_figure_f64(l, at + 2, 1, &f))
        SET(d, DIRECTION, iops, f);
    if (d->bytes == 0 && d->iops == 0) {
        direction_release(d);
        return;
    }
    if (terse_figure_u64(l, at + 3, NS_PER_MS, &v))
        SET(d, DIRECTION, runtime_ns, v);
    read_lat(l, at + 4, &d->lat[LAT_SLAT]);
    read_lat(l, at + 8, &d->lat[LAT_CLAT]);
    if (d->lat[LAT_CLAT].known)
        read_percentiles(l, at + 12, &d->lat[LAT_CLAT]);
    read_lat(l, at + 12 + TERSE_PERCENTILES, &d->lat[LAT_LAT]);
    if (terse_figure_f64(l, at + 19 + TERSE_PERCENTILES, 1024, &f) && f > 0)
        SET(d, DIRECTION, bw_mean, f);
}

/* The us and ms columns; nanoseconds are counted in the first. */
static void read_buckets(const struct terse_line *l, size_t at, struct cell *cell)
{
    static const unsigned scale[] = {2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000};
    uint64_t lo = 0;
    for (size_t i = 0; i < 22; i++) {
        bool ms = i >= 10, open = i == 21;
        uint64_t hi = open ? UINT64_MAX : scale[ms ? i - 10 : i] * (ms ? NS_PER_MS : NS_PER_US);
        double percent;
        if (terse_get_f64(l, at + i, &percent) && percent > 0 && percent <= 100) {
            cell->bucket = xrealloc(cell->bucket, cell->n_buckets + 1, sizeof *cell->bucket);
            cell->bucket[cell->n_buckets++] = (struct lat_bucket){lo, hi, percent / 100};
        }
        lo = hi;
    }
}

/* name, reads, writes, merged reads, merged writes, ms of reads, of writes, in queue, percent busy */
static bool read_disk(const struct terse_line *l, size_t at, struct cell *cell)
{
    static const struct {
        size_t field;
        uint64_t unit;
    } column[] = {{DISK_STAT_read_ios, 1},           {DISK_STAT_write_ios, 1},
                  {DISK_STAT_read_merges, 1},        {DISK_STAT_write_merges, 1},
                  {DISK_STAT_read_ns, NS_PER_MS},    {DISK_STAT_write_ns, NS_PER_MS},
                  {DISK_STAT_in_queue_ns, NS_PER_MS}};
    uint64_t v[7];
    double percent;
    for (size_t i = 0; i < 7; i++) {
        if (!terse_get_u64(l, at + 1 + i, &v[i]))
            return false;
    }
    if (!terse_is_percent(l, at + 8) || !terse_get_f64(l, at + 8, &percent))
        return false;
    if (strcmp(l->field[at], "slaves") == 0)
        return true; /* averages over the disks that follow */
    cell->disk = xrealloc(cell->disk, cell->n_disks + 1, sizeof *cell->disk);
    struct disk_stat *d = &cell->disk[cell->n_disks++];
    *d = (struct disk_stat){.name = xstrdup(l->field[at])};
    for (size_t i = 0; i < 7; i++) {
        if (v[i] <= UINT64_MAX / column[i].unit)
            field_set_u64(&disk_stat_fields, d, column[i].field, v[i] * column[i].unit);
    }
    SET(d, DISK_STAT, util, percent / 100);
    return true;
}

static void read_tail(const struct terse_line *l, size_t at, struct cell *cell)
{
    read_buckets(l, at + 12, cell);
    at += TERSE_TAIL_FIELDS;
    while (at + DISK_FIELDS <= l->n && read_disk(l, at, cell))
        at += DISK_FIELDS;
}

static void read_settings(struct reading *r, const struct terse_line *l, struct cell *cell)
{
    uint64_t group = 0;
    terse_get_u64(l, l->head - 2, &group);
    const struct fio_text_setup *found = NULL;
    size_t in_group = 0;
    for (size_t i = 0; i < r->n_setups; i++) {
        in_group += r->setup[i].group == group;
        if (r->setup[i].group == group && strcmp(r->setup[i].name, cell->name) == 0)
            found = &r->setup[i];
    }
    if (found && in_group == 1) {
        fio_text_setup_apply(found, cell);
        return;
    }
    if (in_group > 1)
        cell_add_caveat(cell, "several-sections");
    else
        fio_infer_names(cell, source_name(r->src));
    fio_key_by_name(cell);
}

static void read_status(const struct terse_line *l, struct cell *cell)
{
    bool any = false;
    for (int i = DIR_READ; i <= DIR_MIXED; i++)
        any = any || cell->dir[i].known;
    uint64_t code = 0;
    terse_get_u64(l, l->head - 1, &code);
    SET(cell, CELL, status, STATUS_COMPLETE);
    if (code > 0 && code <= INT32_MAX) {
        SET(cell, CELL, error_code, (int64_t)code);
        SET(cell, CELL, status, any ? STATUS_PARTIAL : STATUS_FAILED);
        cell->error = xasprintf("fio reports error %llu", (unsigned long long)code);
    } else if (!any) {
        SET(cell, CELL, status, STATUS_FAILED);
        cell->error = xstrdup(l->directions < 3 && l->directions > 1
                                  ? "no reads or writes were done, and trims are not in these lines"
                                  : "no I/O was done");
    }
}

static void read_line(struct reading *r, const struct terse_line *l, struct cell *cell)
{
    cell->name = xstrdup(l->field[l->head - 3]);
    bool unified = l->directions == 1;
    for (size_t i = 0; i < l->directions; i++) {
        struct direction *d = &cell->dir[unified ? DIR_MIXED : (int)i];
        read_direction(l, l->head + i * l->width, d);
        if (IS_KNOWN(d, DIRECTION, runtime_ns) && d->runtime_ns > cell->runtime_ns)
            SET(cell, CELL, runtime_ns, d->runtime_ns);
    }
    read_tail(l, l->head + l->directions * l->width, cell);
    read_settings(r, l, cell);
    read_status(l, cell);
    cell_add_caveat(cell, "latency-in-whole-us");
}

static char *line_id(const struct terse_line *l)
{
    return xasprintf("%s %s", l->field[l->head - 2], l->field[l->head - 3]);
}

static bool follows_its_like(const struct reading *r, const struct terse_line *l)
{
    char *id = line_id(l);
    bool same = r->last_id && strcmp(r->last_id, id) == 0;
    free(id);
    return same;
}

/*
 * Lines of the same name and group are jobs that ran together or runs after each other: the line does
 * not tell, so nothing is added up. Those that follow each other are rather jobs, and get the doubt.
 */
static void set_place(struct reading *r, const struct terse_line *l, struct cell *cell)
{
    char *id = line_id(l);
    SET(cell, CELL, ordinal, r->cells++);
    SET(cell, CELL, repeat, repeats_next(&r->repeats, id));
    if (follows_its_like(r, l))
        cell_add_caveat(cell, "jobs-apart");
    free(r->last_id);
    r->last_id = id;
}

static int begin(struct reading *r, const struct terse_line *l, struct error *err)
{
    if (r->open)
        return 0;
    const char *version = l->version == 2 ? "fio" : l->field[1];
    run_from_source(r->run, r->src, "fio-terse", 1);
    field_set_text(&run_fields, r->run, RUN_tool, version);
    snprintf(r->outcome->version, sizeof r->outcome->version, "%s", version);
    int rc = r->sink->begin(r->sink->self, r->run, err);
    r->open = rc == 0;
    return rc;
}

/* The counters of the disks are those of the whole fio run: of several jobs none has them. */
static void drop_disks(struct cell *cell)
{
    for (size_t i = 0; i < cell->n_disks; i++)
        fields_release(&disk_stat_fields, &cell->disk[i]);
    free(cell->disk);
    cell->disk = NULL;
    cell->n_disks = 0;
}

static int flush(struct reading *r, bool last, struct error *err)
{
    if (!r->has_pending)
        return 0;
    r->has_pending = false;
    if (!last || r->cells > 1)
        drop_disks(&r->pending);
    if (r->pending.status != STATUS_COMPLETE)
        SET(r->run, RUN, status, STATUS_PARTIAL);
    int rc = r->sink->cell(r->sink->self, &r->pending, err);
    r->outcome->cells += rc == 0;
    cell_release(&r->pending);
    return rc;
}

static int take_job(struct reading *r, const struct terse_line *l, struct error *err)
{
    int rc = begin(r, l, err);
    if (r->has_pending && follows_its_like(r, l)) {
        cell_add_caveat(&r->pending, "jobs-apart");
        r->apart = true;
    }
    if (rc == 0)
        rc = flush(r, false, err);
    if (rc < 0)
        return rc;
    r->pending = (struct cell){0};
    r->has_pending = true;
    read_line(r, l, &r->pending);
    set_place(r, l, &r->pending);
    return 0;
}

/* In client mode the disks, in v2 the description, stand on a line of their own: ";vda;...". */
static void take_more(struct reading *r, const struct terse_line *l)
{
    size_t at = 1;
    while (r->has_pending && at + DISK_FIELDS <= l->n && read_disk(l, at, &r->pending))
        at += DISK_FIELDS;
}

static void skip_line(struct reading *r, size_t number)
{
    char place[64];
    snprintf(place, sizeof place, "line %zu", number);
    r->outcome->skipped++;
    if (r->sink->skip)
        r->sink->skip(r->sink->self, place, "a terse line that breaks off");
    if (r->fault.code == 0)
        error_set(&r->fault, ERR_INPUT, "%s: line %zu: a terse line that breaks off", r->src->path,
                  number);
}

/* True when a line starts as terse output does; the numbers keep lists of something else out. */
static bool starts_terse(const char *p, size_t n)
{
    char head[160];
    size_t len = n < sizeof head - 1 ? n : sizeof head - 1;
    memcpy(head, p, len);
    head[len] = '\0';
    if (len < 4 || head[1] != ';')
        return false;
    if (head[0] >= '3' && head[0] <= '5')
        return strncmp(head + 2, "fio-", 4) == 0;
    const char *group = head[0] == '2' ? strchr(head + 2, ';') : NULL;
    size_t digits = group ? strspn(group + 1, "0123456789") : 0;
    return digits > 0 && group[1 + digits] == ';';
}

static int take_line(struct reading *r, const char *p, size_t n, size_t number, struct error *err)
{
    struct fio_text_setup setup;
    if (!starts_terse(p, n) && (n == 0 || *p != ';')) {
        char *text = xstrndup(p, n < 4096 ? n : 4096);
        if (fio_text_read_setup(text, &setup)) {
            GROW(r->setup, r->n_setups + 1, r->room_setups);
            r->setup[r->n_setups++] = setup;
            fio_text_find_odd(text, number, &r->odd);
        }
        free(text);
        return 0;
    }
    struct terse_line l = {.number = number, .odd = &r->odd};
    char *text = xstrndup(p, n);
    terse_cut(&l, text);
    int rc = 0;
    if (*p == ';')
        take_more(r, &l);
    else if (terse_find_layout(&l))
        rc = take_job(r, &l, err);
    else
        skip_line(r, number);
    free(text);
    return rc;
}

static int read_lines(struct reading *r, const struct text_input *in, struct error *err)
{
    int rc = 0;
    size_t number = 1;
    for (size_t at = 0; at < in->n && rc == 0; number++) {
        const char *p = in->text + at, *end = memchr(p, '\n', in->n - at);
        size_t n = end ? (size_t)(end - p) : in->n - at;
        at += n + 1;
        if (n > 0 && p[n - 1] == '\r')
            n--;
        rc = take_line(r, p, n, number, err);
    }
    return rc == 0 ? flush(r, true, err) : rc;
}

static void release(struct reading *r)
{
    for (size_t i = 0; i < r->n_setups; i++)
        fio_text_setup_release(&r->setup[i]);
    free(r->setup);
    repeats_release(&r->repeats);
    free(r->last_id);
    cell_release(&r->pending);
    run_destroy(r->run);
}

static void write_note(const struct reading *r)
{
    struct strbuf note = STRBUF_INIT;
    strbuf_adds(&note, "options and counts of I/Os are not in it");
    if (r->apart)
        strbuf_adds(&note,
                    "; lines of one name are not added up: they may be jobs that ran together");
    fio_text_say_odd(&r->odd, &note);
    snprintf(r->outcome->note, sizeof r->outcome->note, "%s", note.text);
    strbuf_release(&note);
}

static int fio_terse_read(const struct import_source *src, struct sink *sink,
                          struct import_outcome *outcome, struct error *err)
{
    struct reading r = {.src = src, .sink = sink, .outcome = outcome, .run = run_create()};
    *outcome = (struct import_outcome){.format = importer_fio_terse.name};
    struct text_input in;
    text_input_init(&in, src->bytes, src->n);
    int rc = read_lines(&r, &in, err);
    if (r.open) {
        if (rc < 0)
            SET(r.run, RUN, status, STATUS_FAILED);
        else if (r.fault.code)
            SET(r.run, RUN, status, STATUS_PARTIAL);
        int end = sink->end(sink->self, r.run, rc < 0 ? NULL : err);
        outcome->runs = rc == 0 && end == 0;
        rc = rc < 0 ? rc : end;
    }
    if (rc == 0 && r.fault.code)
        rc = error_set(err, ERR_INPUT, "%s", r.fault.message);
    else if (rc == 0 && outcome->runs == 0)
        rc = error_set(err, ERR_INPUT, "%s: no line of fio's terse output in it", src->path);
    write_note(&r);
    release(&r);
    text_input_release(&in);
    return rc;
}

static int fio_terse_sniff(const char *bytes, size_t n)
{
    for (size_t at = 0, lines = 0; at < n && lines < 256; lines++) {
        const char *p = bytes + at, *end = memchr(p, '\n', n - at);
        size_t len = end ? (size_t)(end - p) : n - at;
        if (starts_terse(p, len))
            return p[0] == '2' ? 50 : 75;
        at += len + 1;
    }
    return 0;
}

const struct importer importer_fio_terse = {
    .name = "fio-terse",
    .summary = "fio's terse output (--minimal), versions 2 to 5",
    .sniff = fio_terse_sniff,
    .read = fio_terse_read,
};
