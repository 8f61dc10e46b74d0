/*
 * Writing JSON with cJSON: exact integers, unknown values as null, any bytes as text.
 * cJSON keeps numbers as doubles, so integers go in as raw text here.
 */
#ifndef CORE_BASE_JSON_H
#define CORE_BASE_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/strbuf.h"
#include "core/base/utf8.h" /* utf8_clean: text that is not JSON */

/* Each adds one member to an object (name) or one element to an array (name == NULL). */
void json_add_u64(cJSON *parent, const char *name, uint64_t v);
void json_add_i64(cJSON *parent, const char *name, int64_t v);
/* Shortest text that reads back equal; NaN and infinities become null. */
void json_add_f64(cJSON *parent, const char *name, double v);
void json_add_bool(cJSON *parent, const char *name, bool v);
void json_add_null(cJSON *parent, const char *name);
/* NULL becomes null; bytes that are not UTF-8 become U+FFFD. */
void json_add_text(cJSON *parent, const char *name, const char *text);
/* Text that is JSON already; NULL, "" and what is not JSON become null. */
void json_add_raw(cJSON *parent, const char *name, const char *json);
/* parent NULL: a new root, cJSON_Delete it. */
cJSON *json_add_object(cJSON *parent, const char *name);
cJSON *json_add_array(cJSON *parent, const char *name);

/* True when text is one JSON value (RFC 8259, UTF-8, at most 64 levels) and nothing else. */
bool json_is_valid(const char *text);

/* Indented by two spaces (pretty) or on one line; free with free(). */
char *json_print(const cJSON *v, bool pretty);

/* Appends text as a JSON string with quotes; `<` `>` `&` U+2028/9 as \u escapes: safe in a script.
 */
void json_quote(struct strbuf *out, const char *text);
/* Appends the shortest decimal that reads back as v, "null" for NaN and infinities. C locale. */
void json_number(struct strbuf *out, double v);

#endif
