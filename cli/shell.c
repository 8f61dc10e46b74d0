#include "cli/shell.h"

void shell_quote(struct strbuf *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_@%+=:,./-";
    if (*word && word[strspn(word, plain)] == '\0') {
        strbuf_adds(out, word);
        return;
    }
    strbuf_addc(out, '\'');
    for (; *word; word++) {
        if (*word == '\'')
            strbuf_adds(out, "'\\''");
        else
            strbuf_addc(out, *word);
    }
    strbuf_addc(out, '\'');
}

void shell_program(struct strbuf *out, const struct cmd_ctx *ctx)
{
    char *usual = store_default_path();
    strbuf_adds(out, "blkmatrix");
    if (strcmp(usual, ctx->db_path) != 0) {
        strbuf_adds(out, " --db ");
        shell_quote(out, ctx->db_path);
    }
    free(usual);
}
