#ifndef STORE_IMPORT_UTF8_INTERNAL_H
#define STORE_IMPORT_UTF8_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

/* Writes a code point (not a surrogate) as UTF-8; returns 1 to 4, the bytes it took. */
static inline size_t utf8_put(char out[4], uint32_t c)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (c & 63));
        c >>= 6;
    }
    out[0] = (char)((0xf00 >> n) | c);
    return n;
}

#endif
