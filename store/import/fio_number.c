/* Figures of fio's JSON, and what is said about those that cannot be. */
#include <strings.h>

#include "store/import/fio_read_internal.h"

/* The value as it stands in the text, cut where it is long. */
static int value_length(const struct json_doc *d, size_t at)
{
    size_t n = strcspn(d->text + at, ",}] \t\r\n");
    return n > FIO_BAD_VALUE_MAX ? FIO_BAD_VALUE_MAX : (int)n;
}

/* null is how programs write that there is no value; nan and inf are results of a wrong division. */
static bool is_null(const struct json_doc *d, json_id id)
{
    return strncasecmp(d->text + d->node[id].at, "null", 4) == 0;
}

void fio_say_bad(struct fio_reader *r, json_id id)
{
    enum json_kind kind = json_kind(r->d, id);
    if (!r->bad || kind == JSON_NONE || (kind == JSON_NULL && is_null(r->d, id)))
        return;
    if (r->bad->n++ > 0)
        return;
    size_t at = r->d->node[id].at - (kind == JSON_STRING), n;
    const char *key = json_key(r->d, id, &n);
    snprintf(r->bad->first, sizeof r->bad->first, "%.*s = %.*s", (int)(n < 32 ? n : 32), key,
             value_length(r->d, at), r->d->text + at);
    r->bad->at = at;
}

bool fio_read_u64(struct fio_reader *r, json_id obj, const char *name, uint64_t *v)
{
    json_id id = json_find(r->d, obj, name);
    int64_t negative;
    bool whole = json_u64(r->d, id, v);
    if (whole && *v <= INT64_MAX)
        return true;
    r->doubts.overflow |= whole || json_i64(r->d, id, &negative);
    fio_say_bad(r, id);
    return false;
}

bool fio_read_f64(struct fio_reader *r, json_id obj, const char *name, double *v)
{
    json_id id = json_find(r->d, obj, name);
    if (json_f64(r->d, id, v) && *v >= 0)
        return true;
    fio_say_bad(r, id);
    return false;
}
