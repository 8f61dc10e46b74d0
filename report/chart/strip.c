/* Under the axis: the strip that says in words what binds where, and the legend. */
#include <math.h>

#include "report/chart/chart_internal.h"

#define ROW_HEIGHT 28.0
#define ROW_GAP    6.0
#define BAR        3.5 /* the solid edge of a block */
#define BLOCK_GAP  2.0
#define SWATCH     14.0

static double tint_of(enum colour c)
{
    return c == COLOUR_VM ? 0.16 : 0.12;
}

static void draw_block(const struct view *v, const struct block *b, double y, bool edge_left)
{
    struct scene *s = v->k->s;
    /* the first block reaches to the edge, where the names of the series stand */
    double from = scale_at(&v->x, b->from), to = scale_at(&v->x, b->to);
    if (from <= v->x.from + 1)
        from = v->x0;
    to = to >= v->x1 - 1 ? v->x1 : to - BLOCK_GAP;
    if (to - from < 1)
        return;
    scene_rect(s, from, y, to - from, ROW_HEIGHT,
               &(struct paint){.fill = b->colour, .fill_opacity = tint_of(b->colour)});
    scene_rect(s, from, y, edge_left ? BAR : to - from, edge_left ? ROW_HEIGHT : BAR,
               &(struct paint){.fill = b->colour});
    const double pad = 10;
    double room = to - from - 2 * pad;
    const char *const text[] = {b->text, b->brief, ""};
    for (size_t i = 0; i < 3; i++) {
        if (!text[i])
            continue;
        const struct span span[2] = {
            {b->name, 600, COLOUR_INK},
            {arena_printf(v->k->c->arena, "%s%s", *b->name && *text[i] ? " " : "", text[i]), 400,
             COLOUR_INK}};
        const struct text words = {.x = from + pad,
                                   .y = y + ROW_HEIGHT / 2 + (edge_left ? 4 : 6),
                                   .span = span,
                                   .n_spans = 2,
                                   .colour = COLOUR_INK};
        if (scene_text_width(s, &words) > room)
            continue;
        scene_text(s, &words);
        return;
    }
}

double strip_draw(const struct view *v, double top)
{
    const struct chart *c = v->k->c;
    bool many = c->n_strip_rows > 1;
    double y = top;
    for (size_t r = 0; r < c->n_strip_rows; r++, y += ROW_HEIGHT + ROW_GAP) {
        if (many)
            scene_text(v->k->s, &(struct text){.x = v->x0 - 14,
                                               .y = y + ROW_HEIGHT / 2 + 4,
                                               .text = scene_fit(v->k->s, c->strip_row[r].name, 12,
                                                                 600, v->x0 - 14 - v->k->left),
                                               .weight = 600,
                                               .colour = c->strip_row[r].colour,
                                               .anchor = ANCHOR_END});
        for (size_t i = 0; i < c->n_blocks; i++)
            if (c->block[i].row == r)
                draw_block(v, &c->block[i], y, many);
    }
    return y - ROW_GAP;
}

double legend_draw(struct canvas *k, double top)
{
    double x = k->plot_x0, y = top;
    for (size_t i = 0; i < k->c->n_legends; i++) {
        const struct legend *l = &k->c->legend[i];
        struct text words = {.text = scene_fit(k->s, l->text, 12, 400, k->right - k->plot_x0 - 20),
                             .colour = COLOUR_INK2};
        double w = SWATCH + 6 + scene_text_width(k->s, &words);
        if (x > k->plot_x0 && x + w > k->right) {
            x = k->plot_x0;
            y += 20;
        }
        const struct paint solid = {.fill = l->colour, .fill_opacity = l->opacity};
        const struct paint frame = {.stroke = l->colour, .width = 1.8};
        scene_rect(k->s, x, y - SWATCH + 3, SWATCH, SWATCH, l->outline ? &frame : &solid);
        words.x = x + SWATCH + 6;
        words.y = y;
        scene_text(k->s, &words);
        x += w + 28;
    }
    return y;
}
