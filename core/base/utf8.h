/*
 * Text from outside (names of files, devices, jobs) is bytes: these tell which of them are
 * characters, and make text of the rest that a terminal, a browser or a JSON reader can be given.
 */
#ifndef CORE_BASE_UTF8_H
#define CORE_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/strbuf.h"

#define UTF8_REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */

/*
 * Length of the sequence at p (not at the NUL), *valid tells whether it is a character (Unicode 15,
 * table 3-7). A sequence that breaks off counts as one up to the byte that cannot belong to it.
 */
size_t utf8_next(const unsigned char *p, bool *valid);
/*
 * True for a control character at p: C0, DEL, C1, which some terminals obey too, and those that turn the
 * direction of the rest of a line around.
 */
bool utf8_is_control(const unsigned char *p);

/* Appends text with every sequence that is not UTF-8 as U+FFFD, and control characters too. */
void utf8_clean(struct strbuf *out, const char *text);
/* As utf8_clean, but control characters stay (JSON escapes them). */
void utf8_repair(struct strbuf *out, const char *text);

#endif
