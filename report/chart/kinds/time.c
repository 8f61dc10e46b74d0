/* One cell over time: the rate above, latency below; bursts named, nothing averaged away. */
#include <math.h>

#include "core/base/numfmt.h"
#include "core/base/xalloc.h"
#include "report/chart/kinds/kind_internal.h"

#define HEIGHT_RATE    160.0
#define HEIGHT_LATENCY 140.0
#define MOST_COLUMNS   300 /* more samples than this are drawn as lowest, median and highest */
#define STEADY_CV      0.10

struct over_time {
    struct chart *c;
    struct selection s;
    struct {
        const struct row *row;
        const struct curve *curve;
        const struct series *series;
        struct timeline timeline;
    } line[MOST_OVERLAID];
    size_t n;
    size_t bin;   /* samples a column */
    double width; /* of a column, s */
    double end;   /* of the longest line, s */
    double unit_ns;
    const char *unit;
};

static const struct series *series_of(const struct row *r)
{
    if (r->part == 0)
        return r->cell->dir[r->dir].series;
    return r->part <= r->cell->n_parts ? r->cell->part[r->part - 1].dir[r->dir].series : NULL;
}

/* The cell with most samples; among equals the deepest. */
static const struct row *longest_of(const struct curve *v)
{
    const struct row *found = NULL;
    for (size_t i = 0; i < v->n; i++) {
        const struct series *s = series_of(v->row[i]);
        if (!s || s->n == 0 || s->missing & SERIES_NO_IOS)
            continue;
        size_t most = found ? series_of(found)->n : 0;
        if (s->n > most || (s->n == most && v->row[i]->depth > found->depth))
            found = v->row[i];
    }
    return found;
}

static void choose(struct over_time *f)
{
    for (size_t i = 0; i < f->s.n && f->n < MOST_OVERLAID; i++) {
        const struct row *r = longest_of(&f->s.curve[i]);
        if (!r)
            continue;
        f->line[f->n].row = r;
        f->line[f->n].curve = &f->s.curve[i];
        f->line[f->n].series = series_of(r);
        timeline_find(f->line[f->n].series, &f->line[f->n].timeline);
        const struct series *s = f->line[f->n].series;
        f->end = fmax(f->end, (double)s->point[s->n - 1].end_ns / 1e9);
        size_t bin = (s->n + MOST_COLUMNS - 1) / MOST_COLUMNS;
        f->bin = bin > f->bin ? bin : f->bin;
        f->n++;
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef double (*sample_fn)(const struct series *s, size_t i);

/* One line: the median of each column, with what it spans when a column holds several samples. */
static void fill(struct over_time *f, struct trace *t, const struct series *s, sample_fn sample,
                 double unit, bool band, double *lo, double *hi)
{
    double *v = xcalloc(f->bin, sizeof *v);
    for (size_t i = 0; i < s->n; i += f->bin) {
        size_t n = 0, last = i + f->bin < s->n ? i + f->bin - 1 : s->n - 1;
        for (size_t j = i; j <= last; j++) {
            double y = sample(s, j) / unit;
            if (isfinite(y))
                v[n++] = y;
        }
        double from = i ? (double)s->point[i - 1].end_ns : 0;
        double x = (from + (double)s->point[last].end_ns) / 2e9;
        struct datum *d = CHART_ADD(f->c, t->datum, t->n);
        *d = (struct datum){.x = x, .y = NAN};
        if (n == 0)
            continue;
        qsort(v, n, sizeof *v, by_value);
        d->y = n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
        *lo = fmin(*lo, band ? v[0] : d->y);
        *hi = fmax(*hi, band ? v[n - 1] : d->y);
        if (band && f->bin > 1)
            *CHART_ADD(f->c, t->band, t->n_bands) = (struct band){x, v[0], v[n - 1]};
    }
    free(v);
}

static struct trace *add_trace(struct over_time *f, struct panel *p, size_t i, double width,
                               double opacity)
{
    struct trace *t = trace_of_curve(f->c, p, &f->s, (size_t)(f->line[i].curve - f->s.curve));
    t->marker = f->line[i].series->n == 1 ? MARKER_DOT : MARKER_NONE;
    t->width = width;
    t->opacity = opacity;
    t->end = END_RIGHT; /* now is where time ends */
    return t;
}

/* ---- rate ---- */

static void add_cap(struct over_time *f, struct panel *p, const struct roof_cap *cap, double *hi)
{
    double bs = (double)f->line[0].row->bs, iops = roof_cap_bw(cap, bs) / bs;
    if (iops > 1.5 * *hi || p->n_caps >= 3)
        return;
    *hi = fmax(*hi, iops);
    struct cap *line = CHART_ADD(f->c, p->cap, p->n_caps);
    const char *label = roof_cap_label(f->c, cap);
    if (cap->kind == CAP_BW)
        label = arena_printf(f->c->arena, "%s = %s IOPS", label, say_iops(f->c, iops));
    *line =
        (struct cap){.colour = owner_colour(cap->owner),
                     .text_colour = owner_text_colour(cap->owner),
                     .style = cap->phase == PHASE_BASE && cap->bursts ? CAP_SUSTAINED : CAP_BURST,
                     .label = label};
    *CHART_ADD(f->c, line->point, line->n) = (struct point){0, iops};
    *CHART_ADD(f->c, line->point, line->n) = (struct point){f->end, iops};
}

/* The lowest cap in effect, and the base figure under a burst. */
static void add_caps(struct over_time *f, struct panel *p, double *hi)
{
    const struct row *r = f->line[0].row;
    if (r->bs == 0)
        return;
    struct roof roof;
    roof_find(f->c, f->line[0].curve, &roof);
    double bw;
    const struct roof_cap *cap = roof_at(&roof, (double)r->bs, &bw);
    if (!cap)
        return;
    add_cap(f, p, cap, hi);
    for (size_t i = 0; i < roof.n; i++) {
        const struct roof_cap *base = &roof.cap[i];
        if (base != cap && base->owner == cap->owner && base->kind == cap->kind &&
            base->phase == PHASE_BASE && cap->phase == PHASE_BURST)
            add_cap(f, p, base, hi);
    }
}

static void add_rate_panel(struct over_time *f)
{
    struct chart *c = f->c;
    struct panel *p = CHART_ADD(c, c->panel, c->n_panels);
    double lo = INFINITY, hi = 0;
    p->height = HEIGHT_RATE;
    for (size_t i = 0; i < f->n; i++) {
        struct trace *t = add_trace(f, p, i, 2, 1);
        fill(f, t, f->line[i].series, series_iops, 1, f->n == 1, &lo, &hi);
    }
    add_caps(f, p, &hi);
    axis_linear(c, &p->y, hi * 1.15, NUMBERS_COUNT);
    p->y.title = "IOPS";
}

/* ---- latency ---- */

static double p50_of(const struct series *s, size_t i)
{
    return s->point[i].lat_p50_ns ? (double)s->point[i].lat_p50_ns : NAN;
}

static double p99_of(const struct series *s, size_t i)
{
    return s->point[i].lat_p99_ns ? (double)s->point[i].lat_p99_ns : NAN;
}

static double mean_of(const struct series *s, size_t i)
{
    double v = series_lat_mean(s, i);
    return v > 0 ? v : NAN;
}

static double median_of(const struct series *s, sample_fn sample)
{
    double *v = xcalloc(s->n, sizeof *v), m = NAN;
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        if (isfinite(sample(s, i)))
            v[n++] = sample(s, i);
    if (n > 0) {
        qsort(v, n, sizeof *v, by_value);
        m = v[n / 2];
    }
    free(v);
    return m;
}

/* Median of the last phase: what stands under its name at the right end, where the last sample is another. */
static double last_level(const struct over_time *f, size_t i, sample_fn sample)
{
    struct series tail = *f->line[i].series;
    const struct timeline *t = &f->line[i].timeline;
    size_t first = 0;
    while (t->n > 1 && first + 1 < tail.n &&
           (double)tail.point[first].end_ns / 1e9 <= t->phase[t->n - 1].start_s)
        first++;
    tail.point += first;
    tail.n -= first;
    return median_of(&tail, sample);
}

static void add_latency(struct over_time *f, struct panel *p, size_t i, sample_fn sample,
                        const char *name, double width, double opacity, double *lo, double *hi)
{
    const struct series *s = f->line[i].series;
    double typical = median_of(s, sample);
    if (!(typical > 0))
        return;
    struct trace *t = add_trace(f, p, i, width, opacity);
    const char *letter = f->line[i].curve->letter;
    char buf[NUMFMT_MAX];
    t->name = letter ? arena_printf(f->c->arena, "%s %s", letter, name) : name;
    t->note = arena_printf(f->c->arena, "median %s",
                           fmt_latency_in(buf, last_level(f, i, sample), f->unit_ns));
    fill(f, t, s, sample, f->unit_ns, false, lo, hi);
}

static void add_latency_panel(struct over_time *f)
{
    struct chart *c = f->c;
    const struct series *s = f->line[0].series;
    double typical = median_of(s, p50_of);
    bool has_percentiles = typical > 0;
    if (!has_percentiles)
        typical = median_of(s, mean_of);
    if (!(typical > 0))
        return;
    f->unit = latency_unit(typical, &f->unit_ns);
    struct panel *p = CHART_ADD(c, c->panel, c->n_panels);
    double lo = INFINITY, hi = 0;
    p->height = HEIGHT_LATENCY;
    for (size_t i = 0; i < f->n; i++) {
        if (!has_percentiles) {
            add_latency(f, p, i, mean_of, "mean", 2.2, 1, &lo, &hi);
            continue;
        }
        if (f->n <= 2)
            add_latency(f, p, i, p50_of, "p50", 2.2, 1, &lo, &hi);
        add_latency(f, p, i, p99_of, "p99", 1.2, 0.6, &lo, &hi);
    }
    axis_log10(c, &p->y, lo, hi, NUMBERS_PLAIN, false);
    p->y.title = arena_printf(c->arena, "Latency, %s (log)", f->unit);
}

/* ---- stretches and words ---- */

static const char *say_time(struct chart *c, double s)
{
    char buf[NUMFMT_MAX];
    if (s >= 90) /* nobody needs the seconds of half an hour */
        s = round(s / 60) * 60;
    else if (s >= 1)
        s = round(s);
    return arena_strdup(c->arena, fmt_duration(buf, (uint64_t)llround(s * 1e9)));
}

static void add_stretches(struct over_time *f)
{
    struct chart *c = f->c;
    const struct timeline *t = &f->line[0].timeline;
    if (f->n > 1 || t->n < 2)
        return;
    for (size_t i = 0; i < t->n; i++) {
        const struct time_phase *ph = &t->phase[i];
        bool burst = t->has_burst && i == 0, last = t->has_burst && i + 1 == t->n;
        *CHART_ADD(c, c->stretch, c->n_stretches) = (struct stretch){
            .from = ph->start_s,
            .to = ph->end_s,
            .name = burst  ? "Burst"
                    : last ? "Sustained"
                           : arena_printf(c->arena, "Phase %zu", i + 1),
            .text = last
                        ? arena_printf(c->arena, "%s IOPS", say_iops(c, ph->iops))
                        : arena_printf(c->arena, "%s at %s IOPS",
                                       say_time(c, ph->end_s - ph->start_s), say_iops(c, ph->iops)),
            .colour = burst ? COLOUR_DISK : COLOUR_AXIS,
            .shaded = i % 2 == 0,
        };
    }
}

/* A burst whose rate is that of a listed burst cap is one; else only the numbers are sure. */
static bool is_known_burst(struct over_time *f, double rate)
{
    struct roof roof;
    const struct row *r = f->line[0].row;
    if (r->bs == 0)
        return false;
    roof_find(f->c, f->line[0].curve, &roof);
    for (size_t i = 0; i < roof.n; i++) {
        double cap = roof_cap_bw(&roof.cap[i], (double)r->bs) / (double)r->bs;
        if (roof.cap[i].phase == PHASE_BURST && rate >= ROOF_REACHED * cap && rate <= 1.03 * cap)
            return true;
    }
    return false;
}

static const char *title_of(struct over_time *f)
{
    struct chart *c = f->c;
    const struct timeline *t = &f->line[0].timeline;
    if (f->n > 1)
        return title_of_several(c, &f->s, "IOPS and latency over time");
    if (t->has_burst) {
        const char *after = say_time(c, t->phase[0].end_s);
        if (is_known_burst(f, t->burst.rate))
            return arena_printf(c->arena, "After %s the burst credit is gone", after);
        return arena_printf(c->arena, "After %s the rate falls from %s to %s IOPS", after,
                            say_iops(c, t->burst.rate), say_iops(c, t->burst.sustained));
    }
    if (t->n > 1)
        return arena_printf(c->arena, "The rate changes %s in %s",
                            t->n == 2   ? "once"
                            : t->n == 3 ? "twice"
                                        : arena_printf(c->arena, "%zu times", t->n - 1),
                            say_time(c, f->end));
    if (t->is_tested && t->n == 1 && t->phase[0].cv <= STEADY_CV)
        return arena_printf(c->arena, "Steady at %s IOPS for %s", say_iops(c, t->phase[0].iops),
                            say_time(c, f->end));
    return "IOPS and latency over time";
}

static void say_what(struct over_time *f)
{
    struct chart *c = f->c;
    const struct row *r = f->line[0].row;
    c->title = title_of(f);
    const char *columns =
        f->bin > 1 ? arena_printf(c->arena, " Line: median of each %s%s.", say_time(c, f->width),
                                  f->n == 1 ? "; band: lowest and highest" : "")
                   : "";
    double interval = (double)f->line[0].series->interval_ns / 1e9;
    const char *each = interval > 0.999 && interval < 1.001
                           ? "per second"
                           : arena_printf(c->arena, "each %s", say_time(c, interval));
    c->subtitle = arena_printf(
        c->arena, "%s.%s",
        SAY_PARTS(c, say_subject(c, &f->s), say_block(c, r->bs), say_qd(c, r->depth), each),
        columns);
    char buf[NUMFMT_MAX];
    bool imported = false; /* then nobody knows what the samples begin with */
    for (size_t i = 0; i < f->s.n; i++)
        imported = imported || f->s.curve[i].run->source_format;
    const char *more =
        arena_printf(c->arena, imported ? "%s samples." : "%s samples; the ramp is not in them.",
                     fmt_count(buf, f->line[0].series->n));
    if (f->s.n > f->n)
        more = arena_printf(c->arena, "%s %zu of %zu runs are shown.", more, f->n, f->s.n);
    say_source(c, &f->s, more);
}

static void add_table(struct over_time *f)
{
    struct chart *c = f->c;
    chart_table_column(c, "From", true);
    chart_table_column(c, "To", true);
    chart_table_column(c, "IOPS", true);
    chart_table_column(c, "MiB/s", true);
    for (size_t i = 0; i < f->n; i++)
        for (size_t k = 0; k < f->line[i].timeline.n; k++) {
            const struct time_phase *ph = &f->line[i].timeline.phase[k];
            chart_table_cell(c, say_time(c, ph->start_s));
            chart_table_cell(c, say_time(c, ph->end_s));
            chart_table_cell(c, say_iops(c, ph->iops));
            chart_table_cell(c, isfinite(ph->bw) ? say_mib(c, ph->bw) : "–");
        }
}

static void build(struct chart *c, struct dataset *d, const struct kind_query *q)
{
    struct over_time f = {.c = c, .bin = 1};
    c->title = "IOPS and latency over time";
    if (!select_curves(c, d, q, &f.s))
        return;
    choose(&f);
    if (f.n == 0) {
        chart_set_empty(c, "No samples over time are stored for these cells.",
                        "blkmatrix sweep --dev PATH --interval 1s");
        return;
    }
    f.width = (double)f.bin * (double)f.line[0].series->interval_ns / 1e9;
    axis_time(c, &c->x, f.end);
    add_stretches(&f);
    add_rate_panel(&f);
    add_latency_panel(&f);
    say_what(&f);
    add_table(&f);
    for (size_t i = 0; i < f.n; i++)
        timeline_release(&f.line[i].timeline);
}

const struct kind kind_time = {
    .name = "time",
    .title = "IOPS and latency over time",
    .help = "The cell with most samples (or as filtered): IOPS over latency, bursts and sustained "
            "phases named. Needs cells with samples over time.",
    .needs_series = true,
    .build = build,
};
