#include "core/base/csv_text.h"

#include <stdbool.h>

static bool is_plain_number(const char *text)
{
    text += *text == '+' || *text == '-';
    size_t whole = strspn(text, "0123456789");
    text += whole;
    size_t fraction = *text == '.' ? strspn(text + 1, "0123456789") : 0;
    text += fraction > 0 ? fraction + 1 : 0;
    if (whole + fraction > 0 && (*text == 'e' || *text == 'E')) {
        text++;
        text += *text == '+' || *text == '-';
        size_t exponent = strspn(text, "0123456789");
        text += exponent;
        return exponent > 0 && *text == '\0';
    }
    return whole + fraction > 0 && *text == '\0';
}

/* A formula behind any number of apostrophes. */
static bool is_formula(const char *text)
{
    const char *first = text + strspn(text, "'");
    return *first && strchr("=+-@\t\r", *first) && (first > text || !is_plain_number(text));
}

/* Readers trim blanks at the ends of a value without quotes. */
static bool needs_quotes(const char *text)
{
    size_t n = strlen(text);
    return text[strcspn(text, ",\"\r\n")] ||
           (n > 0 && (strchr(" \t", text[0]) || strchr(" \t", text[n - 1])));
}

void csv_text_add(struct strbuf *out, const char *text)
{
    const char *apostrophe = is_formula(text) ? "'" : "";
    if (!needs_quotes(text)) {
        strbuf_adds(out, apostrophe);
        strbuf_adds(out, text);
        return;
    }
    strbuf_addc(out, '"');
    strbuf_adds(out, apostrophe);
    for (; *text; text++) {
        if (*text == '"')
            strbuf_addc(out, '"');
        strbuf_addc(out, *text);
    }
    strbuf_addc(out, '"');
}

const char *csv_text_unprotected(const char *text)
{
    return *text == '\'' && is_formula(text) ? text + 1 : text;
}
