#include "core/base/decimal.h"
#include "core/base/json.h"
#include "core/base/xalloc.h"
#include "runner/host/cloud/cloud_internal.h"

#include <math.h>

const struct cloud_ops *const cloud_registry[] = {&cloud_aws, &cloud_azure, &cloud_gcp, NULL};

const struct cloud_ops *cloud_find(const struct dmi *dmi, struct strbuf *why)
{
    for (size_t i = 0; cloud_registry[i]; i++) {
        strbuf_reset(why);
        if (cloud_registry[i]->detect(dmi, why))
            return cloud_registry[i];
    }
    strbuf_reset(why);
    return NULL;
}

void http_answer_release(struct http_answer *a)
{
    free(a->body);
    free(a->header);
    *a = (struct http_answer){0};
}

/* ---- facts ---- */

void cloud_disk_init(struct cloud_disk *d)
{
    *d = (struct cloud_disk){.lun = -1, .iops = NAN, .mbps = NAN};
}

void cloud_disk_release(struct cloud_disk *d)
{
    free(d->id);
    free(d->type);
    free(d->cache);
    free(d->device);
    free(d->where);
    cloud_disk_init(d);
}

struct cloud_disk *cloud_facts_add(struct cloud_facts *f)
{
    GROW(f->disk, f->n_disks + 1, f->room);
    cloud_disk_init(&f->disk[f->n_disks]);
    return &f->disk[f->n_disks++];
}

void cloud_facts_release(struct cloud_facts *f)
{
    free(f->instance_type);
    free(f->region);
    free(f->image);
    for (size_t i = 0; i < f->n_disks; i++)
        cloud_disk_release(&f->disk[i]);
    free(f->disk);
    *f = (struct cloud_facts){0};
}

/* ---- answers ---- */

char *cloud_name(const char *text, size_t max)
{
    size_t n = text ? strlen(text) : 0;
    while (n > 0 && strchr(" \t\r\n", text[n - 1]))
        n--;
    if (n == 0 || n > max)
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (text[i] <= ' ' || text[i] > '~')
            return NULL;
    return xstrndup(text, n);
}

char *cloud_last_part(const char *text, size_t max)
{
    const char *slash = text ? strrchr(text, '/') : NULL;
    return cloud_name(slash ? slash + 1 : text, max);
}

char *cloud_member(const cJSON *object, const char *name)
{
    const cJSON *m = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsString(m) ? cloud_name(m->valuestring, 500) : NULL;
}

double cloud_number(const cJSON *object, const char *name)
{
    const cJSON *m = cJSON_GetObjectItemCaseSensitive(object, name);
    double v = NAN;
    if (cJSON_IsNumber(m)) {
        v = m->valuedouble;
    } else if (cJSON_IsString(m) && !decimal_parse(m->valuestring, &v)) {
        v = NAN;
    }
    return v >= 0 && v <= 1e15 ? v : NAN;
}

cJSON *cloud_json(const char *body)
{
    return json_is_valid(body) ? cJSON_Parse(body) : NULL;
}

int cloud_bad_status(const struct http_request *request, const struct http_answer *answer,
                     struct error *err)
{
    static const struct {
        int status;
        const char *meaning;
    } known[] = {
        {301, "a redirect, which is not followed"},
        {302, "a redirect, which is not followed"},
        {307, "a redirect, which is not followed"},
        {308, "a redirect, which is not followed"},
        {400, "it does not understand the question"},
        {401, "it wants a session token"},
        {403, "it is switched off for this VM"},
        {404, "it does not know this"},
        {410, "it does not know this any more"},
        {429, "asked too often"},
        {503, "too busy"},
    };
    const char *meaning = "it cannot answer now";
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].status == answer->status)
            meaning = known[i].meaning;
    return error_set(err, ERR_DEVICE, "the metadata service answers %s %s with HTTP status %d: %s",
                     request->method, request->path, answer->status, meaning);
}

int cloud_get(const struct transport *t, const char *path, const char *header, const char *wanted,
              char **body, struct error *err)
{
    const struct http_request request = {"GET", path, header, wanted};
    struct http_answer answer = {0};
    int rc = t->ask(t->self, &request, &answer, err);
    if (rc == 0 && answer.status != 200)
        rc = cloud_bad_status(&request, &answer, err);
    if (rc == 0 && wanted && !answer.header)
        rc = error_set(err, ERR_DEVICE,
                       "what answers at the metadata service's address is not it: no %s header",
                       wanted);
    if (rc == 0) {
        *body = answer.body;
        answer.body = NULL;
    }
    http_answer_release(&answer);
    return rc;
}

int cloud_get_name(const struct transport *t, const char *path, const char *header, char **out,
                   struct error *err)
{
    char *body = NULL;
    int rc = cloud_get(t, path, header, NULL, &body, err);
    if (rc < 0)
        return rc;
    char *name = cloud_name(body, 200);
    free(body);
    if (!name)
        return error_set(err, ERR_DEVICE, "the metadata service's answer to %s is not a name",
                         path);
    free(*out);
    *out = name;
    return 0;
}
