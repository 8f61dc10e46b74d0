/* The response curve: latency of an open loop at shares of the maximum. A form of the hockey stick. */
#include <math.h>
#include <stdlib.h>

#include "core/base/numfmt.h"
#include "report/chart/kinds/kind_internal.h"

#define HEIGHT 330.0
/* So many steps with a p99 are a curve; with fewer the medians are shown where there are more. */
#define ENOUGH_STEPS 3

/* A response curve of one of the selected curves. */
struct shown {
    const struct curve *of;
    struct response r;
};

struct responses {
    struct chart *c;
    const struct selection *s;
    struct shown *curve;
    size_t n;
    uint64_t bs;
    double percentile;
    const char *name; /* "p99" */
    double unit_ns;
    const char *unit;
    double lo, hi, most;
};

/* "50 %": shares are as they were asked for. */
static const char *say_part(struct chart *c, const struct row *step)
{
    return arena_printf(c->arena, "%.3g\u00a0%%", round(response_share(step) * 1000) / 10);
}

/* The steps of one row of the selection, if it has any. */
static void add_response(struct responses *f, const struct curve *v, const struct row *maximum,
                         const struct row *all, size_t n_all)
{
    struct shown shown = {.of = v};
    if (!response_find(&shown.r, f->c->arena, all, n_all, maximum) ||
        (f->bs && f->bs < maximum->bs))
        return;
    if (f->bs != maximum->bs)
        f->n = 0; /* the smallest block size that has any */
    f->bs = maximum->bs;
    *CHART_ADD(f->c, f->curve, f->n) = shown;
}

static size_t count_known(const struct responses *f, double percentile, double *log_mean)
{
    size_t n = 0;
    double sum = 0;
    for (size_t i = 0; i < f->n; i++)
        for (size_t j = 0; j < f->curve[i].r.n; j++) {
            double ns = row_percentile(f->curve[i].r.step[j], percentile);
            if (ns > 0) {
                sum += log(ns);
                n++;
            }
        }
    *log_mean = n ? sum / (double)n : 0;
    return n;
}

static bool choose_percentile(struct responses *f)
{
    double mean99, mean50;
    size_t n99 = count_known(f, 99, &mean99), n50 = count_known(f, 50, &mean50);
    bool is_99 = n99 > 0 && (n99 >= ENOUGH_STEPS || n99 >= n50);
    f->percentile = is_99 ? 99 : 50;
    f->name = is_99 ? "p99" : "p50";
    f->unit = latency_unit(exp(is_99 ? mean99 : mean50), &f->unit_ns);
    return n99 + n50 > 0;
}

static void add_line(struct responses *f, struct panel *p, size_t i)
{
    struct chart *c = f->c;
    const struct curve *of = f->curve[i].of;
    const struct response *r = &f->curve[i].r;
    struct look look = f->s->n > 1 ? of->look : look_of_step(i, f->n);
    struct trace *t = CHART_ADD(c, p->trace, p->n_traces);
    const char *name = arena_printf(c->arena, "QD %s", say_depth(c, r->maximum->depth));
    if (f->s->n > 1)
        name = arena_printf(c->arena, "%s, %s", curve_label(c, of), name);
    *t = (struct trace){.name = f->n > 1 ? name : NULL,
                        .key = arena_printf(c->arena, "r%zu", i),
                        .colour = look.colour,
                        .text_colour = look.text_colour,
                        .marker = look.marker,
                        .end = END_FREE};
    for (size_t j = 0; j < r->n; j++) {
        double ns = row_percentile(r->step[j], f->percentile);
        if (!(ns > 0))
            continue;
        *CHART_ADD(c, t->datum, t->n) =
            (struct datum){.x = r->step[j]->iops,
                           .y = ns / f->unit_ns,
                           .tip = arena_printf(c->arena, "%s of the maximum, %s",
                                               say_part(c, r->step[j]), say_row(c, of, r->step[j])),
                           .label = f->n == 1 ? say_part(c, r->step[j]) : NULL};
        f->lo = fmin(f->lo, ns / f->unit_ns);
        f->hi = fmax(f->hi, ns / f->unit_ns);
        f->most = fmax(f->most, r->step[j]->iops);
    }
}

/* The maximum as an upright line, and the ring at the knee. */
static void add_notes(struct responses *f, struct panel *p, const struct shown *shown)
{
    struct chart *c = f->c;
    const struct response *r = &shown->r;
    struct cap *line = CHART_ADD(c, p->cap, p->n_caps);
    f->most = fmax(f->most, r->maximum->iops);
    *line = (struct cap){.colour = shown->of->look.colour,
                         .text_colour = shown->of->look.text_colour,
                         .style = CAP_BURST,
                         .label = arena_printf(c->arena, "Maximum at QD %s: %s IOPS",
                                               say_depth(c, r->maximum->depth),
                                               say_iops(c, r->maximum->iops))};
    *CHART_ADD(c, line->point, line->n) = (struct point){r->maximum->iops, 0};
    *CHART_ADD(c, line->point, line->n) = (struct point){r->maximum->iops, 0};
    if (r->knee >= r->n)
        return;
    const struct row *knee = r->step[r->knee];
    double ns = row_percentile(knee, f->percentile);
    if (ns > 0)
        *CHART_ADD(c, p->ring, p->n_rings) = (struct ring){
            .x = knee->iops,
            .y = ns / f->unit_ns,
            .around_mark = true,
            .head = arena_printf(c->arena, "Knee at %s of the maximum", say_part(c, knee)),
            .text = arena_printf(c->arena, "%s IOPS, %s %s", say_iops(c, knee->iops), f->name,
                                 say_latency(c, ns))};
}

static bool add_panel(struct responses *f)
{
    struct chart *c = f->c;
    struct panel *p = CHART_ADD(c, c->panel, c->n_panels);
    p->height = HEIGHT;
    f->lo = INFINITY;
    for (size_t i = 0; i < f->n; i++)
        add_line(f, p, i);
    if (!(f->hi > 0))
        return false;
    if (f->n == 1)
        add_notes(f, p, &f->curve[0]);
    hockey_axes(c, p, f->lo, f->hi, f->most);
    p->y.title = arena_printf(c->arena, "%s latency, %s (log)", f->name, f->unit);
    return true;
}

static const char *title_of(struct responses *f)
{
    const struct response *r = &f->curve[0].r;
    if (f->s->n > 1)
        return title_of_several(f->c, f->s, "Latency against load");
    if (f->n > 1 || r->knee >= r->n)
        return "Latency against load, in shares of the maximum";
    const char *share = say_part(f->c, r->step[r->knee]);
    if (r->knee + 1 < r->n)
        return arena_printf(f->c->arena,
                            "Past %s of the maximum latency grows faster than the rate", share);
    return arena_printf(f->c->arena, "Up to %s of the maximum latency grows less than the rate",
                        share);
}

static void add_table(struct responses *f)
{
    struct chart *c = f->c;
    static const char *const head[] = {"Of the maximum", "QD", "IOPS", "p50", "p99"};
    if (f->s->n > 1)
        chart_table_column(c, "Run", false);
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        chart_table_column(c, head[i], true);
    for (size_t i = 0; i < f->n; i++)
        for (size_t j = 0; j < f->curve[i].r.n; j++) {
            const struct row *r = f->curve[i].r.step[j];
            double p50 = row_percentile(r, 50), p99 = row_percentile(r, 99);
            if (f->s->n > 1)
                chart_table_cell(c, curve_label(c, f->curve[i].of));
            chart_table_cell(c, say_part(c, r));
            chart_table_cell(c, say_depth(c, r->depth));
            chart_table_cell(c, say_iops(c, r->iops));
            chart_table_cell(c, isfinite(p50) ? say_latency(c, p50) : "–");
            chart_table_cell(c, isfinite(p99) ? say_latency(c, p99) : "–");
        }
}

bool response_build(struct chart *c, struct dataset *d, const struct selection *s)
{
    struct responses f = {.c = c, .s = s};
    size_t n_rows;
    const struct row *row = dataset_rows(d, &n_rows);
    for (size_t i = 0; i < s->n; i++)
        for (size_t j = 0; j < s->curve[i].n; j++)
            add_response(&f, &s->curve[i], s->curve[i].row[j], row, n_rows);
    if (f.n == 0 || !choose_percentile(&f) || !add_panel(&f))
        return false;
    c->title = title_of(&f);
    const struct row *first = s->curve[0].row[0];
    const char *from = row_is_from_due(first) ? " from the due time" : "";
    const char *what = arena_printf(c->arena, "%s latency%s against IOPS", f.name, from);
    const char *parts = SAY_PARTS(c, say_subject(c, s), say_block(c, f.bs));
    c->subtitle = arena_printf(c->arena, "%s. %s%sPoints are shares of the maximum.", what, parts,
                               *parts ? ". " : "");
    say_source(c, s, "Open loop. Knee: where IOPS / latency is highest.");
    add_table(&f);
    return true;
}
