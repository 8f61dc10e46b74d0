/* Importer for the text output of diskspd: a run for each call, a cell for each timespan. */
#include <math.h>

#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "store/import/diskspd_text.h"
#include "store/import/importer.h"
#include "store/import/repeats.h"
#include "store/import/run_source.h"
#include "store/import/text_input.h"

struct reading {
    const struct import_source *src;
    struct sink *sink;
    struct import_outcome *outcome;
    struct error fault; /* the first result that breaks off */
};

/* Settings that all targets share; one that differs stays unknown. */
#define SAME(span, member)                                                                         \
    for (size_t i_ = 1; i_ < (span)->n_targets && same; i_++)                                      \
    same = (span)->target[i_].member == (span)->target[0].member

static void set_pattern(const struct spd_span *s, struct cell_key *key)
{
    const struct spd_target *t = s->target;
    bool same = true;
    SAME(s, random);
    SAME(s, write_pct);
    if (!same || t->random < 0 || t->write_pct < 0)
        return;
    if (t->write_pct == 0)
        SET(key, CELL_KEY, rw, t->random ? RW_RANDREAD : RW_READ);
    else if (t->write_pct == 100)
        SET(key, CELL_KEY, rw, t->random ? RW_RANDWRITE : RW_WRITE);
    else
        SET(key, CELL_KEY, rw, t->random ? RW_RANDRW : RW_RW);
    if (rw_is_mixed(key->rw))
        SET(key, CELL_KEY, rwmixread, (uint64_t)(100 - t->write_pct));
}

static void set_key(const struct spd_span *s, struct cell_key *key)
{
    if (s->n_targets == 0)
        return;
    const struct spd_target *t = s->target;
    set_pattern(s, key);
    bool same = true;
    SAME(s, bs);
    if (same && t->bs > 0)
        SET(key, CELL_KEY, bs, t->bs);
    same = true;
    SAME(s, iodepth);
    if (same && t->iodepth > 0)
        SET(key, CELL_KEY, iodepth, t->iodepth);
    same = true;
    SAME(s, threads);
    if (same && t->threads > 0)
        SET(key, CELL_KEY, numjobs, t->threads);
    same = true;
    SAME(s, direct);
    if (same && t->direct >= 0)
        SET(key, CELL_KEY, direct, t->direct == 1);
    same = true;
    SAME(s, completion_ports);
    if (same && t->completion_ports)
        field_set_text(&cell_key_fields, key, CELL_KEY_engine, "iocp");
}

static size_t find_device(const struct run *run, const char *path)
{
    size_t i = 0;
    while (i < run->n_devices && strcmp(run->device[i].path, path) != 0)
        i++;
    return i;
}

static void add_devices(const struct spd_run *from, struct run *run)
{
    for (size_t i = 0; i < from->n; i++) {
        for (size_t t = 0; t < from->span[i].n_targets; t++) {
            const char *path = from->span[i].target[t].path;
            if (find_device(run, path) == run->n_devices)
                field_set_text(&device_fields, run_add_device(run), DEVICE_path, path);
        }
    }
}

/* Rates are made from the counts and the time: the printed ones are rounded. */
static void set_rates(const struct spd_span *s, struct direction *d)
{
    double seconds = (double)s->runtime_ns / 1e9;
    struct lat *lat = &d->lat[LAT_LAT];
    if (IS_KNOWN(d, DIRECTION, ios) && (lat->known || lat->n_reported > 0))
        SET(lat, LAT_F, n, d->ios);
    if (seconds <= 0)
        return;
    SET(d, DIRECTION, runtime_ns, s->runtime_ns);
    if (IS_KNOWN(d, DIRECTION, ios))
        SET(d, DIRECTION, iops, (double)d->ios / seconds);
    if (IS_KNOWN(d, DIRECTION, bytes))
        SET(d, DIRECTION, bw, (double)d->bytes / seconds);
}

/* The direction of all I/Os together: that of the pattern where it has but one. */
static int dir_of_all(const struct spd_span *s)
{
    int write_pct = s->n_targets > 0 ? s->target[0].write_pct : -1;
    for (size_t i = 1; i < s->n_targets; i++) {
        if (s->target[i].write_pct != write_pct)
            return DIR_MIXED;
    }
    return write_pct == 0 ? DIR_READ : write_pct == 100 ? DIR_WRITE : DIR_MIXED;
}

static void take_direction(struct spd_span *s, int from, struct cell *cell, int to)
{
    struct direction *d = &s->dir[from];
    if (!IS_KNOWN(d, DIRECTION, ios) || d->ios == 0)
        return;
    cell->dir[to] = *d;
    *d = (struct direction){0};
    set_rates(s, &cell->dir[to]);
}

/* All I/Os together count only where reads and writes are not both stated. */
static bool set_directions(struct spd_span *s, struct cell *cell)
{
    bool known[DIR_COUNT];
    for (int dir = 0; dir < DIR_COUNT; dir++)
        known[dir] = IS_KNOWN(&s->dir[dir], DIRECTION, ios);
    if (known[DIR_MIXED] && !(known[DIR_READ] && known[DIR_WRITE])) {
        take_direction(s, DIR_MIXED, cell, dir_of_all(s));
        return true;
    }
    take_direction(s, DIR_READ, cell, DIR_READ);
    take_direction(s, DIR_WRITE, cell, DIR_WRITE);
    return known[DIR_READ] || known[DIR_WRITE];
}

static void note_fault(struct reading *r, const struct spd_span *s)
{
    char place[64];
    static const char why[] = "results without totals: it breaks off";
    snprintf(place, sizeof place, "line %zu", s->line);
    r->outcome->skipped++;
    if (r->sink->skip)
        r->sink->skip(r->sink->self, place, why);
    if (r->fault.code == 0)
        error_set(&r->fault, ERR_INPUT, "%s: %s: %s", r->src->path, place, why);
}

static bool read_cell(struct reading *r, struct spd_span *s, const struct run *run,
                      struct cell *cell)
{
    if (s->line == 0)
        return false;
    if (!set_directions(s, cell)) {
        note_fault(r, s);
        return false;
    }
    SET(cell, CELL, status, STATUS_COMPLETE);
    if (s->runtime_ns > 0)
        SET(cell, CELL, runtime_ns, s->runtime_ns);
    if (s->warmup_ns > 0)
        SET(cell, CELL, ramp_ns, s->warmup_ns);
    for (int dir = DIR_READ; dir <= DIR_MIXED; dir++) {
        if (cell->dir[dir].lat[LAT_LAT].known)
            cell_add_caveat(cell, "latency-in-whole-us");
    }
    set_key(s, &cell->key);
    for (size_t i = 0; i < s->n_targets; i++) {
        cell->device = xrealloc(cell->device, cell->n_devices + 1, sizeof *cell->device);
        cell->device[cell->n_devices++] = find_device(run, s->target[i].path);
    }
    if (cell->n_devices > 1)
        SET(cell, CELL, together, true);
    return true;
}

static int store_cells(struct reading *r, struct spd_run *from, struct run *run, struct error *err)
{
    struct repeats repeats = {0};
    uint64_t ordinal = 0;
    int rc = 0;
    for (size_t i = 0; i < from->n && rc == 0; i++) {
        struct cell cell = {0};
        if (read_cell(r, &from->span[i], run, &cell)) {
            repeats_place(&repeats, &cell, ordinal++);
            rc = r->sink->cell(r->sink->self, &cell, err);
            r->outcome->cells += rc == 0;
        }
        cell_release(&cell);
    }
    repeats_release(&repeats);
    return rc;
}

/* What breaks off before its first totals is no run. */
static bool has_totals(const struct spd_run *from)
{
    for (size_t i = 0; i < from->n; i++) {
        for (int dir = DIR_READ; dir <= DIR_MIXED; dir++) {
            if (IS_KNOWN(&from->span[i].dir[dir], DIRECTION, ios))
                return true;
        }
    }
    return false;
}

static int store_run(struct reading *r, struct spd_run *from, size_t number, struct error *err)
{
    if (!has_totals(from)) {
        for (size_t i = 0; i < from->n; i++) {
            if (from->span[i].line > 0)
                note_fault(r, &from->span[i]);
        }
        return 0;
    }
    struct run *run = run_create();
    run_from_source(run, r->src, importer_diskspd.name, number);
    field_set_text(&run_fields, run, RUN_tool, "diskspd");
    if (from->command)
        field_set_text(&run_fields, run, RUN_command, from->command);
    if (from->host)
        field_set_text(&host_fields, &run->host, HOST_hostname, from->host);
    if (from->started_ns > 0)
        SET(run, RUN, started_ns, from->started_ns);
    add_devices(from, run);
    int rc = r->sink->begin(r->sink->self, run, err);
    if (rc == 0)
        rc = store_cells(r, from, run, err);
    if (rc < 0)
        SET(run, RUN, status, STATUS_FAILED);
    else if (r->fault.code)
        SET(run, RUN, status, STATUS_PARTIAL);
    int end = r->sink->end(r->sink->self, run, rc < 0 ? NULL : err);
    r->outcome->runs += rc == 0 && end == 0;
    run_destroy(run);
    return rc < 0 ? rc : end;
}

static int diskspd_read(const struct import_source *src, struct sink *sink,
                        struct import_outcome *outcome, struct error *err)
{
    struct reading r = {.src = src, .sink = sink, .outcome = outcome};
    struct text_input in;
    struct spd_reader reader;
    struct spd_run run;
    int rc = 0;
    size_t number = 1;
    *outcome = (struct import_outcome){.format = importer_diskspd.name};
    text_input_init(&in, src->bytes, src->n);
    spd_reader_init(&reader, in.text, in.n);
    while (rc == 0 && spd_read(&reader, &run)) {
        rc = store_run(&r, &run, number++, err);
        spd_run_release(&run);
    }
    if (rc == 0 && r.fault.code)
        rc = error_set(err, ERR_INPUT, "%s", r.fault.message);
    else if (rc == 0 && outcome->cells == 0)
        rc = error_set(err, ERR_INPUT, "%s: no results of diskspd in it", src->path);
    spd_reader_release(&reader);
    text_input_release(&in);
    return rc;
}

static bool holds(const struct text_input *in, const char *words)
{
    return memmem(in->text, in->n, words, strlen(words)) != NULL;
}

static int diskspd_sniff(const char *bytes, size_t n)
{
    struct text_input in;
    text_input_init(&in, bytes, n);
    bool tables = holds(&in, "Total IO") && holds(&in, "|     I/Os     |");
    int score = holds(&in, "Results for timespan") ? 85 : tables ? 70 : 0;
    text_input_release(&in);
    return score;
}

const struct importer importer_diskspd = {
    .name = "diskspd",
    .summary = "text output of diskspd",
    .sniff = diskspd_sniff,
    .read = diskspd_read,
};
