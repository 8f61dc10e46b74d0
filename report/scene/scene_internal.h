/* How a scene keeps what will be drawn: a flat list in drawing order. For the writers only. */
#ifndef REPORT_SCENE_SCENE_INTERNAL_H
#define REPORT_SCENE_SCENE_INTERNAL_H

#include "core/base/arena.h"
#include "report/scene/scene.h"

enum item_kind {
    ITEM_GROUP_BEGIN,
    ITEM_GROUP_END,
    ITEM_CLIP_BEGIN,
    ITEM_CLIP_END,
    ITEM_POLYLINE,
    ITEM_POLYGON,
    ITEM_RECT,
    ITEM_CIRCLE,
    ITEM_TEXT,
};

struct item {
    enum item_kind kind;
    struct paint paint; /* opacities and width are filled in: never 0 */
    double x, y, w, h;  /* RECT, CLIP; CIRCLE: centre and w = radius */
    const struct point *point;
    size_t n_points;
    struct text text;        /* spans always set, text NULL; size and weight filled in */
    const char *title, *key; /* GROUP */
};

struct scene {
    struct arena *arena;
    struct fonts *fonts;
    double width, height;
    const char *title, *desc;
    struct item *item;
    size_t n_items, room;
    struct text_box *box;
    size_t n_boxes, box_room;
    size_t depth; /* open groups and clips */
};

extern const double *const dash_pattern[]; /* by enum dash: two lengths */

/* Valid UTF-8 without control or bidirectional control characters. Lives in the arena. */
const char *clean_text(struct arena *a, const char *text);
/* Next character of valid UTF-8; moves *p on. 0 at the end. */
uint32_t next_character(const char **p);

/* Advance width of a normalized text. */
double measure_text(struct fonts *f, const struct text *t);

/* A coordinate with one decimal and no trailing zero, as the files have it: "12", "12.3", "-0.5". */
void add_decimal(struct strbuf *out, double v);
/* An opacity or width: two decimals at most. */
void add_decimal2(struct strbuf *out, double v);

#endif
