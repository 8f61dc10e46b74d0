/* What lies under the data: the area out of reach, and named stretches of the x axis. */
#include "report/chart/chart_internal.h"

#define BAR_HEIGHT     4.0
#define NAME_DROP      20.0 /* from the top of the bar to the baseline of its words */
#define STRETCH_HEIGHT 32.0
#define STRETCH_GAP    2.0 /* between the bars of two stretches */

static struct point *to_units(const struct view *v, const struct point *p, size_t n)
{
    struct point *q = arena_array(v->k->c->arena, n, sizeof *q);
    for (size_t i = 0; i < n; i++)
        q[i] = view_at(v, p[i].x, p[i].y);
    return q;
}

void areas_draw(const struct view *v)
{
    if (v->p->n_areas == 0)
        return;
    scene_clip_begin(v->k->s, v->x0, v->y0, v->x1 - v->x0, v->y1 - v->y0);
    for (size_t i = 0; i < v->p->n_areas; i++) {
        const struct area *a = &v->p->area[i];
        scene_polygon(v->k->s, to_units(v, a->point, a->n), a->n,
                      &(struct paint){.fill = COLOUR_SURFACE});
    }
    scene_clip_end(v->k->s);
}

/* Even-odd rule, in units. */
static bool is_inside(const struct view *v, const struct area *a, double x, double y)
{
    bool inside = false;
    for (size_t i = 0, j = a->n - 1; i < a->n; j = i++) {
        struct point p = view_at(v, a->point[i].x, a->point[i].y);
        struct point q = view_at(v, a->point[j].x, a->point[j].y);
        if ((p.y > y) != (q.y > y) && x < (q.x - p.x) * (y - p.y) / (q.y - p.y) + p.x)
            inside = !inside;
    }
    return inside;
}

enum colour ground_at(const struct view *v, double x, double y)
{
    const struct chart *c = v->k->c;
    for (size_t i = 0; i < c->n_stretches; i++)
        if (c->stretch[i].shaded && x >= scale_at(&v->x, c->stretch[i].from) &&
            x <= scale_at(&v->x, c->stretch[i].to))
            return COLOUR_SURFACE;
    for (size_t i = 0; i < v->p->n_areas; i++)
        if (is_inside(v, &v->p->area[i], x, y))
            return COLOUR_SURFACE;
    return COLOUR_BG;
}

double stretches_height(const struct chart *c)
{
    return c->n_stretches ? STRETCH_HEIGHT : 0;
}

/* Name and words if they fit, the name alone if that does, else nothing: the caption has them. */
static void name_stretch(const struct view *v, const struct stretch *t, double x, double y,
                         double width)
{
    const char *text = arena_printf(v->k->c->arena, "  %s", t->text ? t->text : "");
    const struct span span[2] = {{t->name, 600, COLOUR_INK}, {text, 400, COLOUR_INK}};
    struct text words = {.x = x, .y = y, .span = span, .n_spans = 2, .colour = COLOUR_INK};
    if (scene_text_width(v->k->s, &words) > width)
        words.n_spans = 1;
    if (scene_text_width(v->k->s, &words) <= width)
        scene_text(v->k->s, &words);
}

void stretches_draw(struct canvas *k, const struct view *first, double y0, double y1)
{
    for (size_t i = 0; i < k->c->n_stretches; i++) {
        const struct stretch *t = &k->c->stretch[i];
        double from = scale_at(&first->x, t->from), to = scale_at(&first->x, t->to);
        if (i + 1 < k->c->n_stretches)
            to -= STRETCH_GAP;
        if (to <= from)
            continue;
        if (t->shaded)
            scene_rect(k->s, from, y0, to - from, y1 - y0, &(struct paint){.fill = COLOUR_SURFACE});
        scene_rect(k->s, from, y0, to - from, BAR_HEIGHT, &(struct paint){.fill = t->colour});
        name_stretch(first, t, from + 8, y0 + NAME_DROP, to - from - 16);
    }
}
