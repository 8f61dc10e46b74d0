#include "core/base/strbuf.h"

#include "core/base/xalloc.h"

char strbuf_empty[1];

void strbuf_init(struct strbuf *sb)
{
    *sb = (struct strbuf)STRBUF_INIT;
}

void strbuf_release(struct strbuf *sb)
{
    if (sb->text != strbuf_empty)
        free(sb->text);
    strbuf_init(sb);
}

void strbuf_reset(struct strbuf *sb)
{
    strbuf_truncate(sb, 0);
}

void strbuf_truncate(struct strbuf *sb, size_t n)
{
    if (sb->text == strbuf_empty)
        return;
    sb->len = n;
    sb->text[n] = '\0';
}

char *strbuf_reserve(struct strbuf *sb, size_t n)
{
    size_t need = sb->len + n + 1;
    if (need > sb->room) {
        size_t room = sb->room < 64 ? 64 : sb->room * 2;
        if (room < need)
            room = need;
        sb->text = xrealloc(sb->text == strbuf_empty ? NULL : sb->text, room, 1);
        sb->room = room;
        sb->text[sb->len] = '\0';
    }
    return sb->text + sb->len;
}

void strbuf_advance(struct strbuf *sb, size_t n)
{
    sb->len += n;
    sb->text[sb->len] = '\0';
}

void strbuf_add(struct strbuf *sb, const void *bytes, size_t n)
{
    if (n == 0)
        return;
    memcpy(strbuf_reserve(sb, n), bytes, n);
    strbuf_advance(sb, n);
}

void strbuf_adds(struct strbuf *sb, const char *s)
{
    strbuf_add(sb, s, strlen(s));
}

void strbuf_addc(struct strbuf *sb, char c)
{
    strbuf_add(sb, &c, 1);
}

void strbuf_addv(struct strbuf *sb, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    char small[256];
    int n = vsnprintf(small, sizeof small, fmt, ap);
    if (n > 0 && (size_t)n < sizeof small) {
        strbuf_add(sb, small, (size_t)n);
    } else if (n > 0) {
        vsnprintf(strbuf_reserve(sb, (size_t)n), (size_t)n + 1, fmt, again);
        strbuf_advance(sb, (size_t)n);
    }
    va_end(again);
}

void strbuf_addu(struct strbuf *sb, uint64_t v)
{
    char digits[20];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + v % 10);
    while ((v /= 10) > 0);
    strbuf_add(sb, digits + at, sizeof digits - at);
}

void strbuf_addf(struct strbuf *sb, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    strbuf_addv(sb, fmt, ap);
    va_end(ap);
}

char *strbuf_detach(struct strbuf *sb)
{
    char *text = sb->text == strbuf_empty ? xstrdup("") : sb->text;
    strbuf_init(sb);
    return text;
}
