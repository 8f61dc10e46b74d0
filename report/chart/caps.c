/* Cap lines and their words, which stand on the line itself. */
#include <math.h>

#include "report/chart/chart_internal.h"

/* From a line to the baseline of words on it: close, or clear of the marks on it. Under it likewise. */
static const double offset[] = {-6, 14.5, -10, 18.5};
#define OFFSETS (sizeof offset / sizeof *offset)

#define UPRIGHT_LEAST 20.0 /* a shorter line cannot be told from a point */

static struct paint cap_paint(const struct cap *c)
{
    struct paint p = {.stroke = c->colour, .width = 1.4, .stroke_opacity = 0.75};
    switch (c->style) {
    case CAP_BINDING:
        p.width = 7;
        p.stroke_opacity = c->colour == COLOUR_VM ? 0.6 : 0.42;
        p.round = true;
        break;
    case CAP_BURST:
        p.dash = DASH_LONG;
        break;
    case CAP_SUSTAINED:
        p.dash = DASH_DOT;
        p.width = 1.6;
        break;
    case CAP_OWN_RATE:
        p.dash = DASH_SHORT;
        break;
    case CAP_IDEAL:
        p.dash = DASH_DOT;
        p.width = 1.2;
        break;
    }
    return p;
}

static void draw_cap(const struct view *v, const struct cap *c)
{
    struct point *p = arena_array(v->k->c->arena, c->n, sizeof *p);
    for (size_t i = 0; i < c->n; i++)
        p[i] = view_at(v, c->point[i].x, c->point[i].y);
    const struct paint paint = cap_paint(c);
    scene_polyline(v->k->s, p, c->n, &paint);
    for (size_t i = 1; i < c->n; i++)
        labels_avoid_line(&v->k->labels, p[i - 1], p[i]);
}

/* Binding caps first: they lie under everything else. */
void caps_draw(const struct view *v)
{
    scene_clip_begin(v->k->s, v->x0, v->y0, v->x1 - v->x0, v->y1 - v->y0);
    for (int binding = 1; binding >= 0; binding--)
        for (size_t i = 0; i < v->p->n_caps; i++)
            if ((v->p->cap[i].style == CAP_BINDING) == (binding == 1))
                draw_cap(v, &v->p->cap[i]);
    scene_clip_end(v->k->s);
}

/* The part of p..q within the plot; false when there is none. */
static bool clip_to_plot(const struct view *v, struct point *p, struct point *q)
{
    double from = 0, to = 1;
    const double d[2] = {q->x - p->x, q->y - p->y}, at[2] = {p->x, p->y};
    const double lo[2] = {v->x0, v->y0}, hi[2] = {v->x1, v->y1};
    for (int i = 0; i < 2; i++) {
        if (fabs(d[i]) < 1e-9) {
            if (at[i] < lo[i] - 0.5 || at[i] > hi[i] + 0.5)
                return false;
            continue;
        }
        double a = (lo[i] - at[i]) / d[i], b = (hi[i] - at[i]) / d[i];
        from = fmax(from, fmin(a, b));
        to = fmin(to, fmax(a, b));
    }
    if (from >= to)
        return false;
    *q = (struct point){p->x + to * d[0], p->y + to * d[1]};
    *p = (struct point){p->x + from * d[0], p->y + from * d[1]};
    return true;
}

#define MOST_PLACES 40

/* Along p..q: flat lines from the right end, slanted ones in the middle, upright ones at the top. */
static size_t places_on(const struct view *v, bool strong, struct point p, struct point q,
                        struct text *out)
{
    static const double along[] = {0.5, 0.35, 0.65, 0.2, 0.8};
    size_t n = 0;
    if (fabs(q.x - p.x) < 1) {
        double step = fmax(16, 2 * (v->y1 - v->y0) / MOST_PLACES);
        for (double y = v->y0 + 12; y < v->y1 && n + 2 <= MOST_PLACES; y += step) {
            out[n++] = place_at(v, p.x + 8, y, ANCHOR_START, 0);
            out[n++] = place_at(v, p.x - 8, y, ANCHOR_END, 0);
        }
        return n;
    }
    double angle = atan2(q.y - p.y, q.x - p.x), c = cos(angle), s = sin(angle);
    bool flat = fabs(angle) < 0.02;
    for (size_t i = strong ? 2 : 0; i < OFFSETS; i++) {
        if (flat) {
            out[n++] = place_at(v, q.x - 6, q.y + offset[i], ANCHOR_END, 0);
            out[n++] = place_at(v, p.x + 8, p.y + offset[i], ANCHOR_START, 0);
        }
        for (size_t k = 0; k < sizeof along / sizeof *along; k++) {
            double x = p.x + along[k] * (q.x - p.x), y = p.y + along[k] * (q.y - p.y);
            out[n++] = place_at(v, x - offset[i] * s, y + offset[i] * c, ANCHOR_MIDDLE,
                                flat ? 0 : angle * 180 / M_PI);
        }
    }
    return n;
}

static double length_of(struct point p, struct point q)
{
    return hypot(q.x - p.x, q.y - p.y);
}

/* The longest visible segment that is shorter than `below` and has room for the words; its length. */
static double longest_segment(const struct view *v, const struct cap *c, double room, double below,
                              struct point *from, struct point *to)
{
    double longest = 0;
    for (size_t i = 1; i < c->n; i++) {
        struct point p = view_at(v, c->point[i - 1].x, c->point[i - 1].y);
        struct point q = view_at(v, c->point[i].x, c->point[i].y);
        if (!clip_to_plot(v, &p, &q))
            continue;
        double least = fabs(q.x - p.x) < 1 ? UPRIGHT_LEAST : room;
        if (length_of(p, q) < least || length_of(p, q) >= below || length_of(p, q) <= longest)
            continue;
        longest = length_of(p, q);
        *from = p;
        *to = q;
    }
    return longest;
}

static bool label_with(const struct view *v, const struct cap *c, const char *text)
{
    bool strong = c->strong || c->style == CAP_BINDING;
    const struct text words = {.text = scene_fit(v->k->s, text, 12, 600, v->x1 - v->x0),
                               .weight = strong ? 600 : 400,
                               .colour = c->text_colour};
    double room = scene_text_width(v->k->s, &words) + 4, below = INFINITY;
    struct point from = {0, 0}, to = {0, 0};
    while ((below = longest_segment(v, c, room, below, &from, &to)) > 0) {
        struct text place[MOST_PLACES];
        size_t n = places_on(v, strong, from, to, place);
        if (labels_place(&v->k->labels, &words, place, n))
            return true;
    }
    return false;
}

/* A bent line has no room along it: its words stand where it leaves the plot. */
static void label_bent(const struct view *v, const struct cap *c)
{
    struct point end = {NAN, NAN};
    for (size_t i = 1; i < c->n; i++) {
        struct point p = view_at(v, c->point[i - 1].x, c->point[i - 1].y);
        struct point q = view_at(v, c->point[i].x, c->point[i].y);
        if (clip_to_plot(v, &p, &q))
            end = q;
    }
    if (!c->label || isnan(end.x))
        return;
    const struct text place[] = {
        place_at(v, end.x - 8, end.y + 12, ANCHOR_END, 0),
        place_at(v, end.x + 8, end.y + 12, ANCHOR_START, 0),
        place_at(v, end.x - 18, end.y + 28, ANCHOR_END, 0),
    };
    labels_place(&v->k->labels, &(struct text){.text = c->label, .colour = c->text_colour}, place,
                 sizeof place / sizeof *place);
}

static void label_cap(const struct view *v, const struct cap *c)
{
    if (c->style == CAP_IDEAL) {
        label_bent(v, c);
        return;
    }
    if (c->label && !label_with(v, c, c->label) && c->brief)
        label_with(v, c, c->brief);
}

void caps_label(const struct view *v)
{
    for (int binding = 1; binding >= 0; binding--)
        for (size_t i = 0; i < v->p->n_caps; i++)
            if ((v->p->cap[i].style == CAP_BINDING || v->p->cap[i].strong) == (binding == 1))
                label_cap(v, &v->p->cap[i]);
}
