/* Which rows of a dataset a query means, as curves. */
#include <math.h>

#include "report/chart/kinds/kind_internal.h"

static bool one_of_u64(uint64_t v, const uint64_t *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (list[i] == v)
            return true;
    return n == 0;
}

static bool has_rw(const struct row *r, const struct kind_query *q)
{
    if (q->n_rw == 0)
        return true;
    if (!IS_KNOWN(&r->cell->key, CELL_KEY, rw))
        return false;
    for (size_t i = 0; i < q->n_rw; i++)
        if (rw_parse(q->rw[i]) == (int)r->cell->key.rw)
            return true;
    return false;
}

static bool has_device(const struct row *r, const char *device)
{
    if (!device || strcmp(r->device, device) == 0)
        return true;
    for (size_t i = 0; i < r->cell->n_devices; i++) {
        size_t index = r->cell->device[i];
        if (index >= r->run->n_devices)
            continue;
        const struct device_info *info = &r->run->device[index];
        if ((info->path && strcmp(info->path, device) == 0) ||
            (info->resolved && strcmp(info->resolved, device) == 0))
            return true;
    }
    return false;
}

/* The steps of a response curve have a chart of their own; elsewhere they show when they are asked for. */
static bool matches(const struct row *r, const struct kind_query *q)
{
    if (r->maximum && !q->group)
        return false;
    return (!q->group || strcmp(r->group, q->group) == 0) && has_rw(r, q) &&
           one_of_u64(r->bs, q->bs, q->n_bs) && one_of_u64(r->depth, q->depth, q->n_depth) &&
           has_device(r, q->device);
}

static bool is_usable(const struct row *r)
{
    return r->n_repeats > 0 && isfinite(r->iops) && r->iops >= 0;
}

static struct curve *find_curve(struct selection *s, const struct row *r)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->curve[i].run_index == r->run_index && strcmp(s->curve[i].group, r->group) == 0)
            return &s->curve[i];
    return NULL;
}

static bool run_has_curve(const struct selection *s, size_t run)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->curve[i].run_index == run)
            return true;
    return false;
}

static bool run_has_group(const struct row *row, size_t n, const struct kind_query *q, size_t run,
                          const char *group)
{
    for (size_t i = 0; i < n; i++)
        if (row[i].run_index == run && is_usable(&row[i]) && matches(&row[i], q) &&
            strcmp(row[i].group, group) == 0)
            return true;
    return false;
}

/*
 * Several groups of one run side by side only when several patterns were asked for; else one a run:
 * that of the first run if this one has it too.
 */
static bool wants_curve(const struct selection *s, const struct row *all, size_t n,
                        const struct kind_query *q, const struct row *r)
{
    if (q->n_rw > 1)
        return true;
    if (run_has_curve(s, r->run_index))
        return false;
    if (s->n == 0 || strcmp(r->group, s->curve[0].group) == 0)
        return true;
    return !run_has_group(all, n, q, r->run_index, s->curve[0].group);
}

static void note_other(struct selection *s, const struct row *r)
{
    if (r->run_index != s->curve[0].run_index)
        return;
    if (s->others == 0 || strcmp(s->example, r->group) != 0)
        s->others++;
    s->example = r->group;
}

static void add_row(struct chart *c, struct selection *s, const struct row *all, size_t n,
                    const struct kind_query *q, const struct row *r)
{
    struct curve *v = find_curve(s, r);
    if (!v) {
        if (!wants_curve(s, all, n, q, r)) {
            note_other(s, r);
            return;
        }
        v = CHART_ADD(c, s->curve, s->n);
        *v = (struct curve){.run = r->run, .run_index = r->run_index, .group = r->group};
    }
    *CHART_ADD(c, v->row, v->n) = r;
}

static const char *run_name(struct chart *c, const struct run *run, size_t index)
{
    if (run->name && *run->name)
        return run->name;
    if (run->n_labels > 0)
        return arena_printf(c->arena, "%s=%s", run->label[0].key, run->label[0].value);
    if (run->id > 0)
        return arena_printf(c->arena, "run %lld", (long long)run->id);
    return arena_printf(c->arena, "run %zu", index + 1);
}

/* A name that two runs have tells neither: their ids do. */
static const char *own_name(struct chart *c, const struct selection *s, const struct curve *v)
{
    const char *name = run_name(c, v->run, v->run_index);
    for (size_t i = 0; i < s->n && v->run->id > 0; i++) {
        const struct curve *other = &s->curve[i];
        if (other->run_index != v->run_index &&
            strcmp(run_name(c, other->run, other->run_index), name) == 0)
            return arena_printf(c->arena, "%s (run %lld)", name, (long long)v->run->id);
    }
    return name;
}

void name_curves(struct chart *c, struct selection *s)
{
    bool one_run = true, one_pattern = true;
    for (size_t i = 1; i < s->n; i++) {
        one_run = one_run && s->curve[i].run_index == s->curve[0].run_index;
        one_pattern =
            one_pattern && strcmp(s->curve[i].row[0]->pattern, s->curve[0].row[0]->pattern) == 0;
    }
    for (size_t i = 0; i < s->n; i++) {
        struct curve *v = &s->curve[i];
        v->name = one_run ? v->group : own_name(c, s, v);
        if (!one_run && !one_pattern)
            v->name = arena_printf(c->arena, "%s, %s", v->name, v->row[0]->pattern);
        /* many are told apart by their names, each in a panel of its own */
        bool alike = s->n == 1 || s->n > MOST_OVERLAID;
        v->look = alike ? (struct look){COLOUR_B, COLOUR_B_TEXT, MARKER_DOT} : look_of_run(i);
        v->letter = s->n > 1 && s->n <= MOST_OVERLAID
                        ? arena_printf(c->arena, "%c", (char)('A' + (int)i))
                        : NULL;
    }
}

static void explain_nothing(struct chart *c, size_t rows, size_t matching, size_t failed)
{
    const char *why = "The run holds no results yet.";
    const char *command = "blkmatrix sweep --dev PATH";
    if (failed > 0 && failed == matching) {
        why = "Every matching cell failed, so there is nothing to draw.";
        command = "blkmatrix show RUN";
    } else if (rows > 0 && matching == 0) {
        why = "No cell matches the filter.";
        command = "blkmatrix show RUN";
    }
    chart_set_empty(c, why, command);
}

bool select_curves(struct chart *c, struct dataset *d, const struct kind_query *q,
                   struct selection *out)
{
    *out = (struct selection){0};
    size_t n, matching = 0;
    const struct row *row = dataset_rows(d, &n);
    for (size_t i = 0; i < n; i++) {
        if (!matches(&row[i], q))
            continue;
        matching++;
        if (is_usable(&row[i]))
            add_row(c, out, row, n, q, &row[i]);
        else
            out->failed++;
    }
    if (out->n == 0) {
        explain_nothing(c, n, matching, out->failed);
        return false;
    }
    name_curves(c, out);
    return true;
}

const struct row *curve_row(const struct curve *v, uint64_t bs, uint64_t depth)
{
    for (size_t i = 0; i < v->n; i++)
        if (v->row[i]->bs == bs && v->row[i]->depth == depth)
            return v->row[i];
    return NULL;
}

bool curve_has_depth(const struct curve *v, uint64_t depth)
{
    for (size_t i = 0; i < v->n; i++)
        if (v->row[i]->depth == depth)
            return true;
    return false;
}

const struct row *curve_deepest(const struct curve *v, uint64_t bs)
{
    const struct row *found = NULL;
    for (size_t i = 0; i < v->n; i++)
        if (v->row[i]->bs == bs && (!found || v->row[i]->depth > found->depth))
            found = v->row[i];
    return found;
}

static int by_u64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static size_t distinct(struct chart *c, const struct curve *curve, size_t n_curves, bool sizes,
                       uint64_t **out)
{
    uint64_t *v = NULL;
    size_t n = 0;
    for (size_t i = 0; i < n_curves; i++)
        for (size_t j = 0; j < curve[i].n; j++) {
            const struct row *r = curve[i].row[j];
            uint64_t value = sizes ? r->bs : r->depth;
            if (value > 0 && !(n > 0 && one_of_u64(value, v, n)))
                *CHART_ADD(c, v, n) = value;
        }
    if (n > 0)
        qsort(v, n, sizeof *v, by_u64);
    *out = v;
    return n;
}

size_t sizes_of(struct chart *c, const struct curve *curve, size_t n, uint64_t **out)
{
    return distinct(c, curve, n, true, out);
}

size_t depths_of(struct chart *c, const struct curve *curve, size_t n, uint64_t **out)
{
    return distinct(c, curve, n, false, out);
}

static int by_depth(const void *a, const void *b)
{
    const struct rung *x = a, *y = b;
    return (x->depth > y->depth) - (x->depth < y->depth);
}

size_t curve_rungs(struct chart *c, const struct curve *v, uint64_t bs, struct rung **out)
{
    struct rung *rung = NULL;
    size_t n = 0;
    for (size_t i = 0; i < v->n; i++) {
        const struct row *r = v->row[i];
        if (r->bs != bs || r->depth == 0 || !(r->iops > 0))
            continue;
        *CHART_ADD(c, rung, n) = (struct rung){(double)r->depth, r->iops, 0};
    }
    if (n > 0)
        qsort(rung, n, sizeof *rung, by_depth);
    *out = rung;
    return n;
}
