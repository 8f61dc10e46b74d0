#include "core/base/json.h"

#include <math.h>

#include "core/base/decimal.h"
#include "core/base/json_internal.h"
#include "core/base/utf8.h"

/* U+2028 and U+2029 end a line in JavaScript. */
static bool is_line_separator(const unsigned char *p, size_t n)
{
    return n == 3 && p[0] == 0xE2 && p[1] == 0x80 && (p[2] == 0xA8 || p[2] == 0xA9);
}

static void quote_ascii(struct strbuf *out, unsigned char c, bool script_safe)
{
    switch (c) {
    case '"':
        strbuf_adds(out, "\\\"");
        return;
    case '\\':
        strbuf_adds(out, "\\\\");
        return;
    case '\n':
        strbuf_adds(out, "\\n");
        return;
    case '\t':
        strbuf_adds(out, "\\t");
        return;
    default:
        break;
    }
    bool escape = c < 0x20 || c == 0x7F || (script_safe && (c == '<' || c == '>' || c == '&'));
    if (escape)
        strbuf_addf(out, "\\u%04x", c);
    else
        strbuf_addc(out, (char)c);
}

/* Bytes from p on that are never escaped: nearly all of nearly every text. */
static size_t plain_run(const unsigned char *p)
{
    size_t n = 0;
    while (p[n] >= 0x20 && p[n] < 0x7F && p[n] != '"' && p[n] != '\\' && p[n] != '<' &&
           p[n] != '>' && p[n] != '&')
        n++;
    return n;
}

void json_quote_text(struct strbuf *out, const char *text, bool script_safe)
{
    strbuf_addc(out, '"');
    bool valid;
    size_t n;
    for (const unsigned char *p = (const unsigned char *)text; *p; p += n) {
        n = plain_run(p);
        if (n > 0) {
            strbuf_add(out, p, n);
            continue;
        }
        n = utf8_next(p, &valid);
        if (!valid)
            strbuf_adds(out, UTF8_REPLACEMENT);
        else if (n == 1)
            quote_ascii(out, *p, script_safe);
        else if (script_safe && is_line_separator(p, n))
            strbuf_adds(out, p[2] == 0xA8 ? "\\u2028" : "\\u2029");
        else
            strbuf_add(out, p, n);
    }
    strbuf_addc(out, '"');
}

void json_quote(struct strbuf *out, const char *text)
{
    json_quote_text(out, text, true);
}

void json_number(struct strbuf *out, double v)
{
    char buf[DECIMAL_MAX];
    strbuf_adds(out, isfinite(v) ? decimal_format(buf, v) : "null");
}
