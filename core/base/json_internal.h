/* Shared by json.c, json_text.c and json_valid.c only. */
#ifndef CORE_BASE_JSON_INTERNAL_H
#define CORE_BASE_JSON_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/strbuf.h"

/* json_quote, with the escapes that only a script needs left out when not script_safe. */
void json_quote_text(struct strbuf *out, const char *text, bool script_safe);

/*
 * Length of the UTF-8 sequence at p (not at the NUL), *valid tells whether it is a character. A
 * sequence that breaks off counts as one up to the byte that cannot belong to it.
 */
size_t utf8_next(const unsigned char *p, bool *valid);

/* As utf8_clean, but control characters stay: JSON escapes them. */
void utf8_repair(struct strbuf *out, const char *text);

#endif
