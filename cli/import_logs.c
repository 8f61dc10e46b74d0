/* Logs of fio in an import: after the results, which take those of their jobs. */
#include <inttypes.h>

#include "cli/import_internal.h"
#include "core/base/sha256.h"
#include "core/base/xalloc.h"

bool import_logs_named(const struct import_session *s, const char *name)
{
    struct fio_log_name parts;
    return (!s->as || s->as == &importer_fio_log) && fio_log_name_parse(&parts, name);
}

bool import_logs_keep(struct import_session *s, const struct import_file *file)
{
    if (s->as && s->as != &importer_fio_log)
        return false;
    struct fio_log_entry *e = fio_log_set_add(&s->logs, file->path);
    if (e)
        e->named = file->named;
    return e != NULL;
}

void import_logs_look(struct import_session *s, const struct import_files *results)
{
    struct fio_log_set near = {0};
    char *last = NULL;
    for (size_t i = 0; i < results->n && near.n == 0; i++) {
        const char *path = results->file[i].path, *slash = strrchr(path, '/');
        char *folder = xstrndup(path, slash ? (size_t)(slash - path) : 0);
        if (!last || strcmp(folder, last) != 0)
            fio_log_set_look(&near, slash == path ? "/" : folder);
        free(last);
        last = folder;
    }
    free(last);
    s->logs_near = near.n > 0;
    fio_log_set_release(&near);
}

bool import_logs_wanted(const struct import_session *s, const char *bytes, size_t n)
{
    static const char option[] = "_log\"";
    const char *end = bytes + n, *at = bytes;
    if (s->logs_given)
        return true;
    while ((at = memmem(at, (size_t)(end - at), option, sizeof option - 1))) {
        at += sizeof option - 1;
        size_t line = strcspn(at, "\n,}"); /* a value with a slash names a folder of its own */
        if (s->logs_near || memchr(at, '/', line))
            return true;
    }
    return false;
}

static const struct import_row *find_row(const struct import_session *s, const char *path)
{
    for (size_t i = 0; i < s->report.n; i++) {
        if (strcmp(s->report.row[i].path, path) == 0)
            return &s->report.row[i];
    }
    return NULL;
}

/* Runs do not change: only a new one has what came later. */
static void set_late(struct import_row *row, const struct import_row *owner)
{
    row->result = IMPORT_SKIPPED;
    row->first_run = row->last_run = owner->lacks_logs;
    row->error =
        xasprintf("not taken: %s is in the store without it; to join it, `blkmatrix delete %" PRId64
                  "` and import both again",
                  owner->path, owner->lacks_logs);
}

/* What became of a log that a result took. */
static void add_joined(struct import_session *s, const struct fio_log_entry *e)
{
    struct import_row *row = import_row_add(s, e->path);
    const struct import_row *owner = find_row(s, e->owner);
    row->outcome.format = importer_fio_log.name;
    row->outcome.skipped = e->n_bad;
    if (owner && owner->lacks_logs > 0) {
        set_late(row, owner);
        return;
    }
    snprintf(row->outcome.note, sizeof row->outcome.note, "joined to %s", e->owner);
    if (owner) {
        row->result = owner->result == IMPORT_PRESENT ? IMPORT_PRESENT : IMPORT_DONE;
        row->first_run = owner->first_run;
        row->last_run = owner->last_run;
    }
    if (e->problem) {
        struct error err = ERROR_INIT;
        error_set(&err, ERR_INPUT, "%s: %s", e->path, e->problem);
        import_row_fail(row, IMPORT_PARTLY, &err);
    }
}

/* One hash for the logs of a cell: of their kinds, jobs and contents. */
static bool hash_logs(struct fio_log_set *set, struct fio_log_entry *const *log, size_t n,
                      char hex[SHA256_TEXT_MAX], struct error *err)
{
    struct strbuf all = STRBUF_INIT;
    const char *bytes;
    size_t len;
    bool good = true;
    for (size_t i = 0; i < n && good; i++) {
        struct fio_log_entry *e = log[i];
        good = fio_log_set_bytes(set, e, &bytes, &len);
        if (good)
            strbuf_addf(&all, "%d %ju %s\n", (int)e->name.kind, (uintmax_t)e->name.job,
                        sha256_hex(hex, bytes, len));
        else
            error_set(err, ERR_INPUT, "%s", e->problem);
    }
    if (n > 1)
        sha256_hex(hex, all.text, all.len);
    strbuf_release(&all);
    return good;
}

/* "FOLDER/PREFIX_*.log" of several. */
static char *path_together(const struct fio_log_entry *e)
{
    size_t tail = strlen(e->plain) - e->name.prefix_len; /* the path may have ".gz" behind it */
    return xasprintf("%.*s_*.log", (int)(strlen(e->whole) - tail), e->path);
}

static int import_together(struct import_session *s, struct fio_log_entry *const *log, size_t n,
                           struct error *err)
{
    char *path = n == 1 ? xstrdup(log[0]->path) : path_together(log[0]);
    char sha256[SHA256_TEXT_MAX];
    struct import_row *row = import_row_add(s, path);
    struct error own = ERROR_INIT;
    int64_t present = 0;
    int rc = 0;
    free(path);
    row->outcome.format = importer_fio_log.name;
    if (!hash_logs(&s->logs, log, n, sha256, &own))
        import_row_fail(row, IMPORT_FAILED, &own);
    else if (s->store && (rc = store_find_source(s->store, sha256, &present, err)) == 0 && present)
        row->result = IMPORT_PRESENT;
    else if (rc == 0)
        rc = import_log_entries(s, log, n, sha256, row, err);
    if (present)
        row->first_run = row->last_run = present;
    return rc;
}

static bool same_prefix(const struct fio_log_entry *a, const struct fio_log_entry *b)
{
    return a->name.prefix_len == b->name.prefix_len &&
           memcmp(a->plain, b->plain, a->name.prefix_len) == 0;
}

/* By name: logs of one prefix follow each other. */
static int by_path(const void *a, const void *b)
{
    const struct fio_log_entry *const *x = a, *const *y = b;
    size_t n = (*x)->name.prefix_len, m = (*y)->name.prefix_len;
    int order = memcmp((*x)->plain, (*y)->plain, n < m ? n : m);
    order = order ? order : (n > m) - (n < m);
    return order ? order : strcmp((*x)->path, (*y)->path);
}

/* Named twice, or compressed and not: counted twice it would be twice the load. */
static void add_twin(struct import_session *s, const struct fio_log_entry *e)
{
    struct import_row *row = import_row_add(s, e->path);
    row->outcome.format = importer_fio_log.name;
    row->result = IMPORT_PRESENT;
    snprintf(row->outcome.note, sizeof row->outcome.note,
             "not taken beside %s, which is the log of that name",
             fio_log_set_first(&s->logs, e)->path);
}

static void set_empty(struct import_row *row)
{
    row->result = IMPORT_SKIPPED;
    row->error = xstrdup("empty: fio had nothing to log in it");
}

/*
 * What is named like a log, but is none, is looked at like any other file. It may be a result, that adds to the logs or
 * takes some of them.
 */
static int import_others(struct import_session *s, size_t from, struct error *err)
{
    int rc = 0;
    for (size_t i = from; i < s->logs.n && rc == 0; i++) {
        struct fio_log_entry *e = &s->logs.entry[i];
        if (!e->listed || e->twin || e->owner || fio_log_set_check(&s->logs, e))
            continue;
        if (!e->is_empty)
            rc = import_log_other(s, e, err);
        else
            set_empty(import_row_add(s, e->path));
    }
    return rc;
}

int import_logs_rest(struct import_session *s, size_t first, struct error *err)
{
    int rc = import_others(s, first, err);
    struct fio_log_entry **left = xcalloc(s->logs.n, sizeof(struct fio_log_entry *));
    size_t n = 0;
    for (size_t i = first; i < s->logs.n; i++) {
        struct fio_log_entry *e = &s->logs.entry[i];
        if (e->listed && e->twin)
            add_twin(s, e);
        else if (e->listed && e->owner)
            add_joined(s, e);
        else if (e->listed && e->is_log)
            left[n++] = e;
    }
    if (n > 1)
        qsort(left, n, sizeof *left, by_path);
    for (size_t from = 0, to; from < n && rc == 0; from = to) {
        to = from + 1;
        while (to < n && same_prefix(left[from], left[to]))
            to++;
        rc = import_together(s, left + from, to - from, err);
    }
    free(left);
    return rc;
}
