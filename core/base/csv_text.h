/*
 * A value in a line of CSV (RFC 4180). Spreadsheets run a text that begins with = + - @ TAB or CR as a
 * formula, so such a text gets an apostrophe in front, as one types it there; plain numbers ("-3.5") stay.
 * A text that has that shape already gets one more, so that taking one away gives back every text.
 */
#ifndef CORE_BASE_CSV_TEXT_H
#define CORE_BASE_CSV_TEXT_H

#include "core/base/strbuf.h"

/* Appends the value: protected, and quoted where a reader would else cut or trim it. */
void csv_text_add(struct strbuf *out, const char *text);
/* The text behind its protection: `text` itself, or one character further. */
const char *csv_text_unprotected(const char *text);

#endif
