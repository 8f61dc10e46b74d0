/* Load against latency: the hockey stick. One point a queue depth; past the knee load only waits. */
#include <math.h>

#include "core/base/numfmt.h"
#include "report/chart/kinds/kind_internal.h"

#define HEIGHT 330.0

struct hockey {
    struct chart *c;
    struct selection s;
    struct depth_ladder *ladder;
    uint64_t bs;
    double percentile; /* 99, or 50 where no 99 is known */
    const char *name;  /* "p99" */
    double unit_ns;
    const char *unit;
    double lo, hi, most; /* latency in its unit, IOPS */
};

/* p99 unless only medians are known; false when neither is. */
static bool choose_percentile(struct hockey *f)
{
    static const struct {
        double p;
        const char *name;
    } wish[] = {{99, "p99"}, {50, "p50"}};
    for (size_t k = 0; k < 2; k++) {
        double sum = 0;
        size_t n = 0;
        for (size_t i = 0; i < f->s.n; i++)
            for (size_t j = 0; j < f->s.curve[i].n; j++) {
                const struct row *r = f->s.curve[i].row[j];
                double ns = r->bs == f->bs ? row_percentile(r, wish[k].p) : NAN;
                if (ns > 0) {
                    sum += log(ns);
                    n++;
                }
            }
        if (n > 0) {
            f->percentile = wish[k].p;
            f->name = wish[k].name;
            f->unit = latency_unit(exp(sum / (double)n), &f->unit_ns);
            return true;
        }
    }
    return false;
}

static void add_line(struct hockey *f, struct panel *p, size_t i)
{
    const struct curve *v = &f->s.curve[i];
    const struct depth_ladder *l = &f->ladder[i];
    struct trace *t = trace_of_curve(f->c, p, &f->s, i);
    t->end = END_FREE;
    for (size_t j = 0; j < l->n; j++) {
        const struct row *r = curve_row(v, f->bs, (uint64_t)l->rung[j].depth);
        double ns = row_percentile(r, f->percentile);
        if (!(ns > 0))
            continue;
        const char *lead = t->n == 0 && i == 0 ? "QD " : "";
        *CHART_ADD(f->c, t->datum, t->n) = (struct datum){
            .x = r->iops,
            .y = ns / f->unit_ns,
            .tip = say_row(f->c, v, r),
            .label = arena_printf(f->c->arena, "%s%s", lead, say_depth(f->c, r->depth)),
        };
        f->lo = fmin(f->lo, ns / f->unit_ns);
        f->hi = fmax(f->hi, ns / f->unit_ns);
        f->most = fmax(f->most, r->iops);
    }
}

static void add_knee(struct hockey *f, struct panel *p, size_t i)
{
    const struct depth_ladder *l = &f->ladder[i];
    if (l->knee >= l->n || l->n < 3)
        return;
    const struct curve *v = &f->s.curve[i];
    const struct row *r = curve_row(v, f->bs, (uint64_t)l->rung[l->knee].depth);
    double ns = row_percentile(r, f->percentile);
    if (!(ns > 0))
        return;
    /* the note stands once; the ring of a second run explains itself */
    bool noted = i == 0;
    *CHART_ADD(f->c, p->ring, p->n_rings) = (struct ring){
        .x = r->iops,
        .y = ns / f->unit_ns,
        .around_mark = true,
        .head =
            noted ? arena_printf(f->c->arena, "Knee at QD %s", say_depth(f->c, r->depth)) : NULL,
        .text = ladder_knee_words(f->c, l, ns, f->name),
    };
}

static void add_cap(struct hockey *f, struct panel *p, size_t i)
{
    const struct depth_ladder *l = &f->ladder[i];
    if (!l->cap || l->cap_iops > 1.6 * f->most)
        return;
    f->most = fmax(f->most, l->cap_iops);
    for (size_t j = 0; j < p->n_caps; j++)
        if (fabs(p->cap[j].point[0].x - l->cap_iops) < 1e-6 * l->cap_iops)
            return;
    struct cap *line = CHART_ADD(f->c, p->cap, p->n_caps);
    *line = (struct cap){.colour = owner_colour(l->cap->owner),
                         .text_colour = owner_text_colour(l->cap->owner),
                         .style = CAP_BURST,
                         .label = ladder_cap_label(f->c, l, f->s.curve[i].letter)};
    *CHART_ADD(f->c, line->point, line->n) = (struct point){l->cap_iops, 0};
    *CHART_ADD(f->c, line->point, line->n) = (struct point){l->cap_iops, 0};
}

static const char *title_of(struct hockey *f)
{
    struct chart *c = f->c;
    const struct depth_ladder *l = &f->ladder[0];
    if (f->s.n > 1)
        return title_of_several(c, &f->s, "Latency against load");
    if (l->n < 3)
        return "Latency against load";
    if (l->knee + 1 < l->n)
        return arena_printf(c->arena, "Past queue depth %.0f, more load only buys waiting",
                            l->rung[l->knee].depth);
    return arena_printf(c->arena, "No knee up to queue depth %.0f: more load still gets through",
                        l->rung[l->n - 1].depth);
}

void hockey_axes(struct chart *c, struct panel *p, double lo, double hi, double most)
{
    axis_linear(c, &c->x, most * 1.15, NUMBERS_COUNT);
    axis_log10(c, &p->y, lo / 1.15, hi * 1.35, NUMBERS_PLAIN, false);
    for (size_t i = 0; i < p->n_caps; i++) {
        p->cap[i].point[0].y = p->y.lo;
        p->cap[i].point[1].y = p->y.hi;
    }
    c->x.title = "IOPS";
}

/* False when no cell has both a rate and the percentile. */
static bool add_panel(struct hockey *f)
{
    struct chart *c = f->c;
    struct panel *p = CHART_ADD(c, c->panel, c->n_panels);
    p->height = HEIGHT;
    f->lo = INFINITY;
    for (size_t i = 0; i < f->s.n; i++)
        add_line(f, p, i);
    if (!(f->hi > 0))
        return false;
    for (size_t i = 0; i < f->s.n && f->s.n <= 2; i++) {
        add_knee(f, p, i);
        add_cap(f, p, i);
    }
    hockey_axes(c, p, f->lo, f->hi, f->most);
    p->y.title = arena_printf(c->arena, "%s latency, %s (log)", f->name, f->unit);
    return true;
}

static void build(struct chart *c, struct dataset *d, const struct kind_query *q)
{
    struct hockey f = {.c = c};
    c->title = "Latency against load";
    if (!select_curves(c, d, q, &f.s) || response_build(c, d, &f.s))
        return;
    f.bs = selection_size(c, &f.s);
    f.ladder = arena_array(c->arena, f.s.n, sizeof *f.ladder);
    size_t rungs = 0;
    for (size_t i = 0; i < f.s.n; i++) {
        ladder_find(c, &f.s.curve[i], f.bs, &f.ladder[i]);
        rungs += f.ladder[i].n;
    }
    c->small_multiples = f.s.n > MOST_OVERLAID;
    if (rungs == 0 || !choose_percentile(&f) || !add_panel(&f)) {
        chart_set_empty(c, "No cell has a queue depth, a rate and a latency percentile.",
                        "blkmatrix sweep --dev PATH --iodepth 1..64");
        return;
    }
    c->title = title_of(&f);
    const char *what = arena_printf(c->arena, "%s latency against IOPS", f.name);
    const char *parts = SAY_PARTS(c, say_subject(c, &f.s), say_block(c, f.bs));
    c->subtitle =
        arena_printf(c->arena, "%s. %s%sPoints are queue depths.", what, parts, *parts ? ". " : "");
    say_source(c, &f.s, f.ladder[0].n >= 3 ? "Closed loop. " KNEE_WORDS : "Closed loop.");
    table_of_rows(c, &f.s);
}

const struct kind kind_hockey = {
    .name = "hockey",
    .title = "latency against load",
    .help = "One block size (the smallest with the most depths, or --bs): p99 latency over IOPS, a "
            "point a queue depth. The bend is the usable range. Of a sweep with --curve: a point a "
            "share of the maximum.",
    .build = build,
};
