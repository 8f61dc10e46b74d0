/* Which cap binds where: roofline, matrix, the claims with what speaks for them, the listed caps. */
#include <inttypes.h>
#include <math.h>

#include "core/base/numfmt.h"
#include "core/base/xalloc.h"
#include "report/diagnosis/passed.h"
#include "report/page/page_internal.h"

/* Patterns with pictures of their own; the rest is in the tables. */
#define MAX_PATTERNS 4
#define MAX_CLAIMS   24

static const char *limit_words(struct page *p, const struct limit *l)
{
    static const char *const owner[OWNER_COUNT] = {"Disk", "VM", "Host"};
    const char *what = l->kind == CAP_IOPS ? "IOPS" : "throughput";
    const char *side = l->side == SIDE_READ ? ", reads" : l->side == SIDE_WRITE ? ", writes" : "";
    const char *path = l->path == PATH_ANY ? "" : path_names[l->path];
    return arena_printf(p->arena, "%s %s%s%s%s", owner[l->owner], path, *path ? " " : "", what,
                        side);
}

/* The cap in the unit of what is measured; a band where the published unit is unsure. */
static const char *converted(struct page *p, const struct limit *l)
{
    char lo[NUMFMT_MAX], hi[NUMFMT_MAX];
    if (l->kind == CAP_IOPS)
        return arena_printf(p->arena, "%s IOPS", fmt_iops(lo, l->value));
    if (IS_KNOWN(l, LIMIT, value_max) && l->value_max > l->value)
        return arena_printf(p->arena, "%s to %s MiB/s", fmt_mib(lo, l->value),
                            fmt_mib(hi, l->value_max));
    return arena_printf(p->arena, "%s MiB/s", fmt_mib(lo, l->value));
}

/* Results that it did not hold: they are above it and all that is listed like it. */
static const char *passed_by(struct page *p, const struct limit *l)
{
    struct passed_cap *cap = xcalloc(p->run->n_limits + 1, sizeof *cap);
    size_t n = 0;
    double most = 0;
    for (size_t i = 0; i < p->diagnosis->n_findings; i++) {
        const struct row_facts *f = p->diagnosis->finding[i].facts;
        size_t caps =
            f->row->part > 0 ? 0 : caps_passed(f->row, f->rate_now, passed_factor(f->se), cap);
        for (size_t k = 0; k < caps; k++) {
            if (cap[k].limit != l)
                continue;
            n++;
            most = fmax(most, cap[k].over);
        }
    }
    free(cap);
    if (n == 0)
        return "no result";
    char buf[NUMFMT_MAX];
    const char *far = most > 1 ? fmt_change(buf, 1 + most)
                               : arena_printf(p->arena, "%.0f\xC2\xA0%% above", most * 100);
    return arena_printf(p->arena, "passed by %zu result%s, up to %s", n, n == 1 ? "" : "s", far);
}

/* How many results it holds, and the nearest one. */
static const char *reached(struct page *p, const struct limit *l)
{
    size_t n = 0;
    double most = 0;
    for (size_t i = 0; i < p->diagnosis->n_findings; i++) {
        const struct finding *f = &p->diagnosis->finding[i];
        if (f->limit != l || f->row->part > 0)
            continue;
        n++;
        most = fmax(most, f->share);
    }
    char buf[NUMFMT_MAX];
    if (n == 0)
        return passed_by(p, l);
    return arena_printf(p->arena, "%zu result%s, up to %s\xC2\xA0%%", n, n == 1 ? "" : "s",
                        fmt_number(buf, most * 100));
}

static enum tag owner_tag(enum limit_owner owner)
{
    static const enum tag tag[OWNER_COUNT] = {TAG_DISK, TAG_VM, TAG_HOST};
    return tag[owner];
}

static struct page_table *table_of_caps(struct page *p)
{
    struct page_table *t = page_table_create(p, "known-caps", "Known caps of this run");
    t->is_wrapping = true;
    page_table_column(p, t, "Cap", false);
    page_table_column(p, t, "Holds", false);
    page_table_column(p, t, "Published", false);
    page_table_column(p, t, "Converted", true);
    page_table_column(p, t, "Reached by", false);
    page_table_column(p, t, "Of", false);
    for (size_t i = 0; i < p->run->n_limits; i++) {
        const struct limit *l = &p->run->limit[i];
        page_table_tagged(p, t, limit_words(p, l), owner_tag(l->owner));
        page_table_text(p, t, l->phase == PHASE_BURST ? "while credits last" : "for ever");
        page_table_text(p, t, l->published);
        page_table_value(p, t, converted(p, l), l->value);
        page_table_text(p, t, reached(p, l));
        page_table_text(p, t, l->name);
    }
    return t;
}

/* Their sources stand below, each once: they are long, and would make a tall column. */
static void add_caps(struct page *p, struct section *s)
{
    page_add_table(p, s, table_of_caps(p));
    for (size_t i = 0; i < p->run->n_limits; i++) {
        const struct limit *l = &p->run->limit[i];
        if (limit_names_source(p->run->limit, i))
            page_add_text(p, s,
                          l->name ? arena_printf(p->arena, "Source of %s: %s.", l->name, l->source)
                                  : arena_printf(p->arena, "Source: %s.", l->source));
    }
}

/* "at 4k to 16k" is "4k to 16k" under the heading "Block size". */
static const char *without_preposition(const char *range)
{
    if (strncmp(range, "at ", 3) == 0)
        return range + 3;
    return strncmp(range, "from ", 5) == 0 ? range + 5 : range;
}

static struct page_table *table_of_claims(struct page *p)
{
    const struct diagnosis *d = p->diagnosis;
    bool with_caps = p->run->n_limits > 0;
    bool several = false;
    for (size_t i = 1; i < d->n_claims; i++)
        several = several || d->claim[i].group != d->claim[0].group;
    struct page_table *t = page_table_create(p, "evidence", "What holds each range of block sizes");
    t->is_wrapping = true;
    if (several) {
        t->caption = page_load_caption(p, t->caption);
        page_table_column(p, t, "Load", false);
    }
    page_table_column(p, t, "Block size", false);
    page_table_column(p, t, "Finding", false);
    page_table_column(p, t, "Measured", true);
    if (with_caps) {
        page_table_column(p, t, "Cap", true);
        page_table_column(p, t, "Share", true);
    }
    page_table_column(p, t, "How sure", false);
    page_table_column(p, t, "What would disprove it", false);
    for (size_t i = 0; i < d->n_claims && i < MAX_CLAIMS; i++) {
        const struct claim *c = &d->claim[i];
        if (several)
            page_table_text(p, t, page_load_words(p, c->group));
        page_table_text(p, t, without_preposition(c->range));
        page_table_tagged(p, t, c->text, page_tag(c->finding->binds));
        page_table_text(p, t, c->measured);
        if (with_caps) {
            page_table_text(p, t, c->cap);
            page_table_text(p, t, c->share);
        }
        page_table_text(p, t, confidence_names[c->confidence]);
        page_table_text(p, t, c->disproof);
    }
    return t;
}

static void add_pictures(struct page *p, struct section *s, const struct family *f, size_t i)
{
    struct kind_query q = {.group = f->group};
    bool caps = p->run->n_limits > 0;
    if (f->n > 1 || caps)
        page_add_chart(p, s, "roofline", arena_printf(p->arena, "roofline-%zu", i), &q);
    size_t depths = 0;
    for (size_t k = 0; k < f->n; k++)
        depths = f->ladder[k].n > depths ? f->ladder[k].n : depths;
    if (f->n > 1 && depths > 1)
        page_add_chart(p, s, "matrix", arena_printf(p->arena, "matrix-%zu", i), &q);
}

static void add_no_limits(struct page *p, struct section *s)
{
    page_add_text(
        p, s,
        "No limits known for this host: every ceiling here is what was observed. When you "
        "know the VM size and the disk type, name them, and the report says which of their "
        "caps bind:");
    const char *run = p->run->id > 0 ? arena_printf(p->arena, "%" PRId64, p->run->id) : "RUN";
    page_add_command(p, s,
                     arena_printf(p->arena, "blkmatrix limits set %s --vm NAME --disk NAME", run));
}

/* The main one, then devices together before single ones. */
static void add_all_pictures(struct page *p, struct section *s)
{
    const struct analysis *a = p->analysis;
    const struct family *first = analysis_main_family(a);
    size_t shown = 0;
    if (first)
        add_pictures(p, s, first, shown++);
    for (int together = 1; together >= 0; together--) {
        for (size_t i = 0; i < a->n_families && shown < MAX_PATTERNS; i++) {
            const struct family *f = &a->family[i];
            if (f != first && f->n > 0 && !family_is_share(f) &&
                (family_devices(f) > 1) == (together > 0))
                add_pictures(p, s, f, shown++);
        }
    }
}

static void build(struct page *p, struct section *s)
{
    add_all_pictures(p, s);
    const struct diagnosis *d = p->diagnosis;
    if (d->outlook)
        page_add_text(p, s, d->outlook);
    if (d->together)
        page_add_text(p, s, d->together);
    if (d->counted)
        page_add_text(p, s, d->counted);
    size_t claims = d->n_claims;
    if (claims > 0)
        page_add_table(p, s, table_of_claims(p));
    if (claims > MAX_CLAIMS)
        page_add_text(
            p, s,
            arena_printf(p->arena, "%zu more are in the table of all cells.", claims - MAX_CLAIMS));
    if (p->run->n_limits > 0)
        add_caps(p, s);
    else if (claims > 0)
        add_no_limits(p, s);
}

const struct page_section section_caps = {"caps", "Which cap binds where", build};
