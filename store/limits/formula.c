/* Formulas of the catalogue: a sum of few terms within bounds that are formulas again. */
#include <math.h>

#include "core/base/json.h"
#include "store/limits/limits_internal.h"

const char *const limit_bw_units[BW_UNIT_COUNT + 1] = {"MB/s", "MiB/s", "MBps", NULL};

/* A factor of zero asks for nothing: the fact may be unknown then. */
static double term(double factor, double fact)
{
    return factor == 0 ? 0 : factor * fact;
}

double limit_formula_value(const struct limit_formula *f, const struct limit_facts *facts)
{
    double v = f->base + term(f->per_gib, facts->gib) + term(f->per_vcpu, facts->vcpus) +
               term(f->per_iops, facts->iops) + term(f->per_mbps, facts->mbps);
    if (f->empty)
        v = f->max && !f->min ? INFINITY : 0; /* only a bound is given */
    const struct limit_formula *bound[] = {f->min, f->max};
    for (int i = 0; i < 2; i++) {
        if (!bound[i])
            continue;
        double b = limit_formula_value(bound[i], facts);
        if (isnan(b) || isnan(v))
            return NAN;
        v = i == 0 ? fmax(v, b) : fmin(v, b);
    }
    return v;
}

static void add_term(struct strbuf *out, size_t start, double v, const char *per)
{
    if (v == 0)
        return;
    strbuf_adds(out, out->len > start ? " + " : "");
    json_number(out, v);
    strbuf_adds(out, per);
}

void limit_formula_words(struct strbuf *out, const struct limit_formula *f)
{
    size_t start = out->len;
    add_term(out, start, f->base, "");
    add_term(out, start, f->per_gib, " per GiB");
    add_term(out, start, f->per_vcpu, " per vCPU");
    add_term(out, start, f->per_iops, " per IOPS of the disk");
    add_term(out, start, f->per_mbps, " per MB/s of the disk");
    const struct limit_formula *bound[] = {f->min, f->max};
    static const char *const word[] = {"at least ", "at most "};
    for (int i = 0; i < 2; i++) {
        if (!bound[i])
            continue;
        bool simple = !bound[i]->min && !bound[i]->max;
        strbuf_addf(out, "%s%s%s", out->len > start ? ", " : "", word[i], simple ? "" : "(");
        limit_formula_words(out, bound[i]);
        strbuf_adds(out, simple ? "" : ")");
    }
}

void limit_rule_words(struct strbuf *out, const struct limit_rule *rule)
{
    const struct limit_formula *f = &rule->value;
    if (rule->chosen) {
        const struct limit_formula plain = {.base = f->base};
        strbuf_adds(out, "as set");
        if (!f->empty) {
            strbuf_adds(out, ", else ");
            limit_formula_words(out, &plain);
        }
        const struct limit_formula bounds = {.empty = true, .min = f->min, .max = f->max};
        if (f->min || f->max) {
            strbuf_adds(out, "; ");
            limit_formula_words(out, &bounds);
        }
    } else {
        limit_formula_words(out, f);
    }
    strbuf_addf(out, " %s", rule->kind == CAP_IOPS ? "IOPS" : limit_bw_units[rule->unit]);
}

void limit_cap_words(struct strbuf *out, const struct limit_rule *rule)
{
    if (rule->phase == PHASE_BURST)
        strbuf_adds(out, "burst ");
    if (rule->path != PATH_ANY)
        strbuf_addf(out, "%s ", path_names[rule->path]);
    if (rule->side != SIDE_ANY)
        strbuf_addf(out, "%s ", side_names[rule->side]);
    limit_rule_words(out, rule);
    if (rule->credits) {
        strbuf_adds(out, ", bucket of ");
        limit_formula_words(out, rule->credits);
        strbuf_adds(out, rule->kind == CAP_IOPS ? " I/Os" : " GiB");
    } else if (rule->seconds > 0) {
        strbuf_addf(out, " for %g min", rule->seconds / 60);
    }
    if (rule->disk)
        strbuf_addf(out, " (disks: %s)", rule->disk);
}
