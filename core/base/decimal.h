/*
 * Doubles as decimal text and back, always with a point and never with the locale's comma: the one
 * place where a double becomes text that a program reads again (JSON, CSV, keys).
 */
#ifndef CORE_BASE_DECIMAL_H
#define CORE_BASE_DECIMAL_H

#include <stdbool.h>

#define DECIMAL_MAX 32

/* The shortest of 15 to 17 significant digits that reads back as v. v is finite. Returns buf. */
char *decimal_format(char buf[DECIMAL_MAX], double v);

/*
 * Reads a whole string "-12.5e3" (optional minus, digits, optional fraction and exponent). False
 * when it is anything else, or too large for a double: no blanks, hex, "inf" or "nan".
 */
bool decimal_parse(const char *text, double *v);

/* As decimal_parse, but more may follow: *p is moved behind the number. */
bool decimal_scan(const char **p, double *v);

#endif
