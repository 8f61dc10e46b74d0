/* One or more panels above each other over a shared x axis. */
#include <math.h>

#include "core/base/xalloc.h"
#include "report/chart/chart_internal.h"

#define TITLE_HEIGHT 26.0 /* from the start of the body to the first plot */
#define PANEL_GAP    38.0
#define NAMES_GAP    14.0 /* between the labels of the y axis and names of series */
#define STRIP_DROP   14.0 /* from the baseline of the axis labels */
#define X_TITLE_DROP 19.0

/* Room left and right of the plots for axis labels and names of series. */
static double make_room(struct canvas *k, enum label_end *end)
{
    double labels = 0, left = 0, right = 0;
    for (size_t i = 0; i < k->c->n_panels; i++) {
        const struct panel *p = &k->c->panel[i];
        labels = fmax(labels, y_labels_width(k->s, p));
        end[i] = ends_choose(k, p, p->height);
        if (end[i] == END_LEFT)
            left = fmax(left, ends_width(k, p));
        else if (end[i] == END_RIGHT)
            right = fmax(right, ends_width(k, p));
    }
    k->plot_x0 = k->left + fmax(LEFT_MARGIN, labels + 12);
    k->plot_x1 = k->right - right;
    return left > 0 ? left + NAMES_GAP : 0;
}

static void draw_under(const struct view *v)
{
    areas_draw(v);
    y_axis_draw(v, true);
    bars_draw(v);
    caps_draw(v);
    bands_draw(v);
    lines_draw(v);
    arrows_draw(v);
    dots_draw(v);
    marks_avoid(v);
}

/* The labeller of each panel is its own; words of all panels are in the scene. */
static void draw_words(struct view *v)
{
    ends_draw(v);
    notes_draw(v);
}

static void draw_panel(struct view *v)
{
    struct canvas *k = v->k;
    k->labels =
        (struct labeller){.s = k->s, .x0 = v->x0, .x1 = v->x1, .y0 = v->y0 - 6, .y1 = v->y1 - 2};
    draw_under(v);
    draw_words(v);
    free(k->labels.obstacle);
}

static double draw_below(const struct view *last)
{
    struct canvas *k = last->k;
    x_axis_draw(last, true);
    double y = last->y1 + x_labels_height(&k->c->x);
    if (k->c->n_strip_rows)
        y = strip_draw(last, y + STRIP_DROP);
    if (k->c->x.title) {
        y += X_TITLE_DROP;
        scene_text(k->s, &(struct text){
                             .x = (last->x0 + last->x1) / 2,
                             .y = y,
                             .text = scene_fit(k->s, k->c->x.title, 12, 400, last->x1 - last->x0),
                             .colour = COLOUR_INK3,
                             .anchor = ANCHOR_MIDDLE});
    }
    if (k->c->n_legends)
        y = legend_draw(k, y + 26);
    return y;
}

double panels_draw(struct canvas *k, double top)
{
    const struct chart *c = k->c;
    enum label_end *end = xcalloc(c->n_panels, sizeof *end);
    struct view *view = xcalloc(c->n_panels, sizeof *view);
    double names = make_room(k, end);
    double y = top + (c->n_stretches ? 6 + stretches_height(c) : TITLE_HEIGHT);
    for (size_t i = 0; i < c->n_panels; i++) {
        const struct panel *p = &c->panel[i];
        view[i] = (struct view){.k = k,
                                .p = p,
                                .x0 = k->plot_x0,
                                .x1 = k->plot_x1,
                                .y0 = y,
                                .y1 = y + p->height,
                                .end = end[i]};
        view[i].x = scale_of(&c->x, k->plot_x0 + names, k->plot_x1);
        view[i].y = scale_of(&p->y, view[i].y1, view[i].y0);
        y += p->height + PANEL_GAP;
    }
    const struct view *last = &view[c->n_panels - 1];
    stretches_draw(k, &view[0], top + 6, last->y1);
    for (size_t i = 0; i < c->n_panels; i++)
        draw_panel(&view[i]);
    double bottom = draw_below(last);
    free(view);
    free(end);
    return bottom;
}
