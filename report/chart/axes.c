/* Axes: grid lines, ticks and their words. */
#include <math.h>

#include "report/chart/chart_internal.h"

#define TICK_LENGTH   5.0
#define LABEL_DROP    19.0 /* from the axis to the baseline of its labels */
#define SECOND_DROP   16.0
#define LABEL_LEADING 14.0 /* least distance of two labels of a vertical axis */
#define LABEL_GAP     8.0  /* least distance of two labels of a horizontal one */
#define OVERHANG      5.0  /* of a label, beyond a small panel */

static struct text tick_text(const struct tick *t, double x, double y, enum anchor anchor)
{
    return (struct text){.x = x,
                         .y = y,
                         .text = t->label,
                         .anchor = anchor,
                         .weight = t->strong ? 600 : 400,
                         .colour = t->strong ? COLOUR_INK2 : COLOUR_INK3};
}

double y_labels_width(struct scene *s, const struct panel *p)
{
    double most = 0;
    for (size_t i = 0; i < p->y.n_ticks; i++)
        if (p->y.tick[i].label) {
            struct text t = tick_text(&p->y.tick[i], 0, 0, ANCHOR_END);
            most = fmax(most, scene_text_width(s, &t));
        }
    return most;
}

void y_axis_draw(const struct view *v, bool labels)
{
    const struct paint grid = {.stroke = COLOUR_GRID};
    double last = INFINITY;
    for (size_t i = 0; i < v->p->y.n_ticks; i++) {
        const struct tick *t = &v->p->y.tick[i];
        double y = scale_at(&v->y, t->at);
        if (!t->label || y > v->y1 + 0.5 || y < v->y0 - 0.5 || last - y < LABEL_LEADING)
            continue;
        last = y;
        scene_line(v->k->s, v->x0, y, v->x1, y, &grid);
        struct text text = tick_text(t, v->x0 - 8, y + 4, ANCHOR_END);
        if (labels)
            scene_text(v->k->s, &text);
    }
    if (v->p->y.title && labels)
        scene_text(v->k->s, &(struct text){.x = v->k->left,
                                           .y = v->y0 - 10,
                                           .text = scene_fit(v->k->s, v->p->y.title, 12, 600,
                                                             v->x1 - v->k->left),
                                           .weight = 600,
                                           .colour = COLOUR_INK2});
}

double x_labels_height(const struct axis *a)
{
    for (size_t i = 0; i < a->n_ticks; i++)
        if (a->tick[i].label && a->tick[i].second)
            return LABEL_DROP + SECOND_DROP;
    return LABEL_DROP;
}

/* Left and right edge of a tick's words, moved inwards where they would leave the picture. */
static struct text place_tick(const struct view *v, const struct tick *t, double *from, double *to)
{
    double x = scale_at(&v->x, t->at);
    struct text text = tick_text(t, x, v->y1 + LABEL_DROP, ANCHOR_MIDDLE);
    double w = scene_text_width(v->k->s, &text);
    if (t->second) {
        struct text second = {.text = t->second};
        w = fmax(w, scene_text_width(v->k->s, &second));
    }
    double x0 = x - w / 2, x1 = x + w / 2;
    /* small panels have neighbours */
    double left = fmax(v->k->left, v->ghost ? v->x0 - OVERHANG : -INFINITY);
    double right = fmin(v->k->right, v->ghost ? v->x1 + OVERHANG : INFINITY);
    if (x1 > v->x1 && x1 > right) {
        text.anchor = ANCHOR_END;
        text.x = x1 = right;
        x0 = x1 - w;
    } else if (x0 < left) {
        text.anchor = ANCHOR_START;
        text.x = x0 = left;
        x1 = x0 + w;
    }
    *from = x0;
    *to = x1;
    return text;
}

/* One place on the axis: its words and how far they reach. */
struct slot {
    const struct tick *tick;
    struct text text;
    double from, to;
};

static bool fits(const struct slot *slot, size_t n, size_t every)
{
    for (size_t i = every; i < n; i += every)
        if (slot[i].from < slot[i - every].to + LABEL_GAP)
            return false;
    return true;
}

static void draw_slot(const struct view *v, struct slot *s)
{
    scene_text(v->k->s, &s->text);
    if (!s->tick->second)
        return;
    s->text.text = s->tick->second;
    s->text.y += SECOND_DROP;
    s->text.weight = 400;
    s->text.colour = COLOUR_INK3;
    scene_text(v->k->s, &s->text);
}

/*
 * Moves those that have room to the front, from the left; a strong one takes the place of one that is
 * not, and the last one is there. Returns how many they are.
 */
static size_t leave_out_few(struct slot *slot, size_t n)
{
    size_t kept = 0;
    const struct slot last = slot[n - 1];
    for (size_t i = 0; i < n; i++) {
        const struct slot at = slot[i];
        bool meets = kept > 0 && at.from < slot[kept - 1].to + LABEL_GAP;
        if (meets && !(at.tick->strong && !slot[kept - 1].tick->strong))
            continue;
        kept -= meets;
        slot[kept++] = at;
    }
    if (slot[kept - 1].tick == last.tick)
        return kept;
    while (kept > 0 && slot[kept - 1].to + LABEL_GAP > last.from)
        kept--;
    slot[kept++] = last;
    return kept;
}

/*
 * Every label, or all but the few that have no room, or as many steps apart as needed: then the last
 * one stands in place of one that it would meet.
 */
static void draw_tick_words(const struct view *v)
{
    const struct axis *a = &v->k->c->x;
    struct slot *slot = arena_array(v->k->c->arena, a->n_ticks + 1, sizeof *slot);
    size_t n = 0, every = 1;
    for (size_t i = 0; i < a->n_ticks; i++) {
        if (!a->tick[i].label)
            continue;
        slot[n].tick = &a->tick[i];
        slot[n].text = place_tick(v, &a->tick[i], &slot[n].from, &slot[n].to);
        n++;
    }
    if (n > 0 && !fits(slot, n, 1)) {
        struct slot *some = arena_array(v->k->c->arena, n, sizeof *some);
        memcpy(some, slot, n * sizeof *some);
        size_t kept = leave_out_few(some, n);
        if (4 * kept >= 3 * n) {
            slot = some;
            n = kept;
        }
    }
    while (every < n && !fits(slot, n, every))
        every++;
    for (size_t i = 0; i < n; i += every) {
        bool meets_last = i + every >= n && i + 1 < n && slot[i].to + LABEL_GAP > slot[n - 1].from;
        if (!meets_last || i == 0)
            draw_slot(v, &slot[i]);
        if (i + every >= n && i + 1 < n && (meets_last ? i > 0 : true))
            draw_slot(v, &slot[n - 1]);
    }
}

void x_axis_draw(const struct view *v, bool labels)
{
    const struct paint line = {.stroke = COLOUR_AXIS};
    const struct axis *a = &v->k->c->x;
    for (size_t i = 0; i < a->n_ticks; i++) {
        double x = scale_at(&v->x, a->tick[i].at);
        if (x >= v->x0 - 0.5 && x <= v->x1 + 0.5)
            scene_line(v->k->s, x, v->y1, x, v->y1 + TICK_LENGTH, &line);
    }
    scene_line(v->k->s, v->x0, v->y1, v->x1, v->y1, &line);
    if (labels)
        draw_tick_words(v);
}
