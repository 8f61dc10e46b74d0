#include "cli/table_out.h"

#include "cli/terminal.h"

void table_out(struct strbuf *out, const struct cmd_ctx *ctx, const struct text_table *t)
{
    if (ctx->format == OUT_CSV)
        terminal_csv(out, t);
    else if (ctx->format == OUT_MD)
        text_table_markdown(t, out);
    else
        text_table_print(t, out, ctx->width, ctx->colour);
}

void table_out_print(const struct cmd_ctx *ctx, struct text_table *t)
{
    struct strbuf out = STRBUF_INIT;
    table_out(&out, ctx, t);
    fputs(out.text, stdout);
    strbuf_release(&out);
    text_table_destroy(t);
}
