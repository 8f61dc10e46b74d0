/* Which size, depth or cell a chart of one of them takes when the user names none. */
#include "report/chart/kinds/kind_internal.h"

static size_t depths_at(const struct selection *s, uint64_t bs)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        for (size_t j = 0; j < s->curve[i].n; j++)
            n += s->curve[i].row[j]->bs == bs;
    return n;
}

uint64_t selection_size(struct chart *c, const struct selection *s)
{
    uint64_t *bs, found = 0;
    size_t n = sizes_of(c, s->curve, s->n, &bs), most = 0;
    for (size_t i = 0; i < n; i++)
        if (depths_at(s, bs[i]) > most) {
            most = depths_at(s, bs[i]);
            found = bs[i];
        }
    return found;
}

const struct row *curve_typical(struct chart *c, const struct curve *v, uint64_t bs)
{
    struct rung *rung;
    size_t n = curve_rungs(c, v, bs, &rung), knee = knee_find(rung, n);
    if (knee < n)
        return curve_row(v, bs, (uint64_t)rung[knee].depth);
    const struct row *deepest = curve_deepest(v, bs);
    return deepest ? deepest : v->row[0];
}
