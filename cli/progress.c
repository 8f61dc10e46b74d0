#include "cli/progress.h"

#include <unistd.h>

#include "cli/terminal.h"
#include "cli/wrap.h"
#include "core/base/xalloc.h"

struct progress {
    enum progress_mode mode;
    bool shown; /* a live line stands there */
};

static enum progress_mode choose(const struct cmd_ctx *ctx)
{
    if (ctx->quiet || strcmp(ctx->progress, "never") == 0)
        return PROGRESS_NONE;
    if (strcmp(ctx->progress, "json") == 0)
        return PROGRESS_JSON;
    if (strcmp(ctx->progress, "plain") == 0)
        return PROGRESS_PLAIN;
    return terminal_is_live(STDERR_FILENO) ? PROGRESS_LIVE : PROGRESS_PLAIN;
}

struct progress *progress_create(const struct cmd_ctx *ctx)
{
    struct progress *p = xcalloc(1, sizeof *p);
    p->mode = choose(ctx);
    return p;
}

static void clear(struct progress *p)
{
    if (p->shown)
        fputs("\r\033[K", stderr);
    p->shown = false;
}

void progress_destroy(struct progress *p)
{
    if (!p)
        return;
    clear(p);
    free(p);
}

enum progress_mode progress_mode(const struct progress *p)
{
    return p->mode;
}

/* Bytes of text that fit into so many columns. */
static size_t cut(const char *text, size_t columns)
{
    size_t n = strlen(text);
    while (n > 0 && (text_columns(text, n) > columns || ((unsigned char)text[n] & 0xc0) == 0x80))
        n--;
    return n;
}

size_t progress_columns(const struct progress *p)
{
    if (p->mode != PROGRESS_LIVE)
        return 0;
    /* asked each time: the window may have changed; the last column makes some terminals wrap */
    size_t columns = terminal_columns(STDERR_FILENO);
    return columns > 1 ? columns - 1 : 1;
}

void progress_live(struct progress *p, const char *text)
{
    if (p->mode != PROGRESS_LIVE)
        return;
    clear(p);
    fwrite(text, 1, cut(text, progress_columns(p)), stderr);
    fflush(stderr);
    p->shown = true;
}

void progress_line(struct progress *p, const char *text)
{
    if (p->mode == PROGRESS_NONE)
        return;
    clear(p);
    fprintf(stderr, "%s\n", text);
}
