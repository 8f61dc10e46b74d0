/* A line of text as pango sees it: the same when it is measured and when it is drawn. */
#ifndef REPORT_SCENE_PANGO_INTERNAL_H
#define REPORT_SCENE_PANGO_INTERNAL_H

#include <pango/pango.h>

#include "report/scene/scene_internal.h"

/* A text measured before: placing labels asks for the same ones again and again. */
struct known_width {
    char *text;   /* with its weights */
    double width; /* at LINE_SIZE */
};
#define KNOWN_WIDTHS 512

struct fonts {
    enum text_metrics metrics;
    PangoFontMap *map;
    PangoContext *context; /* for measuring */
    PangoLayout *layout;
    struct known_width *known; /* by hash of the text */
};

/* Context without hinting and with free glyph positions, so that the layout scales. */
PangoContext *line_context(PangoFontMap *map);
/*
 * Every line is laid out in this size and scaled to its own: each size and weight that is asked for
 * costs fontconfig 2 ms, and a chart has five sizes.
 */
#define LINE_SIZE 12.0
/* Puts a normalized text into the layout: font, spans, features, spacing. */
void line_set(PangoLayout *layout, const struct text *t);

#endif
