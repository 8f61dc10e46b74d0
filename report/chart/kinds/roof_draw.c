/* The roof as lines in a panel, and as words in the strip under it. */
#include <math.h>

#include "core/base/numfmt.h"
#include "report/chart/kinds/kind_internal.h"

#define MiB            1048576.0
#define OTHERS_OF_KIND 2 /* caps over the roof that are drawn, of each kind */

static void add_point(struct chart *c, struct cap *line, const struct roof_cap *cap, double bs)
{
    *CHART_ADD(c, line->point, line->n) = (struct point){bs, roof_cap_bw(cap, bs) / MiB};
}

/* A cap that counts large I/Os several times bends at the size that counts as one. */
static void add_stretch(struct chart *c, struct cap *line, const struct roof_cap *cap, double from,
                        double to)
{
    add_point(c, line, cap, from);
    if (cap->kind == CAP_IOPS && cap->io_size > from && cap->io_size < to)
        add_point(c, line, cap, cap->io_size);
    add_point(c, line, cap, to);
}

static struct cap *add_line(struct chart *c, struct panel *p, const struct roof_cap *cap,
                            enum cap_style style)
{
    struct cap *line = CHART_ADD(c, p->cap, p->n_caps);
    *line = (struct cap){.colour = owner_colour(cap->owner),
                         .text_colour = owner_text_colour(cap->owner),
                         .style = style};
    return line;
}

/* Block sizes between ticks: 18.7k, 1.25M. */
static const char *say_between(struct chart *c, double bs)
{
    char buf[NUMFMT_MAX];
    bool mega = bs >= MiB;
    return arena_printf(c->arena, "%s%s", fmt_number(buf, bs / (mega ? MiB : 1024)),
                        mega ? "M" : "k");
}

static void add_knee(struct chart *c, struct panel *p, const struct roof_piece *left,
                     const char *letter)
{
    *CHART_ADD(c, p->ring, p->n_rings) = (struct ring){
        .x = left->to,
        .y = roof_cap_bw(left->cap, left->to) / MiB,
        .drop = letter ? arena_printf(c->arena, "%s: caps cross at %s", letter,
                                      say_between(c, left->to))
                       : arena_printf(c->arena, "Caps cross at %s", say_between(c, left->to)),
    };
}

/* Where a line for this cap that an earlier roof has drawn ends; `from` when there is none. */
static double drawn_until(const struct panel *p, const struct roof_piece *piece)
{
    double end = piece->from, level = roof_cap_bw(piece->cap, piece->from) / MiB;
    for (size_t i = 0; i < p->n_caps; i++) {
        const struct cap *line = &p->cap[i];
        bool same = line->style == CAP_BINDING && line->colour == owner_colour(piece->cap->owner) &&
                    fabs(line->point[0].x - piece->from) <= 1e-6 * piece->from &&
                    fabs(line->point[0].y - level) <= 1e-6 * level;
        if (same)
            end = fmax(end, line->point[line->n - 1].x);
    }
    return end;
}

static void draw_roof(struct chart *c, struct panel *p, const struct roof_piece *piece, size_t n,
                      const char *letter)
{
    for (size_t i = 0; i < n; i++) {
        double from = drawn_until(p, &piece[i]);
        bool is_new = from <= piece[i].from;
        if (from < piece[i].to) {
            struct cap *line = add_line(c, p, piece[i].cap, CAP_BINDING);
            const char *label = roof_cap_label(c, piece[i].cap);
            /* what the first roof starts with is often the same in all */
            bool whose = letter && i > 0;
            if (is_new)
                line->label = whose ? arena_printf(c->arena, "%s: %s", letter, label) : label;
            add_stretch(c, line, piece[i].cap, from, piece[i].to);
        }
        if (i + 1 < n)
            add_knee(c, p, &piece[i], letter);
    }
}

static void shade(struct chart *c, struct panel *p, const struct roof_piece *piece, size_t n,
                  double top)
{
    struct area *a = CHART_ADD(c, p->area, p->n_areas);
    struct cap edge = {0};
    for (size_t i = 0; i < n; i++)
        add_stretch(c, &edge, piece[i].cap, piece[i].from, piece[i].to);
    for (size_t i = 0; i < edge.n; i++)
        top = fmax(top, edge.point[i].y);
    *CHART_ADD(c, a->point, a->n) = (struct point){piece[0].from, top};
    for (size_t i = 0; i < edge.n; i++)
        *CHART_ADD(c, a->point, a->n) = edge.point[i];
    *CHART_ADD(c, a->point, a->n) = (struct point){piece[n - 1].to, top};
}

static void draw_sustained(struct chart *c, struct panel *p, const struct roof *r, double from,
                           double to)
{
    struct roof_piece *piece;
    size_t n = roof_pieces(c, r, from, to, true, &piece);
    if (n == 0)
        return;
    struct cap *line = add_line(c, p, piece[0].cap, CAP_SUSTAINED);
    struct strbuf sb = STRBUF_INIT;
    strbuf_adds(&sb, "Once the burst credit is gone: ");
    for (size_t i = 0; i < n; i++) {
        add_stretch(c, line, piece[i].cap, piece[i].from, piece[i].to);
        /* value and unit only: whose it is, the colour says */
        const char *label = roof_cap_label(c, piece[i].cap), *unit = strrchr(label, ' ');
        const char *value = unit;
        while (value > label && value[-1] != ' ')
            value--;
        strbuf_addf(&sb, "%s%s", i ? ", then " : "", value);
    }
    line->label = arena_strndup(c->arena, sb.text, sb.len);
    line->brief = arena_printf(c->arena, "Sustained%s", strchr(line->label, ':') + 1);
    strbuf_release(&sb);
}

static bool is_in_roof(const struct roof_piece *piece, size_t n, const struct roof_cap *cap)
{
    for (size_t i = 0; i < n; i++)
        if (piece[i].cap == cap)
            return true;
    return false;
}

/* The lowest cap of a kind that is above `over` and not part of the roof. */
static const struct roof_cap *next_cap(const struct roof *r, const struct roof_piece *piece,
                                       size_t n, enum limit_kind kind, double over)
{
    const struct roof_cap *found = NULL;
    for (size_t i = 0; i < r->n; i++) {
        const struct roof_cap *cap = &r->cap[i];
        bool base_below_burst = cap->phase == PHASE_BASE && cap->bursts;
        if (cap->kind == kind && cap->value > over && !is_in_roof(piece, n, cap) &&
            !base_below_burst && (!found || cap->value < found->value))
            found = cap;
    }
    return found;
}

static void draw_others(struct chart *c, struct panel *p, const struct roof *r,
                        const struct roof_piece *piece, size_t n, double from, double to,
                        const char *letter)
{
    for (enum limit_kind kind = 0; kind < CAP_COUNT; kind++) {
        const struct roof_cap *cap = next_cap(r, piece, n, kind, 0);
        for (int i = 0; cap && i < OTHERS_OF_KIND; i++) {
            struct cap *line = add_line(c, p, cap, CAP_BURST);
            const char *label = roof_cap_label(c, cap);
            line->label = cap->refuted ? arena_printf(c->arena, "%s (exceeded)", label) : label;
            add_stretch(c, line, cap, from, to);
            cap = next_cap(r, piece, n, kind, cap->value);
        }
    }
    /* an IOPS cap of the roof goes on above it, unless another roof does */
    for (size_t i = 0; !letter && i + 1 < n; i++)
        if (piece[i].cap->kind == CAP_IOPS && piece[i + 1].cap->kind == CAP_BW)
            add_stretch(c, add_line(c, p, piece[i].cap, CAP_BURST), piece[i].cap, piece[i].to, to);
}

void roof_draw(struct chart *c, struct panel *p, const struct roof *r, double from, double to,
               double top, const char *letter)
{
    struct roof_piece *piece;
    size_t n = roof_pieces(c, r, from, to, false, &piece);
    if (n > 0 && top > 0)
        shade(c, p, piece, n, top);
    draw_roof(c, p, piece, n, letter);
    if (top <= 0)
        return; /* one of several roofs: only the first brings the caps around it */
    draw_others(c, p, r, piece, n, from, to, letter);
    bool bursts = false;
    for (size_t i = 0; i < n; i++)
        bursts = bursts || piece[i].cap->phase == PHASE_BURST;
    if (bursts)
        draw_sustained(c, p, r, from, to);
}

/* ---- strip ---- */

/* What is said of a block size. */
struct verdict {
    const struct roof_cap *cap; /* reached */
    enum saturation state;      /* where none is */
};

static struct verdict judge(struct chart *c, const struct curve *v, const struct roof_column *col)
{
    if (col->verdict.reached)
        return (struct verdict){col->verdict.cap, SATURATION_UNKNOWN};
    struct rung *rung;
    size_t n = curve_rungs(c, v, col->bs, &rung);
    if (n == 0)
        return (struct verdict){NULL, SATURATION_UNKNOWN};
    struct saturated *s = arena_array(c->arena, n, sizeof *s);
    saturation_find(rung, n, s);
    enum saturation state = s[n - 1].state == SATURATION_KNEE ? SATURATION_NO : s[n - 1].state;
    return (struct verdict){NULL, state};
}

/* "4k to 16k", "32k and up", "every block size" */
static const char *say_range(struct chart *c, const struct roof *r, size_t first, size_t last)
{
    if (r->n_columns > 1 && first == 0 && last + 1 == r->n_columns)
        return "every block size";
    if (last + 1 == r->n_columns && first > 0)
        return arena_printf(c->arena, "%s and up", say_bs(c, r->column[first].bs));
    return say_sizes(c, r->column[first].bs, r->column[last].bs);
}

static struct block words_of(struct chart *c, struct verdict v, const char *range)
{
    if (v.cap)
        return (struct block){
            .colour = owner_colour(v.cap->owner),
            .name = owner_word(v.cap->owner),
            .text = arena_printf(c->arena, "%s binds: %s", roof_cap_words(c, v.cap), range)};
    struct block b = {.colour = COLOUR_SAME};
    b.name = v.state == SATURATION_NO    ? "Latency"
             : v.state == SATURATION_YES ? "No known cap"
                                         : "Under the caps";
    b.brief = v.state == SATURATION_NO ? "is the limit" : NULL;
    b.text = v.state == SATURATION_NO
                 ? arena_printf(c->arena, "is the limit, deeper queues still gain: %s", range)
             : v.state == SATURATION_YES ? arena_printf(c->arena, "explains the plateau: %s", range)
                                         : arena_printf(c->arena, "at one queue depth: %s", range);
    return b;
}

void roof_strip(struct chart *c, const struct curve *v, const struct roof *r, double from,
                double to, size_t row)
{
    *CHART_ADD(c, c->strip_row, c->n_strip_rows) =
        (struct strip_row){v->letter ? v->letter : "", v->look.text_colour};
    for (size_t first = 0, i = 0; i < r->n_columns; i++) {
        struct verdict a = judge(c, v, &r->column[first]), b = {0};
        if (i + 1 < r->n_columns)
            b = judge(c, v, &r->column[i + 1]);
        if (i + 1 < r->n_columns && a.cap == b.cap && a.state == b.state)
            continue;
        struct block *k = CHART_ADD(c, c->block, c->n_blocks);
        *k = words_of(c, a, say_range(c, r, first, i));
        k->row = row;
        k->from =
            first == 0 ? from : sqrt((double)r->column[first - 1].bs * (double)r->column[first].bs);
        k->to = i + 1 == r->n_columns ? to
                                      : sqrt((double)r->column[i].bs * (double)r->column[i + 1].bs);
        first = i + 1;
    }
}
