/* How sure a value is, drawn behind its mark. */
#include <math.h>

#include "report/chart/chart_internal.h"

/* Shorter than this it hides behind the mark: nothing is drawn, and the caption says so. */
#define SHORTEST  16.0
#define CAP_WIDTH 8.0

void interval_draw(const struct view *v, const struct trace *s, const struct datum *d)
{
    if (d->interval == INTERVAL_NONE)
        return;
    double x = scale_at(&v->x, d->x), lo = scale_at(&v->y, d->lo), hi = scale_at(&v->y, d->hi);
    if (!(lo - hi >= SHORTEST))
        return;
    const struct paint paint = {.stroke = s->colour, .width = 2};
    if (d->interval == INTERVAL_POINTS) {
        scene_circle(v->k->s, x, lo, 2.5, &(struct paint){.fill = s->colour});
        scene_circle(v->k->s, x, hi, 2.5, &(struct paint){.fill = s->colour});
        return;
    }
    scene_line(v->k->s, x, lo, x, hi, &paint);
    if (d->interval != INTERVAL_95)
        return;
    scene_line(v->k->s, x - CAP_WIDTH / 2, lo, x + CAP_WIDTH / 2, lo, &paint);
    scene_line(v->k->s, x - CAP_WIDTH / 2, hi, x + CAP_WIDTH / 2, hi, &paint);
}
