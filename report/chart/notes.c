/* Words inside the plot: values at marks, rings with their notes, markings, changes at arrows. */
#include <math.h>

#include "report/chart/chart_internal.h"

#define LEADING    15.0
#define RING_MARK  10.0 /* radius around a mark */
#define RING_ALONE 5.5

static void label_datum(const struct view *v, const struct trace *s, const struct datum *d)
{
    struct point p = view_at(v, d->x, d->y);
    const double r = 7;
    const struct text place[] = {
        place_at(v, p.x, p.y - r - 3, ANCHOR_MIDDLE, 0),
        place_at(v, p.x, p.y + r + 11, ANCHOR_MIDDLE, 0),
        place_at(v, p.x + r + 4, p.y + 4, ANCHOR_START, 0),
        place_at(v, p.x - r - 4, p.y + 4, ANCHOR_END, 0),
        place_at(v, p.x + r, p.y - r, ANCHOR_START, 0),
        place_at(v, p.x - r, p.y - r, ANCHOR_END, 0),
        place_at(v, p.x + r, p.y + r + 9, ANCHOR_START, 0),
        place_at(v, p.x - r, p.y + r + 9, ANCHOR_END, 0),
        place_at(v, p.x, p.y - r - 12, ANCHOR_MIDDLE, 0),
        place_at(v, p.x, p.y + r + 20, ANCHOR_MIDDLE, 0),
    };
    const struct text words = {
        .text = d->label, .weight = d->strong ? 600 : 400, .colour = s->text_colour};
    labels_place(&v->k->labels, &words, place, sizeof place / sizeof *place);
}

static void label_data(const struct view *v)
{
    for (int strong = 1; strong >= 0; strong--)
        for (size_t i = 0; i < v->p->n_traces; i++)
            for (size_t j = 0; j < v->p->trace[i].n; j++) {
                const struct datum *d = &v->p->trace[i].datum[j];
                if (d->label && d->strong == (strong == 1) && !isnan(d->y))
                    label_datum(v, &v->p->trace[i], d);
            }
}

static void draw_drop(const struct view *v, const struct ring *r, struct point p)
{
    const struct text words = {.text = r->drop, .weight = 600, .colour = COLOUR_INK};
    struct text place[12];
    size_t n = 0;
    for (double y = v->y1 - 8; n + 2 <= 12; y -= LEADING) {
        place[n++] = place_at(v, p.x + 8, y, ANCHOR_START, 0);
        place[n++] = place_at(v, p.x - 8, y, ANCHOR_END, 0);
    }
    const struct point line[2] = {{p.x, p.y + 7}, {p.x, v->y1}};
    scene_polyline(v->k->s, line, 2,
                   &(struct paint){.stroke = COLOUR_INK3, .width = 1.2, .dash = DASH_DOT});
    labels_place(&v->k->labels, &words, place, n);
    labels_avoid_line(&v->k->labels, line[0], line[1]);
}

static double side_of(struct point a, struct point b, struct point p)
{
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

/* Does the leader from a to b cut through a line of the data, or through words? */
static bool crosses(const struct labeller *l, struct point a, struct point b)
{
    if (labels_line_meets_words(l, a, b))
        return true;
    for (size_t i = 0; i < l->n; i++) {
        const struct obstacle *o = &l->obstacle[i];
        if (!o->hard && side_of(a, b, o->a) * side_of(a, b, o->b) < 0 &&
            side_of(o->a, o->b, a) * side_of(o->a, o->b, b) < 0)
            return true;
    }
    return false;
}

/* From beside, above or below the words to the edge of the ring. */
static void leader_of(const struct text *place, const struct ring *r, struct point p,
                      struct point out[2])
{
    out[0].x = place->x + (place->anchor == ANCHOR_END     ? 5
                           : place->anchor == ANCHOR_START ? -5
                                                           : 0);
    out[0].y = place->y + (r->text ? LEADING / 2 - 4 : -4);
    if (place->anchor == ANCHOR_MIDDLE)
        out[0].y = place->y > p.y ? place->y - 13 : place->y + (r->text ? LEADING : 0) + 5;
    double away = hypot(out[0].x - p.x, out[0].y - p.y);
    double radius = r->around_mark ? RING_MARK : RING_ALONE;
    out[1].x = p.x + (out[0].x - p.x) / away * radius;
    out[1].y = p.y + (out[0].y - p.y) / away * radius;
}

/* Around a ring, from near to far; the third is where its words begin, end or have their middle. */
static const struct {
    double dx, dy;
    enum anchor anchor;
} around[] = {
    {-38, -38, ANCHOR_END}, {-38, 34, ANCHOR_END},   {48, -38, ANCHOR_START},
    {48, 34, ANCHOR_START}, {-67, -10, ANCHOR_END},  {67, -10, ANCHOR_START},
    {0, 44, ANCHOR_MIDDLE}, {0, -52, ANCHOR_MIDDLE}, {-84, -67, ANCHOR_END},
    {-84, 59, ANCHOR_END},  {84, -67, ANCHOR_START}, {84, 59, ANCHOR_START},
    {0, 76, ANCHOR_MIDDLE}, {-118, -17, ANCHOR_END}, {118, -17, ANCHOR_START},
    {-120, 84, ANCHOR_END}, {120, 84, ANCHOR_START}, {0, 120, ANCHOR_MIDDLE},
};
#define AROUND (sizeof around / sizeof *around)

/* Head and text of a ring with a leader. */
static void draw_note(const struct view *v, const struct ring *r, struct point p)
{
    struct text place[2 * AROUND];
    struct point leader[2];
    size_t n = 0;
    /* first those whose leader is free, then the others */
    for (int crossing = 0; crossing < 2; crossing++)
        for (size_t i = 0; i < AROUND; i++) {
            place[n] = place_at(v, p.x + around[i].dx, p.y + around[i].dy, around[i].anchor, 0);
            leader_of(&place[n], r, p, leader);
            n += crosses(&v->k->labels, leader[0], leader[1]) == (crossing == 1);
        }
    const struct text line[2] = {
        {.text = r->head, .weight = 600, .colour = COLOUR_INK},
        {.text = r->text ? r->text : "", .colour = COLOUR_INK2},
    };
    size_t best = labels_place_lines(&v->k->labels, line, 2, LEADING, place, n);
    if (best == n)
        return;
    leader_of(&place[best], r, p, leader);
    scene_polyline(v->k->s, leader, 2, &(struct paint){.stroke = COLOUR_INK3});
}

static void draw_rings(const struct view *v)
{
    for (size_t i = 0; i < v->p->n_rings; i++) {
        const struct ring *r = &v->p->ring[i];
        if (!view_holds(v, r->x, r->y))
            continue;
        struct point p = view_at(v, r->x, r->y);
        if (r->drop)
            draw_drop(v, r, p);
        if (r->around_mark)
            scene_circle(v->k->s, p.x, p.y, RING_MARK,
                         &(struct paint){.stroke = COLOUR_INK, .width = 1.8});
        else
            scene_circle(v->k->s, p.x, p.y, RING_ALONE,
                         &(struct paint){.fill = COLOUR_BG, .stroke = COLOUR_INK, .width = 2.2});
        if (r->head)
            draw_note(v, r, p);
    }
}

static void draw_markings(const struct view *v)
{
    for (size_t i = 0; i < v->p->n_markings; i++) {
        const struct marking *m = &v->p->marking[i];
        double x = scale_at(&v->x, m->x);
        const struct point line[2] = {{x, v->y0}, {x, v->y1}};
        scene_polyline(v->k->s, line, 2,
                       &(struct paint){.stroke = m->colour, .width = 1.2, .dash = DASH_DOT});
        labels_avoid_line(&v->k->labels, line[0], line[1]);
        struct text place[10];
        size_t n = 0;
        /* the words of the first on its left, those of others on their right: away from each other */
        const double side[2] = {i == 0 ? -8 : 8, i == 0 ? 8 : -8};
        for (double y = v->y0 + 14; n + 4 <= sizeof place / sizeof *place; y += LEADING + 3)
            for (int k = 0; k < 2; k++)
                place[n++] =
                    place_at(v, x + side[k], y, side[k] < 0 ? ANCHOR_END : ANCHOR_START, 0);
        place[n++] = place_at(v, x - 8, v->y1 - 24, ANCHOR_END, 0);
        place[n++] = place_at(v, x + 8, v->y1 - 24, ANCHOR_START, 0);
        const struct text words[2] = {
            {.text = m->line[0], .colour = COLOUR_INK3},
            {.text = m->line[1] ? m->line[1] : "", .colour = COLOUR_INK3},
        };
        labels_place_lines(&v->k->labels, words, m->line[1] ? 2 : 1, LEADING, place, n);
    }
}

static void label_arrows(const struct view *v)
{
    for (size_t i = 0; i < v->p->n_arrows; i++) {
        const struct arrow *a = &v->p->arrow[i];
        struct point from = view_at(v, a->x, a->from), to = view_at(v, a->x, a->to);
        if (fabs(to.y - from.y) < ARROW_LEAST)
            continue;
        double mid = (from.y + to.y) / 2 + 4;
        const struct text place[] = {
            place_at(v, from.x + 9, mid, ANCHOR_START, 0),
            place_at(v, from.x - 9, mid, ANCHOR_END, 0),
            place_at(v, from.x + 9, mid + 14, ANCHOR_START, 0),
            place_at(v, from.x + 14, mid - 14, ANCHOR_START, 0),
        };
        labels_place(&v->k->labels,
                     &(struct text){.text = a->label, .weight = 600, .colour = a->colour}, place,
                     4);
    }
}

static void label_bars(const struct view *v)
{
    for (size_t i = 0; i < v->p->n_bars; i++) {
        const struct bar *b = &v->p->bar[i];
        if (!b->label)
            continue;
        struct point p = view_at(v, b->from, b->y);
        double x = (p.x + scale_at(&v->x, b->to)) / 2;
        const struct text place[] = {place_at(v, x, p.y - 5, ANCHOR_MIDDLE, 0)};
        labels_place(&v->k->labels,
                     &(struct text){.text = b->label, .weight = 600, .colour = COLOUR_INK2}, place,
                     1);
    }
}

void notes_draw(const struct view *v)
{
    draw_markings(v);
    label_bars(v);
    label_data(v);
    label_arrows(v);
    draw_rings(v);
    caps_label(v);
}
