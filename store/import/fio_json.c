/*
 * Importer for fio's JSON and JSON+ of every version: each document becomes a run, each job (all its
 * clones and hosts together) a cell.
 */
#include "core/base/json.h"
#include "core/base/xalloc.h"
#include "store/import/fio_cell.h"
#include "store/import/fio_disk.h"
#include "store/import/fio_log_join.h"
#include "store/import/fio_run.h"
#include "store/import/fio_snapshot.h"
#include "store/import/importer.h"
#include "store/import/repeats.h"
#include "store/import/run_source.h"
#include "store/import/text_input.h"

struct reading {
    const struct import_source *src;
    struct sink *sink;
    struct import_outcome *outcome;
    struct text_input in;
    struct fio_document doc[2]; /* the one to be stored next, and the one after it */
    size_t number;              /* documents stored or passed over */
    size_t snapshots;           /* passed over: a later one of the same run follows */
    size_t empty;               /* documents without any job */
    struct strbuf assumed;      /* names of fields, "bs, direct" */
    struct strbuf logs;         /* what came of logs beside it */
    struct fio_bad_numbers bad; /* figures that cannot be */
    struct error fault;         /* the first thing that could not be read */
};

/* "line 12 (byte 3000)" of an offset in the text. */
static void add_place(struct strbuf *out, const struct reading *r, size_t at)
{
    strbuf_addf(out, "line %zu (byte %zu%s)", text_line(r->in.text, at), at + r->in.skipped,
                r->in.converted ? " of the text in UTF-8" : "");
}

static void skip(struct reading *r, size_t at, const char *reason)
{
    struct strbuf place = STRBUF_INIT;
    strbuf_addf(&place, "%s: ", r->src->path);
    add_place(&place, r, at);
    r->outcome->skipped++;
    if (r->sink->skip)
        r->sink->skip(r->sink->self, place.text, reason);
    strbuf_release(&place);
}

/* A document that breaks off is an error, told after all that is whole was stored. */
static void note_fault(struct reading *r, const struct fio_document *doc)
{
    struct strbuf place = STRBUF_INIT;
    add_place(&place, r, doc->fault);
    skip(r, doc->fault, doc->why);
    if (r->fault.code == 0)
        error_set(&r->fault, ERR_INPUT, "%s: %s: %s; %zu whole job result%s before it",
                  r->src->path, place.text, doc->why, doc->n_entries,
                  doc->n_entries == 1 ? "" : "s");
    strbuf_release(&place);
}

/* Adds the names of a JSON array of texts to the list, each once. */
static void collect_assumed(struct strbuf *list, const char *array)
{
    const char *p = array;
    while (p && (p = strchr(p, '"'))) {
        size_t n = strcspn(p + 1, "\"");
        char *name = xstrndup(p + 1, n);
        if (!strstr(list->text, name))
            strbuf_addf(list, "%s%s", list->len ? ", " : "", name);
        free(name);
        p += n + 2;
    }
}

static int store_cells(struct reading *r, const struct fio_document *doc, struct fio_groups *groups,
                       struct run *run, struct error *err)
{
    struct fio_cell_setting setting = {.doc = doc,
                                       .version = fio_version_parse(run->tool),
                                       .path = source_name(r->src),
                                       .interrupted = fio_messages_interrupted(&doc->messages),
                                       .bad = &r->bad};
    struct repeats repeats = {0};
    struct fio_log_join *logs = fio_log_join_create(r->src, doc, groups);
    int rc = 0;
    for (size_t i = 0; i < groups->n && rc == 0; i++) {
        struct cell cell = {0};
        fio_cell_read(&setting, &groups->group[i], &cell);
        fio_log_join_cell(logs, i, setting.version, &cell, &r->logs);
        if (groups->n == 1)
            fio_disk_read(&doc->json, doc->root, &cell);
        repeats_place(&repeats, &cell, i);
        collect_assumed(&r->assumed, cell.assumed);
        if (cell.status != STATUS_COMPLETE)
            SET(run, RUN, status, STATUS_PARTIAL);
        rc = r->sink->cell(r->sink->self, &cell, err);
        cell_release(&cell);
        r->outcome->cells += rc == 0;
    }
    fio_log_join_destroy(logs);
    repeats_release(&repeats);
    return rc;
}

static int store_groups(struct reading *r, const struct fio_document *doc,
                        struct fio_groups *groups, struct error *err)
{
    struct run *run = run_create();
    fio_run_read(run, r->src, doc, r->number, groups);
    if (r->outcome->version[0] == '\0')
        snprintf(r->outcome->version, sizeof r->outcome->version, "%s", run->tool);
    int rc = r->sink->begin(r->sink->self, run, err);
    if (rc == 0)
        rc = store_cells(r, doc, groups, run, err);
    if (rc < 0)
        SET(run, RUN, status, STATUS_FAILED);
    else if (doc->broken)
        SET(run, RUN, status, STATUS_PARTIAL);
    int end = r->sink->end(r->sink->self, run, rc < 0 ? NULL : err);
    r->outcome->runs += rc == 0 && end == 0;
    run_destroy(run);
    return rc < 0 ? rc : end;
}

static int store_document(struct reading *r, struct fio_document *doc, struct error *err)
{
    r->number++;
    if (doc->broken)
        note_fault(r, doc);
    struct fio_groups groups = {0};
    if (doc->n_entries > 0)
        fio_groups_make(&groups, doc);
    int rc = 0;
    if (groups.n > 0)
        rc = store_groups(r, doc, &groups, err);
    else if (!doc->broken)
        r->empty++;
    fio_groups_release(&groups);
    return rc;
}

/* With --output-format=json,normal fio's text follows and says the same again. */
static void add_trailing(struct fio_messages *to, struct fio_messages *from)
{
    for (size_t i = 0; i < from->n; i++) {
        if (strstr(from->line[i], ": (groupid=") || to->n == FIO_MESSAGES_MAX)
            break;
        to->line[to->n++] = from->line[i];
        from->line[i] = NULL;
    }
    to->left_out += from->left_out;
}

/* What was said before the first snapshot belongs to the run. */
static void keep_messages(struct fio_document *earlier, struct fio_document *later)
{
    struct fio_messages swap = earlier->messages;
    earlier->messages = later->messages;
    later->messages = swap;
    add_trailing(&later->messages, &earlier->messages);
}

/* Stores each document once the next one shows that it is not a mere snapshot of the same run. */
static int read_documents(struct reading *r, struct error *err)
{
    struct fio_scan scan;
    fio_scan_init(&scan, r->in.text, r->in.n);
    unsigned next = 0;
    bool waiting = false;
    int rc = 0;
    while (rc == 0 && fio_scan_next(&scan, &r->doc[next], waiting ? &r->doc[1 - next] : NULL)) {
        struct fio_document *before = &r->doc[1 - next];
        if (waiting && fio_snapshot_continues(before, &r->doc[next])) {
            r->number++;
            r->snapshots++;
            keep_messages(before, &r->doc[next]);
        } else if (waiting) {
            rc = store_document(r, before, err);
        }
        waiting = true;
        next = 1 - next;
    }
    if (rc == 0 && waiting) {
        add_trailing(&r->doc[1 - next].messages, &r->doc[next].messages);
        rc = store_document(r, &r->doc[1 - next], err);
    }
    fio_scan_release(&scan);
    return rc;
}

static void write_note(const struct reading *r)
{
    struct strbuf note = STRBUF_INIT;
    if (r->bad.n > 0) {
        strbuf_addf(&note, "%zu impossible number%s left unknown: %s at ", r->bad.n,
                    r->bad.n == 1 ? "" : "s", r->bad.first);
        add_place(&note, r, r->bad.at);
        strbuf_adds(&note, r->bad.n > 1 ? ", ..." : "");
    }
    if (r->assumed.len > 0)
        strbuf_addf(&note, "%sassumed %s", note.len ? "; " : "", r->assumed.text);
    if (r->logs.len > 0)
        strbuf_addf(&note, "%s%s", note.len ? "; " : "", r->logs.text);
    if (r->snapshots > 0)
        strbuf_addf(&note, "%s%zu snapshots of a running job passed over", note.len ? "; " : "",
                    r->snapshots);
    if (r->empty > 0)
        strbuf_addf(&note, "%s%zu documents without jobs", note.len ? "; " : "", r->empty);
    snprintf(r->outcome->note, sizeof r->outcome->note, "%s", note.text);
    strbuf_release(&note);
}

static int nothing_found(const struct reading *r, struct error *err)
{
    if (r->empty > 0)
        return error_set(err, ERR_INPUT, "%s: fio wrote no job results into it", r->src->path);
    /* no document was found, so all lines are in one of the two */
    const struct fio_messages *m = &r->doc[0].messages;
    int rc = error_set(err, ERR_INPUT, "%s: no JSON result of fio in it", r->src->path);
    if (m->n > 0)
        error_hint(err, "It begins with: %s", m->line[0]);
    return rc;
}

static int fio_json_read(const struct import_source *src, struct sink *sink,
                         struct import_outcome *outcome, struct error *err)
{
    struct reading r = {
        .src = src, .sink = sink, .outcome = outcome, .assumed = STRBUF_INIT, .logs = STRBUF_INIT};
    *outcome = (struct import_outcome){.format = importer_fio_json.name};
    text_input_init(&r.in, src->bytes, src->n);
    for (int i = 0; i < 2; i++)
        fio_document_init(&r.doc[i], r.in.text, r.in.n);
    int rc = read_documents(&r, err);
    if (rc == 0 && r.fault.code != 0)
        rc = error_set(err, ERR_INPUT, "%s", r.fault.message);
    else if (rc == 0 && outcome->runs == 0)
        rc = nothing_found(&r, err);
    write_note(&r);
    for (int i = 0; i < 2; i++)
        fio_document_release(&r.doc[i]);
    text_input_release(&r.in);
    strbuf_release(&r.assumed);
    strbuf_release(&r.logs);
    return rc;
}

static bool holds(const struct text_input *in, const char *words)
{
    return memmem(in->text, in->n, words, strlen(words)) != NULL;
}

/* The name itself; with doubled quotes it is in a table of ours, of a run that was made with fio. */
static bool has_version(const struct text_input *in)
{
    static const char name[] = "\"fio version\"";
    const char *at = in->text, *end = in->text + in->n;
    while ((at = memmem(at, (size_t)(end - at), name, sizeof name - 1)) != NULL) {
        if (at == in->text || at[-1] != '"')
            return true;
        at += sizeof name - 1;
    }
    return false;
}

static int fio_json_sniff(const char *bytes, size_t n)
{
    struct text_input in;
    text_input_init(&in, bytes, n);
    int score = 0;
    if (has_version(&in))
        score = 95;
    else if (holds(&in, "\"groupid\"") &&
             (holds(&in, "\"jobs\"") || holds(&in, "\"client_stats\"")))
        score = 80;
    text_input_release(&in);
    return score;
}

const struct importer importer_fio_json = {
    .name = "fio-json",
    .summary = "fio's JSON and JSON+ (--output-format=json, json+), also inside other text",
    .sniff = fio_json_sniff,
    .read = fio_json_read,
};
