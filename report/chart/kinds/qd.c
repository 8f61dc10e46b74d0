/* IOPS over latency by queue depth at one block size: where more depth stops buying anything. */
#include <math.h>

#include "core/base/numfmt.h"
#include "report/chart/kinds/kind_internal.h"

#define HEIGHT_IOPS    190.0
#define HEIGHT_LATENCY 170.0

struct by_depth {
    struct chart *c;
    struct selection s;
    struct depth_ladder *ladder; /* one a curve */
    uint64_t bs;
    uint64_t *depth;
    size_t n_depths;
    double unit_ns;
    const char *unit;
};

static void add_rates(struct by_depth *f, struct panel *p, size_t i, double *hi)
{
    struct trace *t = trace_of_curve(f->c, p, &f->s, i);
    for (size_t j = 0; j < f->n_depths; j++) {
        if (!curve_has_depth(&f->s.curve[i], f->depth[j]))
            continue;
        const struct row *r = curve_row(&f->s.curve[i], f->bs, f->depth[j]);
        struct datum *d = CHART_ADD(f->c, t->datum, t->n);
        *d = (struct datum){.x = (double)f->depth[j], .y = NAN};
        if (!r)
            continue;
        *d = datum_of_rate(f->c, &f->s.curve[i], r, (double)f->depth[j], 1);
        *hi = fmax(*hi, fmax(d->y, d->hi));
    }
}

static void add_cap(struct by_depth *f, struct panel *p, size_t i, double *hi)
{
    const struct depth_ladder *l = &f->ladder[i];
    if (!l->cap || l->cap_iops > 2 * *hi)
        return;
    *hi = fmax(*hi, l->cap_iops);
    for (size_t j = 0; j < p->n_caps; j++)
        if (fabs(p->cap[j].point[0].y - l->cap_iops) < 1e-6 * l->cap_iops)
            return;
    struct cap *line = CHART_ADD(f->c, p->cap, p->n_caps);
    *line = (struct cap){
        .colour = owner_colour(l->cap->owner),
        .text_colour = owner_text_colour(l->cap->owner),
        .style = l->reached ? CAP_BINDING : CAP_BURST,
        .label = ladder_cap_label(f->c, l, f->s.curve[i].letter),
    };
    *CHART_ADD(f->c, line->point, line->n) = (struct point){f->c->x.lo, l->cap_iops};
    *CHART_ADD(f->c, line->point, line->n) = (struct point){f->c->x.hi, l->cap_iops};
}

/* What the rate at the lowest depth would become if every further slot brought as much. */
static void add_ideal(struct by_depth *f, struct panel *p, double hi)
{
    const struct depth_ladder *l = &f->ladder[0];
    if (f->s.n > 1 || l->n < 2 || l->rung[0].depth > 1)
        return;
    struct cap *line = CHART_ADD(f->c, p->cap, p->n_caps);
    *line = (struct cap){.colour = COLOUR_AXIS,
                         .text_colour = COLOUR_INK3,
                         .style = CAP_IDEAL,
                         .label = "QD × IOPS at QD 1"};
    /* straight from depth to depth as the measured line, which else would seem to lie above it */
    const double top = 1.3 * hi;
    struct point last = {l->rung[0].depth, l->rung[0].iops};
    *CHART_ADD(f->c, line->point, line->n) = last;
    for (size_t i = 1; i < l->n && last.y < top; i++) {
        struct point next = {l->rung[i].depth, l->rung[i].depth * l->rung[0].iops};
        if (next.y > top) {
            next.x = last.x * pow(next.x / last.x, (top - last.y) / (next.y - last.y));
            next.y = top;
        }
        *CHART_ADD(f->c, line->point, line->n) = next;
        last = next;
    }
}

static void add_knee(struct by_depth *f, struct panel *p, size_t i)
{
    const struct depth_ladder *l = &f->ladder[i];
    if (l->knee >= l->n || l->n < 3 || f->s.n > 2)
        return;
    const struct rung *at = &l->rung[l->knee];
    const struct row *r = curve_row(&f->s.curve[i], f->bs, (uint64_t)at->depth);
    const char *letter = f->s.curve[i].letter;
    *CHART_ADD(f->c, p->ring, p->n_rings) = (struct ring){
        .x = at->depth,
        .y = at->iops,
        .around_mark = true,
        .head = arena_printf(f->c->arena, "%s%snee at QD %s", letter ? letter : "",
                             letter ? ": k" : "K", say_depth(f->c, (uint64_t)at->depth)),
        .text = ladder_knee_words(f->c, l, row_percentile(r, 99), "p99"),
    };
}

static void add_iops_panel(struct by_depth *f)
{
    struct chart *c = f->c;
    struct panel *p = CHART_ADD(c, c->panel, c->n_panels);
    double hi = 0;
    p->height = HEIGHT_IOPS;
    for (size_t i = 0; i < f->s.n; i++)
        add_rates(f, p, i, &hi);
    for (size_t i = 0; i < f->s.n && f->s.n <= MOST_OVERLAID; i++) {
        add_cap(f, p, i, &hi);
        add_knee(f, p, i);
    }
    add_ideal(f, p, hi);
    axis_linear(c, &p->y, hi * 1.12, NUMBERS_COUNT);
    p->y.title = "IOPS";
}

struct percentile_look {
    double p;
    const char *name;
    double width, opacity;
};

static void add_latency(struct by_depth *f, struct panel *p, size_t i,
                        const struct percentile_look *look, double *lo, double *hi)
{
    struct trace *t = trace_of_curve(f->c, p, &f->s, i);
    const char *letter = f->s.curve[i].letter;
    t->key = arena_printf(f->c->arena, "l%zu.%s", i, look->name);
    t->width = look->width;
    t->opacity = look->opacity;
    bool any = false;
    for (size_t j = 0; j < f->n_depths; j++) {
        if (!curve_has_depth(&f->s.curve[i], f->depth[j]))
            continue;
        const struct row *r = curve_row(&f->s.curve[i], f->bs, f->depth[j]);
        double ns = r ? row_percentile(r, look->p) : NAN;
        struct datum *d = CHART_ADD(f->c, t->datum, t->n);
        *d = (struct datum){.x = (double)f->depth[j], .y = NAN};
        if (!(ns > 0))
            continue;
        d->y = ns / f->unit_ns;
        d->tip =
            arena_printf(f->c->arena, "%s%sQD %s: %s %s", letter ? letter : "", letter ? ", " : "",
                         say_depth(f->c, f->depth[j]), look->name, say_latency(f->c, ns));
        *lo = fmin(*lo, d->y);
        *hi = fmax(*hi, d->y);
        any = true;
    }
    t->name = letter ? arena_printf(f->c->arena, "%s %s", letter, look->name) : look->name;
    if (!any)
        p->n_traces--;
}

/* One unit for the panel: that of the geometric middle of all medians. */
static bool choose_unit(struct by_depth *f)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < f->s.n; i++)
        for (size_t j = 0; j < f->n_depths; j++) {
            const struct row *r = curve_row(&f->s.curve[i], f->bs, f->depth[j]);
            double ns = r ? row_percentile(r, 50) : NAN;
            if (!(ns > 0))
                ns = r ? row_percentile(r, 99) : NAN;
            if (ns > 0) {
                sum += log(ns);
                n++;
            }
        }
    if (n == 0)
        return false;
    f->unit = latency_unit(exp(sum / (double)n), &f->unit_ns);
    return true;
}

static void add_latency_panel(struct by_depth *f)
{
    static const struct percentile_look look[] = {
        {50, "p50", 2.2, 1}, {99, "p99", 1.5, 0.75}, {99.9, "p99.9", 1.1, 0.55}};
    struct chart *c = f->c;
    if (!choose_unit(f) || f->s.n > MOST_OVERLAID)
        return;
    struct panel *p = CHART_ADD(c, c->panel, c->n_panels);
    double lo = INFINITY, hi = 0;
    p->height = HEIGHT_LATENCY;
    /* several runs: two percentiles of two, one of more, or nothing can be followed */
    size_t from = f->s.n > 2 ? 1 : 0, to = f->s.n > 1 ? 2 : 3;
    for (size_t i = 0; i < f->s.n; i++)
        for (size_t k = from; k < to; k++)
            add_latency(f, p, i, &look[k], &lo, &hi);
    axis_log10(c, &p->y, lo, hi, NUMBERS_PLAIN, false);
    p->y.title = arena_printf(c->arena, "Latency, %s (log)", f->unit);
}

static double latency_at(const struct by_depth *f, const struct rung *rung)
{
    const struct row *r = curve_row(&f->s.curve[0], f->bs, (uint64_t)rung->depth);
    double ns = r ? row_percentile(r, 50) : NAN;
    return r && isnan(ns) ? row_percentile(r, 99) : ns;
}

static const char *title_of(struct by_depth *f)
{
    struct chart *c = f->c;
    const struct depth_ladder *l = &f->ladder[0];
    const char *content = c->n_panels > 1 ? c->title : "IOPS by queue depth";
    if (f->s.n > 1)
        return title_of_several(c, &f->s, content);
    if (l->n < 3)
        return content;
    if (l->knee < l->n) {
        bool grows = latency_at(f, &l->rung[l->n - 1]) > latency_at(f, &l->rung[l->knee]);
        return arena_printf(c->arena, "IOPS stop growing at queue depth %.0f%s",
                            l->rung[l->knee].depth, grows ? ", latency does not" : "");
    }
    return arena_printf(c->arena, "Deeper queues still gain at queue depth %.0f",
                        l->rung[l->n - 1].depth);
}

static void build(struct chart *c, struct dataset *d, const struct kind_query *q)
{
    struct by_depth f = {.c = c};
    c->title = "IOPS and latency by queue depth";
    if (!select_curves(c, d, q, &f.s))
        return;
    f.bs = selection_size(c, &f.s);
    f.n_depths = depths_of(c, f.s.curve, f.s.n, &f.depth);
    if (f.n_depths == 0) {
        chart_set_empty(c, "No cell states its queue depth.",
                        "blkmatrix sweep --dev PATH --iodepth 1..64");
        return;
    }
    axis_of_depths(c, f.depth, f.n_depths);
    f.ladder = arena_array(c->arena, f.s.n, sizeof *f.ladder);
    for (size_t i = 0; i < f.s.n; i++)
        ladder_find(c, &f.s.curve[i], f.bs, &f.ladder[i]);
    c->small_multiples = f.s.n > MOST_OVERLAID;
    add_iops_panel(&f);
    add_latency_panel(&f);
    c->title = title_of(&f);
    c->subtitle = arena_printf(
        c->arena, "%s.", SAY_PARTS(c, "by queue depth", say_subject(c, &f.s), say_block(c, f.bs)));
    const char *knee = f.ladder[0].n >= 3 ? KNEE_WORDS : NULL, *bars = interval_words(&f.s);
    say_source(c, &f.s,
               knee && bars ? arena_printf(c->arena, "%s %s", knee, bars)
               : knee       ? knee
                            : bars);
    table_of_rows(c, &f.s);
}

const struct kind kind_qd = {
    .name = "qd",
    .title = "IOPS and latency by queue depth",
    .help = "One block size (the smallest with the most depths, or --bs): IOPS from zero over "
            "latency percentiles. Needs two or more queue depths to say something.",
    .build = build,
};
