/* A matrix of cells with a value each. */
#include <math.h>

#include "report/chart/chart_internal.h"

#define CELL_GAP    2.0
#define MOST_HEIGHT 38.0
#define ALL_HEIGHT  360.0 /* that many rows share at most */
#define LEAST       16.0
#define SMALL       11.0 /* text that does not fit otherwise */

static struct text head(const char *text, double x, double y, enum anchor anchor)
{
    return (struct text){.x = x, .y = y, .text = text, .anchor = anchor, .colour = COLOUR_INK3};
}

static double row_names_width(const struct canvas *k, const struct grid *g)
{
    double most = 0;
    for (size_t i = 0; i < g->n_rows; i++) {
        struct text t = head(g->row[i], 0, 0, ANCHOR_END);
        most = fmax(most, scene_text_width(k->s, &t));
    }
    return fmin(most, 0.3 * (k->right - k->left));
}

static void draw_cell(const struct canvas *k, const struct grid_cell *c, double x, double y,
                      double w, double h, const char *key)
{
    scene_group_begin(k->s, c->tip, key);
    struct paint paint = {.fill = c->colour, .fill_opacity = c->opacity};
    if (c->state != CELL_VALUE || c->colour == COLOUR_NONE)
        paint = (struct paint){.fill = COLOUR_SURFACE};
    scene_rect(k->s, x, y, w, h, &paint);
    struct text t = {.x = x + w / 2,
                     .y = y + h / 2 + 4,
                     .text = c->state == CELL_MISSING  ? "–"
                             : c->state == CELL_BROKEN ? "✕"
                                                       : c->text,
                     .weight = c->strong ? 600 : 400,
                     .anchor = ANCHOR_MIDDLE,
                     .colour = c->strong ? COLOUR_INK : COLOUR_INK2};
    if (scene_text_width(k->s, &t) > w - 4)
        t.size = SMALL;
    if (scene_text_width(k->s, &t) <= w - 4 && h >= 13)
        scene_text(k->s, &t);
    scene_group_end(k->s);
}

static void draw_heads(const struct canvas *k, const struct grid *g, double top, double w, double h)
{
    double bottom = top + h * (double)g->n_rows + 15, last = INFINITY;
    for (size_t r = g->n_rows; r-- > 0;) {
        double y = top + h * ((double)r + 0.5) + 3;
        if (last - y < 13)
            continue;
        last = y;
        struct text t = head(scene_fit(k->s, g->row[r], 12, 400, k->plot_x0 - 10 - k->left),
                             k->plot_x0 - 10, y, ANCHOR_END);
        scene_text(k->s, &t);
    }
    double end = -INFINITY;
    for (size_t c = 0; c < g->n_columns; c++) {
        struct text t =
            head(g->column[c], k->plot_x0 + w * ((double)c + 0.5) - fmin(CELL_GAP, w / 4) / 2,
                 bottom, ANCHOR_MIDDLE);
        double half = scene_text_width(k->s, &t) / 2;
        if (t.x - half < end + 8)
            continue;
        end = t.x + half;
        scene_text(k->s, &t);
    }
}

double grid_draw(struct canvas *k, double top)
{
    const struct grid *g = k->c->grid;
    k->plot_x0 = k->left + fmax(k->narrow ? 0 : LEFT_MARGIN, row_names_width(k, g) + 14);
    k->plot_x1 = k->right;
    double y = top + 24;
    scene_text(
        k->s,
        &(struct text){
            .x = k->left, .y = y - 8, .text = g->row_title, .weight = 600, .colour = COLOUR_INK2});
    double w = (k->plot_x1 - k->plot_x0) / (double)g->n_columns;
    if (w > 160)
        w = 160;
    double gap = fmin(CELL_GAP, w / 4);
    double h = fmax(LEAST, fmin(MOST_HEIGHT, ALL_HEIGHT / (double)g->n_rows));
    for (size_t r = 0; r < g->n_rows; r++)
        for (size_t c = 0; c < g->n_columns; c++)
            draw_cell(k, &g->cell[r * g->n_columns + c], k->plot_x0 + w * (double)c,
                      y + h * (double)r, w - gap, h - CELL_GAP,
                      arena_printf(k->c->arena, "c.%zu.%zu", r, c));
    draw_heads(k, g, y, w, h);
    double bottom = y + h * (double)g->n_rows + 15 + 18;
    struct text title =
        head(g->column_title, k->plot_x0 + w * (double)g->n_columns / 2, bottom, ANCHOR_MIDDLE);
    scene_text(k->s, &title);
    return k->c->n_legends ? legend_draw(k, bottom + 26) : bottom;
}
