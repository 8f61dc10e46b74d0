/* Cap lines: what the data cannot or should not cross. */
#include <math.h>

#include "report/chart/chart_internal.h"

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

bool clip_to_plot(const struct view *v, struct point *p, struct point *q)
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
