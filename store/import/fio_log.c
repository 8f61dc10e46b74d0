/*
 * Importer for fio's logs (write_bw_log, write_iops_log, write_lat_log, write_hist_log). A log alone becomes a run with one
 * cell; those beside a result are joined to its cells (fio_log_join.h).
 */
#include "store/import/fio_log.h"

#include "core/base/xalloc.h"
#include "store/import/fio_log_cell.h"
#include "store/import/repeats.h"
#include "store/import/run_source.h"

/* Each is read on its own: of more, latencies are left out. */
enum { JOBS_APART_MAX = 64 };

static void add_note(struct import_outcome *outcome, const char *text)
{
    size_t n = strlen(outcome->note);
    if (*text)
        snprintf(outcome->note + n, sizeof outcome->note - n, "%s%s", n ? "; " : "", text);
}

/* The logs of one prefix: entries of a set, or a single one in memory. */
struct log_source {
    const struct import_source *src;
    char *prefix;
    struct fio_log_set *set; /* NULL: the bytes of src */
    struct fio_log_entry *const *entry;
    size_t n;
    struct fio_log_file file; /* in memory */
    char *problem;            /* the first bad line of it */
    size_t n_bad;
};

static bool load(void *self, const struct fio_log_file *file, const char **bytes, size_t *n)
{
    const struct log_source *s = self;
    (void)file;
    *bytes = s->src->bytes;
    *n = s->src->n;
    return true;
}

static void note_problem(void *self, const struct fio_log_file *file, size_t line, const char *why)
{
    struct log_source *s = self;
    (void)file;
    if (!s->problem)
        s->problem = xasprintf("line %zu: %s", line, why);
    s->n_bad++;
}

static void read_logs(struct log_source *s, size_t only, struct fio_logs *out)
{
    const struct fio_log_input in = {s, load, note_problem};
    free(s->problem);
    s->problem = NULL;
    s->n_bad = 0;
    if (s->set)
        fio_log_set_read(s->set, s->entry, s->n, only, FIO_LOG_UNIT_UNKNOWN, out);
    else
        fio_logs_read(out, &s->file, 1, only, FIO_LOG_UNIT_UNKNOWN, &in);
}

struct storing {
    struct log_source *from;
    struct sink *sink;
    struct import_outcome *outcome;
    struct run *run;
    struct repeats repeats;
    bool broken;
};

static int store_cell(struct storing *s, struct fio_logs *logs, size_t job, struct error *err)
{
    struct cell cell = {0};
    int rc = 0;
    if (fio_log_cell_read(logs, s->from->prefix, job, &cell)) {
        repeats_place(&s->repeats, &cell, s->outcome->cells);
        if (s->broken)
            SET(&cell, CELL, status, STATUS_PARTIAL);
        rc = s->sink->cell(s->sink->self, &cell, err);
        s->outcome->cells += rc == 0;
    }
    cell_release(&cell);
    return rc;
}

/* All jobs are one cell; where their latencies cannot be added up, each job is one. */
static int store_cells(struct storing *s, struct fio_logs *logs, struct error *err)
{
    if (!logs->unweighted || logs->jobs > JOBS_APART_MAX)
        return store_cell(s, logs, 0, err);
    int rc = 0;
    for (size_t job = 0; job < logs->jobs && rc == 0; job++) {
        struct fio_logs one;
        read_logs(s->from, job, &one);
        rc = store_cell(s, &one, job + 1, err);
        fio_logs_release(&one);
    }
    return rc;
}

static bool has_anything(const struct fio_logs *logs)
{
    bool any = logs->unweighted && logs->jobs <= JOBS_APART_MAX;
    for (unsigned dir = 0; dir < LOG_DIRECTIONS; dir++) {
        const struct fio_log_direction *d = &logs->dir[dir];
        any = any || (d->used && (logs->per_io || d->series.n > 0 || d->iops.n > 0 || d->bw.n > 0 ||
                                  d->hist[LAT_CLAT]));
    }
    return any;
}

static int store_run(struct storing *s, struct fio_logs *logs, struct error *err)
{
    const char *slash = strrchr(s->from->prefix, '/');
    s->run = run_create();
    run_from_source(s->run, s->from->src, importer_fio_log.name, 1);
    field_set_text(&run_fields, s->run, RUN_name, slash ? slash + 1 : s->from->prefix);
    if (s->broken)
        SET(s->run, RUN, status, STATUS_PARTIAL);
    int rc = s->sink->begin(s->sink->self, s->run, err);
    if (rc == 0)
        rc = store_cells(s, logs, err);
    if (rc < 0)
        SET(s->run, RUN, status, STATUS_FAILED);
    int end = s->sink->end(s->sink->self, s->run, rc < 0 ? NULL : err);
    rc = rc < 0 ? rc : end;
    s->outcome->runs = rc == 0;
    repeats_release(&s->repeats);
    run_destroy(s->run);
    return rc;
}

static void write_note(const struct fio_logs *logs, struct import_outcome *outcome)
{
    char text[80];
    add_note(outcome, "no result beside it");
    if (logs->series_lat >= 0 && !logs->unweighted) {
        snprintf(text, sizeof text, "latency over time: %s", lat_kind_names[logs->series_lat]);
        add_note(outcome, text);
    }
    if (logs->unweighted) {
        add_note(outcome, "each job a cell: no iops or bw logs to weigh their latencies with");
    } else if (logs->jobs > 1) {
        snprintf(text, sizeof text, "%zu jobs taken as running together", logs->jobs);
        add_note(outcome, text);
    }
    if (logs->assumed_ns)
        add_note(outcome, "latencies taken as ns (fio 3.18 or later)");
    add_note(outcome, logs->note.text);
}

/* The first bad line, and how many there are in all. */
static const char *find_problem(const struct log_source *s, const char **path, size_t *n_bad)
{
    const char *problem = s->problem;
    *path = s->src->path;
    *n_bad = s->n_bad;
    for (size_t i = 0; i < s->n; i++) {
        if (!problem && s->entry[i]->problem) {
            problem = s->entry[i]->problem;
            *path = s->entry[i]->path;
        }
        *n_bad += s->entry[i]->n_bad;
    }
    return problem;
}

static int store_logs(struct log_source *from, struct sink *sink, struct import_outcome *outcome,
                      struct error *err)
{
    struct fio_logs logs;
    const char *path;
    *outcome = (struct import_outcome){.format = importer_fio_log.name};
    read_logs(from, FIO_LOG_ALL_JOBS, &logs);
    const char *problem = find_problem(from, &path, &outcome->skipped);
    char *why = !problem               ? NULL
                : outcome->skipped > 1 ? xasprintf("%s: %s, and %zu more such lines", path, problem,
                                                   outcome->skipped - 1)
                                       : xasprintf("%s: %s", path, problem);
    struct storing s = {.from = from, .sink = sink, .outcome = outcome, .broken = why != NULL};
    write_note(&logs, outcome);
    int rc = has_anything(&logs) ? store_run(&s, &logs, err) : 0;
    if (rc == 0 && why)
        rc = error_set(err, ERR_INPUT, "%s", why);
    else if (rc == 0 && outcome->cells == 0)
        rc = error_set(err, ERR_INPUT, "%s: %s", from->src->path,
                       logs.note.len ? logs.note.text : "nothing was logged in it");
    free(why);
    fio_logs_release(&logs);
    return rc;
}

int fio_log_store(const struct import_source *src, struct fio_log_set *set,
                  struct fio_log_entry *const *entry, size_t n, struct sink *sink,
                  struct import_outcome *outcome, struct error *err)
{
    struct log_source from = {.src = src,
                              .set = set,
                              .entry = entry,
                              .n = n,
                              .prefix = xstrndup(entry[0]->plain, entry[0]->name.prefix_len)};
    int rc = store_logs(&from, sink, outcome, err);
    free(from.prefix);
    return rc;
}

static int fio_log_read(const struct import_source *src, struct sink *sink,
                        struct import_outcome *outcome, struct error *err)
{
    struct fio_log_name name;
    const char *path = source_name(src);
    *outcome = (struct import_outcome){.format = importer_fio_log.name};
    if (!fio_log_name_parse(&name, path)) {
        int rc =
            error_set(err, ERR_INPUT, "%s: only the name of a log says what is in it", src->path);
        error_hint(err, "fio names them NAME_bw.1.log, NAME_iops.1.log, NAME_clat.1.log ...");
        return rc;
    }
    struct log_source from = {.src = src,
                              .file = {path, name.kind, name.job, 0, NULL},
                              .prefix = xstrndup(path, name.prefix_len)};
    int rc = store_logs(&from, sink, outcome, err);
    free(from.prefix);
    free(from.problem);
    return rc;
}

static int fio_log_sniff(const char *bytes, size_t n)
{
    return fio_log_looks_like(bytes, n) ? 60 : 0;
}

const struct importer importer_fio_log = {
    .name = "fio-log",
    .summary = "fio's logs: NAME_bw.1.log, _iops, _lat, _clat, _slat, _clat_hist",
    .sniff = fio_log_sniff,
    .read = fio_log_read,
};
