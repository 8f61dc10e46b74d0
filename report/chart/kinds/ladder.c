/* What the two charts of one block size over growing depth share: its cap and its knee. */
#include <math.h>

#include "report/chart/kinds/kind_internal.h"

void ladder_find(struct chart *c, const struct curve *v, uint64_t bs, struct depth_ladder *out)
{
    *out = (struct depth_ladder){.bs = bs};
    out->n = curve_rungs(c, v, bs, &out->rung);
    out->knee = knee_find(out->rung, out->n);
    struct roof roof;
    roof_find(c, v, &roof);
    for (size_t i = 0; i < roof.n_columns; i++) {
        const struct roof_verdict *held = &roof.column[i].verdict;
        if (roof.column[i].bs != bs || !held->cap)
            continue;
        out->cap = held->cap;
        out->cap_iops = roof_cap_bw(held->cap, (double)bs) / (double)bs;
        out->reached = held->reached;
    }
}

const char *ladder_cap_label(struct chart *c, const struct depth_ladder *l, const char *letter)
{
    const char *label = roof_cap_label(c, l->cap);
    if (l->cap->kind == CAP_BW)
        label = arena_printf(c->arena, "%s = %s IOPS", label, say_iops(c, l->cap_iops));
    return letter ? arena_printf(c->arena, "%s: %s", letter, label) : label;
}

const char *ladder_knee_words(struct chart *c, const struct depth_ladder *l, double latency,
                              const char *which)
{
    const char *at =
        isfinite(latency) ? arena_printf(c->arena, "%s %s", which, say_latency(c, latency)) : NULL;
    if (!l->cap)
        return at ? at : "";
    double share = l->rung[l->knee].iops / l->cap_iops;
    if (share < ROOF_REACHED || share > 1.03)
        return at ? at : "";
    return arena_printf(c->arena, "%s of the cap%s%s", say_share(c, fmin(share, 1)), at ? ", " : "",
                        at ? at : "");
}
