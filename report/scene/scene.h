/*
 * Drawing as data. A chart fills a scene with groups, shapes and text in colour tokens; the writers
 * turn the same scene into PNG and PDF (cairo), SVG (own writer, real text) or a text dump (tests).
 * All text is measured by pango here, so every writer has the same layout. No cairo or pango type
 * is visible outside of this folder.
 *
 * Units: 1 unit = 1 CSS pixel at scale 1; y grows downwards. A scene owns everything in it (texts
 * are copied and cleaned: invalid UTF-8, control and bidirectional control characters become
 * U+FFFD) and is freed whole. Not thread-safe; one thread may use many scenes.
 */
#ifndef REPORT_SCENE_SCENE_H
#define REPORT_SCENE_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/strbuf.h"

/*
 * Colour tokens: a colour has a job, its value depends on the theme. X(NAME, class, light, dark);
 * the class is the CSS name: .f-bg fills with it, .s-bg strokes, var(--bg) is its value. *_TEXT is
 * the variant of a mark's colour that is readable as text (4.5:1 at least).
 */
/* clang-format off */
#define COLOURS(X) \
    X(BG,        "bg", 0xFFFFFF, 0x14171B) /* page */ \
    X(SURFACE,   "sf", 0xF4F5F7, 0x1D2127) /* out of reach, spans, empty figures */ \
    X(INK,       "i1", 0x17191C, 0xECEEF1) /* text */ \
    X(INK2,      "i2", 0x4A4F56, 0xB9BFC7) /* secondary text */ \
    X(INK3,      "i3", 0x676D75, 0x98A0A9) /* axis text */ \
    X(GRID,      "gr", 0xE4E6E9, 0x2A2F36) \
    X(AXIS,      "ax", 0x8B9198, 0x6C747E) \
    X(A,         "sa", 0x6E757E, 0xC9CED5) /* series: the baseline */ \
    X(B,         "sb", 0x1654B6, 0x6EB7FE) \
    X(C,         "sc", 0xB5852A, 0xE9B54A) \
    X(D,         "sd", 0x7A2160, 0xD070A4) \
    X(E,         "se", 0x9180E6, 0x8F74F0) \
    X(A_TEXT,    "ta", 0x545B64, 0xC9CED5) \
    X(B_TEXT,    "tb", 0x1654B6, 0x6EB7FE) \
    X(C_TEXT,    "tc", 0x7F5A0C, 0xE9B54A) \
    X(D_TEXT,    "td", 0x7A2160, 0xD070A4) \
    X(E_TEXT,    "te", 0x5D49B8, 0x8F74F0) \
    X(BETTER,    "ok", 0x17705D, 0x8FE3BF) \
    X(WORSE,     "no", 0xB23A08, 0xEE6A4C) \
    X(SAME,      "ns", 0x767C85, 0x8A929C) /* no clear change */ \
    X(DISK,      "cd", 0x7A2160, 0xD070A4) /* caps by owner */ \
    X(VM,        "cv", 0xB5852A, 0xE9B54A) \
    X(DISK_TEXT, "xd", 0x7A2160, 0xE08CBA) \
    X(VM_TEXT,   "xv", 0x7F5A0C, 0xE9B54A) \
    X(Q1,        "q1", 0x4593BA, 0x3F7FB0) /* ordered series, low to high */ \
    X(Q2,        "q2", 0x3D8CBE, 0x5596C6) \
    X(Q3,        "q3", 0x2B71AE, 0x72ADD8) \
    X(Q4,        "q4", 0x20569A, 0x93C4E6) \
    X(Q5,        "q5", 0x1B3C7E, 0xB7DAF1) \
    X(Q6,        "q6", 0x1B2559, 0xDDEFFA) \
    X(Q1_TEXT,   "p1", 0x26759B, 0x5C9CCB) \
    X(Q2_TEXT,   "p2", 0x2A74A8, 0x5C9CCB)
/* clang-format on */

#define COLOUR_ENUM(name, class, light, dark) COLOUR_##name,
enum colour { COLOUR_NONE, COLOURS(COLOUR_ENUM) COLOUR_COUNT };

enum theme { THEME_LIGHT, THEME_DARK, THEME_COUNT };

/* 0xRRGGBB; COLOUR_NONE is 0. */
uint32_t colour_rgb(enum colour c, enum theme theme);
const char *colour_class(enum colour c);

enum dash {
    DASH_NONE,
    DASH_LONG,  /* 6 3: a burst cap, or one that does not bind */
    DASH_DOT,   /* 1.5 3: a sustained cap, an estimate */
    DASH_SHORT, /* 3 3: the job's own rate limit */
};

/* How a shape is painted. An opacity or width of 0 stands for 1, so that {.fill = ...} is enough. */
struct paint {
    enum colour fill;
    enum colour stroke;
    double width;
    double fill_opacity;
    double stroke_opacity;
    enum dash dash;
    bool round; /* round line ends; joins are always round */
};

struct point {
    double x, y;
};

enum anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };

struct span {
    const char *text;
    int weight;         /* 0: that of the text */
    enum colour colour; /* COLOUR_NONE: that of the text */
};

/*
 * One line of text: `text`, or when that is NULL the spans one after the other. (x, y) is the
 * anchor on the baseline; angle turns the text around it (degrees, clockwise as y grows down).
 */
struct text {
    double x, y;
    const char *text;
    const struct span *span;
    size_t n_spans;
    enum anchor anchor;
    double size; /* 0: 12 */
    int weight;  /* 0: 400 */
    enum colour colour;
    enum colour halo; /* 4 units of this around the letters; COLOUR_NONE for none */
    double angle;
};

/* Where a text is: a rectangle turned around its centre. */
struct text_box {
    double cx, cy;
    double half_w, half_h;
    double angle;
    const char *text; /* of a placed text; NULL in a box that was only asked for */
};

enum text_metrics {
    METRICS_PANGO, /* real fonts */
    METRICS_FIXED, /* a width a letter that no font changes: golden tests */
};

/*
 * What texts are measured and drawn with. Finding and loading fonts costs tens of milliseconds, so
 * one serves many scenes; it must outlive them.
 */
struct fonts;

struct fonts *fonts_create(enum text_metrics metrics);
/* Accepts NULL. */
void fonts_destroy(struct fonts *f);

struct scene;

struct scene *scene_create(struct fonts *fonts);
/* Accepts NULL. */
void scene_destroy(struct scene *s);
void scene_set_size(struct scene *s, double width, double height);
double scene_width(const struct scene *s);
double scene_height(const struct scene *s);
/* What the picture is called and what it says, for people who cannot see it. Both copied. */
void scene_set_words(struct scene *s, const char *title, const char *desc);

/*
 * Groups nest and must be closed. The title of a group is its tooltip (plain text, lines separated
 * by "; "); the key names the mark for scripts (data-k). Either may be NULL.
 */
void scene_group_begin(struct scene *s, const char *title, const char *key);
void scene_group_end(struct scene *s);
/* Until the end, shapes are cut at this rectangle. Clips nest with groups. */
void scene_clip_begin(struct scene *s, double x, double y, double w, double h);
void scene_clip_end(struct scene *s);

/* A point with a NaN lifts the pen. A coordinate that is infinite is a bug of the caller. */
void scene_polyline(struct scene *s, const struct point *p, size_t n, const struct paint *paint);
void scene_polygon(struct scene *s, const struct point *p, size_t n, const struct paint *paint);
void scene_line(struct scene *s, double x1, double y1, double x2, double y2,
                const struct paint *paint);
void scene_rect(struct scene *s, double x, double y, double w, double h, const struct paint *paint);
void scene_circle(struct scene *s, double cx, double cy, double r, const struct paint *paint);
void scene_text(struct scene *s, const struct text *t);

/* Advance width of a text in units, rotation aside. */
double scene_text_width(struct scene *s, const struct text *t);
/* Where it would be. */
struct text_box scene_text_box(struct scene *s, const struct text *t);
/*
 * The text itself when it fits max_width in that size and weight, else cut at the end with "…"
 * (never in the middle of a character). Belongs to the scene.
 */
const char *scene_fit(struct scene *s, const char *text, double size, int weight, double max_width);

/* The texts placed so far, in order. */
size_t scene_n_text_boxes(const struct scene *s);
const struct text_box *scene_text_box_at(const struct scene *s, size_t i);
/* True when two boxes, grown by `gap` in all, share more than an edge. */
bool text_boxes_overlap(const struct text_box *a, const struct text_box *b, double gap);
/* True when all corners lie in the rectangle. */
bool text_box_inside(const struct text_box *b, double x, double y, double w, double h);

/* scale: device pixels a unit, 1..4. Appends the file's bytes to out. */
int scene_write_png(struct strbuf *out, const struct scene *s, enum theme theme, double scale,
                    struct error *err);
/* One page of the scene's size in points x 0.75 (1 unit = 1/96 inch); text stays text. */
int scene_write_pdf(struct strbuf *out, const struct scene *s, enum theme theme, struct error *err);

enum svg_mode {
    SVG_AUTO,     /* a file of its own: light, and dark where the viewer prefers dark */
    SVG_LIGHT,    /* a file of its own in one theme */
    SVG_DARK,     /* likewise */
    SVG_EMBEDDED, /* inside a page: classes only, the page brings svg_page_css() */
    SVG_TWIN,     /* likewise, beside the same chart in another shape: that one has the tooltips */
};
/*
 * id starts every id in the output and must be unique in the page: a letter, then letters, digits
 * and hyphens. Same scene and arguments, same bytes, whatever the locale.
 */
void scene_write_svg(struct strbuf *out, const struct scene *s, enum svg_mode mode, const char *id);
/*
 * The style rules that embedded charts stand on: the colour variables of both themes
 * (prefers-color-scheme, overridden by data-theme="light|dark" on the root element) and the classes.
 */
void svg_page_css(struct strbuf *out);
/* Appends text with the five XML characters escaped, after the cleaning that scene texts get. */
void xml_escape(struct strbuf *out, const char *text);

/* One line an element, for golden tests: what, where (one decimal), paint, text. */
void scene_write_dump(struct strbuf *out, const struct scene *s);

#endif
