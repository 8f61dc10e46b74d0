/* Questions to a metadata service and its answers: kept while real ones pass, and told again. */
#include "core/base/json.h"
#include "core/base/xalloc.h"
#include "runner/host/cloud/cloud_internal.h"

#define MAX_EXCHANGES 1000

struct entry {
    char *method, *path;
    char *error; /* no answer, and why; else NULL */
    int status;
    char *header, *body;
};

struct cloud_recording {
    struct transport real;
    struct entry *entry;
    size_t n, room;
};

struct cloud_recording *cloud_recording_create(const struct transport *real)
{
    struct cloud_recording *r = xcalloc(1, sizeof *r);
    if (real)
        r->real = *real;
    return r;
}

void cloud_recording_destroy(struct cloud_recording *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->n; i++) {
        free(r->entry[i].method);
        free(r->entry[i].path);
        free(r->entry[i].error);
        free(r->entry[i].header);
        free(r->entry[i].body);
    }
    free(r->entry);
    free(r);
}

/* The session token opens metadata for a minute; its place is kept, and it is not. */
static bool is_token(const struct http_request *request)
{
    return strcmp(request->path, "/latest/api/token") == 0;
}

static struct entry *add_entry(struct cloud_recording *r, const char *method, const char *path)
{
    GROW(r->entry, r->n + 1, r->room);
    struct entry *e = &r->entry[r->n++];
    *e = (struct entry){.method = xstrdup(method), .path = xstrdup(path)};
    return e;
}

static int ask_real(struct cloud_recording *r, const struct http_request *request,
                    struct http_answer *out, struct error *err)
{
    struct error own = ERROR_INIT;
    int rc = r->real.ask(r->real.self, request, out, &own);
    struct entry *e = add_entry(r, request->method, request->path);
    if (rc < 0) {
        e->error = xstrdup(own.message);
        return error_set(err, ERR_DEVICE, "%s", own.message);
    }
    e->status = out->status;
    e->header = xstrdup_null(out->header);
    e->body = xstrdup(is_token(request) && out->status == 200 ? "TOKEN" : out->body);
    return 0;
}

static int ask(void *self, const struct http_request *request, struct http_answer *out,
               struct error *err)
{
    struct cloud_recording *r = self;
    if (r->real.ask)
        return ask_real(r, request, out, err);
    for (size_t i = 0; i < r->n; i++) {
        const struct entry *e = &r->entry[i];
        if (strcmp(e->method, request->method) != 0 || strcmp(e->path, request->path) != 0)
            continue;
        if (e->error)
            return error_set(err, ERR_DEVICE, "%s", e->error);
        *out = (struct http_answer){e->status, xstrdup(e->body),
                                    request->wanted ? xstrdup_null(e->header) : NULL};
        return 0;
    }
    return error_set(err, ERR_DEVICE, "the recording has no answer to %s %s", request->method,
                     request->path);
}

struct transport cloud_recording_transport(struct cloud_recording *r)
{
    return (struct transport){r, ask};
}

char *cloud_recording_json(const struct cloud_recording *r)
{
    cJSON *list = json_add_array(NULL, NULL);
    for (size_t i = 0; i < r->n; i++) {
        const struct entry *e = &r->entry[i];
        cJSON *o = json_add_object(list, NULL);
        json_add_text(o, "method", e->method);
        json_add_text(o, "path", e->path);
        if (e->error) {
            json_add_text(o, "error", e->error);
            continue;
        }
        json_add_i64(o, "status", e->status);
        if (e->header)
            json_add_text(o, "header", e->header);
        json_add_text(o, "body", e->body);
    }
    char *text = json_print(list, true);
    cJSON_Delete(list);
    return text;
}

static const char *text_of(const cJSON *o, const char *name)
{
    const cJSON *m = cJSON_GetObjectItemCaseSensitive(o, name);
    return cJSON_IsString(m) ? m->valuestring : NULL;
}

static int read_entry(struct cloud_recording *r, const cJSON *o, const char *origin,
                      struct error *err)
{
    const char *method = text_of(o, "method"), *path = text_of(o, "path");
    const char *error = text_of(o, "error"), *body = text_of(o, "body");
    double status = cloud_number(o, "status");
    if (!method || !path || (!error && (!body || !(status >= 100 && status < 1000))))
        return error_set(err, ERR_INPUT,
                         "%s: entry %zu has not method, path, and status with body or error",
                         origin, r->n + 1);
    struct entry *e = add_entry(r, method, path);
    e->error = xstrdup_null(error);
    e->status = error ? 0 : (int)status;
    e->header = xstrdup_null(text_of(o, "header"));
    e->body = error ? NULL : xstrdup(body);
    return 0;
}

int cloud_recording_parse(struct cloud_recording **out, const char *text, const char *origin,
                          struct error *err)
{
    cJSON *list = cloud_json(text);
    if (!cJSON_IsArray(list)) {
        cJSON_Delete(list);
        return error_set(err, ERR_INPUT, "%s is not a recording: a JSON array of answers", origin);
    }
    struct cloud_recording *r = cloud_recording_create(NULL);
    int rc = 0;
    for (const cJSON *m = list->child; m && rc == 0; m = m->next) {
        rc = r->n < MAX_EXCHANGES
                 ? read_entry(r, m, origin, err)
                 : error_set(err, ERR_INPUT, "%s has more than %d entries", origin, MAX_EXCHANGES);
    }
    cJSON_Delete(list);
    if (rc == 0)
        *out = r;
    else
        cloud_recording_destroy(r);
    return rc;
}
