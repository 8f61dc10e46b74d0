#include "cli/wrap.h"

size_t text_columns(const char *text, size_t n)
{
    size_t columns = 0;
    for (size_t i = 0; i < n; i++)
        columns += ((unsigned char)text[i] & 0xc0) != 0x80;
    return columns;
}

static void add_blanks(struct strbuf *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        strbuf_addc(out, ' ');
}

/* One line of the text, filled. Returns nothing; ends with a newline. */
static void fill_line(struct strbuf *out, const char *text, size_t n, size_t indent, size_t column,
                      size_t width)
{
    size_t at = column;
    size_t own = 0; /* indentation of the text itself holds for its continuation lines too */
    while (own < n && text[own] == ' ')
        own++;
    const char *p = text + own, *end = text + n;
    while (p < end) {
        size_t word = 0;
        while (p + word < end && p[word] != ' ')
            word++;
        if (word == 0) {
            p++;
            continue;
        }
        size_t columns = text_columns(p, word);
        if (at > indent + own && at + 1 + columns > width) {
            strbuf_addc(out, '\n');
            at = 0;
        }
        if (at > indent + own) {
            strbuf_addc(out, ' ');
            at++;
        } else if (at < indent + own) {
            add_blanks(out, indent + own - at);
            at = indent + own;
        }
        strbuf_add(out, p, word);
        at += columns;
        p += word;
    }
    strbuf_addc(out, '\n');
}

void wrap_text(struct strbuf *out, const char *text, size_t indent, size_t column, size_t width)
{
    if (width == 0)
        width = 80;
    for (;;) {
        size_t n = strcspn(text, "\n");
        fill_line(out, text, n, indent, column, width);
        column = 0;
        if (!text[n] || !text[n + 1])
            return;
        text += n + 1;
    }
}
