/* Many series of one panel: one small panel each, all others in grey behind it. */
#include <math.h>

#include "report/chart/chart_internal.h"

#define HEIGHT      104.0
#define NAME_HEIGHT 34.0
#define COLUMN_GAP  18.0
#define NARROWEST   140.0 /* a panel */

double multiples_draw(struct canvas *k, double top)
{
    const struct chart *c = k->c;
    const struct panel *p = &c->panel[0];
    size_t n = p->n_traces;
    if (n > MULTIPLES_MOST)
        n = MULTIPLES_MOST;
    double left = k->left + fmax(LEFT_MARGIN, y_labels_width(k->s, p) + 12);
    size_t columns = n <= 9 ? 3 : 4;
    while (columns > 1 && (k->right - left) / (double)columns < NARROWEST)
        columns--;
    double width = (k->right - left - COLUMN_GAP * (double)(columns - 1)) / (double)columns;
    double y = top + 8, bottom = y;
    scene_text(
        k->s,
        &(struct text){
            .x = k->left, .y = y + 8, .text = p->y.title, .weight = 600, .colour = COLOUR_INK2});
    y += 18;
    for (size_t i = 0; i < n; i++) {
        size_t row = i / columns;
        double x = left + (width + COLUMN_GAP) * (double)(i % columns);
        double y0 = y + NAME_HEIGHT * 0.7 + (HEIGHT + NAME_HEIGHT) * (double)row;
        struct panel cell = *p;
        cell.y.title = NULL;
        cell.n_caps = cell.n_rings = cell.n_areas = 0;
        struct view v = {.k = k,
                         .p = &cell,
                         .x0 = x,
                         .x1 = x + width,
                         .y0 = y0,
                         .y1 = y0 + HEIGHT,
                         .ghost = true,
                         .lead = i};
        v.x = scale_of(&c->x, v.x0, v.x1);
        v.y = scale_of(&p->y, v.y1, v.y0);
        k->labels = (struct labeller){.s = k->s};
        y_axis_draw(&v, i % columns == 0);
        lines_draw(&v);
        dots_draw(&v);
        x_axis_draw(&v, i + columns >= n);
        free(k->labels.obstacle);
        scene_text(k->s, &(struct text){.x = x,
                                        .y = y0 - 8,
                                        .text = scene_fit(k->s, p->trace[i].name, 12, 600, width),
                                        .weight = 600,
                                        .colour = p->trace[i].text_colour});
        bottom = fmax(bottom, v.y1 + x_labels_height(&c->x));
    }
    if (c->x.title) {
        bottom += 19;
        scene_text(k->s, &(struct text){.x = (left + k->right) / 2,
                                        .y = bottom,
                                        .text = c->x.title,
                                        .colour = COLOUR_INK3,
                                        .anchor = ANCHOR_MIDDLE});
    }
    return bottom;
}
