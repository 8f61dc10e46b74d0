/* Boxes of texts: do two of them overlap, does one leave the picture. */
#include "report/scene/scene.h"

#include <math.h>

static void corners(const struct text_box *b, double grow, struct point out[4])
{
    double a = b->angle * M_PI / 180, c = cos(a), s = sin(a);
    double w = b->half_w + grow, h = b->half_h + grow;
    const double sx[4] = {-1, 1, 1, -1}, sy[4] = {-1, -1, 1, 1};
    for (int i = 0; i < 4; i++) {
        double x = sx[i] * w, y = sy[i] * h;
        out[i] = (struct point){b->cx + x * c - y * s, b->cy + x * s + y * c};
    }
}

/* True when the projections of both on the axis at this angle do not meet. */
static bool separated(const struct point p[4], const struct point q[4], double angle)
{
    double a = angle * M_PI / 180, ux = cos(a), uy = sin(a);
    double pl = INFINITY, ph = -INFINITY, ql = INFINITY, qh = -INFINITY;
    for (int i = 0; i < 4; i++) {
        double u = p[i].x * ux + p[i].y * uy, v = q[i].x * ux + q[i].y * uy;
        pl = fmin(pl, u);
        ph = fmax(ph, u);
        ql = fmin(ql, v);
        qh = fmax(qh, v);
    }
    return ph <= ql || qh <= pl;
}

bool text_boxes_overlap(const struct text_box *a, const struct text_box *b, double gap)
{
    struct point p[4], q[4];
    corners(a, gap / 2, p);
    corners(b, gap / 2, q);
    const double axis[4] = {a->angle, a->angle + 90, b->angle, b->angle + 90};
    for (int i = 0; i < 4; i++)
        if (separated(p, q, axis[i]))
            return false;
    return true;
}

bool text_box_inside(const struct text_box *b, double x, double y, double w, double h)
{
    struct point p[4];
    corners(b, 0, p);
    for (int i = 0; i < 4; i++)
        if (p[i].x < x || p[i].x > x + w || p[i].y < y || p[i].y > y + h)
            return false;
    return true;
}
