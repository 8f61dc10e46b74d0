/* The data: bands, lines, marks, bars, arrows. */
#include <math.h>

#include "report/chart/chart_internal.h"

#define DOT       4.0
#define DOT_BIG   6.5 /* a hollow mark around one that is in the same place */
#define DOT_SMALL 2.5 /* where marks would touch each other */
#define TOO_DENSE 10.0
#define LEAST_BAR 1.5 /* height of a bar of next to nothing */

static bool is_grey(const struct view *v, size_t i)
{
    return v->ghost && i != v->lead;
}

static double or_one(double v)
{
    return v > 0 ? v : 1;
}

void bands_draw(const struct view *v)
{
    for (size_t i = 0; i < v->p->n_traces; i++) {
        const struct trace *s = &v->p->trace[i];
        if (s->n_bands < 2 || is_grey(v, i))
            continue;
        struct point *p = arena_array(v->k->c->arena, 2 * s->n_bands, sizeof *p);
        for (size_t j = 0; j < s->n_bands; j++) {
            p[j] = view_at(v, s->band[j].x, s->band[j].hi);
            p[2 * s->n_bands - 1 - j] = view_at(v, s->band[j].x, s->band[j].lo);
        }
        scene_polygon(v->k->s, p, 2 * s->n_bands,
                      &(struct paint){.fill = s->colour, .fill_opacity = 0.16});
    }
}

/* A value that a log axis cannot show lies on the axis, apart from the line. */
static bool is_off_scale(const struct view *v, const struct datum *d)
{
    return v->y.kind != SCALE_LINEAR && d->y <= 0;
}

static void draw_line(const struct view *v, const struct trace *s, bool grey)
{
    struct point *p = arena_array(v->k->c->arena, s->n, sizeof *p);
    for (size_t i = 0; i < s->n; i++) {
        p[i] = view_at(v, s->datum[i].x, s->datum[i].y);
        if (is_off_scale(v, &s->datum[i]))
            p[i].y = NAN;
        if (i > 0 && !grey)
            labels_avoid_line(&v->k->labels, p[i - 1], p[i]);
    }
    struct paint paint = {.stroke = grey ? COLOUR_GRID : s->colour,
                          .width = grey           ? 1.2
                                   : s->width > 0 ? s->width
                                                  : 2,
                          .stroke_opacity = or_one(s->opacity),
                          .dash = s->dash,
                          .round = s->dash == DASH_NONE};
    size_t solid = s->dotted_from > 0 && s->dotted_from < s->n ? s->dotted_from + 1 : s->n;
    if (solid > 1)
        scene_polyline(v->k->s, p, solid, &paint);
    if (solid < s->n) {
        paint.dash = DASH_DOT;
        paint.round = false;
        scene_polyline(v->k->s, p + solid - 1, s->n - solid + 1, &paint);
    }
}

void lines_draw(const struct view *v)
{
    for (int grey = 1; grey >= 0; grey--)
        for (size_t i = 0; i < v->p->n_traces; i++)
            if (is_grey(v, i) == (grey == 1) && !v->p->trace[i].no_line)
                draw_line(v, &v->p->trace[i], grey == 1);
}

static void draw_shape(struct scene *s, enum marker m, struct point at, double r,
                       const struct paint *paint)
{
    const double d = r * 1.25;
    const struct point triangle[] = {
        {at.x, at.y - d}, {at.x + d, at.y + 0.8 * d}, {at.x - d, at.y + 0.8 * d}};
    const struct point diamond[] = {
        {at.x, at.y - d}, {at.x + d, at.y}, {at.x, at.y + d}, {at.x - d, at.y}};
    switch (m) {
    case MARKER_NONE:
        break;
    case MARKER_DOT:
    case MARKER_HOLLOW:
        scene_circle(s, at.x, at.y, r, paint);
        break;
    case MARKER_SQUARE:
        scene_rect(s, at.x - 0.9 * r, at.y - 0.9 * r, 1.8 * r, 1.8 * r, paint);
        break;
    case MARKER_TRIANGLE:
        scene_polygon(s, triangle, 3, paint);
        break;
    case MARKER_DIAMOND:
        scene_polygon(s, diamond, 4, paint);
        break;
    }
}

/* True when a later series has a mark in the same place, which would hide this one. */
static bool is_covered(const struct view *v, size_t series, struct point at)
{
    for (size_t i = series + 1; i < v->p->n_traces && !v->ghost; i++) {
        const struct trace *s = &v->p->trace[i];
        if (s->colour == v->p->trace[series].colour)
            continue; /* one more line of the same run */
        for (size_t j = 0; j < s->n; j++) {
            struct point p = view_at(v, s->datum[j].x, s->datum[j].y);
            if (hypot(p.x - at.x, p.y - at.y) < 3)
                return true;
        }
    }
    return false;
}

static double dot_radius(const struct view *v, const struct trace *s)
{
    if (s->n < 2)
        return DOT;
    double span = fabs(scale_at(&v->x, s->datum[s->n - 1].x) - scale_at(&v->x, s->datum[0].x));
    return span / (double)(s->n - 1) < TOO_DENSE && s->n > 12 ? DOT_SMALL : DOT;
}

static void draw_dot(const struct view *v, size_t i, size_t j, double r)
{
    const struct trace *s = &v->p->trace[i];
    const struct datum *d = &s->datum[j];
    struct point at = view_at(v, d->x, d->y);
    if (isnan(at.y) || isnan(at.x))
        return;
    bool hollow = s->marker == MARKER_HOLLOW || is_off_scale(v, d);
    if (hollow && r >= DOT && is_covered(v, i, at))
        r = DOT_BIG;
    else if (hollow)
        r += 0.5;
    if (d->tip) {
        const char *key = s->key ? arena_printf(v->k->c->arena, "%s.%zu", s->key, j) : NULL;
        scene_group_begin(v->k->s, d->tip, key);
    }
    interval_draw(v, s, d);
    const struct paint solid = {
        .fill = s->colour, .stroke = ground_at(v, at.x, at.y), .width = r >= DOT ? 1.6 : 0.8};
    const struct paint open = {.fill = COLOUR_BG, .stroke = s->colour, .width = 2};
    draw_shape(v->k->s, s->marker, at, hollow ? r : r + 0.6, hollow ? &open : &solid);
    if (d->tip)
        scene_group_end(v->k->s);
}

void dots_draw(const struct view *v)
{
    for (size_t i = 0; i < v->p->n_traces; i++) {
        const struct trace *s = &v->p->trace[i];
        if (s->marker == MARKER_NONE || is_grey(v, i))
            continue;
        double r = dot_radius(v, s);
        for (size_t j = 0; j < s->n; j++)
            draw_dot(v, i, j, r);
    }
}

void bars_draw(const struct view *v)
{
    for (size_t i = 0; i < v->p->n_bars; i++) {
        const struct bar *b = &v->p->bar[i];
        struct point p = view_at(v, b->from, b->y);
        double to = scale_at(&v->x, b->to);
        double gap = to - p.x > 6 ? 1 : 0;
        scene_group_begin(v->k->s, b->tip, arena_printf(v->k->c->arena, "b.%zu", i));
        /* little is not nothing */
        double top = fmin(p.y, v->y1 - LEAST_BAR);
        scene_rect(v->k->s, p.x + gap / 2, top, fmax(to - p.x - gap, 0.5), v->y1 - top,
                   &(struct paint){.fill = b->colour, .fill_opacity = b->opacity});
        scene_group_end(v->k->s);
    }
}

void arrows_draw(const struct view *v)
{
    for (size_t i = 0; i < v->p->n_arrows; i++) {
        const struct arrow *a = &v->p->arrow[i];
        struct point from = view_at(v, a->x, a->from), to = view_at(v, a->x, a->to);
        double down = to.y > from.y ? 1 : -1;
        if (fabs(to.y - from.y) < ARROW_LEAST)
            continue; /* the marks would hide it */
        double tip = to.y - down * 7;
        scene_line(v->k->s, from.x, from.y + down * 7, to.x, tip - down * 4,
                   &(struct paint){.stroke = a->colour, .width = 1.8});
        const struct point head[] = {
            {to.x, tip}, {to.x - 4, tip - down * 7}, {to.x + 4, tip - down * 7}};
        scene_polygon(v->k->s, head, 3, &(struct paint){.fill = a->colour});
        labels_avoid_line(&v->k->labels, from, to);
    }
}

static void avoid_bars(const struct view *v)
{
    for (size_t i = 0; i < v->p->n_bars; i++) {
        const struct bar *b = &v->p->bar[i];
        struct point p = view_at(v, b->from, b->y);
        double half = (scale_at(&v->x, b->to) - p.x) / 2;
        if (p.y < v->y1 - half) /* flat ones stand on the axis, where no words are */
            labels_avoid_bar(&v->k->labels, p.x + half, p.y + half, v->y1, half);
    }
}

void marks_avoid(const struct view *v)
{
    avoid_bars(v);
    for (size_t i = 0; i < v->p->n_traces; i++) {
        const struct trace *s = &v->p->trace[i];
        for (size_t j = 0; s->marker != MARKER_NONE && j < s->n; j++) {
            struct point p = view_at(v, s->datum[j].x, s->datum[j].y);
            if (!isnan(p.y))
                labels_avoid_dot(&v->k->labels, p.x, p.y, dot_radius(v, s) + 1);
        }
    }
    for (size_t i = 0; i < v->p->n_rings; i++) {
        struct point p = view_at(v, v->p->ring[i].x, v->p->ring[i].y);
        labels_avoid_dot(&v->k->labels, p.x, p.y, v->p->ring[i].around_mark ? 11 : 7);
    }
}
