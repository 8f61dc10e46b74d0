/*
 * Numbers in the text of other tools, given as the bytes of a larger text: exact integers, doubles
 * correctly rounded whatever the locale is. No blanks around them; false when the n bytes are not
 * exactly one number that fits.
 */
#ifndef STORE_IMPORT_NUMBER_H
#define STORE_IMPORT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Digits only. */
bool number_u64(const char *text, size_t n, uint64_t *v);
/* Digits, a minus sign allowed. */
bool number_i64(const char *text, size_t n, int64_t *v);
/* Decimal with fraction and exponent; infinite results are refused. */
bool number_f64(const char *text, size_t n, double *v);

#endif
