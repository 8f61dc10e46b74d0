/* From chart to scene: heading, body, foot. */
#include <math.h>

#include "report/chart/chart_internal.h"

#define MARGIN       24.0
#define WIDTH_ALONE  800.0
#define WIDTH_PAGE   860.0
#define WIDTH_PHONE  360.0
#define HEADING_GAP  14.0
#define SOURCE_GAP   30.0
#define FOOT_ALONE   24.0
#define FOOT_IN_PAGE 6.0

static void describe(struct scene *s, const struct chart *c)
{
    const char *desc = c->empty ? c->empty : c->subtitle;
    if (!c->empty && c->n_stretches + c->n_blocks > 0) {
        struct strbuf sb = STRBUF_INIT;
        strbuf_adds(&sb, c->subtitle);
        for (size_t i = 0; i < c->n_blocks; i++)
            strbuf_addf(&sb, " %s %s.", c->block[i].name, c->block[i].text);
        for (size_t i = 0; i < c->n_stretches; i++)
            strbuf_addf(&sb, " %s: %s.", c->stretch[i].name, c->stretch[i].text);
        desc = arena_strndup(c->arena, sb.text, sb.len);
        strbuf_release(&sb);
    }
    scene_set_words(s, c->title, desc);
}

static double draw_body(struct canvas *k, double top)
{
    if (k->c->empty)
        return empty_draw(k, top + (k->in_page ? 0 : 8));
    if (k->c->grid)
        return grid_draw(k, top);
    if (k->c->small_multiples)
        return multiples_draw(k, top);
    return panels_draw(k, top);
}

struct scene *chart_draw(const struct chart *c, enum chart_place place, struct fonts *fonts)
{
    struct scene *s = scene_create(fonts);
    static const double width_of[CHART_PLACE_COUNT] = {WIDTH_ALONE, WIDTH_PAGE, WIDTH_PHONE};
    bool in_page = place != CHART_STANDALONE;
    double width = width_of[place];
    struct canvas k = {.c = c,
                       .s = s,
                       .in_page = in_page,
                       .narrow = place == CHART_ON_PHONE,
                       .left = in_page ? 0 : MARGIN,
                       .right = in_page ? width : width - MARGIN};
    describe(s, c);
    double top = in_page ? 6 : heading_draw(&k, MARGIN) + HEADING_GAP;
    double bottom = draw_body(&k, top);
    if (in_page)
        bottom += FOOT_IN_PAGE;
    else
        bottom = source_draw(&k, bottom + SOURCE_GAP) + FOOT_ALONE;
    scene_set_size(s, width, ceil(bottom));
    return s;
}
