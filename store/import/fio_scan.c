#include "store/import/fio_scan.h"

#include "core/base/xalloc.h"

void fio_document_init(struct fio_document *doc, const char *text, size_t n)
{
    *doc = (struct fio_document){0};
    json_doc_init(&doc->json, text, n);
}

static void messages_clear(struct fio_messages *m)
{
    for (size_t i = 0; i < m->n; i++)
        free(m->line[i]);
    *m = (struct fio_messages){0};
}

void fio_document_release(struct fio_document *doc)
{
    json_doc_release(&doc->json);
    free(doc->entry);
    messages_clear(&doc->messages);
    *doc = (struct fio_document){0};
}

static void document_clear(struct fio_document *doc)
{
    json_doc_clear(&doc->json);
    messages_clear(&doc->messages);
    doc->root = 0;
    doc->n_entries = 0;
    doc->client = false;
    doc->broken = false;
    doc->results_whole = false;
    doc->torn = 0;
}

void fio_scan_init(struct fio_scan *s, const char *text, size_t n)
{
    *s = (struct fio_scan){.text = text, .n = n};
}

void fio_scan_release(struct fio_scan *s)
{
    free(s->inside);
    *s = (struct fio_scan){0};
}

static json_id results(const struct json_doc *d, json_id obj, bool *client)
{
    json_id jobs = json_find(d, obj, "jobs");
    *client = json_kind(d, jobs) != JSON_ARRAY;
    if (*client)
        jobs = json_find(d, obj, "client_stats");
    return json_kind(d, jobs) == JSON_ARRAY ? jobs : 0;
}

static bool is_entry(const struct json_doc *d, json_id obj)
{
    static const char *const direction[] = {"read", "write", "trim", "mixed"};
    if (json_kind(d, obj) != JSON_OBJECT || json_is_open(d, obj) || !json_find(d, obj, "jobname"))
        return false;
    for (size_t i = 0; i < sizeof direction / sizeof *direction; i++) {
        if (json_kind(d, json_find(d, obj, direction[i])) == JSON_OBJECT)
            return true;
    }
    return false;
}

static void add_entry(struct fio_document *doc, json_id entry)
{
    GROW(doc->entry, doc->n_entries + 1, doc->room);
    doc->entry[doc->n_entries++] = entry;
}

static bool is_sum(const struct json_doc *d, json_id entry)
{
    char *name = json_text(d, json_find(d, entry, "jobname"));
    bool is = name && strcmp(name, "All clients") == 0;
    free(name);
    return is;
}

/* Takes the object as the document's root when it is one. */
static bool take_root(struct fio_document *doc, json_id root)
{
    bool client;
    json_id jobs = results(&doc->json, root, &client);
    if (!jobs)
        return false;
    doc->root = root;
    doc->client = client;
    doc->results_whole = !json_is_open(&doc->json, jobs);
    for (json_id id = json_child(&doc->json, jobs); id; id = json_next(&doc->json, id)) {
        if (is_entry(&doc->json, id))
            add_entry(doc, id);
        if (json_is_open(&doc->json, id))
            doc->torn = id;
        if (client && is_sum(&doc->json, id))
            doc->results_whole = true;
    }
    return true;
}

/* Lists the documents among the nodes after the first: those inside other JSON. Backwards, so that
 * the first is the next to be taken. */
static void find_inside(struct fio_scan *s, const struct json_doc *d, json_id root)
{
    bool client;
    for (json_id id = (json_id)d->n_nodes - 1; id > root; id--) {
        if (d->node[id].kind == JSON_OBJECT && results(d, id, &client)) {
            GROW(s->inside, s->n_inside + 1, s->room);
            s->inside[s->n_inside++] = d->node[id].at;
        }
    }
}

static bool is_progress(const char *line, size_t n)
{
    return n > 6 && strncmp(line, "Jobs: ", 6) == 0;
}

/* JSON around the documents, or left of one that broke off, is no message. */
static bool is_json(const char *line, size_t n)
{
    size_t marks = 0;
    while (marks < n && memchr("[]{}(),;: \t", line[marks], 11))
        marks++;
    return marks == n || memchr("\"{}]", line[0], 4);
}

static void add_line(struct fio_messages *m, const char *line, size_t n)
{
    while (n > 0 && (line[0] == ' ' || line[0] == '\t')) {
        line++;
        n--;
    }
    while (n > 0 && (line[n - 1] == ' ' || line[n - 1] == '\t'))
        n--;
    if (is_progress(line, n) || is_json(line, n))
        return;
    if (m->n == FIO_MESSAGES_MAX) {
        m->left_out++;
        return;
    }
    m->line[m->n++] = xstrndup(line, n < FIO_MESSAGE_BYTES_MAX ? n : FIO_MESSAGE_BYTES_MAX);
}

/* Lines end with LF or CR: progress lines overwrite each other with CR. */
static void add_lines(struct fio_messages *m, const char *text, size_t n)
{
    size_t start = 0;
    for (size_t i = 0; i <= n; i++) {
        if (i == n || text[i] == '\n' || text[i] == '\r') {
            add_line(m, text + start, i - start);
            start = i + 1;
        }
    }
}

/* What json_parse said about the value at `at`. */
struct reading {
    size_t at, end;
    json_id root;
    bool whole;
    struct json_fault fault;
};

static struct reading read_value(struct fio_document *doc, size_t at)
{
    struct reading r = {.at = at};
    document_clear(doc);
    r.whole = json_parse(&doc->json, at, &r.root, &r.end, &r.fault);
    return r;
}

static bool take_document(struct fio_scan *s, struct fio_document *doc, const struct reading *r)
{
    if (!take_root(doc, r->root))
        return false;
    doc->at = r->at;
    doc->broken = !r->whole;
    if (doc->broken) {
        doc->fault = r->fault.at;
        doc->why = r->fault.why;
    }
    add_lines(&doc->messages, s->text + s->plain, r->at - s->plain);
    s->plain = r->end;
    return true;
}

/* An entry that stands alone after a document that broke off belongs to that one. */
static void adopt_entry(struct fio_document *before, size_t at)
{
    json_id root;
    size_t end;
    struct json_fault fault;
    if (json_parse(&before->json, at, &root, &end, &fault) && is_entry(&before->json, root))
        add_entry(before, root);
}

bool fio_scan_next(struct fio_scan *s, struct fio_document *doc, struct fio_document *before)
{
    for (;;) {
        while (s->n_inside > 0) {
            size_t at = s->inside[--s->n_inside];
            struct reading r = read_value(doc, at);
            /* one inside another document is part of that */
            if (at < s->plain || !take_document(s, doc, &r))
                continue;
            if (r.end > s->at)
                s->at = r.end; /* it was read deeper than from the outside */
            return true;
        }
        const char *brace = s->at < s->n ? memchr(s->text + s->at, '{', s->n - s->at) : NULL;
        if (!brace)
            break;
        struct reading r = read_value(doc, (size_t)(brace - s->text));
        s->at = r.end > r.at ? r.end : r.at + 1;
        if (take_document(s, doc, &r))
            return true;
        find_inside(s, &doc->json, r.root);
        if (r.whole && before && before->broken && is_entry(&doc->json, r.root))
            adopt_entry(before, r.at);
    }
    document_clear(doc);
    add_lines(&doc->messages, s->text + s->plain, s->n - s->plain);
    s->plain = s->n;
    return false;
}
