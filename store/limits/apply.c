/* Entries of the catalogue with a disk's size and settings become limits. */
#include <math.h>
#include <strings.h>

#include "core/base/numfmt.h"
#include "core/base/xalloc.h"
#include "store/limits/limits_internal.h"

#define MIB 1048576.0
#define GIB 1073741824.0

void limit_disk_release(struct limit_disk *d)
{
    free(d->name);
    *d = (struct limit_disk){.iops = NAN, .mbps = NAN};
}

static double gib_of(const struct limit_disk *d)
{
    return d && d->size ? (double)d->size / GIB : NAN;
}

/* "16,384", "0.5": exact, as the ends of a range are. */
static const char *gib_words(char buf[NUMFMT_MAX], double gib)
{
    if (gib >= 0 && gib < 1e15 && gib == floor(gib))
        return fmt_count(buf, (uint64_t)gib);
    snprintf(buf, NUMFMT_MAX, "%.10g", gib);
    return buf;
}

static int no_such(enum limit_owner owner, const char *name, struct error *err)
{
    int rc = error_set(err, ERR_USAGE, "the catalogue has no %s \"%s\"",
                       owner == OWNER_DISK ? "disk" : "VM size", name);
    error_hint(err, "\"blkmatrix limits list\" names what there is; --cap gives limits by hand.");
    return rc;
}

/* Tiers are in whole GiB: a disk between two is billed, and limited, as the larger one. */
static bool holds_size(const struct limit_entry *e, double gib)
{
    double up = ceil(gib);
    return e->gib_max == 0 || (up >= e->gib_min && up <= e->gib_max);
}

int limit_find_disk(const struct limit_catalogue *c, const struct limit_disk *disk,
                    const struct limit_entry **out, struct error *err)
{
    const struct limit_entry *named = limit_find(c, OWNER_DISK, disk->name);
    if (named) {
        *out = named;
        return 0;
    }
    if (!limit_is_known(c, OWNER_DISK, disk->name))
        return no_such(OWNER_DISK, disk->name, err);
    if (disk->size == 0) {
        int rc = error_set(err, ERR_USAGE, "the limits of a %s depend on its size", disk->name);
        error_hint(err, "Give it: --disk %s,size=64G", disk->name);
        return rc;
    }
    char buf[NUMFMT_MAX];
    double gib = gib_of(disk);
    const struct limit_entry *e;
    for (size_t i = 0; (e = limit_catalogue_entry(c, i)); i++) {
        if (e->owner == OWNER_DISK && e->type && strcasecmp(e->type, disk->name) == 0 &&
            holds_size(e, gib)) {
            *out = e;
            return 0;
        }
    }
    return error_set(err, ERR_USAGE, "there is no %s of %s GiB in the catalogue", disk->name,
                     gib_words(buf, gib));
}

/* ---- one rule ---- */

static double unit_bytes(enum limit_bw_unit unit)
{
    return unit == BW_BINARY ? MIB : 1e6;
}

static void set_value(struct limit *l, const struct limit_rule *rule, double value)
{
    double factor = rule->kind == CAP_BW ? unit_bytes(rule->unit) : 1;
    SET(l, LIMIT, value, value * factor);
    if (rule->kind == CAP_BW && rule->unit == BW_UNSURE)
        SET(l, LIMIT, value_max, value * MIB);
}

static void set_published(struct limit *l, const struct limit_rule *rule, double value, bool given)
{
    struct strbuf text = STRBUF_INIT;
    if (rule->chosen)
        strbuf_addf(&text, "%.10g %s%s", value,
                    rule->kind == CAP_IOPS ? "IOPS" : limit_bw_units[rule->unit],
                    given ? ", as set" : ", unless set");
    else
        limit_rule_words(&text, rule);
    field_set_text(&limit_fields, l, LIMIT_published, text.text);
    strbuf_release(&text);
}

/* The base of the same thing, 0 when there is none. */
static const struct limit *base_of(const struct limit_list *list, size_t from,
                                   const struct limit *burst)
{
    for (size_t i = from; i < list->n; i++) {
        const struct limit *l = &list->item[i];
        if (l->phase == PHASE_BASE && l->kind == burst->kind && l->path == burst->path &&
            l->side == burst->side)
            return l;
    }
    return NULL;
}

/*
 * The bucket: as published, or what flows out of it above the base in the published time. Where the
 * unit is unsure 2^20 is taken: the buckets that are published in GiB fit no other.
 */
static void set_credits(struct limit *l, const struct limit_rule *rule, const struct limit *base,
                        const struct limit_facts *facts)
{
    double credits = NAN;
    if (rule->credits) {
        credits = limit_formula_value(rule->credits, facts) * (l->kind == CAP_BW ? GIB : 1);
    } else if (rule->seconds > 0 && base) {
        bool both = IS_KNOWN(l, LIMIT, value_max) && IS_KNOWN(base, LIMIT, value_max);
        credits = rule->seconds * (both ? l->value_max - base->value_max : l->value - base->value);
    }
    if (credits > 0)
        SET(l, LIMIT, credits, credits);
}

static void drop_last(struct limit_list *list)
{
    fields_release(&limit_fields, &list->item[--list->n]);
}

/* Adds the limit of a rule whose value is known; a burst that is not above its base is none. */
static void add_limit(struct limit_list *out, size_t from, const struct limit_entry *e,
                      const struct limit_rule *rule, double value, bool given,
                      const struct limit_facts *facts)
{
    struct limit *l = limit_list_add(out);
    SET(l, LIMIT, owner, e->owner);
    SET(l, LIMIT, kind, rule->kind);
    SET(l, LIMIT, side, rule->side);
    SET(l, LIMIT, phase, rule->phase);
    SET(l, LIMIT, path, rule->path);
    set_value(l, rule, value);
    if (rule->phase == PHASE_BURST) {
        const struct limit *base = base_of(out, from, l);
        if (base && base->value >= l->value) {
            drop_last(out);
            return;
        }
        set_credits(l, rule, base, facts);
    }
    set_published(l, rule, value, given);
    if (rule->kind == CAP_IOPS && e->io_size > 0)
        SET(l, LIMIT, io_size, e->io_size);
    field_set_text(&limit_fields, l, LIMIT_name, e->name);
    field_set_text(&limit_fields, l, LIMIT_source, e->where);
    field_set_text(&limit_fields, l, LIMIT_checked, e->checked);
}

/* ---- a disk ---- */

static int outside(const struct limit_entry *e, const struct limit_rule *rule, const char *option,
                   double value, struct error *err)
{
    struct strbuf words = STRBUF_INIT;
    limit_rule_words(&words, rule);
    int rc = error_set(err, ERR_USAGE, "%s: %s=%.10g cannot be set, says the catalogue (%s: %s)",
                       e->name, option, value, e->checked, words.text);
    error_hint(err, "Where it is out of date, --cap disk:... gives the limits by hand.");
    strbuf_release(&words);
    return rc;
}

/* A bound of a setting; where the size is not known, that of the size that allows the most. */
static double bound_of(const struct limit_formula *bound, const struct limit_entry *e,
                       const struct limit_facts *facts, double gib)
{
    struct limit_facts at = *facts;
    if (isnan(at.gib) && e->gib_max > 0)
        at.gib = gib;
    return limit_formula_value(bound, &at);
}

/* What is set for the disk, else the default; *fact stays NaN when the disk has no such setting. */
static int resolve_setting(const struct limit_entry *e, enum limit_kind kind, double given,
                           const struct limit_facts *facts, double *fact, struct error *err)
{
    const char *option = kind == CAP_IOPS ? "iops" : "mbps";
    const struct limit_rule *rule = NULL;
    for (size_t i = 0; i < e->n_rules; i++)
        if (e->rule[i].chosen && e->rule[i].kind == kind)
            rule = &e->rule[i];
    if (!rule && !isnan(given))
        return error_set(err, ERR_USAGE, "%s: %s= cannot be set for this type of disk", e->name,
                         option);
    if (!rule)
        return 0;
    if (isnan(given) && rule->value.empty) {
        int rc = error_set(err, ERR_USAGE, "%s: its %s is what it was made with, and not known",
                           e->name, kind == CAP_IOPS ? "IOPS" : "bandwidth");
        error_hint(err, "Give it: --disk %s,%s=N", e->name, option);
        return rc;
    }
    *fact = isnan(given) ? rule->value.base : given;
    const struct limit_formula *min = rule->value.min, *max = rule->value.max;
    bool low = min && *fact < bound_of(min, e, facts, e->gib_min);
    bool high = max && *fact > bound_of(max, e, facts, e->gib_max);
    return !isnan(given) && (low || high) ? outside(e, rule, option, given, err) : 0;
}

static int need_size(const struct limit_entry *e, struct error *err)
{
    int rc = error_set(err, ERR_USAGE, "the limits of %s depend on its size", e->name);
    error_hint(err, "Give it: --disk %s,size=64G", e->name);
    return rc;
}

static int add_disk_rules(const struct limit_entry *e, const struct limit_disk *disk,
                          const struct limit_facts *facts, struct limit_list *out,
                          struct error *err)
{
    size_t from = out->n;
    for (size_t i = 0; i < e->n_rules; i++) {
        const struct limit_rule *rule = &e->rule[i];
        bool iops = rule->kind == CAP_IOPS;
        double value = iops ? facts->iops : facts->mbps;
        if (!rule->chosen)
            value = limit_formula_value(&rule->value, facts);
        if (isnan(value))
            return need_size(e, err);
        bool given = !isnan(iops ? disk->iops : disk->mbps);
        add_limit(out, from, e, rule, value, given, facts);
    }
    return 0;
}

int limit_of_disk(const struct limit_catalogue *c, const struct limit_disk *disk,
                  struct limit_list *out, struct error *err)
{
    const struct limit_entry *e;
    int rc = limit_find_disk(c, disk, &e, err);
    if (rc < 0)
        return rc;
    char is[NUMFMT_MAX], least[NUMFMT_MAX], most[NUMFMT_MAX];
    double gib = gib_of(disk);
    if (!isnan(gib) && !holds_size(e, gib))
        return error_set(err, ERR_USAGE, "%s: a disk of %s GiB is none (%s to %s GiB)", e->name,
                         gib_words(is, gib), gib_words(least, e->gib_min),
                         gib_words(most, e->gib_max));
    if (e->no_cache && disk->cache > CACHE_NONE)
        return error_set(err, ERR_USAGE, "%s: this type of disk has no host caching", e->name);
    struct limit_facts facts = {gib, NAN, NAN, NAN};
    rc = resolve_setting(e, CAP_IOPS, disk->iops, &facts, &facts.iops, err);
    if (rc == 0)
        rc = resolve_setting(e, CAP_BW, disk->mbps, &facts, &facts.mbps, err);
    return rc < 0 ? rc : add_disk_rules(e, disk, &facts, out, err);
}

/* ---- a VM ---- */

static bool has_class(const struct limit_entry *vm, const char *disk_class)
{
    for (size_t i = 0; i < vm->n_rules; i++)
        if (disk_class ? vm->rule[i].disk && strcasecmp(vm->rule[i].disk, disk_class) == 0
                       : !vm->rule[i].disk)
            return true;
    return false;
}

const char *limit_vm_class(const struct limit_entry *vm, const struct limit_entry *disk)
{
    return has_class(vm, disk->disk_class) ? disk->disk_class : NULL;
}

static bool rule_holds(const struct limit_rule *rule, const char *disk_class, bool cached)
{
    if (rule->path == PATH_CACHED && !cached)
        return false;
    return disk_class ? rule->disk && strcasecmp(rule->disk, disk_class) == 0 : !rule->disk;
}

static int need_disk(const struct limit_entry *vm, const struct limit_entry *disk,
                     struct error *err)
{
    struct strbuf types = STRBUF_INIT;
    for (size_t i = 0; i < vm->n_rules; i++)
        if (i == 0 || strcmp(vm->rule[i].disk, vm->rule[i - 1].disk) != 0)
            strbuf_addf(&types, "%s%s", i ? ", " : "", vm->rule[i].disk);
    int rc = disk ? error_set(err, ERR_USAGE,
                              "%s: its limits for %s are not in the catalogue, only those for %s",
                              vm->name, disk->name, types.text)
                  : error_set(err, ERR_USAGE, "the limits of %s depend on the type of disk (%s)",
                              vm->name, types.text);
    error_hint(err, disk ? "Give them by hand (--cap vm:...), or leave out --vm."
                         : "Give --disk NAME,size=SIZE too.");
    strbuf_release(&types);
    return rc;
}

static bool same_cloud(const struct limit_entry *vm, const struct limit_entry *disk)
{
    return !disk || !disk->cloud || !vm->cloud || strcmp(disk->cloud, vm->cloud) == 0;
}

static int other_cloud(const struct limit_entry *vm, const struct limit_entry *disk,
                       struct error *err)
{
    return error_set(err, ERR_USAGE, "%s is a VM of %s, %s a disk of %s: one of them is wrong",
                     vm->name, vm->cloud, disk->name, disk->cloud);
}

static void add_vm_rules(const struct limit_entry *e, const struct limit_disk *disk,
                         const char *disk_class, bool cached, struct limit_list *out)
{
    struct limit_facts facts = {gib_of(disk), e->vcpus_min > 0 ? e->vcpus_min : NAN, NAN, NAN};
    size_t from = out->n;
    for (size_t i = 0; i < e->n_rules; i++) {
        const struct limit_rule *rule = &e->rule[i];
        double value = limit_formula_value(&rule->value, &facts);
        if (!rule->chosen && rule_holds(rule, disk_class, cached) && !isnan(value))
            add_limit(out, from, e, rule, value, false, &facts);
    }
}

int limit_of_vm(const struct limit_catalogue *c, const char *vm, const struct limit_disk *disk,
                struct limit_list *out, struct error *err)
{
    const struct limit_entry *e = limit_find(c, OWNER_VM, vm), *of = NULL;
    if (!e)
        return no_such(OWNER_VM, vm, err);
    int rc = disk && disk->name ? limit_find_disk(c, disk, &of, err) : 0;
    if (rc == 0 && !same_cloud(e, of))
        rc = other_cloud(e, of, err);
    if (rc < 0 || (of && of->local) || e->n_rules == 0)
        return rc;
    const char *disk_class = of ? limit_vm_class(e, of) : NULL;
    if (!disk_class && !has_class(e, NULL))
        return need_disk(e, of, err);
    bool cached = !(disk && disk->cache == CACHE_NONE) && !(of && of->no_cache);
    add_vm_rules(e, disk, disk_class, cached, out);
    return 0;
}
