/* The entries of all files, the newest first, and how names lead to them. */
#include <strings.h>

#include "core/base/embedded.h"
#include "core/base/xalloc.h"
#include "store/limits/cloud_internal.h"

#define MAX_FILE ((size_t)16 << 20)

struct limit_catalogue {
    struct arena *arena;
    const struct limit_entry **entry;
    size_t n;
};

struct limit_catalogue *limit_catalogue_empty(void)
{
    struct limit_catalogue *c = xcalloc(1, sizeof *c);
    c->arena = arena_create();
    return c;
}

void limit_catalogue_destroy(struct limit_catalogue *c)
{
    if (!c)
        return;
    arena_destroy(c->arena);
    free(c->entry);
    free(c);
}

/*
 * Whether an added entry stands for an old one: the same name, or the name that several old entries
 * are sold under by size.
 */
static bool replaces(const struct limit_entry *added, const struct limit_entry *old)
{
    return added->owner == old->owner &&
           (strcasecmp(added->name, old->name) == 0 ||
            (!added->type && old->type && strcasecmp(added->name, old->type) == 0));
}

static bool is_replaced(const struct limit_entry *old, const struct limit_entries *added)
{
    for (size_t i = 0; i < added->n; i++)
        if (replaces(&added->entry[i], old))
            return true;
    return false;
}

static void put_in_front(struct limit_catalogue *c, const struct limit_entries *added, bool replace)
{
    const struct limit_entry **all = xcalloc(c->n + added->n + 1, sizeof(*all));
    size_t n = 0;
    for (size_t i = 0; i < added->n; i++)
        all[n++] = &added->entry[i];
    for (size_t i = 0; i < c->n; i++)
        if (!replace || !is_replaced(c->entry[i], added))
            all[n++] = c->entry[i];
    free(c->entry);
    c->entry = all;
    c->n = n;
}

int limit_catalogue_add(struct limit_catalogue *c, const char *text, size_t n, const char *origin,
                        struct error *err)
{
    struct limit_entries added = {0};
    int rc = limit_entries_read(&added, c->arena, text, n, origin, err);
    if (rc == 0)
        put_in_front(c, &added, true);
    return rc;
}

int limit_catalogue_create(struct limit_catalogue **out, struct error *err)
{
    static const char folder[] = "schemas/limits/", schema[] = ".schema.json";
    struct limit_catalogue *c = limit_catalogue_empty();
    int rc = 0;
    for (size_t i = 0; rc == 0; i++) {
        const char *name = embedded_name(i);
        if (!name)
            break;
        if (strncmp(name, folder, sizeof folder - 1) != 0 || strstr(name, schema))
            continue;
        size_t n;
        const char *text = embedded_find(name, &n);
        struct limit_entries added = {0};
        rc = limit_entries_read(&added, c->arena, text, n, name, err);
        if (rc == 0)
            put_in_front(c, &added, false); /* the clouds have no name in common: a test has it */
    }
    if (rc == 0)
        *out = c;
    else
        limit_catalogue_destroy(c);
    return rc;
}

int limit_catalogue_add_file(struct limit_catalogue *c, const char *path, struct error *err)
{
    struct strbuf text = STRBUF_INIT;
    int rc = limit_read_file(&text, path, MAX_FILE, err);
    if (rc == 0)
        rc = limit_catalogue_add(c, text.text, text.len, path, err);
    strbuf_release(&text);
    return rc;
}

char *limit_user_file(void)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (config && config[0] == '/')
        return xasprintf("%s/blkmatrix/limits.json", config);
    if (home && home[0])
        return xasprintf("%s/.config/blkmatrix/limits.json", home);
    return NULL;
}

const struct limit_entry *limit_catalogue_entry(const struct limit_catalogue *c, size_t i)
{
    return i < c->n ? c->entry[i] : NULL;
}

static double whole_number(const char *digit, size_t n)
{
    double v = 0;
    for (size_t i = 0; i < n; i++)
        v = v * 10 + (digit[i] - '0');
    return v;
}

/*
 * vCPUs in the name of a machine type: its first part that is a number ("n2-standard-8",
 * "c3-standard-88-lssd", "n2-custom-6-3072"). 0: none.
 */
static double vcpus_of(const char *name)
{
    const char *p = strchr(name, '-');
    for (; p; p = strchr(p, '-')) {
        p++;
        size_t digits = strspn(p, "0123456789");
        if (digits > 0 && digits < 6 && (p[digits] == '-' || p[digits] == '\0'))
            return whole_number(p, digits);
    }
    return 0;
}

static bool is_of_series(const struct limit_entry *e, const char *name, double vcpus)
{
    size_t n = e->series ? strlen(e->series) : 0;
    return n > 0 && strncasecmp(name, e->series, n) == 0 && name[n] == '-' &&
           vcpus >= e->vcpus_min && vcpus <= e->vcpus_max;
}

const struct limit_entry *limit_find(const struct limit_catalogue *c, enum limit_owner owner,
                                     const char *name)
{
    double vcpus = vcpus_of(name);
    for (size_t i = 0; i < c->n; i++)
        if (c->entry[i]->owner == owner && strcasecmp(c->entry[i]->name, name) == 0)
            return c->entry[i];
    for (size_t i = 0; i < c->n && vcpus > 0; i++)
        if (c->entry[i]->owner == owner && is_of_series(c->entry[i], name, vcpus))
            return c->entry[i];
    return NULL;
}

bool limit_is_known(const struct limit_catalogue *c, enum limit_owner owner, const char *name)
{
    for (size_t i = 0; i < c->n; i++) {
        const struct limit_entry *e = c->entry[i];
        if (e->owner == owner && e->type && strcasecmp(e->type, name) == 0)
            return true;
    }
    return limit_find(c, owner, name) != NULL;
}
