#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "core/base/utf8.h"

size_t terminal_columns(int fd)
{
    if (!isatty(fd))
        return 0;
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 80;
}

bool terminal_is_live(int fd)
{
    const char *term = getenv("TERM");
    return isatty(fd) && term && *term && strcmp(term, "dumb") != 0;
}

bool terminal_has_colour(int fd)
{
    const char *no = getenv("NO_COLOR");
    return terminal_is_live(fd) && !(no && *no);
}

static bool stays(const char *p)
{
    return *p == '\n' || *p == '\t' || (p[0] == '\r' && p[1] == '\n');
}

static void clean_lines(struct strbuf *out, const char *text)
{
    size_t n;
    for (const char *p = text; *p; p += n) {
        bool valid;
        n = utf8_next((const unsigned char *)p, &valid);
        if (stays(p) || (valid && !utf8_is_control((const unsigned char *)p)))
            strbuf_add(out, p, n);
        else
            strbuf_adds(out, UTF8_REPLACEMENT);
    }
}

bool terminal_write(FILE *to, const struct strbuf *text)
{
    if (!isatty(fileno(to)))
        return fwrite(text->text, 1, text->len, to) == text->len;
    struct strbuf clean = STRBUF_INIT;
    clean_lines(&clean, text->text);
    bool written = fwrite(clean.text, 1, clean.len, to) == clean.len;
    strbuf_release(&clean);
    return written;
}

void terminal_csv(struct strbuf *out, const struct text_table *t)
{
    struct strbuf text = STRBUF_INIT;
    text_table_csv(t, &text);
    if (isatty(STDOUT_FILENO))
        clean_lines(out, text.text);
    else
        strbuf_add(out, text.text, text.len);
    strbuf_release(&text);
}
