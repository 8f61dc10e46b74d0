/* Shared by json.c and json_text.c only. */
#ifndef CORE_BASE_JSON_INTERNAL_H
#define CORE_BASE_JSON_INTERNAL_H

#include <stdbool.h>

#include "core/base/strbuf.h"

/* json_quote, with the escapes that only a script needs left out when not script_safe. */
void json_quote_text(struct strbuf *out, const char *text, bool script_safe);

#endif
