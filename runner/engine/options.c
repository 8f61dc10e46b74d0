#include "runner/engine/options_internal.h"

#include "core/base/units.h"
#include "core/base/xalloc.h"

static const char *const metavar[] = {
    [ENGINE_OPT_COUNT] = "N",   [ENGINE_OPT_BW] = "SIZE/s", [ENGINE_OPT_SIZE] = "SIZE",
    [ENGINE_OPT_TIME] = "TIME", [ENGINE_OPT_U64] = "N",     [ENGINE_OPT_BOOL] = "0|1",
};

static const struct engine_option *find(const struct engine_ops *ops, const char *name)
{
    for (const struct engine_option *o = ops->option; o && o->name; o++) {
        if (strcmp(o->name, name) == 0)
            return o;
    }
    return NULL;
}

static int set_value(const struct engine_option *o, const char *text, void *config,
                     struct error *err)
{
    void *at = config ? (char *)config + o->offset : NULL;
    double f = 0;
    uint64_t u = 0;
    bool b = false;
    int rc = 0;
    switch (o->type) {
    case ENGINE_OPT_COUNT:
        rc = parse_count(text, &u, err);
        f = (double)u;
        break;
    case ENGINE_OPT_BW:
        rc = parse_bandwidth(text, &f, err);
        break;
    case ENGINE_OPT_SIZE:
        rc = parse_size(text, &u, err);
        break;
    case ENGINE_OPT_TIME:
        rc = parse_time(text, &u, err);
        break;
    case ENGINE_OPT_U64:
        rc = parse_u64(text, 0, UINT64_MAX, &u, err);
        break;
    case ENGINE_OPT_BOOL:
        rc = parse_bool(text, &b, err);
        break;
    }
    if (rc || !at)
        return rc;
    if (o->type == ENGINE_OPT_COUNT || o->type == ENGINE_OPT_BW)
        *(double *)at = f;
    else if (o->type == ENGINE_OPT_BOOL)
        *(bool *)at = b;
    else
        *(uint64_t *)at = u;
    return 0;
}

static int unknown(const struct engine_ops *ops, const char *name, struct error *err)
{
    if (!ops->option)
        return error_set(err, ERR_USAGE, "engine %s takes no options, but got \"%s\"", ops->name,
                         name);
    struct strbuf names = STRBUF_INIT;
    for (const struct engine_option *o = ops->option; o->name; o++)
        strbuf_addf(&names, "%s%s", names.len ? " " : "", o->name);
    int rc = error_set(err, ERR_USAGE, "engine %s has no option \"%s\"", ops->name, name);
    error_hint(err, "It has: %s", names.text);
    strbuf_release(&names);
    return rc;
}

/* One "name=value"; cut is scratch text that may be written to. A bare name of a bool is yes. */
static int parse_one(const struct engine_ops *ops, char *cut, void *config, struct error *err)
{
    char *value = strchr(cut, '=');
    if (value)
        *value++ = '\0';
    const struct engine_option *o = find(ops, cut);
    if (!o)
        return unknown(ops, cut, err);
    if (!value && o->type != ENGINE_OPT_BOOL)
        return error_set(err, ERR_USAGE, "engine %s: option %s needs a value: %s=%s", ops->name,
                         cut, cut, metavar[o->type]);
    int rc = set_value(o, value ? value : "1", config, err);
    return rc ? error_prefix(err, ERR_USAGE, "engine %s: option %s", ops->name, cut) : 0;
}

int engine_parse_options(const struct engine_ops *ops, const char *text, void *config,
                         struct error *err)
{
    char *copy = xstrdup(text ? text : ""), *rest = copy, *part;
    int rc = 0;
    while (rc == 0 && (part = strsep(&rest, ",")) != NULL) {
        if (*part)
            rc = parse_one(ops, part, config, err);
    }
    free(copy);
    return rc;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_sorted(struct strbuf *out, const char *text)
{
    char *copy = xstrdup(text), *rest = copy, *part;
    char **list = NULL;
    size_t n = 0, room = 0;
    while ((part = strsep(&rest, ",")) != NULL) {
        if (!*part)
            continue;
        GROW(list, n + 1, room);
        list[n++] = part;
    }
    if (n)
        qsort(list, n, sizeof *list, by_text);
    for (size_t i = 0; i < n; i++)
        strbuf_addf(out, "%s%s", i ? "," : "", list[i]);
    free(list);
    free(copy);
}

int engine_check_options(const struct engine_ops *ops, const char *options,
                         struct strbuf *canonical, struct error *err)
{
    int rc = engine_parse_options(ops, options, NULL, err);
    if (rc == 0 && canonical && options)
        add_sorted(canonical, options);
    return rc;
}

void engine_options_help(const struct engine_ops *ops, struct strbuf *out)
{
    for (const struct engine_option *o = ops->option; o && o->name; o++) {
        char left[64];
        snprintf(left, sizeof left, "%s=%s", o->name, metavar[o->type]);
        strbuf_addf(out, "%-26s %s\n", left, o->help);
    }
}
