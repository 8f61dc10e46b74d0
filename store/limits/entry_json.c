/* An entry back into the JSON that it is read from. */
#include <math.h>

#include "core/base/json.h"
#include "store/limits/cloud_internal.h"

static void add_formula(cJSON *o, const char *name, const struct limit_formula *f);

static void add_terms(cJSON *o, const struct limit_formula *f)
{
    const struct {
        const char *name;
        double value;
    } term[] = {{"base", f->base},
                {"per_gib", f->per_gib},
                {"per_vcpu", f->per_vcpu},
                {"per_iops", f->per_iops},
                {"per_mbps", f->per_mbps}};
    size_t n = 0;
    for (size_t i = 0; i < sizeof term / sizeof term[0]; i++) {
        if (term[i].value == 0)
            continue;
        json_add_f64(o, term[i].name, term[i].value);
        n++;
    }
    if (n == 0 && !f->empty)
        json_add_f64(o, "base", 0);
    if (f->min)
        add_formula(o, "min", f->min);
    if (f->max)
        add_formula(o, "max", f->max);
}

static void add_formula(cJSON *o, const char *name, const struct limit_formula *f)
{
    bool plain = !f->empty && !f->min && !f->max && f->per_gib == 0 && f->per_vcpu == 0 &&
                 f->per_iops == 0 && f->per_mbps == 0;
    if (plain)
        json_add_f64(o, name, f->base);
    else
        add_terms(json_add_object(o, name), f);
}

static void add_rule(cJSON *array, const struct limit_rule *rule)
{
    cJSON *o = json_add_object(array, NULL);
    json_add_text(o, "cap", cap_names[rule->kind]);
    if (rule->kind == CAP_BW)
        json_add_text(o, "unit", limit_bw_units[rule->unit]);
    if (rule->side != SIDE_ANY)
        json_add_text(o, "side", side_names[rule->side]);
    if (rule->phase != PHASE_BASE)
        json_add_text(o, "phase", phase_names[rule->phase]);
    if (rule->path != PATH_ANY)
        json_add_text(o, "path", path_names[rule->path]);
    if (rule->disk)
        json_add_text(o, "disk", rule->disk);
    if (rule->chosen)
        json_add_text(o, "set", rule->kind == CAP_IOPS ? "iops" : "mbps");
    add_terms(o, &rule->value);
    if (rule->credits)
        add_formula(o, "credits", rule->credits);
    if (rule->seconds > 0)
        json_add_f64(o, "seconds", rule->seconds);
}

cJSON *limit_rules_json(const struct limit_rule *rule, size_t n)
{
    cJSON *array = json_add_array(NULL, NULL);
    for (size_t i = 0; i < n; i++)
        add_rule(array, &rule[i]);
    return array;
}

static void add_range(cJSON *o, const char *name, double min, double max)
{
    if (max == 0)
        return;
    cJSON *range = json_add_array(o, name);
    json_add_f64(range, NULL, min);
    if (!isinf(max))
        json_add_f64(range, NULL, max);
}

cJSON *limit_entry_json(const struct limit_entry *e, const char *source)
{
    cJSON *o = json_add_object(NULL, NULL);
    json_add_text(o, "name", e->name);
    if (e->type)
        json_add_text(o, "type", e->type);
    if (e->owner == OWNER_DISK && strcmp(e->disk_class, e->name) != 0)
        json_add_text(o, "class", e->disk_class);
    if (e->series)
        json_add_text(o, "series", e->series);
    if (e->note)
        json_add_text(o, "note", e->note);
    add_range(o, "size", e->gib_min, e->gib_max);
    add_range(o, "vcpus", e->vcpus_min, e->vcpus_max);
    if (e->io_size > 0)
        json_add_u64(o, "io_size", e->io_size);
    if (e->local)
        json_add_bool(o, "local", true);
    if (e->no_cache)
        json_add_bool(o, "cache", false);
    json_add_text(o, "source", source);
    cJSON_AddItemToObject(o, "caps", limit_rules_json(e->rule, e->n_rules));
    return o;
}
