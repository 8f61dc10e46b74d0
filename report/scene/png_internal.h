/* Pixels to PNG. */
#ifndef REPORT_SCENE_PNG_INTERNAL_H
#define REPORT_SCENE_PNG_INTERNAL_H

#include "core/base/error.h"
#include "core/base/strbuf.h"

/*
 * Appends a PNG of w x h pixels, each a 32-bit number 0x00RRGGBB (cairo's RGB24). dpi: so that the
 * picture is shown in the size it was laid out for.
 */
int png_encode(struct strbuf *out, const unsigned char *pixels, int w, int h, int stride,
               double dpi, struct error *err);

#endif
