/*
 * The tokens of JSON text, for the reader and for what copies and compares values by their text.
 * Offsets never pass n; text[n] is a NUL.
 */
#ifndef STORE_IMPORT_JSON_LEX_INTERNAL_H
#define STORE_IMPORT_JSON_LEX_INTERNAL_H

#include "store/import/json_reader.h"

static inline size_t json_skip_blanks(const char *text, size_t n, size_t at)
{
    while (at < n && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r'))
        at++;
    return at;
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
