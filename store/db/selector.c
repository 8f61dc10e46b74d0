/*
 * Choosing runs. A text may be an id, a UUID prefix and a name at once; every reading is tried, and
 * more than one run among them is an error that lists them all.
 */
#include <inttypes.h>

#include "core/base/xalloc.h"
#include "store/db/store_internal.h"

#define UUID_PREFIX_MIN 4
#define CANDIDATES_MAX  10

void run_ids_release(struct run_ids *ids)
{
    free(ids->id);
    *ids = (struct run_ids){0};
}

static int by_id(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Adds the ids that a started query gives, those not there yet. */
static int collect(struct store *s, sqlite3_stmt *stmt, struct run_ids *ids, struct error *err)
{
    int rc;
    while ((rc = query_step(s, stmt, err)) > 0) {
        int64_t id = sqlite3_column_int64(stmt, 0);
        ids->id = xrealloc(ids->id, ids->n + 1, sizeof *ids->id);
        ids->id[ids->n++] = id;
    }
    query_done(stmt);
    return rc;
}

/* Sorts, and keeps each id once. */
static void tidy(struct run_ids *ids)
{
    if (ids->n == 0)
        return;
    qsort(ids->id, ids->n, sizeof *ids->id, by_id);
    size_t n = 1;
    for (size_t i = 1; i < ids->n; i++)
        if (ids->id[i] != ids->id[n - 1])
            ids->id[n++] = ids->id[i];
    ids->n = n;
}

static int collect_by_text(struct store *s, enum query q, const char *text, struct run_ids *ids,
                           struct error *err)
{
    sqlite3_stmt *stmt = query_start(s, q, err);
    if (!stmt)
        return -ERR_STORE;
    bind_text(stmt, 1, text);
    return collect(s, stmt, ids, err);
}

static int collect_by_number(struct store *s, enum query q, int64_t number, struct run_ids *ids,
                             struct error *err)
{
    sqlite3_stmt *stmt = query_start(s, q, err);
    if (!stmt)
        return -ERR_STORE;
    sqlite3_bind_int64(stmt, 1, number);
    return collect(s, stmt, ids, err);
}

int store_all_runs(struct store *s, struct run_ids *out, struct error *err)
{
    struct run_ids ids = {0};
    sqlite3_stmt *stmt = query_start(s, Q_RUN_IDS, err);
    int rc = stmt ? collect(s, stmt, &ids, err) : -ERR_STORE;
    if (rc < 0)
        run_ids_release(&ids);
    else
        *out = ids;
    return rc;
}

/* A whole decimal number, as ids are. */
static bool is_id(const char *text, int64_t *id)
{
    if (!*text || strspn(text, "0123456789") != strlen(text) || strlen(text) > 18)
        return false;
    *id = strtoll(text, NULL, 10);
    return true;
}

/* The text as the beginning of a UUID: lower case, with its hyphens where a UUID has them. */
static bool is_uuid_prefix(const char *text, char prefix[UUID_TEXT_MAX])
{
    size_t n = 0;
    for (const char *p = text; *p; p++) {
        if (*p == '-')
            continue; /* they are set again below */
        if (n == 8 || n == 13 || n == 18 || n == 23)
            prefix[n++] = '-';
        if (!strchr("0123456789abcdefABCDEF", *p) || n + 1 >= UUID_TEXT_MAX)
            return false;
        prefix[n++] = (char)(*p | 0x20);
    }
    prefix[n] = '\0';
    return n >= UUID_PREFIX_MIN;
}

static int select_plain(struct store *s, const char *text, struct run_ids *ids, struct error *err)
{
    int64_t id;
    char prefix[UUID_TEXT_MAX];
    int rc = collect_by_text(s, Q_RUN_IDS_BY_NAME, text, ids, err);
    if (rc == 0 && is_id(text, &id))
        rc = collect_by_number(s, Q_RUN_IDS_BY_ID, id, ids, err);
    if (rc == 0 && is_uuid_prefix(text, prefix))
        rc = collect_by_text(s, Q_RUN_IDS_BY_UUID, prefix, ids, err);
    tidy(ids);
    return rc;
}

/* @latest, @-1 ... : by the order in which runs came into the store. */
static int select_recent(struct store *s, const char *text, struct run_ids *ids, struct error *err)
{
    int64_t back = 0;
    if (strcmp(text, "@latest") != 0 && (text[1] != '-' || !is_id(text + 2, &back)))
        return error_set(err, ERR_USAGE,
                         "\"%s\" names no run: after @ comes latest, or -1 for the one before, -2 "
                         "...",
                         text);
    return collect_by_number(s, Q_RUN_IDS_NEWEST, back, ids, err);
}

/*
 * The next key=value of a list; false at its end. A comma ends a value only where another key=
 * follows, so that values may hold commas. Moves *list on; both are the caller's to free.
 */
static bool next_label(const char **list, char **key, char **value)
{
    const char *equals = strchr(*list, '=');
    if (!equals)
        return false;
    const char *end = strchr(equals, ',');
    while (end) {
        const char *next_equals = strchr(end + 1, '='), *next_comma = strchr(end + 1, ',');
        if (next_equals && (!next_comma || next_equals < next_comma))
            break;
        end = next_comma;
    }
    size_t n = end ? (size_t)(end - equals - 1) : strlen(equals + 1);
    *key = xstrndup(*list, (size_t)(equals - *list));
    *value = xstrndup(equals + 1, n);
    *list = end ? end + 1 : equals + 1 + n;
    return true;
}

/* Keeps the ids that are in both (both sorted). */
static void intersect(struct run_ids *ids, const struct run_ids *other)
{
    size_t n = 0;
    for (size_t i = 0; i < ids->n; i++)
        if (other->n > 0 && bsearch(&ids->id[i], other->id, other->n, sizeof *other->id, by_id))
            ids->id[n++] = ids->id[i];
    ids->n = n;
}

static int select_label(struct store *s, const char *key, const char *value, struct run_ids *ids,
                        struct error *err)
{
    sqlite3_stmt *stmt = query_start(s, Q_RUN_IDS_BY_LABEL, err);
    if (!stmt)
        return -ERR_STORE;
    bind_text(stmt, 1, key);
    bind_text(stmt, 2, value);
    return collect(s, stmt, ids, err);
}

static int select_labels(struct store *s, const char *text, struct run_ids *ids, struct error *err)
{
    const char *list = text;
    char *key, *value;
    int rc = 0;
    for (bool first = true; rc == 0 && next_label(&list, &key, &value); first = false) {
        struct run_ids one = {0};
        rc = select_label(s, key, value, first ? ids : &one, err);
        if (!first)
            intersect(ids, &one);
        run_ids_release(&one);
        free(key);
        free(value);
    }
    return rc;
}

/* Appends up to ten values of a one-column query as a line of text; nothing when there are none. */
static void add_values(struct store *s, enum query q, const char *key, const char *head,
                       struct strbuf *out)
{
    sqlite3_stmt *stmt = query_start(s, q, NULL);
    if (!stmt)
        return;
    if (key)
        bind_text(stmt, 1, key);
    for (int i = 0; query_step(s, stmt, NULL) > 0; i++)
        strbuf_addf(out, "%s%s", i ? ", " : head, column_text(stmt, 0));
    query_done(stmt);
}

static int none_matches(struct store *s, const char *text, struct error *err)
{
    struct run_ids all = {0};
    int rc = store_all_runs(s, &all, err);
    size_t n = all.n;
    run_ids_release(&all);
    if (rc < 0)
        return rc;
    if (n == 0)
        return error_set(err, ERR_USAGE,
                         "there are no runs in the store %s yet\n`blkmatrix sweep` and `blkmatrix "
                         "import` bring some.",
                         s->path);
    rc = error_set(err, ERR_USAGE, "no run matches \"%s\" (%zu run%s in %s)", text, n,
                   n == 1 ? "" : "s", s->path);
    const char *list = text;
    char *key, *value;
    struct strbuf known = STRBUF_INIT;
    if (next_label(&list, &key, &value)) {
        struct strbuf head = STRBUF_INIT;
        strbuf_addf(&head, "Values of %s: ", key);
        add_values(s, Q_LABEL_VALUES, key, head.text, &known);
        if (known.len == 0)
            add_values(s, Q_LABEL_KEYS, NULL, "No run has that label; there are: ", &known);
        strbuf_release(&head);
        free(key);
        free(value);
    }
    if (known.len)
        error_hint(err, "%s", known.text);
    strbuf_release(&known);
    error_hint(err, "`blkmatrix list` shows the runs.");
    return rc;
}

static void add_candidate(struct store *s, int64_t id, struct error *err)
{
    sqlite3_stmt *stmt = query_start(s, Q_RUN_LINE, NULL);
    if (!stmt)
        return;
    sqlite3_bind_int64(stmt, 1, id);
    if (query_step(s, stmt, NULL) > 0) {
        const char *uuid = column_text(stmt, 1), *name = column_text(stmt, 2),
                   *started = column_text(stmt, 3);
        error_hint(err, "  %" PRId64 "  %.13s  %s  %s", id, uuid ? uuid : "–",
                   started ? started : "–", name ? name : "–");
    }
    query_done(stmt);
}

static int ambiguous(struct store *s, const char *text, const struct run_ids *ids,
                     struct error *err)
{
    int rc =
        error_set(err, ERR_USAGE, "\"%s\" names %zu runs; choose one by its id:", text, ids->n);
    for (size_t i = 0; i < ids->n && i < CANDIDATES_MAX; i++)
        add_candidate(s, ids->id[i], err);
    if (ids->n > CANDIDATES_MAX)
        error_hint(err, "  and %zu more", ids->n - CANDIDATES_MAX);
    return rc;
}

int store_select(struct store *s, const char *selector, struct run_ids *out, struct error *err)
{
    struct run_ids ids = {0};
    bool many = false;
    int rc = 0;
    if (selector[0] == '@') {
        rc = select_recent(s, selector, &ids, err);
    } else {
        rc = select_plain(s, selector, &ids, err);
        if (rc == 0 && ids.n == 0 && strchr(selector, '=')) {
            many = true;
            rc = select_labels(s, selector, &ids, err);
        }
    }
    if (rc == 0 && ids.n == 0)
        rc = none_matches(s, selector, err);
    if (rc == 0 && ids.n > 1 && !many)
        rc = ambiguous(s, selector, &ids, err);
    if (rc < 0)
        run_ids_release(&ids);
    else
        *out = ids;
    return rc;
}

int store_select_one(struct store *s, const char *selector, int64_t *id, struct error *err)
{
    struct run_ids ids = {0};
    int rc = store_select(s, selector, &ids, err);
    if (rc < 0)
        return rc;
    if (ids.n > 1)
        rc = ambiguous(s, selector, &ids, err);
    else if (ids.id)
        *id = ids.id[0];
    run_ids_release(&ids);
    return rc;
}
