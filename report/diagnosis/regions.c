/* Ranges of block sizes that one thing holds. */
#include <math.h>

#include "core/base/xalloc.h"
#include "report/diagnosis/rule.h"
#include "report/diagnosis/words_internal.h"

/* Rates this close (ln) at two block sizes are one level. */
#define SAME_LEVEL 0.05
/* Where a shape fits all sizes of a family: as near as it has to be to fit. */
#define FITTED_LEVEL 0.25

/* No fit: what a size has in common with another, else what people look at first. */
static enum level level_of_few(const struct region *r, size_t i)
{
    const struct row_facts *mine = spoken(r, i), *other = spoken(r, i ? 0 : r->family->n - 1);
    if (mine != other) {
        double iops = mine->rate_now / other->rate_now;
        double bytes = iops * (double)mine->row->bs / (double)other->row->bs;
        if (fabs(log(iops)) < SAME_LEVEL)
            return LEVEL_IOPS;
        if (fabs(log(bytes)) < SAME_LEVEL)
            return LEVEL_BW;
    }
    return mine->row->bs <= 32768 ? LEVEL_IOPS : LEVEL_BW;
}

static enum level level_of(const struct region *r, size_t i)
{
    const struct family *f = r->family;
    if (is_bend(spoken(r, i)))
        return LEVEL_BEND;
    switch (f->plateau.model) {
    case PLATEAU_IOPS:
        return LEVEL_IOPS;
    case PLATEAU_BW:
        return LEVEL_BW;
    case PLATEAU_SOFT:
        return LEVEL_SOFT;
    case PLATEAU_BOTH:
        return (double)f->ladder[i].bs < f->plateau.knee_bs ? LEVEL_IOPS : LEVEL_BW;
    default:
        return level_of_few(r, i);
    }
}

/* True where the words would be that it levels off at one figure. */
static bool claims_level(const struct region *r)
{
    const struct row_facts *f = r->finding->facts;
    return r->finding->binds == BINDS_UNEXPLAINED &&
           (r->level == LEVEL_IOPS || r->level == LEVEL_BW) &&
           f->saturated.state != SATURATION_UNKNOWN && !(f->offered > 0);
}

/* Every block size is at the level that the region claims, if it claims one. */
static bool is_true_of_all(const struct region *r)
{
    if (!claims_level(r))
        return true;
    bool bytes = r->level == LEVEL_BW;
    double level = bytes ? region_bw(r) : region_iops(r);
    double most = r->family->plateau.model == PLATEAU_NONE ? SAME_LEVEL : FITTED_LEVEL;
    for (size_t i = r->first; i <= r->last; i++) {
        const struct row_facts *f = spoken(r, i);
        double rate = f->rate_now * (bytes ? (double)f->row->bs : 1);
        if (!(fabs(log(rate / level)) <= most))
            return false;
    }
    return true;
}

/* Both fell at the same depth, or neither did. */
static bool fell_alike(const struct region *r, size_t i)
{
    return is_fallen(r, i) == is_fallen(r, r->first) &&
           (!is_fallen(r, i) ||
            deepest(r->family, i)->row->depth == deepest(r->family, r->first)->row->depth);
}

static bool continues(const struct region *r, const struct finding *f, enum level level)
{
    size_t next = r->last + 1;
    struct region longer = *r;
    longer.last = next;
    return r->finding->binds == f->binds && r->finding->limit == f->limit &&
           (f->binds != BINDS_UNEXPLAINED || r->level == level ||
            f->facts->saturated.state == SATURATION_UNKNOWN) &&
           fell_alike(r, next) && is_true_of_all(&longer);
}

/*
 * A single size between two that the same thing holds, itself not sure and at no listed cap: noise
 * of one cell, as a rule. It goes with its neighbours.
 */
static bool is_blip(const struct region *before, const struct region *mine,
                    const struct region *after)
{
    const struct finding *f = mine->finding;
    struct region merged = *before;
    merged.last = after->last;
    return mine->first == mine->last && !f->limit && f->confidence < CONFIDENCE_CERTAIN &&
           before->finding->binds == after->finding->binds &&
           before->finding->limit == after->finding->limit && before->level == after->level &&
           fell_alike(before, mine->first) && fell_alike(before, after->first) &&
           is_true_of_all(&merged);
}

static void absorb_blips(struct regions *all, size_t start)
{
    for (size_t i = start + 1; i + 1 < all->n; i++) {
        struct region *r = &all->region[i];
        if (!is_blip(r - 1, r, r + 1))
            continue;
        (r - 1)->last = (r + 1)->last;
        memmove(r, r + 2, (all->n - i - 2) * sizeof *r);
        all->n -= 2;
        i--;
    }
}

void regions_add(struct regions *all, const struct family *f, const struct finding *findings,
                 const struct row_facts *facts)
{
    size_t start = all->n;
    for (size_t i = 0; i < f->n; i++) {
        struct region one = {.family = f, .first = i, .last = i, .all = findings, .facts = facts};
        one.finding = finding_at(&one, i);
        one.level = level_of(&one, i);
        struct region *r = all->n > start ? &all->region[all->n - 1] : NULL;
        if (r && continues(r, one.finding, one.level)) {
            r->last = i;
            continue;
        }
        GROW(all->region, all->n + 1, all->room);
        all->region[all->n++] = one;
    }
    absorb_blips(all, start);
}
