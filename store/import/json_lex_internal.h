/*
 * The tokens of JSON text, for the reader and for what copies and compares values by their text.
 * Offsets never pass n; text[n] is a NUL.
 */
#ifndef STORE_IMPORT_JSON_LEX_INTERNAL_H
#define STORE_IMPORT_JSON_LEX_INTERNAL_H

#include <endian.h>
#include <string.h>

#include "store/import/json_reader.h"

/* Half of what fio writes is indentation: eight bytes at once. */
static inline size_t json_skip_spaces(const char *text, size_t n, size_t at)
{
    uint64_t eight = 0;
    for (; at + sizeof eight <= n; at += sizeof eight) {
        memcpy(&eight, text + at, sizeof eight);
        eight = le64toh(eight) ^ UINT64_C(0x2020202020202020);
        if (eight != 0)
            return at + (size_t)__builtin_ctzll(eight) / 8;
    }
    return at;
}

static inline size_t json_skip_blanks(const char *text, size_t n, size_t at)
{
    while (at < n && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r'))
        at = json_skip_spaces(text, n, at + 1);
    return at;
}

/* Offset after the digits at `at`. */
static inline size_t json_skip_digits(const char *text, size_t n, size_t at)
{
    while (at < n && text[at] >= '0' && text[at] <= '9')
        at++;
    return at;
}

/* Offset after the number at `at`; `at` itself when there is none. */
static inline size_t json_number_end(const char *text, size_t n, size_t at)
{
    size_t first = at + (text[at] == '-');
    size_t p = json_skip_digits(text, n, first);
    if (p == first)
        return at;
    if (p < n && text[p] == '.')
        p = json_skip_digits(text, n, p + 1);
    if (p < n && (text[p] == 'e' || text[p] == 'E')) {
        p++;
        if (p < n && (text[p] == '+' || text[p] == '-'))
            p++;
        p = json_skip_digits(text, n, p);
    }
    return p;
}

/* Offset of the quote that ends the string whose first byte is at `at`; n when none does. */
static inline size_t json_string_end(const char *text, size_t n, size_t at)
{
    while (at < n && text[at] != '"')
        at += text[at] == '\\' && at + 1 < n ? 2 : 1;
    return at;
}

/*
 * Kind of the number or word that starts at `at`, *end is the offset after it. JSON_NONE when it is
 * neither.
 */
enum json_kind json_scan_word(const char *text, size_t n, size_t at, size_t *end);

#endif
