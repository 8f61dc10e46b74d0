/* What is known about the terminal. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* Columns of the terminal behind fd; 0 when there is none. */
size_t terminal_columns(int fd);
/* True when colours are wanted there: a terminal, not a dumb one, and NO_COLOR unset or empty. */
bool terminal_has_colour(int fd);
/* True when a line there can be overwritten. */
bool terminal_is_live(int fd);

#endif
