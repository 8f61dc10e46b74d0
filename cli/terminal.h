/* What is known about the terminal. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/base/text_table.h"

/* Columns of the terminal behind fd; 0 when there is none. */
size_t terminal_columns(int fd);
/* True when colours are wanted there: a terminal, not a dumb one, and NO_COLOR unset or empty. */
bool terminal_has_colour(int fd);
/* True when a line there can be overwritten. */
bool terminal_is_live(int fd);

/*
 * Text for `to` that may carry names with control characters (CSV): exact, but a terminal, which would obey
 * them, gets U+FFFD instead; ends of lines and tabs stay. False (errno) when it is not written.
 */
bool terminal_write(FILE *to, const struct strbuf *text);
/* Appends the table as CSV for the standard output, as terminal_write would write it there. */
void terminal_csv(struct strbuf *out, const struct text_table *t);

#endif
