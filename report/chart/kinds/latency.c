/* How many I/Os took how long: the histogram, or the buckets an imported text gives. */
#include <limits.h>
#include <math.h>

#include "core/base/numfmt.h"
#include "report/chart/kinds/kind_internal.h"

#define HEIGHT      320.0
#define FEW_SLOTS   5 /* their names fit on one line */
#define BINS_DECADE 12
#define MOST_BINS   400
#define OVERLAID    2   /* more histograms over each other cannot be read */
#define SLOW_NS     1e9 /* an I/O slower than a second is a stall to whoever waits */

struct histogram {
    struct chart *c;
    struct selection s;
    struct {
        const struct row *row;
        const struct curve *curve;
    } line[OVERLAID];
    size_t n;
    double unit_ns;
    const char *unit;
    long from, to; /* bins: 10^(i / BINS_DECADE) ns */
};

static bool has_buckets(const struct row *r)
{
    return r->cell->n_buckets > 0 && r->part == 0;
}

/* The typical cell of the first two curves, as long as both have the same kind of data. */
static void choose(struct histogram *f)
{
    uint64_t bs = selection_size(f->c, &f->s);
    const struct row *first = curve_typical(f->c, &f->s.curve[0], bs);
    for (size_t i = 0; i < f->s.n && f->n < OVERLAID; i++) {
        const struct curve *v = &f->s.curve[i];
        const struct row *r = curve_row(v, bs, first->depth);
        r = r ? r : curve_typical(f->c, v, bs);
        bool hist = r->lat.hist != NULL;
        if ((!hist && !has_buckets(r)) || (f->n == 1 && hist != (f->line[0].row->lat.hist != NULL)))
            continue;
        f->line[f->n].row = r;
        f->line[f->n].curve = v;
        f->n++;
    }
}

/* ---- from the histogram ---- */

static double edge_ns(long bin)
{
    return pow(10, (double)bin / BINS_DECADE);
}

static long bin_of(double ns)
{
    return (long)floor(BINS_DECADE * log10(fmax(ns, 1)) + 1e-9);
}

/* Share of each bin; the fine buckets are far narrower, so each goes where its middle is. */
static void count_bins(const struct histogram *f, const struct hist *h, double *share)
{
    double n = (double)hist_n(h);
    for (unsigned i = 0; i < HIST_BUCKETS; i++) {
        if (h->count[i] == 0)
            continue;
        long bin = bin_of((double)hist_mid(i));
        bin = bin < f->from ? f->from : bin > f->to ? f->to : bin;
        share[bin - f->from] += (double)h->count[i] / n;
    }
}

static void add_bars(struct histogram *f, struct panel *p, const double *share, enum colour colour,
                     double opacity, const char *letter)
{
    struct chart *c = f->c;
    const char *what = dir_plural(f->line[0].row->dir);
    for (long b = f->from; b <= f->to; b++) {
        double s = share[b - f->from];
        if (s <= 0)
            continue;
        bool slow = edge_ns(b) >= SLOW_NS * 0.999;
        *CHART_ADD(c, p->bar, p->n_bars) = (struct bar){
            .from = edge_ns(b) / f->unit_ns,
            .to = edge_ns(b + 1) / f->unit_ns,
            .y = 100 * s,
            .colour = slow ? COLOUR_WORSE : colour,
            .opacity = opacity,
            .tip = arena_printf(c->arena, "%s%s%s to %s: %s of the %s", letter ? letter : "",
                                letter ? ", " : "", say_latency(c, edge_ns(b)),
                                say_latency(c, edge_ns(b + 1)), say_share(c, s), what),
        };
    }
}

/* The outline of the first of two: steps without marks. */
static void add_outline(struct histogram *f, struct panel *p, const double *share)
{
    struct trace *t = CHART_ADD(f->c, p->trace, p->n_traces);
    *t = (struct trace){.colour = COLOUR_A, .text_colour = COLOUR_A_TEXT, .width = 1.8};
    *CHART_ADD(f->c, t->datum, t->n) = (struct datum){.x = edge_ns(f->from) / f->unit_ns};
    for (long b = f->from; b <= f->to; b++) {
        double y = 100 * share[b - f->from];
        *CHART_ADD(f->c, t->datum, t->n) = (struct datum){.x = edge_ns(b) / f->unit_ns, .y = y};
        *CHART_ADD(f->c, t->datum, t->n) = (struct datum){.x = edge_ns(b + 1) / f->unit_ns, .y = y};
    }
}

static void mark_percentiles(struct histogram *f, struct panel *p, size_t i)
{
    static const double asked[] = {50, 99};
    const char *letter = f->n > 1 ? f->line[i].curve->letter : NULL;
    for (size_t k = 0; k < 2; k++) {
        double ns = row_percentile(f->line[i].row, asked[k]);
        if (!(ns > 0))
            continue;
        *CHART_ADD(f->c, p->marking, p->n_markings) = (struct marking){
            .x = ns / f->unit_ns,
            .line = {arena_printf(f->c->arena, "%s%sp%.0f %s", letter ? letter : "",
                                  letter ? " " : "", asked[k], say_latency(f->c, ns))},
            .colour = f->n > 1 && i == 0 ? COLOUR_A_TEXT : COLOUR_INK3,
        };
    }
}

static void add_names(struct histogram *f)
{
    for (size_t i = 0; i < f->n && f->n > 1; i++)
        *CHART_ADD(f->c, f->c->legend, f->c->n_legends) =
            (struct legend){.colour = i == 0 ? COLOUR_A : COLOUR_B,
                            .opacity = 0.35,
                            .text = curve_label(f->c, f->line[i].curve),
                            .outline = i == 0};
}

static void draw_histogram(struct histogram *f, struct panel *p)
{
    struct chart *c = f->c;
    f->from = LONG_MAX;
    f->to = LONG_MIN;
    for (size_t i = 0; i < f->n; i++) {
        const struct hist *h = f->line[i].row->lat.hist;
        long lo = bin_of((double)h->min), hi = bin_of((double)h->max);
        f->from = lo < f->from ? lo : f->from;
        f->to = hi > f->to ? hi : f->to;
    }
    if (f->to - f->from >= MOST_BINS)
        f->to = f->from + MOST_BINS - 1;
    f->unit = latency_unit(sqrt(edge_ns(f->from) * edge_ns(f->to + 1)), &f->unit_ns);
    size_t bins = (size_t)(f->to - f->from + 1);
    double *share[OVERLAID], most = 0;
    share[0] = arena_array(c->arena, bins, sizeof(double));
    share[1] = arena_array(c->arena, bins, sizeof(double));
    for (size_t i = 0; i < f->n && i < OVERLAID; i++) {
        count_bins(f, f->line[i].row->lat.hist, share[i]);
        for (long b = 0; b <= f->to - f->from; b++)
            most = fmax(most, 100 * share[i][b]);
    }
    add_bars(f, p, f->n > 1 ? share[1] : share[0], COLOUR_B, f->n > 1 ? 0.35 : 1,
             f->n > 1 ? f->line[1].curve->letter : NULL);
    if (f->n > 1)
        add_outline(f, p, share[0]);
    for (size_t i = 0; i < f->n; i++)
        mark_percentiles(f, p, i);
    add_names(f);
    axis_log10(c, &c->x, edge_ns(f->from) / f->unit_ns, edge_ns(f->to + 1) / f->unit_ns,
               NUMBERS_PLAIN, true);
    c->x.title = arena_printf(c->arena, "Latency, %s (log)", f->unit);
    axis_linear(c, &p->y, most * 1.25, NUMBERS_PLAIN);
}

/* ---- from the buckets of a text ---- */

static const char *short_latency(struct chart *c, uint64_t ns)
{
    static const struct {
        uint64_t unit;
        const char *name;
    } steps[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "µs"}, {1, "ns"}};
    for (size_t i = 0; i < 4; i++)
        if (ns >= steps[i].unit || i == 3) {
            char buf[NUMFMT_MAX];
            return arena_printf(c->arena, "%s %s", fmt_count(buf, ns / steps[i].unit),
                                steps[i].name);
        }
    return "";
}

/* "100 to 250 µs", "750 µs to 1 ms", "from 2 s" */
static const char *range_name(struct chart *c, uint64_t lo, uint64_t hi)
{
    const char *from = short_latency(c, lo), *to = short_latency(c, hi);
    const char *unit = strrchr(from, ' ');
    if (hi == UINT64_MAX)
        return arena_printf(c->arena, "from %s", from);
    if (lo == 0)
        return arena_printf(c->arena, "under %s", to);
    if (strcmp(unit, strrchr(to, ' ')) == 0)
        return arena_printf(c->arena, "%.*s to %s", (int)(unit - from), from, to);
    return arena_printf(c->arena, "%s to %s", from, to);
}

static void add_slot(struct histogram *f, struct panel *p, const struct lat_bucket *b, bool many)
{
    struct chart *c = f->c;
    const char *name = range_name(c, b->lo_ns, b->hi_ns), *share = say_share(c, b->share);
    double at = c->x.hi;
    struct tick *tick = CHART_ADD(c, c->x.tick, c->x.n_ticks);
    *tick = (struct tick){.at = at + 0.5, .label = name};
    /* beside many others a slot is narrow */
    const char *to = strstr(name, " to ");
    if (many && to) {
        tick->label = arena_strndup(c->arena, name, (size_t)(to - name));
        tick->second = to + 1;
    }
    c->x.hi += 1;
    if (b->share > 0)
        *CHART_ADD(c, p->bar, p->n_bars) = (struct bar){
            .from = at + 0.1,
            .to = at + 0.9,
            .y = 100 * b->share,
            .colour = (double)b->lo_ns >= SLOW_NS ? COLOUR_WORSE : COLOUR_B,
            .opacity = 1,
            .tip = arena_printf(c->arena, "%s: %s", name, share),
            .label = share,
        };
}

/*
 * Equal slots in ascending order as the source has them. Slots that it leaves out between two others
 * hold no I/O: they are one empty slot.
 */
static void draw_buckets(struct histogram *f, struct panel *p)
{
    struct chart *c = f->c;
    const struct cell *cell = f->line[0].row->cell;
    double most = 0;
    bool many = cell->n_buckets > FEW_SLOTS;
    c->x.kind = SCALE_LINEAR;
    c->x.lo = c->x.hi = 0;
    for (size_t i = 0; i < cell->n_buckets; i++) {
        const struct lat_bucket *b = &cell->bucket[i];
        if (i > 0 && b->lo_ns > b[-1].hi_ns)
            add_slot(f, p, &(struct lat_bucket){b[-1].hi_ns, b->lo_ns, 0}, many);
        add_slot(f, p, b, many);
        most = fmax(most, 100 * b->share);
    }
    c->x.title = "Latency, slots as the source has them";
    axis_linear(c, &p->y, fmax(most, 1) * 1.15, NUMBERS_PLAIN);
}

/* ---- words ---- */

static double share_over_second(const struct row *r)
{
    double lo = 0, hi;
    if (r->lat.hist)
        hist_share_above(r->lat.hist, (uint64_t)SLOW_NS, &lo, &hi);
    else
        for (size_t i = 0; i < r->cell->n_buckets; i++)
            lo += (double)r->cell->bucket[i].lo_ns >= SLOW_NS ? r->cell->bucket[i].share : 0;
    return lo;
}

static const char *title_of(struct histogram *f)
{
    struct chart *c = f->c;
    const struct row *r = f->line[0].row;
    const char *what = dir_plural(r->dir);
    if (f->n > 1)
        return title_of_several(c, &f->s, "Latency histogram");
    double slow = share_over_second(r);
    if (slow > 0)
        return arena_printf(c->arena, "%s of the %s took a second or more", say_share(c, slow),
                            what);
    double p50 = row_percentile(r, 50), p99 = row_percentile(r, 99);
    if (r->lat.hist && p50 > 0 && p99 > 0 && p99 < 1.05 * p50)
        return arena_printf(c->arena, "99 of 100 %s take %s or less, hardly more than the median",
                            what, say_latency(c, p99));
    if (r->lat.hist && p50 > 0 && p99 > 0)
        return arena_printf(c->arena, "Half of the %s take %s or less, 1 in 100 takes over %s",
                            what, say_latency(c, p50), say_latency(c, p99));
    for (size_t i = 0; !r->lat.hist && i < r->cell->n_buckets; i++) {
        const struct lat_bucket *b = &r->cell->bucket[i];
        if (b->share > 0.5)
            return arena_printf(c->arena, "%s of the %s took %s", say_share(c, b->share), what,
                                range_name(c, b->lo_ns, b->hi_ns));
    }
    return arena_printf(c->arena, "Latency of the %s", what);
}

static void say_what(struct histogram *f)
{
    struct chart *c = f->c;
    const struct row *r = f->line[0].row;
    c->title = title_of(f);
    c->subtitle = arena_printf(c->arena, "%s.",
                               SAY_PARTS(c, lat_words(r), say_subject(c, &f->s),
                                         say_block(c, r->bs), say_qd(c, r->depth)));
    const char *more = r->lat.hist ? "Bars: 12 a decade." : "Shares as the source states them.";
    if (f->s.n > 2)
        more = arena_printf(c->arena, "%s Only the first two runs are shown.", more);
    say_source(c, &f->s, more);
}

static void add_table(struct histogram *f, const struct panel *p)
{
    struct chart *c = f->c;
    chart_table_column(c, "Latency", false);
    chart_table_column(c, "Share", true);
    for (size_t i = 0; i < p->n_bars; i++) {
        const char *tip = p->bar[i].tip, *colon = strrchr(tip, ':');
        chart_table_cell(c, arena_strndup(c->arena, tip, (size_t)(colon - tip)));
        chart_table_cell(c, say_share(c, p->bar[i].y / 100));
    }
}

static void build(struct chart *c, struct dataset *d, const struct kind_query *q)
{
    struct histogram f = {.c = c};
    c->title = "Latency histogram";
    if (!select_curves(c, d, q, &f.s))
        return;
    choose(&f);
    if (f.n == 0) {
        chart_set_empty(c, "No latency histogram is stored for these cells.",
                        "blkmatrix sweep --dev PATH");
        return;
    }
    struct panel *p = CHART_ADD(c, c->panel, c->n_panels);
    p->height = HEIGHT;
    p->y.title = arena_printf(c->arena, "Share of %s, %%", dir_plural(f.line[0].row->dir));
    if (f.line[0].row->lat.hist)
        draw_histogram(&f, p);
    else
        draw_buckets(&f, p);
    say_what(&f);
    add_table(&f, p);
}

const struct kind kind_latency = {
    .name = "latency",
    .title = "latency histogram",
    .help = "How many I/Os took how long in one cell (at the knee, or as filtered); two runs lie "
            "over each other. Imported text shows the slots the source has.",
    .build = build,
};
