#include "core/base/json.h"
#include "report/format/format_internal.h"

/* U+200E/F, U+202A-202E, U+2066-2069 turn the order of what follows: names could lie with them. */
static size_t bidi_control(const unsigned char *p)
{
    if (p[0] != 0xE2)
        return 0;
    bool marks = p[1] == 0x80 && (p[2] == 0x8E || p[2] == 0x8F || (p[2] >= 0xAA && p[2] <= 0xAE));
    bool isolates = p[1] == 0x81 && p[2] >= 0xA6 && p[2] <= 0xA9;
    return marks || isolates ? 3 : 0;
}

static void escape(struct strbuf *out, const char *text, bool quotes)
{
    struct strbuf clean = STRBUF_INIT;
    utf8_clean(&clean, text);
    const unsigned char *p = (const unsigned char *)clean.text;
    while (*p) {
        size_t skip = bidi_control(p);
        if (skip)
            strbuf_adds(out, "\xEF\xBF\xBD");
        else if (*p == '&')
            strbuf_adds(out, "&amp;");
        else if (*p == '<')
            strbuf_adds(out, "&lt;");
        else if (*p == '>')
            strbuf_adds(out, "&gt;");
        else if (quotes && *p == '"')
            strbuf_adds(out, "&quot;");
        else if (quotes && *p == '\'')
            strbuf_adds(out, "&#39;");
        else
            strbuf_addc(out, (char)*p);
        p += skip ? skip : 1;
    }
    strbuf_release(&clean);
}

void html_text(struct strbuf *out, const char *text)
{
    escape(out, text, false);
}

void html_attr(struct strbuf *out, const char *text)
{
    escape(out, text, true);
}
