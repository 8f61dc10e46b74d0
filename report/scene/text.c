/* Texts on their way in (cleaning) and numbers on their way out: neither knows a locale. */
#include "report/scene/scene_internal.h"

#include <math.h>

#define REPLACEMENT "\xEF\xBF\xBD"

/* Length of the valid UTF-8 sequence at p (shortest form, no surrogates), 0 when it is none. */
static size_t sequence_length(const unsigned char *p, uint32_t *code)
{
    if (p[0] < 0x80) {
        *code = p[0];
        return 1;
    }
    size_t n = p[0] >= 0xF0 && p[0] < 0xF5   ? 4
               : p[0] >= 0xE0 && p[0] < 0xF0 ? 3
               : p[0] >= 0xC2 && p[0] < 0xE0 ? 2
                                             : 0;
    if (n == 0)
        return 0;
    uint32_t c = p[0] & (0x7Fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xC0) != 0x80)
            return 0;
        c = c << 6 | (p[i] & 0x3Fu);
    }
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (c < smallest[n] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
        return 0;
    *code = c;
    return n;
}

/* Controls break XML or the line; bidirectional controls let a name reorder what stands around it. */
static bool is_unwanted(uint32_t c)
{
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x202A && c <= 0x202E) ||
           (c >= 0x2066 && c <= 0x2069) || c == 0x200E || c == 0x200F || c == 0x2028 ||
           c == 0x2029 || c == 0xFEFF || (c & 0xFFFE) == 0xFFFE;
}

static void add_clean(struct strbuf *out, const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    while (*p) {
        uint32_t c = 0;
        size_t n = sequence_length(p, &c);
        if (n == 0 || is_unwanted(c))
            strbuf_adds(out, REPLACEMENT);
        else
            strbuf_add(out, p, n);
        p += n ? n : 1;
    }
}

const char *clean_text(struct arena *a, const char *text)
{
    struct strbuf sb = STRBUF_INIT;
    add_clean(&sb, text);
    const char *clean = arena_strndup(a, sb.text, sb.len);
    strbuf_release(&sb);
    return clean;
}

uint32_t next_character(const char **p)
{
    uint32_t c = 0;
    if (**p)
        *p += sequence_length((const unsigned char *)*p, &c);
    return c;
}

void xml_escape(struct strbuf *out, const char *text)
{
    struct strbuf clean = STRBUF_INIT;
    add_clean(&clean, text);
    for (size_t i = 0; i < clean.len; i++) {
        char c = clean.text[i];
        switch (c) {
        case '&':
            strbuf_adds(out, "&amp;");
            break;
        case '<':
            strbuf_adds(out, "&lt;");
            break;
        case '>':
            strbuf_adds(out, "&gt;");
            break;
        case '"':
            strbuf_adds(out, "&quot;");
            break;
        case '\'':
            strbuf_adds(out, "&#39;");
            break;
        default:
            strbuf_addc(out, c);
        }
    }
    strbuf_release(&clean);
}

/* printf would write the decimal comma of some locales. */
static void add_fixed(struct strbuf *out, double v, long unit, int digits)
{
    long scaled = lround(v * (double)unit);
    if (scaled < 0) {
        strbuf_addc(out, '-');
        scaled = -scaled;
    }
    strbuf_addf(out, "%ld", scaled / unit);
    long rest = scaled % unit;
    if (rest == 0)
        return;
    while (rest % 10 == 0) {
        rest /= 10;
        digits--;
    }
    strbuf_addf(out, ".%0*ld", digits, rest);
}

void add_decimal(struct strbuf *out, double v)
{
    add_fixed(out, v, 10, 1);
}

void add_decimal2(struct strbuf *out, double v)
{
    add_fixed(out, v, 100, 2);
}
