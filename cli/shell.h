/* Words as a shell takes them, for command lines that are kept or shown to be typed. */
#ifndef CLI_SHELL_H
#define CLI_SHELL_H

#include "cli/cmd.h"
#include "core/base/strbuf.h"

/* Appends the word, in single quotes where it needs them. */
void shell_quote(struct strbuf *out, const char *word);
/* Appends "blkmatrix", with the --db of this command line where the store is not the usual one. */
void shell_program(struct strbuf *out, const struct cmd_ctx *ctx);

#endif
