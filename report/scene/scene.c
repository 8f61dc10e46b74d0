#include "report/scene/scene.h"

#include <assert.h>
#include <math.h>

#include "core/base/xalloc.h"
#include "report/scene/scene_internal.h"

/* Part of the font size that a line of text takes above and below its baseline. */
#define ASCENT  0.76
#define DESCENT 0.22

struct scene *scene_create(struct fonts *fonts)
{
    struct scene *s = xcalloc(1, sizeof *s);
    s->arena = arena_create();
    s->fonts = fonts;
    s->title = s->desc = "";
    return s;
}

void scene_destroy(struct scene *s)
{
    if (!s)
        return;
    arena_destroy(s->arena);
    free(s->item);
    free(s->box);
    free(s);
}

void scene_set_size(struct scene *s, double width, double height)
{
    s->width = width;
    s->height = height;
}

double scene_width(const struct scene *s)
{
    return s->width;
}

double scene_height(const struct scene *s)
{
    return s->height;
}

void scene_set_words(struct scene *s, const char *title, const char *desc)
{
    s->title = clean_text(s->arena, title);
    s->desc = clean_text(s->arena, desc);
}

static struct item *add_item(struct scene *s, enum item_kind kind, const struct paint *paint)
{
    GROW(s->item, s->n_items + 1, s->room);
    struct item *it = &s->item[s->n_items++];
    *it = (struct item){.kind = kind};
    if (paint) {
        it->paint = *paint;
        if (it->paint.width <= 0)
            it->paint.width = 1;
        if (it->paint.fill_opacity <= 0)
            it->paint.fill_opacity = 1;
        if (it->paint.stroke_opacity <= 0)
            it->paint.stroke_opacity = 1;
    }
    return it;
}

void scene_group_begin(struct scene *s, const char *title, const char *key)
{
    struct item *it = add_item(s, ITEM_GROUP_BEGIN, NULL);
    it->title = title ? clean_text(s->arena, title) : NULL;
    it->key = key ? clean_text(s->arena, key) : NULL;
    s->depth++;
}

void scene_group_end(struct scene *s)
{
    assert(s->depth > 0);
    s->depth--;
    add_item(s, ITEM_GROUP_END, NULL);
}

void scene_clip_begin(struct scene *s, double x, double y, double w, double h)
{
    struct item *it = add_item(s, ITEM_CLIP_BEGIN, NULL);
    it->x = x;
    it->y = y;
    it->w = w;
    it->h = h;
    s->depth++;
}

void scene_clip_end(struct scene *s)
{
    assert(s->depth > 0);
    s->depth--;
    add_item(s, ITEM_CLIP_END, NULL);
}

static void add_points(struct scene *s, enum item_kind kind, const struct point *p, size_t n,
                       const struct paint *paint)
{
    struct item *it = add_item(s, kind, paint);
    struct point *copy = arena_array(s->arena, n, sizeof *copy);
    if (n > 0)
        memcpy(copy, p, n * sizeof *copy);
    it->point = copy;
    it->n_points = n;
}

void scene_polyline(struct scene *s, const struct point *p, size_t n, const struct paint *paint)
{
    add_points(s, ITEM_POLYLINE, p, n, paint);
}

void scene_polygon(struct scene *s, const struct point *p, size_t n, const struct paint *paint)
{
    add_points(s, ITEM_POLYGON, p, n, paint);
}

void scene_line(struct scene *s, double x1, double y1, double x2, double y2,
                const struct paint *paint)
{
    const struct point p[2] = {{x1, y1}, {x2, y2}};
    scene_polyline(s, p, 2, paint);
}

void scene_rect(struct scene *s, double x, double y, double w, double h, const struct paint *paint)
{
    struct item *it = add_item(s, ITEM_RECT, paint);
    it->x = x;
    it->y = y;
    it->w = w;
    it->h = h;
}

void scene_circle(struct scene *s, double cx, double cy, double r, const struct paint *paint)
{
    struct item *it = add_item(s, ITEM_CIRCLE, paint);
    it->x = cx;
    it->y = cy;
    it->w = r;
}

/* Cleaned spans, and every default filled in. */
static struct text normalized(struct scene *s, const struct text *t)
{
    struct text full = *t;
    if (full.size <= 0)
        full.size = 12;
    if (full.weight <= 0)
        full.weight = 400;
    full.n_spans = t->text ? 1 : t->n_spans;
    struct span *span = arena_array(s->arena, full.n_spans, sizeof *span);
    for (size_t i = 0; i < full.n_spans; i++) {
        span[i] = t->text ? (struct span){.text = t->text} : t->span[i];
        span[i].text = clean_text(s->arena, span[i].text);
        if (span[i].weight <= 0)
            span[i].weight = full.weight;
        if (span[i].colour == COLOUR_NONE)
            span[i].colour = full.colour;
    }
    full.span = span;
    full.text = NULL;
    return full;
}

static struct text_box box_of(struct scene *s, const struct text *full)
{
    double w = measure_text(s->fonts, full);
    double along = 0;
    if (full->anchor != ANCHOR_MIDDLE)
        along = full->anchor == ANCHOR_START ? w / 2 : -w / 2;
    double up = full->size * (ASCENT - DESCENT) / 2;
    double a = full->angle * M_PI / 180;
    return (struct text_box){.cx = full->x + along * cos(a) + up * sin(a),
                             .cy = full->y + along * sin(a) - up * cos(a),
                             .half_w = w / 2,
                             .half_h = full->size * (ASCENT + DESCENT) / 2,
                             .angle = full->angle};
}

double scene_text_width(struct scene *s, const struct text *t)
{
    struct text full = normalized(s, t);
    return measure_text(s->fonts, &full);
}

struct text_box scene_text_box(struct scene *s, const struct text *t)
{
    struct text full = normalized(s, t);
    return box_of(s, &full);
}

static const char *joined(struct scene *s, const struct text *full)
{
    struct strbuf sb = STRBUF_INIT;
    for (size_t i = 0; i < full->n_spans; i++)
        strbuf_adds(&sb, full->span[i].text);
    const char *all = arena_strndup(s->arena, sb.text, sb.len);
    strbuf_release(&sb);
    return all;
}

void scene_text(struct scene *s, const struct text *t)
{
    struct text full = normalized(s, t);
    const char *all = joined(s, &full);
    if (*all == '\0')
        return;
    add_item(s, ITEM_TEXT, NULL)->text = full;
    struct text_box box = box_of(s, &full);
    box.text = all;
    GROW(s->box, s->n_boxes + 1, s->box_room);
    s->box[s->n_boxes++] = box;
}

size_t scene_n_text_boxes(const struct scene *s)
{
    return s->n_boxes;
}

const struct text_box *scene_text_box_at(const struct scene *s, size_t i)
{
    return &s->box[i];
}

static bool is_combining(uint32_t c)
{
    return (c >= 0x300 && c < 0x370) || c == 0x200D || (c >= 0xFE00 && c <= 0xFE0F);
}

const char *scene_fit(struct scene *s, const char *text, double size, int weight, double max_width)
{
    const char *whole = clean_text(s->arena, text);
    struct text t = {.text = whole, .size = size, .weight = weight};
    if (scene_text_width(s, &t) <= max_width)
        return whole;
    /* ends of the characters a cut may leave: halve the interval until the longest that fits */
    size_t *cut = arena_array(s->arena, strlen(whole) + 1, sizeof *cut);
    size_t n = 0;
    for (const char *p = whole; *p;) {
        const char *from = p;
        if (!is_combining(next_character(&p)))
            cut[n++] = (size_t)(from - whole);
    }
    size_t lo = 0, hi = n; /* cut[lo] fits (or nothing does), cut[hi] does not */
    while (hi - lo > 1) {
        size_t mid = (lo + hi) / 2;
        t.text = arena_printf(s->arena, "%.*s…", (int)cut[mid], whole);
        if (scene_text_width(s, &t) <= max_width)
            lo = mid;
        else
            hi = mid;
    }
    size_t end = cut[lo];
    while (end > 0 && whole[end - 1] == ' ')
        end--;
    return arena_printf(s->arena, "%.*s…", (int)end, whole);
}
