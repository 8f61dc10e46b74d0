#include "core/base/utf8.h"

/* What may follow a lead byte: number of continuation bytes and the range of the first of them
 * (Unicode 15, table 3-7: no overlong forms, surrogates or values above 10FFFF). */
struct lead {
    unsigned char lo, hi; /* lead bytes */
    unsigned char more;
    unsigned char first_lo, first_hi;
};

static const struct lead leads[] = {
    {0xC2, 0xDF, 1, 0x80, 0xBF}, {0xE0, 0xE0, 2, 0xA0, 0xBF}, {0xE1, 0xEC, 2, 0x80, 0xBF},
    {0xED, 0xED, 2, 0x80, 0x9F}, {0xEE, 0xEF, 2, 0x80, 0xBF}, {0xF0, 0xF0, 3, 0x90, 0xBF},
    {0xF1, 0xF3, 3, 0x80, 0xBF}, {0xF4, 0xF4, 3, 0x80, 0x8F},
};

static const struct lead *find_lead(unsigned char c)
{
    for (size_t i = 0; i < sizeof leads / sizeof leads[0]; i++)
        if (c >= leads[i].lo && c <= leads[i].hi)
            return &leads[i];
    return NULL;
}

size_t utf8_next(const unsigned char *p, bool *valid)
{
    *valid = *p < 0x80;
    if (*valid)
        return 1;
    const struct lead *l = find_lead(*p);
    if (!l || p[1] < l->first_lo || p[1] > l->first_hi)
        return 1;
    size_t n = 2;
    while (n <= l->more && (p[n] & 0xC0) == 0x80)
        n++;
    *valid = n == (size_t)l->more + 1;
    return n;
}

bool utf8_is_control(const unsigned char *p)
{
    if (p[0] == 0xE2 && p[1] == 0x80) /* U+202A to U+202E */
        return p[2] >= 0xAA && p[2] <= 0xAE;
    if (p[0] == 0xE2 && p[1] == 0x81) /* U+2066 to U+2069 */
        return p[2] >= 0xA6 && p[2] <= 0xA9;
    return *p < 0x20 || *p == 0x7F || (*p == 0xC2 && p[1] < 0xA0);
}

static void add_valid(struct strbuf *out, const char *text, bool controls_too)
{
    bool valid;
    size_t n;
    for (const unsigned char *p = (const unsigned char *)text; *p; p += n) {
        n = utf8_next(p, &valid);
        if (valid && (controls_too || !utf8_is_control(p)))
            strbuf_add(out, p, n);
        else
            strbuf_adds(out, UTF8_REPLACEMENT);
    }
}

void utf8_clean(struct strbuf *out, const char *text)
{
    add_valid(out, text, false);
}

void utf8_repair(struct strbuf *out, const char *text)
{
    add_valid(out, text, true);
}
