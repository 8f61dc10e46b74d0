/* From data to units. */
#include <math.h>

#include "report/chart/chart_internal.h"

static double transform(enum scale_kind kind, double v)
{
    return kind == SCALE_LINEAR ? v : kind == SCALE_LOG2 ? log2(v) : log10(v);
}

struct scale scale_of(const struct axis *a, double from, double to)
{
    return (struct scale){a->kind, a->lo, a->hi, from, to};
}

double scale_at(const struct scale *s, double v)
{
    if (isnan(v))
        return NAN;
    if (s->kind != SCALE_LINEAR && v <= 0)
        return s->from;
    double lo = transform(s->kind, s->lo), hi = transform(s->kind, s->hi);
    return s->from + (transform(s->kind, v) - lo) / (hi - lo) * (s->to - s->from);
}

struct point view_at(const struct view *v, double x, double y)
{
    return (struct point){scale_at(&v->x, x), scale_at(&v->y, y)};
}

bool view_holds(const struct view *v, double x, double y)
{
    struct point p = view_at(v, x, y);
    const double slack = 0.5;
    return p.x >= v->x0 - slack && p.x <= v->x1 + slack && p.y >= v->y0 - slack &&
           p.y <= v->y1 + slack;
}

struct text place_at(const struct view *v, double x, double y, enum anchor anchor, double angle)
{
    return (struct text){
        .x = x, .y = y, .anchor = anchor, .angle = angle, .halo = ground_at(v, x, y)};
}
