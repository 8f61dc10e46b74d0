/*
 * Importer for fio's normal output, as it stands in logs, tickets and articles: whole outputs with their
 * job blocks, or only the "Run status" and latency lines of one. Figures are rounded by fio; counts
 * and times are not, and rates are made from those where both are there.
 */
#include <math.h>

#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/xalloc.h"
#include "store/import/fio_read_internal.h"
#include "store/import/fio_text_gaps.h"
#include "store/import/importer.h"
#include "store/import/repeats.h"
#include "store/import/run_source.h"
#include "store/import/text_input.h"

/* True when an exact figure is what fio rounded: to three digits, or down to a whole number. */
static bool rounds_to(double exact, double printed)
{
    return fabs(exact - printed) <= 0.006 * fabs(printed) ||
           (exact >= printed && exact < printed + 1);
}

/* I/Os are counted exactly; with one block size the bytes are too, where that fits what is printed. */
static void make_exact(struct fio_text_job *j, enum dir dir, uint64_t bs)
{
    struct direction *d = &j->cell.dir[dir];
    bool mixed = dir == DIR_MIXED;
    if (d->known == 0 || !j->has_issued)
        return;
    uint64_t ios = mixed ? j->issued[0] + j->issued[1] + j->issued[2] : j->issued[dir];
    double seconds = IS_KNOWN(d, DIRECTION, runtime_ns) ? (double)d->runtime_ns / 1e9 : 0;
    if (seconds > 0 && IS_KNOWN(d, DIRECTION, iops) && !rounds_to((double)ios / seconds, d->iops)) {
        /* far fewer: which of the two is wrong nobody knows, and figures.h tells */
        if ((double)ios / seconds < d->iops / 2)
            SET(d, DIRECTION, ios, ios);
        return; /* counted over another time, with a ramp for instance */
    }
    SET(d, DIRECTION, ios, ios);
    if (!mixed)
        SET(d, DIRECTION, short_ios, j->shorts[dir]);
    if (seconds > 0)
        SET(d, DIRECTION, iops, (double)ios / seconds);
    uint64_t bytes;
    if (bs == 0 || __builtin_mul_overflow(ios, bs, &bytes) || !IS_KNOWN(d, DIRECTION, bytes) ||
        !rounds_to((double)bytes, (double)d->bytes))
        return;
    SET(d, DIRECTION, bytes, bytes);
    if (seconds > 0)
        SET(d, DIRECTION, bw, (double)bytes / seconds);
}

/* Some versions round the rate wrongly (11.0MiB/s for 4096MiB in 341.7 s): bytes and time tell. */
static void correct_rate(struct direction *d)
{
    if (!IS_KNOWN(d, DIRECTION, bytes) || !IS_KNOWN(d, DIRECTION, runtime_ns) || d->runtime_ns == 0)
        return;
    double rate = (double)d->bytes * 1e9 / (double)d->runtime_ns;
    if (!IS_KNOWN(d, DIRECTION, bw) || fabs(rate - d->bw) > 0.02 * rate)
        SET(d, DIRECTION, bw, rate);
}

static void read_settings(const struct fio_text_run *r, const struct fio_text_job *j,
                          struct cell *cell, const char *path)
{
    bool several;
    const struct fio_text_setup *s = fio_text_setup_of(r, j, &several);
    if (several)
        cell_add_caveat(cell, "several-sections");
    else if (j->jobs > 0)
        SET(&cell->key, CELL_KEY, numjobs, j->jobs);
    if (s) {
        fio_text_setup_apply(s, cell);
        return;
    }
    if (!several)
        fio_infer_names(cell, path);
    fio_key_by_name(cell);
}

static void read_cpu(struct cell *cell, const struct fio_text_job *j)
{
    double ns = (double)cell->runtime_ns * (double)j->jobs;
    if (isnan(j->user) || isnan(j->system) || ns <= 0 || ns > 1e17 || j->user > 1000 ||
        j->system > 1000)
        return;
    SET(cell, CELL, user_ns, (uint64_t)(ns * j->user / 100));
    SET(cell, CELL, system_ns, (uint64_t)(ns * j->system / 100));
    cell_add_assumed(cell, "user_ns");
    cell_add_assumed(cell, "system_ns");
    if (j->jobs == 1 && !cell_has_caveat(cell, "several-sections"))
        SET(cell, CELL, cpu_util_max, (j->user + j->system) / 100);
}

static void read_runtime(struct cell *cell)
{
    for (int i = DIR_READ; i <= DIR_MIXED; i++) {
        const struct direction *d = &cell->dir[i];
        if (IS_KNOWN(d, DIRECTION, runtime_ns) && d->runtime_ns > cell->runtime_ns)
            SET(cell, CELL, runtime_ns, d->runtime_ns);
    }
}

static void read_status(struct cell *cell, const struct fio_text_job *j)
{
    bool any = false;
    for (int i = DIR_READ; i <= DIR_MIXED; i++)
        any = any || cell->dir[i].known;
    SET(cell, CELL, status, STATUS_COMPLETE);
    if (IS_KNOWN(cell, CELL, error_code)) {
        SET(cell, CELL, status, any ? STATUS_PARTIAL : STATUS_FAILED);
        if (!cell->error)
            cell->error = xasprintf("fio reports error %lld", (long long)cell->error_code);
    } else if (j->errors > 0) {
        SET(cell, CELL, status, STATUS_PARTIAL);
        cell->error = xasprintf("%llu I/O%s failed", (unsigned long long)j->errors,
                                j->errors == 1 ? "" : "s");
    } else if (!any && cell->n_buckets == 0) {
        SET(cell, CELL, status, STATUS_FAILED);
        cell->error = xstrdup(j->has_issued ? "no I/O was done" : "its figures are missing");
    }
}

/* The block size of one direction, 0 when it is not one number. */
static uint64_t block_size(const struct cell_key *key, enum dir dir)
{
    if (dir == DIR_WRITE && IS_KNOWN(key, CELL_KEY, bs_write))
        return key->bs_write;
    return IS_KNOWN(key, CELL_KEY, bs) ? key->bs : 0;
}

/* Turns a block into a cell; the block's cell is moved. */
static void finish_cell(const struct fio_text_run *r, struct fio_text_job *j, const char *path,
                        struct cell *cell)
{
    const char *lacks = fio_text_block_lacks(r, j);
    read_settings(r, j, &j->cell, path);
    for (int dir = DIR_READ; dir <= DIR_MIXED; dir++)
        make_exact(j, (enum dir)dir, block_size(&j->cell.key, (enum dir)dir));
    for (int dir = DIR_READ; dir <= DIR_MIXED; dir++)
        correct_rate(&j->cell.dir[dir]);
    *cell = j->cell;
    j->cell = (struct cell){0};
    read_runtime(cell);
    read_cpu(cell, j);
    read_status(cell, j);
    if (lacks && cell->status == STATUS_COMPLETE) {
        SET(cell, CELL, status, STATUS_PARTIAL);
        cell->error = xstrdup(lacks);
    }
    if (r->n_setups == 1 && fio_text_lacks_jobs(r))
        cell_add_caveat(cell, "jobs-missing");
    cell_add_caveat(cell, "rounded");
}

/* The same pattern, sizes, depth and engine; what else there is to a job the text does not say. */
static bool are_alike(const struct fio_text_setup *a, const struct fio_text_setup *b)
{
    return a && b && a->rw && b->rw && strcmp(a->rw, b->rw) == 0 && a->engine && b->engine &&
           strcmp(a->engine, b->engine) == 0 && a->iodepth == b->iodepth &&
           memcmp(a->bs, b->bs, sizeof a->bs) == 0 && a->bs_text && b->bs_text &&
           strcmp(a->bs_text, b->bs_text) == 0;
}

static double seconds_of(const struct cell *cell)
{
    uint64_t ns = 0;
    for (int dir = DIR_READ; dir <= DIR_MIXED; dir++)
        ns = cell->dir[dir].runtime_ns > ns ? cell->dir[dir].runtime_ns : ns;
    return (double)ns / (double)NS_PER_S;
}

/* Sections that ran for as long as each other, as far as it is stated: else their sum is no rate. */
static bool ran_alike(const struct cell *a, const struct cell *b)
{
    const double late = 0.1; /* as in fio_beside.c */
    double x = seconds_of(a), y = seconds_of(b);
    return x <= 0 || y <= 0 || fabs(x - y) <= late * fmax(x, y);
}

/* Which cell a block belongs to. */
struct place {
    const struct fio_text_setup *setup;
    size_t first;   /* the first block of the cell */
    bool other_job; /* than that first one: a section of its own */
};

/*
 * One load are the blocks of one job without group_reporting, and sections of the same group, which ran
 * at the same time, whose announcements are alike. Free with free().
 */
static struct place *find_places(const struct fio_text_run *r)
{
    struct place *place = xcalloc(r->n_jobs + 1, sizeof *place);
    for (size_t i = 0; i < r->n_jobs; i++) {
        const struct fio_text_job *a = &r->job[i];
        bool several;
        place[i] = (struct place){.setup = fio_text_setup_of(r, a, &several), .first = i};
        for (size_t k = 0; k < i && place[i].first == i; k++) {
            const struct fio_text_job *b = &r->job[k];
            if (place[k].first != k || a->group != b->group)
                continue;
            bool same_name = strcmp(a->cell.name, b->cell.name) == 0;
            bool clone = same_name && a->jobs == 1 && b->jobs == 1;
            if (!clone &&
                !(are_alike(place[i].setup, place[k].setup) && ran_alike(&a->cell, &b->cell)))
                continue;
            place[i].first = k;
            place[i].other_job = !same_name;
        }
    }
    return place;
}

static void mark_beside(const struct fio_text_run *r, const struct place *place, size_t first,
                        struct cell *cell)
{
    uint64_t group = r->job[first].group;
    bool beside = false;
    for (size_t i = 0; i < r->n_jobs; i++)
        beside = beside || (r->job[i].group == group && place[i].first != first);
    if (!beside)
        return;
    char extra[64];
    snprintf(extra, sizeof extra, "{\"group\":%llu}", (unsigned long long)group);
    field_set_text(&cell_fields, cell, CELL_extra, extra);
    cell_add_caveat(cell, "beside-others");
}

static void read_members(struct fio_text_run *r, const struct place *place, size_t first,
                         const char *path, struct cell *cell)
{
    struct fio_reader reader = {0};
    struct fio_bounds bounds = {0};
    uint64_t jobs = r->job[first].jobs;
    bool sections = false;
    finish_cell(r, &r->job[first], path, cell);
    for (size_t i = first + 1; i < r->n_jobs; i++) {
        struct cell member = {0};
        if (place[i].first != first)
            continue;
        finish_cell(r, &r->job[i], path, &member);
        fio_merge(&reader, cell, &member, &bounds);
        if (member.status != STATUS_COMPLETE)
            SET(cell, CELL, status, STATUS_PARTIAL);
        cell_release(&member);
        jobs += r->job[i].jobs < UINT32_MAX ? r->job[i].jobs : 0;
        sections = sections || place[i].other_job;
    }
    if (jobs > r->job[first].jobs)
        SET(&cell->key, CELL_KEY, numjobs, jobs);
    if (bounds.n > 0)
        cell_add_caveat(cell, "percentiles-not-merged");
    if (sections) /* each may have had a device of its own */
        cell_add_caveat(cell, "several-sections");
    mark_beside(r, place, first, cell);
    fio_bounds_release(&bounds);
}

/* Without job blocks the group's summary is all there is, and the latency table that stands alone. */
static void read_group(struct fio_text_run *r, size_t i, struct cell *cell)
{
    struct fio_text_job *g = &r->group[i];
    *cell = g->cell;
    g->cell = (struct cell){0};
    cell->name =
        r->label ? xstrdup(r->label) : xasprintf("group %llu", (unsigned long long)g->group);
    fio_key_by_name(cell);
    read_runtime(cell);
    read_status(cell, g);
    cell_add_caveat(cell, "rounded");
}

/* The counters of the disks are those of the whole run: a single cell gets them. */
static bool is_single(const struct fio_text_run *r, const struct place *place)
{
    for (size_t i = 0; i < r->n_jobs; i++) {
        if (place[i].first != 0)
            return false;
    }
    return r->n_jobs > 0 || r->n_groups <= 1;
}

static void take_loose(struct fio_text_run *r, struct cell *cell, bool single)
{
    if (cell->n_buckets == 0) {
        cell->bucket = r->loose.bucket;
        cell->n_buckets = r->loose.n_buckets;
        r->loose.bucket = NULL;
        r->loose.n_buckets = 0;
    }
    if (single) {
        cell->disk = r->loose.disk;
        cell->n_disks = r->loose.n_disks;
        r->loose.disk = NULL;
        r->loose.n_disks = 0;
    }
}

static int store_cell(struct sink *sink, struct import_outcome *outcome, struct run *run,
                      struct cell *cell, struct error *err)
{
    if (cell->status != STATUS_COMPLETE)
        SET(run, RUN, status, STATUS_PARTIAL);
    int rc = sink->cell(sink->self, cell, err);
    outcome->cells += rc == 0;
    cell_release(cell);
    return rc;
}

static int store_cells(const struct import_source *src, struct sink *sink,
                       struct import_outcome *outcome, struct fio_text_run *r, struct run *run,
                       struct error *err)
{
    struct place *place = find_places(r);
    bool single = is_single(r, place);
    size_t ordinal = 0;
    struct repeats repeats = {0};
    int rc = 0;
    for (size_t i = 0; i < r->n_jobs && rc == 0; i++) {
        struct cell cell = {0};
        if (place[i].first != i)
            continue;
        read_members(r, place, i, source_name(src), &cell);
        take_loose(r, &cell, single);
        repeats_place(&repeats, &cell, ordinal++);
        rc = store_cell(sink, outcome, run, &cell, err);
    }
    free(place);
    for (size_t i = 0; i < r->n_groups && r->n_jobs == 0 && rc == 0; i++) {
        struct cell cell = {0};
        read_group(r, i, &cell);
        take_loose(r, &cell, single);
        repeats_place(&repeats, &cell, ordinal++);
        rc = store_cell(sink, outcome, run, &cell, err);
    }
    if (r->n_jobs == 0 && r->n_groups == 0 && rc == 0) { /* a latency table alone */
        struct cell cell = {0};
        cell.name = xstrdup_null(r->label);
        take_loose(r, &cell, single);
        SET(&cell, CELL, status, STATUS_COMPLETE);
        cell_add_caveat(&cell, "rounded");
        fio_key_by_name(&cell);
        repeats_place(&repeats, &cell, ordinal);
        rc = store_cell(sink, outcome, run, &cell, err);
    }
    repeats_release(&repeats);
    return rc;
}

static void read_run(struct run *run, const struct import_source *src, const struct fio_text_run *r,
                     size_t number)
{
    run_from_source(run, src, "fio-text", number);
    field_set_text(&run_fields, run, RUN_tool, r->version ? r->version : "fio");
    if (r->label && r->n_jobs == 0)
        field_set_text(&run_fields, run, RUN_name, r->label);
    run_set_messages(run, r->message, r->n_messages, 0);
    if (r->n_jobs > 0 && r->job[0].time) { /* local time of a machine somewhere: no instant */
        struct strbuf extra = STRBUF_INIT;
        strbuf_adds(&extra, "{\"time\":");
        json_quote(&extra, r->job[0].time);
        strbuf_addc(&extra, '}');
        field_set_text(&run_fields, run, RUN_extra, extra.text);
        strbuf_release(&extra);
    }
}

/* What is told of gaps, and the first of them. */
struct gaps {
    const struct import_source *src;
    struct sink *sink;
    struct import_outcome *outcome;
    size_t n; /* of this run */
    struct error first;
};

static void note_gap(void *self, size_t line, const char *why)
{
    struct gaps *g = self;
    char place[64];
    snprintf(place, sizeof place, "line %zu", line);
    g->n++;
    g->outcome->skipped++;
    if (g->sink->skip)
        g->sink->skip(g->sink->self, place, why);
    if (g->first.code == 0)
        error_set(&g->first, ERR_INPUT, "%s: %s: %s", g->src->path, place, why);
}

static bool has_results(const struct fio_text_run *r)
{
    return r->n_jobs > 0 || r->n_groups > 0 || r->loose.n_buckets > 0;
}

static int store_run(struct gaps *gaps, struct fio_text_run *r, size_t number, struct error *err)
{
    const struct import_source *src = gaps->src;
    struct sink *sink = gaps->sink;
    struct import_outcome *outcome = gaps->outcome;
    gaps->n = 0;
    fio_text_gaps_find(r, note_gap, gaps);
    if (!has_results(r))
        return 0;
    struct run *run = run_create();
    read_run(run, src, r, number);
    if (outcome->version[0] == '\0' && r->version)
        snprintf(outcome->version, sizeof outcome->version, "%s", r->version);
    int rc = sink->begin(sink->self, run, err);
    if (rc == 0)
        rc = store_cells(src, sink, outcome, r, run, err);
    if (rc < 0)
        SET(run, RUN, status, STATUS_FAILED);
    else if (gaps->n > 0)
        SET(run, RUN, status, STATUS_PARTIAL);
    int end = sink->end(sink->self, run, rc < 0 ? NULL : err);
    outcome->runs += rc == 0 && end == 0;
    run_destroy(run);
    return rc < 0 ? rc : end;
}

static int fio_text_read(const struct import_source *src, struct sink *sink,
                         struct import_outcome *outcome, struct error *err)
{
    *outcome = (struct import_outcome){.format = importer_fio_text.name};
    struct text_input in;
    text_input_init(&in, src->bytes, src->n);
    struct fio_text_runs runs = {0};
    fio_text_runs_read(&runs, in.text, in.n);
    int rc = 0;
    struct gaps gaps = {.src = src, .sink = sink, .outcome = outcome};
    for (size_t i = 0; i < runs.n && rc == 0; i++)
        rc = store_run(&gaps, &runs.run[i], i + 1, err);
    if (rc == 0 && gaps.first.code != 0)
        rc = error_set(err, ERR_INPUT, "%s", gaps.first.message);
    else if (rc == 0 && outcome->runs == 0)
        rc = error_set(err, ERR_INPUT, "%s: no result in fio's normal output in it", src->path);
    struct strbuf note = STRBUF_INIT;
    strbuf_adds(&note, "rounded by fio: import its JSON if you have it");
    fio_text_say_odd(&runs.odd, &note);
    snprintf(outcome->note, sizeof outcome->note, "%s", note.text);
    strbuf_release(&note);
    fio_text_runs_release(&runs);
    text_input_release(&in);
    return rc;
}

static bool holds(const struct text_input *in, const char *words)
{
    return memmem(in->text, in->n, words, strlen(words)) != NULL;
}

static int fio_text_sniff(const char *bytes, size_t n)
{
    struct text_input in;
    text_input_init(&in, bytes, n);
    int score = 0;
    if (holds(&in, ": (groupid=") &&
        (holds(&in, "IOPS=") || holds(&in, "runt=") || holds(&in, "err=")))
        score = 70;
    else if (holds(&in, "Run status group "))
        score = 60;
    else if ((holds(&in, "lat (usec)") || holds(&in, "lat (msec)")) && holds(&in, "=") &&
             holds(&in, "%"))
        score = 30;
    text_input_release(&in);
    return score;
}

const struct importer importer_fio_text = {
    .name = "fio-text",
    .summary = "fio's normal output, whole or in parts, inside any other text",
    .sniff = fio_text_sniff,
    .read = fio_text_read,
};
