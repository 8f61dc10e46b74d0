/*
 * Progress on stderr. On a terminal one live line is overwritten and lasting lines scroll up above
 * it; elsewhere (or on a dumb terminal) there are only lasting lines; with --quiet nothing.
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "cli/cmd.h"

enum progress_mode { PROGRESS_NONE, PROGRESS_LIVE, PROGRESS_PLAIN, PROGRESS_JSON };

struct progress;

/* By --quiet, --progress and the terminal behind stderr. */
struct progress *progress_create(const struct cmd_ctx *ctx);
/* Takes the live line away. NULL is fine. */
void progress_destroy(struct progress *p);
enum progress_mode progress_mode(const struct progress *p);

/* Columns there are for the live line. */
size_t progress_columns(const struct progress *p);
/* Shows text as the live line, cut to the terminal's width; nothing in the other modes. */
void progress_live(struct progress *p, const char *text);
/* Prints a lasting line; nothing with PROGRESS_NONE. */
void progress_line(struct progress *p, const char *text);

#endif
