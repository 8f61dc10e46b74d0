/*
 * The files of an import into the store. Small ones are read by threads ahead of the store, which belongs to this one;
 * large ones, and archives, are read one after the other, so that the memory is that of one of them.
 */
#include <sys/stat.h>

#include "cli/import_claim.h"
#include "cli/import_internal.h"
#include "cli/import_watch.h"
#include "core/base/sha256.h"
#include "core/base/xalloc.h"
#include "store/import/ahead.h"
#include "store/import/handover.h"
#include "store/import/packed.h"
#include "store/import/recording.h"
#include "store/import/run_source.h"

/* Threads beside this one; results that may wait, and the largest file read ahead. */
enum { THREADS_MAX = 3, SLOTS = 32, SMALL_BYTES = 128 << 10 };

/* Logs of an archive that are kept in memory for its results. */
#define LOGS_BYTES_MAX ((size_t)256 << 20)

struct import_row *import_row_add(struct import_session *s, const char *path)
{
    GROW(s->report.row, s->report.n + 1, s->report.room);
    struct import_row *row = &s->report.row[s->report.n++];
    *row =
        (struct import_row){.path = xstrdup(path), .skipped = STRBUF_INIT, .doubts = STRBUF_INIT};
    return row;
}

void import_row_fail(struct import_row *row, enum import_result result, const struct error *why)
{
    row->result = result;
    free(row->error);
    row->error = xstrdup(why->message);
}

/* A file, or one out of an archive; or the logs of one cell. */
struct content {
    struct packed_file file;
    const struct importer *importer; /* NULL: no format that is known */
    char sha256[SHA256_TEXT_MAX];
    char identity[SHA256_TEXT_MAX]; /* of a table with the map that reads it; "" of others */
    bool unlabelled;
    struct fio_log_set *logs;         /* NULL: none may belong to it */
    struct fio_log_entry *const *log; /* NULL: the bytes of the file count */
    size_t n_logs;
};

/* What a table is also depends on its map: with another one it is another result. */
static void add_identity(struct content *c, const struct import_bytes *map)
{
    struct strbuf both = STRBUF_INIT;
    strbuf_addf(&both, "%s ", c->sha256);
    strbuf_add(&both, map->bytes, map->n);
    sha256_hex(c->identity, both.text, both.len);
    strbuf_release(&both);
}

/* With a map, a file that the user names and nobody knows is a table. The hash is NULL where nobody made it yet. */
static void look_at(struct content *c, const struct import_session *s,
                    const struct packed_file *file, const char *sha256, bool named)
{
    *c = (struct content){.file = *file};
    c->importer = s->as ? s->as : importer_for(file->bytes, file->n);
    if (!c->importer && s->map.bytes && named)
        c->importer = &importer_csv;
    if (!c->importer)
        return;
    if (sha256)
        snprintf(c->sha256, sizeof c->sha256, "%s", sha256);
    else
        sha256_hex(c->sha256, file->bytes, file->n);
    if (s->map.bytes && importer_takes_map(c->importer))
        add_identity(c, &s->map);
}

/* The labels of the session, then those of the path. */
static int read_content(const struct import_session *s, struct content *c, struct sink *sink,
                        struct import_outcome *outcome, struct error *err)
{
    size_t n = s->n_labels, of_path = s->label_from ? path_pattern_count(s->label_from) : 0;
    struct label *label = xcalloc(n + of_path + 1, sizeof *label);
    for (size_t i = 0; i < n; i++)
        label[i] = s->label[i];
    c->unlabelled = s->label_from && !path_pattern_match(s->label_from, c->file.name, label + n);
    of_path = c->unlabelled ? 0 : of_path;
    const struct import_source src = {.path = c->file.path,
                                      .name = c->file.name,
                                      .bytes = c->file.bytes,
                                      .n = c->file.n,
                                      .sha256 = c->sha256,
                                      .identity = c->identity[0] ? c->identity : NULL,
                                      .label = label,
                                      .n_labels = n + of_path,
                                      .logs = c->logs,
                                      .map = s->map.bytes};
    int rc = c->log ? fio_log_store(&src, c->logs, c->log, c->n_logs, sink, outcome, err)
                    : c->importer->read(&src, sink, outcome, err);
    for (size_t i = n; i < n + of_path; i++) {
        free(label[i].key);
        free(label[i].value);
    }
    free(label);
    return rc;
}

static bool head_has(const struct packed_file *file, size_t most, const char *text)
{
    return memmem(file->bytes, file->n < most ? file->n : most, text, strlen(text)) != NULL;
}

/* What comes from this very program has its own way into a store. */
static const char *why_unknown(const struct packed_file *file)
{
    static const char store[] = "SQLite format 3";
    enum { HEAD = 512 };
    if (head_has(file, sizeof store, store))
        return "a database: the runs of another store are taken by `blkmatrix merge FILE`";
    if (head_has(file, HEAD, "\"run\":") && head_has(file, HEAD, "\"uuid\":"))
        return "JSON of blkmatrix, which is not read back: use `blkmatrix merge` with the store "
               "that it came "
               "from, or `blkmatrix export --format csv` there";
    return "no format that can be imported (see: blkmatrix import --as help)";
}

/* Files of folders that are no results are passed over; one that the user names must be one. */
static void set_unknown(struct import_row *row, const struct packed_file *file, bool named)
{
    row->result = named ? IMPORT_FAILED : IMPORT_SKIPPED;
    row->error = xstrdup(why_unknown(file));
}

/* The run that a content has become earlier; with a map, by the same map. 0: none. */
static int find_present(const struct import_session *s, const struct content *c, int64_t *id,
                        struct error *err)
{
    char uuid[UUID_TEXT_MAX];
    if (c->identity[0])
        return store_find_uuid(s->store, source_run_uuid(uuid, c->identity, 1), id, err);
    return store_find_source(s->store, c->sha256, id, err);
}

/* What would be said of a run stays unsaid where the run is in the store already. */
static void note_unchanged(const struct import_session *s, struct import_row *row)
{
    bool labels = s->n_labels > 0 || s->label_from, limits = limit_args_given(s->limits);
    if (!labels && !limits)
        return;
    snprintf(row->outcome.note, sizeof row->outcome.note,
             "it keeps its %s%s%s: change %s with %s%s%s", labels ? "labels" : "",
             labels && limits ? " and " : "", limits ? "limits" : "",
             labels && limits ? "them" : "these", labels ? "`blkmatrix label`" : "",
             labels && limits ? " and " : "", limits ? "`blkmatrix limits set`" : "");
}

/* With --as it may have been read as another format then. */
static int set_present(struct import_session *s, struct import_row *row, int64_t id,
                       struct error *err)
{
    struct run *run = NULL;
    row->result = IMPORT_PRESENT;
    row->first_run = row->last_run = id;
    note_unchanged(s, row);
    int rc = s->as ? store_load_run(s->store, id, &run, err) : 0;
    const struct importer *was =
        rc == 0 && run && run->source_format ? importer_find(run->source_format) : NULL;
    if (was)
        row->outcome.format = was->name;
    run_destroy(run);
    return rc;
}

/* Makes the row of a content. False when it is done with that: of no format, or in the store already. */
static int start_row(struct import_session *s, const struct content *c, bool named, bool *wanted,
                     struct error *err)
{
    struct import_row *row = import_row_add(s, c->file.path);
    *wanted = false;
    if (!c->importer) {
        set_unknown(row, &c->file, named);
        return 0;
    }
    row->outcome.format = c->importer->name;
    int64_t present = 0;
    int rc = s->store ? find_present(s, c, &present, err) : 0;
    *wanted = rc == 0 && !present;
    return rc == 0 && present ? set_present(s, row, present, err) : rc;
}

/* A result that is in the store already is only asked for the logs that are its own. */
static void claim_logs(struct import_session *s, struct content *c)
{
    struct import_claim claim = {.store = s->store};
    struct import_outcome outcome;
    struct sink sink = import_claim_sink(&claim);
    if (s->logs.n > 0 && c->importer == &importer_fio_json && s->store)
        read_content(s, c, &sink, &outcome, NULL);
    s->report.row[s->report.n - 1].lacks_logs = claim.lacks;
}

struct content_reading {
    const struct import_session *s;
    struct content *c;
    struct import_outcome outcome;
};

static int read_for(void *self, struct sink *sink, struct error *err)
{
    struct content_reading *r = self;
    return read_content(r->s, r->c, sink, &r->outcome, err);
}

/* A large one is read beside the store. */
static int store_content(struct import_session *s, struct content *c, struct import_row *row,
                         struct error *err)
{
    struct import_watch watch = import_watch_start(s, row, SINK_ATOMIC);
    struct sink sink = import_watch_sink(&watch);
    struct content_reading r = {.s = s, .c = c};
    bool beside = c->file.n > SMALL_BYTES && ahead_processors() > 1;
    int rc = beside ? handover_run(read_for, &r, &sink, err) : read_for(&r, &sink, err);
    row->outcome = r.outcome;
    row->unlabelled = c->unlabelled;
    return import_watch_finish(&watch, rc, err);
}

static int import_content(struct import_session *s, const struct packed_file *file,
                          const char *sha256, bool named, struct error *err)
{
    struct content c;
    bool wanted;
    look_at(&c, s, file, sha256, named);
    c.logs = &s->logs;
    int rc = start_row(s, &c, named, &wanted, err);
    if (rc == 0 && wanted)
        return store_content(s, &c, &s->report.row[s->report.n - 1], err);
    if (rc == 0 && c.importer)
        claim_logs(s, &c);
    return rc;
}

int import_log_entries(struct import_session *s, struct fio_log_entry *const *log, size_t n,
                       const char *sha256, struct import_row *row, struct error *err)
{
    struct content c = {.file = {.path = row->path, .name = log[0]->whole, .bytes = ""},
                        .importer = &importer_fio_log,
                        .logs = &s->logs,
                        .log = log,
                        .n_logs = n};
    snprintf(c.sha256, sizeof c.sha256, "%s", sha256);
    return store_content(s, &c, row, err);
}

int import_log_other(struct import_session *s, const struct fio_log_entry *e, struct error *err)
{
    const struct import_file on_disk = {e->path, e->named};
    const struct packed_file inside = {
        .path = e->path, .name = e->whole, .bytes = e->bytes, .n = e->n};
    return e->bytes ? import_content(s, &inside, NULL, e->named, err)
                    : import_one(s, &on_disk, err);
}

struct unpacking {
    struct import_session *s;
    const struct import_file *from;
};

/* As in a folder, results find the logs of their jobs. */
static bool unpacks_first(void *self, const char *member)
{
    const struct unpacking *u = self;
    return import_logs_named(u->s, member);
}

/* A log that came too late: results before it could not take it. */
static void note_unjoined(const struct import_session *s, const char *path)
{
    struct import_row *row = &s->report.row[s->report.n - 1];
    size_t n = strlen(row->outcome.note);
    if (import_logs_named(s, path) && row->outcome.format == importer_fio_log.name)
        snprintf(row->outcome.note + n, sizeof row->outcome.note - n,
                 "%sits archive has more than %zu MiB of logs: not joined", n ? "; " : "",
                 LOGS_BYTES_MAX >> 20);
}

static int unpacked_file(void *self, const struct packed_file *file, struct error *err)
{
    const struct unpacking *u = self;
    struct fio_log_set *logs = &u->s->logs;
    if (file->early && fio_log_set_add_bytes(logs, file->path, file->name, file->bytes, file->n))
        return 0;
    /* one that is only compressed is the file that was named, those of an archive are as in a folder */
    bool alone = strcmp(file->path, u->from->path) == 0;
    int rc = import_content(u->s, file, NULL, u->from->named && alone, err);
    if (rc == 0 && !alone)
        note_unjoined(u->s, file->path);
    return rc;
}

static void unpacking_failed(void *self, const char *path, const struct error *why)
{
    const struct unpacking *u = self;
    import_row_fail(import_row_add(u->s, path), IMPORT_FAILED, why);
}

static void unpacking_skipped(void *self, const char *path, const char *reason)
{
    const struct unpacking *u = self;
    struct import_row *row = import_row_add(u->s, path);
    row->result = IMPORT_SKIPPED;
    row->error = xstrdup(reason);
}

static int import_packed(struct import_session *s, const struct import_file *file,
                         const struct import_bytes *bytes, struct error *err)
{
    struct unpacking u = {s, file};
    const struct packed_visitor visitor = {.self = &u,
                                           .file = unpacked_file,
                                           .failed = unpacking_failed,
                                           .skipped = unpacking_skipped,
                                           .first = unpacks_first,
                                           .first_max = LOGS_BYTES_MAX};
    size_t before = s->report.n, logs = s->logs.n;
    int rc = packed_read(file->path, bytes->bytes, bytes->n, &visitor, err);
    if (rc == 0)
        rc = import_logs_rest(s, logs, err);
    fio_log_set_cut(&s->logs, logs);
    if (rc == 0 && s->report.n == before) {
        unpacking_skipped(&u, file->path, "an archive without files");
        s->report.row[before].result = file->named ? IMPORT_FAILED : IMPORT_SKIPPED;
    }
    return rc;
}

static int import_file(struct import_session *s, const struct import_file *file,
                       struct import_bytes *bytes, struct error *err)
{
    struct error own = ERROR_INIT;
    char sha256[SHA256_TEXT_MAX];
    if (import_bytes_hash(bytes, sha256, file->path, &own) < 0) {
        import_row_fail(import_row_add(s, file->path), IMPORT_FAILED, &own);
        return 0;
    }
    if (packed_is(bytes->bytes, bytes->n))
        return import_packed(s, file, bytes, err);
    const struct packed_file plain = {
        .path = file->path, .name = file->path, .bytes = bytes->bytes, .n = bytes->n};
    return import_content(s, &plain, sha256, file->named, err);
}

int import_one(struct import_session *s, const struct import_file *file, struct error *err)
{
    struct import_bytes bytes = {0};
    int rc = import_file(s, file, &bytes, err);
    import_bytes_release(&bytes);
    return rc;
}

/* A file that was read ahead: what the importer told, and answered. */
struct slot {
    bool here; /* it was not read: this is for the thread of the store */
    struct import_bytes bytes;
    struct content content;
    struct recording recording;
    struct import_outcome outcome;
    int rc;
    struct error err;
};

struct reading {
    struct import_session *s;
    const struct import_files *files;
    struct slot slot[SLOTS];
    struct import_bytes bytes; /* of files that are read here */
};

static bool is_small(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= SMALL_BYTES;
}

static void read_ahead(void *self, size_t i, size_t slot)
{
    struct reading *r = self;
    struct slot *p = &r->slot[slot];
    const char *path = r->files->file[i].path;
    p->here = !is_small(path) || import_bytes_read(&p->bytes, path, NULL) < 0 ||
              packed_is(p->bytes.bytes, p->bytes.n) ||
              import_logs_wanted(r->s, p->bytes.bytes, p->bytes.n);
    if (p->here)
        return;
    const struct packed_file file = {
        .path = path, .name = path, .bytes = p->bytes.bytes, .n = p->bytes.n};
    look_at(&p->content, r->s, &file, NULL, r->files->file[i].named);
    if (!p->content.importer)
        return;
    struct sink sink = recording_sink(&p->recording);
    error_clear(&p->err);
    p->rc = read_content(r->s, &p->content, &sink, &p->outcome, &p->err);
}

static int store_slot(struct reading *r, size_t i, struct error *err)
{
    struct import_session *s = r->s;
    struct slot *p = &r->slot[i % SLOTS];
    if (p->here)
        return import_file(s, &r->files->file[i], &r->bytes, err);
    bool wanted;
    int rc = start_row(s, &p->content, r->files->file[i].named, &wanted, err);
    if (rc < 0 || !wanted)
        return rc;
    struct import_row *row = &s->report.row[s->report.n - 1];
    row->outcome = p->outcome;
    row->unlabelled = p->content.unlabelled;
    /* nothing but the store can fail now, and then nothing of the import is kept */
    struct import_watch watch = import_watch_start(s, row, SINK_GROUPED);
    struct sink sink = import_watch_sink(&watch);
    rc = recording_play(&p->recording, &sink, err);
    if (rc == 0 && p->rc < 0)
        rc = error_set(err, -p->rc, "%s", p->err.message);
    return import_watch_finish(&watch, rc, err);
}

static int read_files(struct import_session *s, const struct import_files *files, struct error *err)
{
    struct reading *r = xcalloc(1, sizeof *r);
    r->s = s;
    r->files = files;
    size_t threads = ahead_processors() - 1;
    threads = threads < 1 ? 1 : threads > THREADS_MAX ? THREADS_MAX : threads;
    struct ahead *ahead = ahead_start(files->n, SLOTS, threads, read_ahead, r);
    int rc = 0;
    for (size_t i = 0; i < files->n && rc == 0; i++) {
        ahead_wait(ahead, i);
        rc = store_slot(r, i, err);
        recording_release(&r->slot[i % SLOTS].recording);
        ahead_done(ahead, i);
    }
    ahead_stop(ahead);
    for (size_t i = 0; i < SLOTS; i++) {
        recording_release(&r->slot[i].recording);
        import_bytes_release(&r->slot[i].bytes);
    }
    import_bytes_release(&r->bytes);
    free(r);
    return rc;
}

int import_all(struct import_session *s, const struct import_files *files, struct error *err)
{
    bool group = s->store && !s->report.dry_run;
    int rc = group ? store_group_begin(s->store, err) : 0;
    struct import_files results = {0}; /* the paths are those of files */
    results.file = xcalloc(files->n, sizeof *results.file);
    for (size_t i = 0; i < files->n; i++) {
        if (!import_logs_keep(s, &files->file[i]))
            results.file[results.n++] = files->file[i];
    }
    fio_log_set_find_twins(&s->logs);
    s->logs_given = s->logs.n > 0;
    if (!s->logs_given)
        import_logs_look(s, &results);
    if (rc == 0 && results.n > 0)
        rc = read_files(s, &results, err);
    free(results.file);
    if (rc == 0)
        rc = import_logs_rest(s, 0, err);
    if (group && rc == 0)
        rc = store_group_end(s->store, err);
    return rc; /* otherwise closing the store takes everything back */
}
