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
    double bw;
    const struct roof_cap *cap = roof_at(&roof, (double)bs, &bw);
    if (!cap || bs == 0)
        return;
    out->cap = cap;
    out->cap_iops = bw / (double)bs;
    /* an unsure unit is a band: nothing within it is short of the cap */
    double least = out->cap_iops * cap->value / cap->value_max;
    for (size_t i = 0; i < out->n; i++)
        out->reached = out->reached || out->rung[i].iops >= ROOF_REACHED * least;
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
    if (share < ROOF_REACHED)
        return at ? at : "";
    return arena_printf(c->arena, "%s of the cap%s%s", say_share(c, fmin(share, 1)), at ? ", " : "",
                        at ? at : "");
}
