#include "store/import/fio_options.h"

#include "core/base/json.h"
#include "core/base/xalloc.h"

void fio_options_release(struct fio_options *o)
{
    for (size_t i = 0; i < o->n; i++) {
        free(o->option[i].name);
        free(o->option[i].value);
    }
    free(o->option);
    *o = (struct fio_options){0};
}

static struct fio_option *find(const struct fio_options *o, const char *name)
{
    for (size_t i = 0; i < o->n; i++) {
        const char *have = o->option[i].name;
        if (have[0] == name[0] && strcmp(have, name) == 0) /* asked a hundred times a job */
            return &o->option[i];
    }
    return NULL;
}

const char *fio_option(const struct fio_options *o, const char *name)
{
    const struct fio_option *opt = find(o, name);
    return opt ? opt->value : NULL;
}

json_id fio_option_at(const struct fio_options *o, const char *name)
{
    const struct fio_option *opt = find(o, name);
    return opt ? opt->at : 0;
}

bool fio_option_is_set(const struct fio_options *o, const char *name)
{
    const char *value = fio_option(o, name);
    return value && strcmp(value, "0") != 0;
}

/* True when `item` is one of the names in a list joined by ':'. */
static bool in_list(const char *list, const char *item)
{
    size_t len = strlen(item);
    for (const char *p = strstr(list, item); p; p = *p ? strstr(p + 1, item) : NULL) {
        if ((p == list || p[-1] == ':') && (p[len] == '\0' || p[len] == ':'))
            return true;
    }
    return false;
}

/* fio adds file names up, across sections too; of any other option the last one counts. */
static void put(struct fio_options *o, char *name, char *value, bool global, json_id at)
{
    struct fio_option *old = find(o, name);
    if (!old) {
        GROW(o->option, o->n + 1, o->room);
        o->option[o->n++] = (struct fio_option){name, value, global, at};
        return;
    }
    if (strcmp(name, "filename") == 0) {
        if (!in_list(old->value, value)) {
            char *both = xasprintf("%s:%s", old->value, value);
            free(old->value);
            old->value = both;
        }
        free(value);
    } else {
        o->differ |= global && old->global && strcmp(old->value, value) != 0;
        free(old->value);
        old->value = value;
    }
    old->global = global;
    old->at = at;
    free(name);
}

void fio_options_add(struct fio_options *o, const char *name, const char *value, bool global)
{
    o->stated = true;
    put(o, xstrdup(name), xstrdup(value), global, 0);
}

static void read_object(struct fio_options *o, const struct json_doc *d, json_id obj, bool global)
{
    if (json_kind(d, obj) != JSON_OBJECT)
        return;
    o->stated = true;
    for (json_id id = json_child(d, obj); id; id = json_next(d, id)) {
        char *value = json_text(d, id);
        if (value)
            put(o, json_key_text(d, id), value, global, id);
    }
}

static bool same_member(const struct json_doc *d, json_id a, json_id b, const char *name)
{
    json_id in_a = json_find(d, a, name);
    json_id in_b = json_find(d, b, name);
    return in_a && in_b && json_equal(d, in_a, in_b);
}

static json_id globals_of(const struct json_doc *d, json_id root, json_id entry)
{
    json_id global = json_find(d, root, "global options");
    if (json_kind(d, global) != JSON_ARRAY)
        return global;
    for (json_id id = json_child(d, global); id; id = json_next(d, id)) {
        if (same_member(d, id, entry, "hostname") && same_member(d, id, entry, "port"))
            return id;
    }
    return json_child(d, global);
}

void fio_options_read(struct fio_options *o, const struct json_doc *d, json_id root, json_id entry)
{
    read_object(o, d, globals_of(d, root, entry), true);
    read_object(o, d, json_find(d, entry, "job options"), false);
}

void fio_options_keep_global(struct fio_options *o)
{
    size_t kept = 0;
    for (size_t i = 0; i < o->n; i++) {
        if (o->option[i].global) {
            o->option[kept++] = o->option[i];
        } else {
            free(o->option[i].name);
            free(o->option[i].value);
        }
    }
    o->n = kept;
}

unsigned fio_options_kb_base(const struct fio_options *o)
{
    const char *base = fio_option(o, "kb_base");
    return base && strcmp(base, "1000") == 0 ? 1000 : 1024;
}

void fio_options_json(struct strbuf *out, const struct fio_options *o)
{
    strbuf_addc(out, '{');
    for (size_t i = 0; i < o->n; i++) {
        if (i > 0)
            strbuf_addc(out, ',');
        json_quote(out, o->option[i].name);
        strbuf_addc(out, ':');
        json_quote(out, o->option[i].value);
    }
    strbuf_addc(out, '}');
}
