/* Ranges of block sizes that one thing holds. */
#include <math.h>

#include "core/base/xalloc.h"
#include "report/diagnosis/rule.h"
#include "report/diagnosis/words_internal.h"

/* Rates this close (ln) at two block sizes are one level. */
#define SAME_LEVEL 0.05

/* Too few sizes for a fit: what two of them have in common, else what people look at first. */
static enum level level_of_few(const struct family *f, size_t i)
{
    const struct row_facts *mine = deepest(f, i), *other = deepest(f, i ? 0 : f->n - 1);
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

static enum level level_of(const struct family *f, size_t i)
{
    if (is_bend(deepest(f, i)))
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
        return level_of_few(f, i);
    }
}

static bool continues(const struct region *r, const struct finding *f, enum level level)
{
    return r->finding->binds == f->binds && r->finding->limit == f->limit &&
           (f->binds != BINDS_UNEXPLAINED || r->level == level ||
            f->facts->saturated.state == SATURATION_UNKNOWN);
}

/*
 * A single size between two that the same thing holds, itself not sure and at no listed cap: noise
 * of one cell, as a rule. It goes with its neighbours.
 */
static bool is_blip(const struct region *before, const struct region *mine,
                    const struct region *after)
{
    const struct finding *f = mine->finding;
    return mine->first == mine->last && !f->limit && f->confidence < CONFIDENCE_CERTAIN &&
           before->finding->binds == after->finding->binds &&
           before->finding->limit == after->finding->limit && before->level == after->level;
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
        const struct finding *finding = &findings[deepest(f, i) - facts];
        enum level level = level_of(f, i);
        struct region *r = all->n > start ? &all->region[all->n - 1] : NULL;
        if (r && continues(r, finding, level)) {
            r->last = i;
            continue;
        }
        GROW(all->region, all->n + 1, all->room);
        all->region[all->n++] = (struct region){f, i, i, finding, findings, facts, level};
    }
    absorb_blips(all, start);
}
