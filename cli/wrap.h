/* Filling text into lines of a terminal. */
#ifndef CLI_WRAP_H
#define CLI_WRAP_H

#include <stddef.h>

#include "core/base/strbuf.h"

/* Columns that UTF-8 text takes, one a code point. */
size_t text_columns(const char *text, size_t n);

/*
 * Appends text filled into lines of at most `width` columns (0: 80), each indented; `column` is how
 * far the current line already is. A word longer than a line stands alone on it. Runs of blanks
 * count as one; a newline and blanks at the start of a line of text are kept. Ends with a newline.
 */
void wrap_text(struct strbuf *out, const char *text, size_t indent, size_t column, size_t width);

#endif
