/* Series and their data. */
#include <math.h>

#include "core/base/xalloc.h"
#include "core/stats/mean_interval.h"
#include "report/chart/kinds/kind_internal.h"

#define ENOUGH_FOR_INTERVAL 5
#define MiB                 1048576.0

/* Up to this many depths each has a line; of more, MOST_SPREAD spread over all of them. */
#define MOST_DEPTHS 8
#define MOST_SPREAD 6

static double rate_of_repeat(const struct row *r, size_t i)
{
    const struct cell *cell = r->repeat[i];
    const struct direction *d = r->part == 0               ? &cell->dir[r->dir]
                                : r->part <= cell->n_parts ? &cell->part[r->part - 1].dir[r->dir]
                                                           : NULL;
    return d && IS_KNOWN(d, DIRECTION, iops) ? d->iops : NAN;
}

/* 95 % interval of the mean over the repeats; false when it cannot be known. */
static bool interval_over_repeats(const struct row *r, double *lo, double *hi)
{
    double *x = xcalloc(r->n_repeats, sizeof *x);
    size_t n = 0;
    for (size_t i = 0; i < r->n_repeats; i++) {
        double v = rate_of_repeat(r, i);
        if (isfinite(v))
            x[n++] = v;
    }
    struct mean_interval ci;
    bool known = n >= ENOUGH_FOR_INTERVAL && interval_of_mean(x, n, &ci);
    free(x);
    if (known) {
        *lo = ci.lo;
        *hi = ci.hi;
    }
    return known && isfinite(*lo) && isfinite(*hi) && *lo > 0;
}

struct datum datum_of_rate(struct chart *c, const struct curve *v, const struct row *r, double x,
                           double scale)
{
    struct datum d = {.x = x, .y = r->iops * scale, .tip = say_row(c, v, r)};
    if (r->n_repeats < 2 || !isfinite(r->iops_lo) || !isfinite(r->iops_hi))
        return d;
    d.lo = r->iops_lo;
    d.hi = r->iops_hi;
    d.interval = r->n_repeats == 2 ? INTERVAL_POINTS : INTERVAL_RANGE;
    if (r->n_repeats >= ENOUGH_FOR_INTERVAL && interval_over_repeats(r, &d.lo, &d.hi))
        d.interval = INTERVAL_95;
    d.lo *= scale;
    d.hi *= scale;
    return d;
}

const char *interval_words(const struct selection *s)
{
    size_t lo = SIZE_MAX, hi = 0;
    for (size_t i = 0; i < s->n; i++)
        for (size_t j = 0; j < s->curve[i].n; j++) {
            size_t n = s->curve[i].row[j]->n_repeats;
            lo = n < lo ? n : lo;
            hi = n > hi ? n : hi;
        }
    if (hi < 2)
        return NULL;
    if (lo >= ENOUGH_FOR_INTERVAL)
        return "Bars: 95 % interval of the mean over the runs, where it is wider than its mark.";
    if (hi == 2)
        return "Both runs are shown where they lie apart.";
    return "Bars: lowest and highest run (95 % interval from 5 runs on), where wider than the "
           "mark.";
}

void thin_names(struct trace *s, size_t n, size_t named)
{
    const size_t most = 6;
    for (size_t i = 0; n > most && i < n; i++)
        s[i].unlabelled = i != 0 && i != n - 1 && i != named;
}

double measure_of(const struct row *r, enum measure m)
{
    if (m == MEASURE_IOPS)
        return r->iops;
    return (isfinite(r->bw) ? r->bw : r->iops * (double)r->bs) / MiB;
}

static void fill_by_size(struct chart *c, struct trace *t, const struct curve *v, enum measure m,
                         uint64_t depth, double *lo, double *hi)
{
    uint64_t *bs;
    size_t n = sizes_of(c, v, 1, &bs);
    for (size_t i = 0; i < n; i++) {
        const struct row *r = depth ? curve_row(v, bs[i], depth) : curve_deepest(v, bs[i]);
        double y = r ? measure_of(r, m) : NAN;
        struct datum *d = CHART_ADD(c, t->datum, t->n);
        *d = (struct datum){.x = (double)bs[i], .y = NAN}; /* not measured: a gap */
        if (!r || !(y > 0) || !(r->iops > 0))
            continue;
        *d = datum_of_rate(c, v, r, (double)bs[i], y / r->iops);
        *lo = fmin(*lo, y);
        *hi = fmax(*hi, y);
    }
}

static void add_depths(struct chart *c, struct panel *p, const struct selection *s, enum measure m,
                       double *lo, double *hi)
{
    uint64_t *depth;
    size_t n = depths_of(c, s->curve, s->n, &depth);
    size_t shown = n > MOST_DEPTHS ? MOST_SPREAD : n > 0 ? n : 1;
    for (size_t i = 0; i < shown; i++) {
        uint64_t d = n == 0 ? 0 : depth[shown > 1 ? i * (n - 1) / (shown - 1) : 0];
        struct look look = look_of_step(i, shown);
        struct trace *t = CHART_ADD(c, p->trace, p->n_traces);
        *t = (struct trace){.name = d ? arena_printf(c->arena, "QD %s", say_depth(c, d)) : NULL,
                            .key = arena_printf(c->arena, "d%zu", i),
                            .colour = look.colour,
                            .text_colour = look.text_colour,
                            .marker = look.marker};
        fill_by_size(c, t, &s->curve[0], m, d, lo, hi);
    }
    thin_names(p->trace, p->n_traces, p->n_traces);
}

struct trace *trace_of_curve(struct chart *c, struct panel *p, const struct selection *s, size_t i)
{
    const struct curve *v = &s->curve[i];
    struct trace *t = CHART_ADD(c, p->trace, p->n_traces);
    *t = (struct trace){.name = s->n > 1 ? curve_label(c, v) : NULL,
                        .key = arena_printf(c->arena, "r%zu", i),
                        .colour = v->look.colour,
                        .text_colour = v->look.text_colour,
                        .marker = v->look.marker};
    return t;
}

void traces_by_size(struct chart *c, struct panel *p, const struct selection *s, enum measure m,
                    double *lo, double *hi)
{
    *lo = INFINITY;
    *hi = 0;
    if (s->n == 1) {
        add_depths(c, p, s, m, lo, hi);
        return;
    }
    for (size_t i = 0; i < s->n; i++)
        fill_by_size(c, trace_of_curve(c, p, s, i), &s->curve[i], m, 0, lo, hi);
}

static void axis_of(struct chart *c, const uint64_t *v, const char *const *label, size_t n)
{
    double *at = arena_array(c->arena, n, sizeof *at);
    for (size_t i = 0; i < n; i++)
        at[i] = (double)v[i];
    axis_at_values(c, &c->x, at, label, n);
}

void axis_of_sizes(struct chart *c, const uint64_t *bs, size_t n)
{
    const char **label = arena_array(c->arena, n, sizeof(const char *));
    for (size_t i = 0; i < n; i++)
        label[i] = say_bs(c, bs[i]);
    axis_of(c, bs, label, n);
    c->x.title = "Block size (1k = 1 KiB)";
}

void axis_of_depths(struct chart *c, const uint64_t *depth, size_t n)
{
    const char **label = arena_array(c->arena, n, sizeof(const char *));
    for (size_t i = 0; i < n; i++)
        label[i] = say_depth(c, depth[i]);
    axis_of(c, depth, label, n);
    c->x.title = "Queue depth";
}
