/* Depths of one ladder that reach one rate are held by one thing. */
#include <math.h>

#include "report/diagnosis/exceeded.h"
#include "report/diagnosis/rule.h"

#define SAME_RATE 0.05 /* ln */
/* What is delivered of a cap. */
#define HIT_LEAST 0.90
#define HIT_MOST  1.06

static bool is_hit(const struct finding *f)
{
    return f->limit && f->share >= HIT_LEAST && f->share <= HIT_MOST;
}

static bool is_refuted(const struct finding *f, enum binds binds)
{
    for (size_t slot = 0; slot < CAP_SLOTS; slot++) {
        if (binds_of_slot[slot] == binds)
            return exceeded_refutes(f->exceeded, slot);
    }
    return false;
}

static bool is_open(const struct finding *f)
{
    return f->binds == BINDS_UNEXPLAINED && !(f->facts->offered > 0);
}

/* `f` is open, and `other` was held at the same rate by a cap that it meets as well. */
static bool meets(const struct finding *f, const struct finding *other)
{
    double share = other->share * f->facts->rate_now / other->facts->rate_now;
    return is_open(f) && is_hit(other) && share >= HIT_LEAST && share <= HIT_MOST &&
           !is_refuted(f, other->binds);
}

static void take_cap(struct finding *f, const struct finding *other)
{
    f->binds = other->binds;
    f->also = other->also;
    f->limit = other->limit;
    f->cap = other->cap;
    f->share = other->share * f->facts->rate_now / other->facts->rate_now;
    f->sustained = other->sustained;
    f->base = other->base;
    f->confidence = other->confidence;
}

/* The bend of a curve may lie a little under a cap. Deeper it still does, so it is no bend. */
static bool is_no_hit(const struct finding *f, const struct finding *deeper)
{
    return f->limit && f->share < HIT_LEAST && is_open(deeper) &&
           deeper->facts->saturated.state == SATURATION_YES;
}

static void agree(struct finding *f, const struct finding *other, bool is_deeper)
{
    if (!(fabs(log(f->facts->rate_now / other->facts->rate_now)) <= SAME_RATE))
        return;
    if (meets(f, other)) {
        take_cap(f, other);
    } else if (is_deeper && is_no_hit(f, other)) {
        struct finding open = {.facts = f->facts,
                               .row = f->row,
                               .binds = other->binds,
                               .cap = NAN,
                               .share = NAN,
                               .sustained = NAN,
                               .confidence = other->confidence,
                               .exceeded = f->exceeded};
        *f = open;
    }
}

void same_rate_agree(const struct analysis *a, struct finding *finding)
{
    for (size_t i = 0; i < a->n_families; i++) {
        for (size_t k = 0; k < a->family[i].n; k++) {
            const struct ladder *l = &a->family[i].ladder[k];
            for (size_t to = 0; to < l->n; to++) {
                for (size_t from = l->n; from-- > 0;) {
                    if (from != to)
                        agree(&finding[l->rung[to] - a->facts], &finding[l->rung[from] - a->facts],
                              from > to);
                }
            }
        }
    }
}
