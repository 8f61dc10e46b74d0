/* A table in the format that was asked for: as it stands on a screen, CSV or Markdown. */
#ifndef CLI_TABLE_OUT_H
#define CLI_TABLE_OUT_H

#include "cli/cmd.h"
#include "core/base/text_table.h"

/* Appends the table for the standard output; JSON is not its business. */
void table_out(struct strbuf *out, const struct cmd_ctx *ctx, const struct text_table *t);
/* Prints it there, and frees it. */
void table_out_print(const struct cmd_ctx *ctx, struct text_table *t);

#endif
