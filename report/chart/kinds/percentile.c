/*
 * Latency by percentile: the axis gives the slow tail the room it deserves, one decade for each
 * tenth of the I/Os that is left.
 */
#include <math.h>

#include "core/base/numfmt.h"
#include "core/base/xalloc.h"
#include "core/stats/mean_interval.h"
#include "report/chart/kinds/kind_internal.h"

#define HEIGHT     330.0
#define STEP       0.02 /* of the axis, between two points of a line */
#define FEW        10.0 /* samples beyond a percentile that make it worth showing */
#define MOST_LINES 3
#define HARDLY     1.2 /* a tail under so many medians is none */

struct percentiles {
    struct chart *c;
    struct selection s;
    struct {
        const struct row *row;
        const struct curve *curve;
        const char *name;
        const char *cell; /* which one, where lines are of different cells; else NULL */
        struct look look;
    } line[MULTIPLES_MOST];
    size_t n;
    double unit_ns;
    const char *unit;
    double lo, hi;        /* of latency, in units */
    double end;           /* of the axis */
    double few, few_last; /* where the first and the last line get thin; INFINITY, 0: never */
    bool from_reported;   /* no histogram behind it */
    bool has_band;
    const char *without; /* runs that have no latency to draw, by name; "" none */
};

/* Share of I/Os that are slower, as decades: p90 is 1, p99 is 2. */
static double place_of(double p)
{
    return -log10(1 - p / 100);
}

static double percentile_at(double place)
{
    return 100 * (1 - pow(10, -place));
}

static bool has_latency(const struct row *r)
{
    return r->lat.hist || r->lat.n_reported > 0;
}

static void add_choice(struct percentiles *f, const struct row *r, const struct curve *v,
                       const char *name, struct look look)
{
    if (!r || !has_latency(r) || f->n == MULTIPLES_MOST)
        return;
    for (size_t i = 0; i < f->n; i++)
        if (f->line[i].row == r)
            return;
    f->line[f->n].row = r;
    f->line[f->n].curve = v;
    f->line[f->n].name = name;
    f->line[f->n].look = look;
    f->n++;
}

/* Runs without any latency have no line: they are left out and named, so that what is counted is drawn. */
static void leave_out(struct percentiles *f)
{
    struct strbuf names = STRBUF_INIT;
    size_t kept = 0;
    for (size_t i = 0; i < f->s.n; i++) {
        struct curve *v = &f->s.curve[i];
        size_t n = 0;
        for (size_t j = 0; j < v->n; j++)
            if (has_latency(v->row[j]))
                v->row[n++] = v->row[j];
        v->n = n;
        if (n > 0)
            f->s.curve[kept++] = *v;
        else
            strbuf_addf(&names, "%s%s", names.len ? ", " : "", v->name);
    }
    f->without = arena_strndup(f->c->arena, names.text, names.len);
    strbuf_release(&names);
    f->s.n = kept;
    name_curves(f->c, &f->s);
}

/* Lines of different cells say which cell each is. */
static void name_cells(struct percentiles *f)
{
    struct chart *c = f->c;
    const struct row *first = f->line[0].row;
    bool one_size = true, one_depth = true;
    for (size_t i = 1; i < f->n; i++) {
        one_size = one_size && f->line[i].row->bs == first->bs;
        one_depth = one_depth && f->line[i].row->depth == first->depth;
    }
    for (size_t i = 0; i < f->n; i++) {
        const struct row *r = f->line[i].row;
        const char *size = one_size || r->bs == 0 ? "" : say_bs(c, r->bs);
        const char *depth = one_depth ? "" : say_qd(c, r->depth);
        if (*size || *depth)
            f->line[i].cell =
                arena_printf(c->arena, "%s%s%s", size, *size && *depth ? ", " : "", depth);
    }
}

/* One run: the shallowest queue, the knee and the deepest one; several: the typical cell of each. */
static void choose(struct percentiles *f)
{
    struct chart *c = f->c;
    uint64_t bs = selection_size(c, &f->s);
    if (f->s.n > 1) {
        const struct row *first = curve_typical(c, &f->s.curve[0], bs);
        for (size_t i = 0; i < f->s.n; i++) {
            const struct curve *v = &f->s.curve[i];
            const struct row *r = curve_row(v, bs, first->depth);
            add_choice(f, r ? r : curve_typical(c, v, bs), v, curve_label(c, v), v->look);
        }
        name_cells(f);
        return;
    }
    const struct curve *v = &f->s.curve[0];
    struct rung *rung;
    size_t n = curve_rungs(c, v, bs, &rung), knee = knee_find(rung, n);
    if (n == 0) {
        add_choice(f, v->row[0], v, NULL, look_of_step(0, 1));
        return;
    }
    const size_t wish[MOST_LINES] = {0, knee < n ? knee : 0, n - 1};
    size_t different = 1;
    different += wish[1] != wish[0];
    different += wish[2] != wish[1] && wish[2] != wish[0];
    for (size_t i = 0; i < MOST_LINES; i++) {
        uint64_t depth = (uint64_t)rung[wish[i]].depth;
        const char *name = arena_printf(c->arena, "QD %s", say_depth(c, depth));
        add_choice(f, curve_row(v, bs, depth), v, n > 1 ? name : NULL,
                   look_of_step(f->n, different));
    }
}

/* ---- lines ---- */

static void take(struct percentiles *f, struct trace *t, double place, double ns)
{
    double y = ns / f->unit_ns;
    if (!(y > 0))
        return;
    *CHART_ADD(f->c, t->datum, t->n) = (struct datum){.x = place, .y = y};
    f->lo = fmin(f->lo, y);
    f->hi = fmax(f->hi, y);
}

/* How much wider an interval is because slow I/Os come in bursts (methods: design effect). */
static double design_effect(const struct row *r)
{
    const struct series *s = r->part == 0 ? r->cell->dir[r->dir].series : NULL;
    if (!s || s->n < 10)
        return NAN;
    double *x = xcalloc(s->n, sizeof *x);
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        double v = series_lat_mean(s, i);
        if (isfinite(v) && v > 0)
            x[n++] = v;
    }
    double eff = n >= 10 ? effective_n(x, n) : NAN;
    free(x);
    return fmax(1, (double)n / eff);
}

static void add_band(struct percentiles *f, struct trace *t, const struct row *r, double end)
{
    double effect = design_effect(r);
    if (!isfinite(effect))
        return;
    for (int i = 0; place_of(50) + 2 * STEP * i <= end; i++) {
        double at = place_of(50) + 2 * STEP * i;
        uint64_t lo, hi;
        hist_percentile_ci(r->lat.hist, percentile_at(at), 1.959964, effect, &lo, &hi);
        if (lo == 0)
            continue;
        *CHART_ADD(f->c, t->band, t->n_bands) =
            (struct band){at, (double)lo / f->unit_ns, (double)hi / f->unit_ns};
        f->has_band = true;
    }
}

static void add_histogram(struct percentiles *f, struct trace *t, const struct row *r)
{
    double n = (double)hist_n(r->lat.hist), few = log10(n / FEW), end = log10(n);
    for (int i = 0; STEP * i < end; i++) {
        double at = STEP * i;
        take(f, t, at, (double)hist_percentile(r->lat.hist, percentile_at(at)));
        if (at <= few && few > 0)
            t->dotted_from = t->n > 0 ? t->n - 1 : 0;
    }
    if (few <= 0)
        t->dash = DASH_DOT;
    f->end = fmax(f->end, end);
    f->few = fmin(f->few, few);
    f->few_last = fmax(f->few_last, few);
    add_band(f, t, r, few);
}

static void add_reported(struct percentiles *f, struct trace *t, const struct row *r)
{
    const struct direction *d = &r->cell->dir[r->dir];
    double n = IS_KNOWN(&r->lat, LAT_F, n)   ? (double)r->lat.n
               : IS_KNOWN(d, DIRECTION, ios) ? (double)d->ios
                                             : NAN;
    double few = log10(n / FEW);
    for (size_t i = 0; i < r->lat.n_reported; i++) {
        const struct lat_point *p = &r->lat.reported[i];
        if (!(p->p < 100))
            continue;
        take(f, t, place_of(p->p), (double)p->ns);
        if (place_of(p->p) <= few && t->n > 0)
            t->dotted_from = t->n - 1;
    }
    if (isfinite(few)) {
        if (t->dotted_from == 0)
            t->dash = DASH_DOT;
        f->few = fmin(f->few, few);
        f->few_last = fmax(f->few_last, few);
    }
    if (t->n > 0)
        f->end = fmax(f->end, t->datum[t->n - 1].x * 1.05);
    f->from_reported = true;
}

static void add_line(struct percentiles *f, struct panel *p, size_t i)
{
    const struct row *r = f->line[i].row;
    struct trace *t = CHART_ADD(f->c, p->trace, p->n_traces);
    const char *name = f->line[i].name, *cell = f->line[i].cell;
    *t = (struct trace){.name = name,
                        .colour = f->line[i].look.colour,
                        .text_colour = f->line[i].look.text_colour,
                        .width = 2.2,
                        .end = END_RIGHT};
    /* only under a name: alone, the end of the line would seem to be the slowest */
    if (name && IS_KNOWN(&r->lat, LAT_F, max))
        t->note = arena_printf(f->c->arena, "%s%smax %s", cell ? cell : "", cell ? ", " : "",
                               say_latency(f->c, (double)r->lat.max));
    if (cell && f->c->small_multiples) /* the end of a long name is cut there */
        t->name = arena_printf(f->c->arena, "%s: %s", cell, name);
    if (r->lat.hist)
        add_histogram(f, t, r);
    else
        add_reported(f, t, r);
}

/* ---- values at the percentiles people ask for ---- */

static const struct {
    double p;
    const char *name;
} asked[] = {{50, "p50"}, {99, "p99"}, {99.9, "p99.9"}};

static void add_values(struct percentiles *f, struct panel *p, size_t i)
{
    struct chart *c = f->c;
    struct trace *t = CHART_ADD(c, p->trace, p->n_traces);
    *t = (struct trace){.key = arena_printf(c->arena, "p%zu", i),
                        .colour = f->line[i].look.colour,
                        .text_colour = f->line[i].look.text_colour,
                        .marker = f->line[i].look.marker,
                        .no_line = true};
    for (size_t k = 0; k < sizeof asked / sizeof *asked; k++) {
        double ns = row_percentile(f->line[i].row, asked[k].p);
        if (!(ns > 0))
            continue;
        char buf[NUMFMT_MAX];
        const char *value = arena_strdup(c->arena, fmt_latency_in(buf, ns, f->unit_ns));
        *CHART_ADD(c, t->datum, t->n) = (struct datum){
            .x = place_of(asked[k].p),
            .y = ns / f->unit_ns,
            .label = value,
            .strong = i + 1 == f->n,
            .tip = arena_printf(c->arena, "%s%s%s %s", f->line[i].name ? f->line[i].name : "",
                                f->line[i].name ? ": " : "", asked[k].name, say_latency(c, ns)),
        };
    }
}

static void add_arrows(struct percentiles *f, struct panel *p)
{
    char buf[NUMFMT_MAX];
    for (size_t k = 0; f->s.n == 2 && f->n == 2 && k < sizeof asked / sizeof *asked; k++) {
        double a = row_percentile(f->line[0].row, asked[k].p);
        double b = row_percentile(f->line[1].row, asked[k].p);
        if (!(a > 0) || !(b > 0))
            continue;
        *CHART_ADD(f->c, p->arrow, p->n_arrows) =
            (struct arrow){.x = place_of(asked[k].p),
                           .from = a / f->unit_ns,
                           .to = b / f->unit_ns,
                           .label = arena_strdup(f->c->arena, fmt_change(buf, b / a)),
                           .colour = COLOUR_INK2};
    }
}

/* ---- axes and words ---- */

/* What the lines are of: "I/Os" where they differ. */
static enum dir direction_of(const struct percentiles *f)
{
    for (size_t i = 1; i < f->n; i++)
        if (f->line[i].row->dir != f->line[0].row->dir)
            return DIR_MIXED;
    return f->line[0].row->dir;
}

static void add_ticks(struct percentiles *f)
{
    struct chart *c = f->c;
    const bool small = c->small_multiples; /* room for the percentiles alone */
    c->x.kind = SCALE_LINEAR;
    c->x.lo = 0;
    c->x.hi = fmax(f->end, 1.2);
    *CHART_ADD(c, c->x.tick, c->x.n_ticks) =
        (struct tick){.at = 0, .label = small ? NULL : "min", .second = ""};
    *CHART_ADD(c, c->x.tick, c->x.n_ticks) =
        (struct tick){.at = place_of(50),
                      .label = small && c->x.hi > 2.5 ? NULL : "p50",
                      .second = small ? "" : "half",
                      .strong = true};
    const char *label = "p90";
    uint64_t one_in = 10;
    for (int i = 1; i <= c->x.hi && i < 16; i++, one_in *= 10) {
        char buf[NUMFMT_MAX];
        *CHART_ADD(c, c->x.tick, c->x.n_ticks) = (struct tick){
            .at = i,
            .label = label,
            .second = small ? "" : arena_printf(c->arena, "1 in %s", fmt_count(buf, one_in)),
            .strong = true,
        };
        label = i == 1 ? "p99" : i == 2 ? "p99.9" : arena_printf(c->arena, "%s9", label);
    }
    c->x.title =
        arena_printf(c->arena, "Share of %s that were slower", dir_plural(direction_of(f)));
}

static void mark_thin_end(struct percentiles *f, struct panel *p)
{
    /* one mark for all lines, or the source line says what dots mean */
    if (!isfinite(f->few) || f->few < place_of(50) || f->few > f->end || f->few_last > f->few + 0.1)
        return;
    *CHART_ADD(f->c, p->marking, p->n_markings) = (struct marking){
        .x = f->few,
        .line = {arena_printf(f->c->arena, "Fewer than 10 %s", dir_plural(direction_of(f))),
                 "slower than here"},
        .colour = COLOUR_INK3,
    };
}

static const char *title_of(struct percentiles *f)
{
    struct chart *c = f->c;
    const struct row *r = f->line[f->n - 1].row;
    const char *what = dir_singular(r->dir);
    if (f->s.n > 1)
        return title_of_several(c, &f->s, "Latency by percentile");
    double p50 = row_percentile(r, 50), p999 = row_percentile(r, 99.9);
    double p99 = row_percentile(r, 99);
    const char *at = f->n > 1 ? arena_printf(c->arena, "At %s one", f->line[f->n - 1].name) : "One";
    bool thousand = p999 > 0;
    double slow = thousand ? p999 : p99;
    if (slow > 0 && p50 > 0 && slow < HARDLY * p50)
        return arena_printf(c->arena, "Latency hardly varies%s%s: median %s, %s %s",
                            f->n > 1 ? " at " : "", f->n > 1 ? f->line[f->n - 1].name : "",
                            say_latency(c, p50), thousand ? "p99.9" : "p99", say_latency(c, slow));
    if (slow > 0 && p50 > 0)
        return arena_printf(c->arena, "%s %s in %s takes over %s, %.*f times the median", at, what,
                            thousand ? "1,000" : "100", say_latency(c, slow),
                            slow < 9.95 * p50 ? 1 : 0, slow / p50);
    return "Latency by percentile";
}

static void add_table(struct percentiles *f)
{
    struct chart *c = f->c;
    chart_table_column(c, "Cell", false);
    chart_table_column(c, "IOPS", true);
    chart_table_column(c, "p50", true);
    chart_table_column(c, "p90", true);
    chart_table_column(c, "p99", true);
    chart_table_column(c, "p99.9", true);
    chart_table_column(c, "p99.99", true);
    chart_table_column(c, "max", true);
    static const double p[] = {50, 90, 99, 99.9, 99.99, 100};
    for (size_t i = 0; i < f->n; i++) {
        const struct row *r = f->line[i].row;
        chart_table_cell(c, say_cell(c, f->line[i].curve, r));
        chart_table_cell(c, say_iops(c, r->iops));
        for (size_t k = 0; k < sizeof p / sizeof *p; k++) {
            double ns = row_percentile(r, p[k]);
            chart_table_cell(c, ns > 0 ? say_latency(c, ns) : "–");
        }
    }
}

static void say_what(struct percentiles *f)
{
    struct chart *c = f->c;
    const struct row *r = f->line[0].row;
    bool one_depth = true, one_size = true;
    for (size_t i = 1; i < f->n; i++) {
        one_depth = one_depth && f->line[i].row->depth == r->depth;
        one_size = one_size && f->line[i].row->bs == r->bs;
    }
    c->title = title_of(f);
    c->subtitle =
        arena_printf(c->arena, "%s. Log scales.",
                     SAY_PARTS(c, arena_printf(c->arena, "%s by percentile", lat_words(r)),
                               say_subject(c, &f->s), say_block(c, one_size ? r->bs : 0),
                               say_qd(c, one_depth ? r->depth : 0)));
    struct strbuf more = STRBUF_INIT;
    size_t rated = 0, due = 0;
    for (size_t i = 0; i < f->n; i++) {
        rated += cell_is_rate_limited(f->line[i].row->cell);
        due += row_is_from_due(f->line[i].row);
    }
    if (rated == 0)
        strbuf_adds(&more, "Closed loop.");
    else if (due == f->n)
        strbuf_adds(&more, "Latency counts from when an I/O was due.");
    else if (rated == f->n && due == 0)
        strbuf_adds(&more, "Own rate; latency counts from the issue.");
    if (f->n == 1 && !f->line[0].name && IS_KNOWN(&r->lat, LAT_F, max))
        strbuf_addf(&more, " The slowest %s took %s.", dir_singular(r->dir),
                    say_latency(c, (double)r->lat.max));
    if (f->few_last > f->few + 0.1)
        strbuf_addf(&more, " Dotted: fewer than 10 %s were slower.", dir_plural(direction_of(f)));
    if (f->from_reported)
        strbuf_adds(&more, " Percentiles as the source states them; between them lines only guide "
                           "the eye.");
    if (f->has_band)
        strbuf_adds(&more, " Bands: 95 % interval within the run.");
    if (f->s.n > 1)
        strbuf_adds(&more, " Changes are not tested.");
    if (*f->without)
        strbuf_addf(&more, " Without latency, so not shown: %s.", f->without);
    say_source(c, &f->s, more.text + strspn(more.text, " "));
    strbuf_release(&more);
}

static void build(struct chart *c, struct dataset *d, const struct kind_query *q)
{
    struct percentiles f = {.c = c, .lo = INFINITY, .few = INFINITY};
    c->title = "Latency by percentile";
    if (!select_curves(c, d, q, &f.s))
        return;
    leave_out(&f);
    if (f.s.n > 0)
        choose(&f);
    if (f.n == 0) {
        chart_set_empty(c, "No latency histogram or percentile is stored for these cells.",
                        "blkmatrix sweep --dev PATH");
        return;
    }
    double typical = row_percentile(f.line[0].row, 50);
    if (!(typical > 0))
        typical = IS_KNOWN(&f.line[0].row->lat, LAT_F, mean) ? f.line[0].row->lat.mean : 1e6;
    f.unit = latency_unit(typical, &f.unit_ns);
    struct panel *p = CHART_ADD(c, c->panel, c->n_panels);
    p->height = HEIGHT;
    c->small_multiples = f.s.n > MOST_OVERLAID;
    for (size_t i = 0; i < f.n; i++)
        add_line(&f, p, i);
    for (size_t i = 0; i < f.n && !c->small_multiples; i++)
        add_values(&f, p, i);
    if (!(f.hi > 0)) {
        chart_set_empty(c, "The stored percentiles are all zero.", NULL);
        return;
    }
    add_arrows(&f, p);
    add_ticks(&f);
    mark_thin_end(&f, p);
    axis_log10(c, &p->y, f.lo, f.hi, NUMBERS_PLAIN, false);
    p->y.title = arena_printf(c->arena, "Latency, %s (log)", f.unit);
    say_what(&f);
    add_table(&f);
}

const struct kind kind_percentile = {
    .name = "percentile",
    .title = "latency by percentile",
    .help = "The whole latency distribution with room for the slow tail. One run: queue depth 1, "
            "the knee and the deepest queue; several runs: the same cell of each.",
    .needs_series = true,
    .build = build,
};
