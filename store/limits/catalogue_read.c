/*
 * One JSON text into entries. The text may be anybody's: every member is checked, and one that is
 * not known is an error, so that a mistyped name is not a cap that silently does not hold.
 */
#include <cjson/cJSON.h>
#include <math.h>

#include "core/base/json.h"
#include "core/base/utf8.h"
#include "store/limits/limits_internal.h"

#define MAX_TEXT    2000
#define MAX_NAME    100
#define MAX_RULES   64
#define MAX_ENTRIES 20000
#define MAX_VALUE   1e15
#define MAX_NESTING 4

struct reader {
    struct arena *arena;
    const char *origin;
    const char *entry; /* name of the one that is read, or what stands for it */
    const cJSON *sources;
    struct error *err;
};

static int bad(const struct reader *r, const char *member, const char *why)
{
    int rc = error_set(r->err, ERR_INPUT, "%s: %s: \"%s\" %s", r->origin, r->entry, member, why);
    error_hint(r->err, "The format is in docs/limits.md.");
    return rc;
}

static int read_number(const struct reader *r, const cJSON *v, double *out)
{
    if (!cJSON_IsNumber(v) || !(v->valuedouble >= 0 && v->valuedouble <= MAX_VALUE))
        return bad(r, v->string ? v->string : "size", "must be a number from 0 to 1e15");
    *out = v->valuedouble;
    return 0;
}

static int read_bool(const struct reader *r, const cJSON *v, bool *out)
{
    if (!cJSON_IsBool(v))
        return bad(r, v->string, "must be true or false");
    *out = cJSON_IsTrue(v);
    return 0;
}

static int read_text(const struct reader *r, const cJSON *v, size_t max, const char **out)
{
    if (!cJSON_IsString(v) || v->valuestring[0] == '\0' || strlen(v->valuestring) > max)
        return bad(r, v->string, "must be a text, neither empty nor very long");
    struct strbuf clean = STRBUF_INIT;
    utf8_clean(&clean, v->valuestring);
    *out = arena_strdup(r->arena, clean.text);
    strbuf_release(&clean);
    return 0;
}

static int read_choice(const struct reader *r, const cJSON *v, const char *const *names, int *out)
{
    for (int i = 0; cJSON_IsString(v) && names[i]; i++) {
        if (strcmp(names[i], v->valuestring) == 0) {
            *out = i;
            return 0;
        }
    }
    return bad(r, v->string, "is none of the values it can have");
}

static int read_formula(const struct reader *r, const cJSON *v, int level,
                        const struct limit_formula **out);

/* *mine tells whether the member is part of a formula. */
static int formula_member(const struct reader *r, const cJSON *v, int level,
                          struct limit_formula *f, bool *mine)
{
    const struct {
        const char *name;
        double *to;
    } number[] = {{"base", &f->base},
                  {"per_gib", &f->per_gib},
                  {"per_vcpu", &f->per_vcpu},
                  {"per_iops", &f->per_iops},
                  {"per_mbps", &f->per_mbps}};
    *mine = true;
    for (size_t i = 0; i < sizeof number / sizeof number[0]; i++) {
        if (strcmp(v->string, number[i].name) == 0) {
            f->empty = false;
            return read_number(r, v, number[i].to);
        }
    }
    if (strcmp(v->string, "min") == 0)
        return read_formula(r, v, level + 1, &f->min);
    if (strcmp(v->string, "max") == 0)
        return read_formula(r, v, level + 1, &f->max);
    *mine = false;
    return 0;
}

static int read_formula(const struct reader *r, const cJSON *v, int level,
                        const struct limit_formula **out)
{
    struct limit_formula *f = arena_alloc(r->arena, sizeof *f);
    *out = f;
    if (cJSON_IsNumber(v))
        return read_number(r, v, &f->base);
    if (!cJSON_IsObject(v) || !v->child || level > MAX_NESTING)
        return bad(r, v->string, "must be a number or a formula of few levels");
    f->empty = true;
    for (const cJSON *m = v->child; m; m = m->next) {
        bool mine;
        int rc = formula_member(r, m, level, f, &mine);
        if (rc == 0 && !mine)
            rc = bad(r, m->string, "is no part of a formula");
        if (rc < 0)
            return rc;
    }
    return 0;
}

/* The members of a cap that choose among names. */
static int choice_member(const struct reader *r, const cJSON *v, struct limit_rule *rule,
                         int *chosen, bool *mine)
{
    static const char *const settable[] = {"iops", "mbps", NULL};
    int kind = (int)rule->kind, side = (int)rule->side, phase = (int)rule->phase,
        path = (int)rule->path, unit = (int)rule->unit;
    const struct {
        const char *name;
        const char *const *names;
        int *to;
    } choice[] = {{"cap", cap_names, &kind},       {"side", side_names, &side},
                  {"phase", phase_names, &phase},  {"path", path_names, &path},
                  {"unit", limit_bw_units, &unit}, {"set", settable, chosen}};
    int rc = 0;
    *mine = false;
    for (size_t i = 0; i < sizeof choice / sizeof choice[0]; i++) {
        if (strcmp(v->string, choice[i].name) == 0) {
            *mine = true;
            rc = read_choice(r, v, choice[i].names, choice[i].to);
        }
    }
    rule->kind = (enum limit_kind)kind;
    rule->side = (enum limit_side)side;
    rule->phase = (enum limit_phase)phase;
    rule->path = (enum limit_path)path;
    rule->unit = (enum limit_bw_unit)unit;
    return rc;
}

static int rule_member(const struct reader *r, const cJSON *v, struct limit_rule *rule, int *chosen)
{
    bool mine;
    int rc = choice_member(r, v, rule, chosen, &mine);
    if (mine)
        return rc;
    rc = formula_member(r, v, 1, &rule->value, &mine);
    if (mine)
        return rc;
    if (strcmp(v->string, "disk") == 0)
        return read_text(r, v, MAX_NAME, &rule->disk);
    if (strcmp(v->string, "credits") == 0)
        return read_formula(r, v, 1, &rule->credits);
    if (strcmp(v->string, "seconds") == 0)
        return read_number(r, v, &rule->seconds);
    return bad(r, v->string, "is no member of a cap");
}

static int read_rule(const struct reader *r, const cJSON *v, struct limit_rule *rule)
{
    if (!cJSON_IsObject(v))
        return bad(r, "caps", "must be objects");
    int chosen = -1;
    rule->value.empty = true;
    for (const cJSON *m = v->child; m; m = m->next) {
        int rc = rule_member(r, m, rule, &chosen);
        if (rc < 0)
            return rc;
    }
    if (!cJSON_GetObjectItemCaseSensitive(v, "cap"))
        return bad(r, "cap", "is missing: iops or bw");
    if ((rule->kind == CAP_BW) != (cJSON_GetObjectItemCaseSensitive(v, "unit") != NULL))
        return bad(r, "unit", "belongs to a cap of bw, and to no other");
    rule->chosen = chosen >= 0;
    if (rule->chosen && (chosen == 0) != (rule->kind == CAP_IOPS))
        return bad(r, "set", "must be iops for a cap of iops, mbps for one of bw");
    if (!rule->chosen && rule->value.empty)
        return bad(r, "base", "or a rate per something is missing");
    if (rule->phase == PHASE_BASE && (rule->credits || rule->seconds > 0))
        return bad(r, "credits", "belong to a burst");
    return 0;
}

static int read_rules(const struct reader *r, const cJSON *v, struct limit_entry *e)
{
    int n = cJSON_GetArraySize(v);
    if (!cJSON_IsArray(v) || n > MAX_RULES)
        return bad(r, "caps", "must be an array of at most 64 caps");
    struct limit_rule *rule = arena_array(r->arena, (size_t)n + 1, sizeof *rule);
    e->n_rules = 0; /* a second "caps" counts alone */
    for (const cJSON *m = v->child; m; m = m->next) {
        int rc = read_rule(r, m, &rule[e->n_rules++]);
        if (rc < 0)
            return rc;
    }
    e->rule = rule;
    return 0;
}

/* [min, max], or [min] without end. */
static int read_range(const struct reader *r, const cJSON *v, double *min, double *max)
{
    if (cJSON_IsNumber(v)) {
        int rc = read_number(r, v, min);
        *max = *min;
        return rc;
    }
    int n = cJSON_GetArraySize(v);
    if (!cJSON_IsArray(v) || n < 1 || n > 2)
        return bad(r, v->string, "must be a number, [min, max] or [min]");
    *max = INFINITY;
    int rc = read_number(r, v->child, min);
    if (rc == 0 && n == 2)
        rc = read_number(r, v->child->next, max);
    if (rc == 0 && *min > *max)
        rc = bad(r, v->string, "ends before it begins");
    return rc;
}

static int read_source(const struct reader *r, const cJSON *v, struct limit_entry *e)
{
    const cJSON *s =
        cJSON_IsString(v) ? cJSON_GetObjectItemCaseSensitive(r->sources, v->valuestring) : NULL;
    const cJSON *where = cJSON_GetObjectItemCaseSensitive(s, "where");
    const cJSON *checked = cJSON_GetObjectItemCaseSensitive(s, "checked");
    if (!where || !checked)
        return bad(r, "source", "is not in \"sources\" with \"where\" and \"checked\"");
    int rc = read_text(r, where, MAX_TEXT, &e->where);
    return rc < 0 ? rc : read_text(r, checked, MAX_NAME, &e->checked);
}

static int io_size_member(const struct reader *r, const cJSON *v, struct limit_entry *e)
{
    double d = 0;
    int rc = read_number(r, v, &d);
    e->io_size = (uint64_t)d;
    return rc;
}

static int cache_member(const struct reader *r, const cJSON *v, struct limit_entry *e)
{
    bool cache = true;
    int rc = read_bool(r, v, &cache);
    e->no_cache = !cache;
    return rc;
}

static int entry_member(const struct reader *r, const cJSON *v, struct limit_entry *e)
{
    const struct {
        const char *name;
        const char **to;
        size_t max;
    } text[] = {
        {"name", &e->name, MAX_NAME},     {"cloud", &e->cloud, MAX_NAME}, /* of this entry alone */
        {"type", &e->type, MAX_NAME},     {"class", &e->disk_class, MAX_NAME},
        {"series", &e->series, MAX_NAME}, {"note", &e->note, MAX_TEXT}};
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++)
        if (strcmp(v->string, text[i].name) == 0)
            return read_text(r, v, text[i].max, text[i].to);
    if (strcmp(v->string, "size") == 0)
        return read_range(r, v, &e->gib_min, &e->gib_max);
    if (strcmp(v->string, "vcpus") == 0)
        return read_range(r, v, &e->vcpus_min, &e->vcpus_max);
    if (strcmp(v->string, "io_size") == 0)
        return io_size_member(r, v, e);
    if (strcmp(v->string, "local") == 0)
        return read_bool(r, v, &e->local);
    if (strcmp(v->string, "cache") == 0)
        return cache_member(r, v, e);
    if (strcmp(v->string, "source") == 0)
        return read_source(r, v, e);
    if (strcmp(v->string, "caps") == 0)
        return read_rules(r, v, e);
    return bad(r, v->string, "is no member of an entry");
}

static int read_entry(struct reader *r, const cJSON *v, struct limit_entry *e)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(v, "name");
    r->entry = cJSON_IsString(name) ? name->valuestring : "an entry without name";
    for (const cJSON *m = cJSON_IsObject(v) ? v->child : NULL; m; m = m->next) {
        int rc = entry_member(r, m, e);
        if (rc < 0)
            return rc;
    }
    if (!e->name)
        return bad(r, "name", "is missing");
    if (!e->rule || !e->where)
        return bad(r, e->rule ? "source" : "caps", "is missing");
    if (!e->disk_class)
        e->disk_class = e->name;
    return 0;
}

static int read_entries(struct reader *r, const cJSON *root, const char *list,
                        enum limit_owner owner, const char *cloud, struct limit_entries *out)
{
    const cJSON *array = cJSON_GetObjectItemCaseSensitive(root, list);
    if (array && !cJSON_IsArray(array)) {
        r->entry = "the file";
        return bad(r, list, "must be an array");
    }
    for (const cJSON *v = array ? array->child : NULL; v; v = v->next) {
        struct limit_entry *e = &out->entry[out->n++];
        *e = (struct limit_entry){.owner = owner, .cloud = cloud};
        int rc = read_entry(r, v, e);
        if (rc < 0)
            return rc;
    }
    return 0;
}

static int read_root(struct reader *r, const cJSON *root, struct limit_entries *out)
{
    static const char *const known[] = {"cloud", "about", "sources", "disks", "vms", NULL};
    r->entry = "the file";
    if (!cJSON_IsObject(root))
        return bad(r, "{", "must begin it: an object with sources, disks, vms");
    size_t n = 0;
    for (const cJSON *m = root->child; m; m = m->next) {
        int at;
        const cJSON name = {.type = cJSON_String, .string = m->string, .valuestring = m->string};
        int rc = read_choice(r, &name, known, &at);
        if (rc < 0)
            return rc;
        n += (size_t)cJSON_GetArraySize(m);
    }
    if (n > MAX_ENTRIES)
        return bad(r, "disks", "and \"vms\" have more than 20000 entries");
    const cJSON *cloud_member = cJSON_GetObjectItemCaseSensitive(root, "cloud");
    const char *cloud = NULL;
    if (!cloud_member)
        return bad(r, "cloud", "is missing: a short name such as aws, or own");
    int rc = read_text(r, cloud_member, MAX_NAME, &cloud);
    r->sources = cJSON_GetObjectItemCaseSensitive(root, "sources");
    if (r->sources && !cJSON_IsObject(r->sources))
        return bad(r, "sources", "must be an object");
    out->entry = arena_array(r->arena, n + 1, sizeof *out->entry);
    if (rc == 0)
        rc = read_entries(r, root, "disks", OWNER_DISK, cloud, out);
    if (rc == 0)
        rc = read_entries(r, root, "vms", OWNER_VM, cloud, out);
    return rc;
}

int limit_entries_read(struct limit_entries *out, struct arena *arena, const char *text, size_t n,
                       const char *origin, struct error *err)
{
    struct reader r = {.arena = arena, .origin = origin, .err = err};
    char *copy = arena_strndup(arena, text, n);
    /* a strict check first: cJSON takes what is not JSON, and stops at a NUL */
    if (strlen(copy) != n || !json_is_valid(copy))
        return error_set(err, ERR_INPUT, "%s is not one JSON value (RFC 8259, in UTF-8)", origin);
    cJSON *root = cJSON_Parse(copy);
    struct limit_entries found = {0};
    int rc = read_root(&r, root, &found);
    cJSON_Delete(root);
    if (rc == 0)
        *out = found;
    return rc;
}
