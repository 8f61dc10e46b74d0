/* Scene to text, one line an element: what golden tests compare. */
#include <math.h>

#include "report/scene/scene_internal.h"

static void add_number(struct strbuf *out, double v)
{
    strbuf_addc(out, ' ');
    add_decimal(out, v);
}

static void add_colour(struct strbuf *out, const char *what, enum colour c, double opacity)
{
    if (c == COLOUR_NONE)
        return;
    strbuf_addf(out, " %s=%s", what, colour_class(c));
    if (opacity < 1) {
        strbuf_addc(out, '*');
        add_decimal2(out, opacity);
    }
}

static void add_paint(struct strbuf *out, const struct paint *p)
{
    static const char *const dash[] = {"", " long", " dot", " short"};
    add_colour(out, "fill", p->fill, p->fill_opacity);
    if (p->stroke == COLOUR_NONE)
        return;
    add_colour(out, "stroke", p->stroke, p->stroke_opacity);
    strbuf_adds(out, " width=");
    add_decimal2(out, p->width);
    strbuf_addf(out, "%s%s", dash[p->dash], p->round ? " round" : "");
}

static void add_points(struct strbuf *out, const struct item *it)
{
    for (size_t i = 0; i < it->n_points; i++) {
        if (isnan(it->point[i].x) || isnan(it->point[i].y)) {
            strbuf_adds(out, " gap");
            continue;
        }
        add_number(out, it->point[i].x);
        strbuf_addc(out, ',');
        add_decimal(out, it->point[i].y);
    }
}

static void add_text(struct strbuf *out, const struct text *t)
{
    static const char *const anchor[] = {"start", "middle", "end"};
    strbuf_adds(out, "text");
    add_number(out, t->x);
    add_number(out, t->y);
    strbuf_addf(out, " %s size=", anchor[t->anchor]);
    add_decimal(out, t->size);
    strbuf_addf(out, " weight=%d", t->weight);
    add_colour(out, "fill", t->colour, 1);
    add_colour(out, "halo", t->halo, 1);
    if (t->angle < 0 || t->angle > 0) {
        strbuf_adds(out, " angle=");
        add_decimal(out, t->angle);
    }
    for (size_t i = 0; i < t->n_spans; i++) {
        strbuf_addf(out, " \"%s\"", t->span[i].text);
        if (t->span[i].weight != t->weight)
            strbuf_addf(out, ":%d", t->span[i].weight);
        if (t->span[i].colour != t->colour)
            strbuf_addf(out, ":%s", colour_class(t->span[i].colour));
    }
}

static void add_box(struct strbuf *out, const char *what, const struct item *it)
{
    strbuf_adds(out, what);
    add_number(out, it->x);
    add_number(out, it->y);
    add_number(out, it->w);
    add_number(out, it->h);
}

/* Adds the line of an item without its end. */
static void add_item(struct strbuf *out, const struct item *it)
{
    switch (it->kind) {
    case ITEM_GROUP_BEGIN:
        strbuf_addf(out, "group key=%s title=\"%s\"", it->key ? it->key : "-",
                    it->title ? it->title : "");
        break;
    case ITEM_CLIP_BEGIN:
        add_box(out, "clip", it);
        break;
    case ITEM_GROUP_END:
    case ITEM_CLIP_END:
        strbuf_adds(out, "end");
        break;
    case ITEM_POLYLINE:
    case ITEM_POLYGON:
        strbuf_adds(out, it->kind == ITEM_POLYGON ? "polygon" : "polyline");
        add_points(out, it);
        add_paint(out, &it->paint);
        break;
    case ITEM_RECT:
        add_box(out, "rect", it);
        add_paint(out, &it->paint);
        break;
    case ITEM_CIRCLE:
        strbuf_adds(out, "circle");
        add_number(out, it->x);
        add_number(out, it->y);
        add_number(out, it->w);
        add_paint(out, &it->paint);
        break;
    case ITEM_TEXT:
        add_text(out, &it->text);
        break;
    }
}

void scene_write_dump(struct strbuf *out, const struct scene *s)
{
    strbuf_adds(out, "scene");
    add_number(out, s->width);
    add_number(out, s->height);
    strbuf_addf(out, "\ntitle \"%s\"\ndesc \"%s\"\n", s->title, s->desc);
    size_t depth = 0;
    for (size_t i = 0; i < s->n_items; i++) {
        const struct item *it = &s->item[i];
        if (it->kind == ITEM_GROUP_END || it->kind == ITEM_CLIP_END)
            depth--;
        strbuf_addf(out, "%*s", (int)(2 * depth), "");
        add_item(out, it);
        strbuf_addc(out, '\n');
        if (it->kind == ITEM_GROUP_BEGIN || it->kind == ITEM_CLIP_BEGIN)
            depth++;
    }
}
