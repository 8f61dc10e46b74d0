/*
 * Numbers of a table as people write them: "1.234" is a thousand to some and one and a bit to others. What the
 * points and commas of a table are, its other numbers tell ("67,1" has a decimal comma); what can still be read
 * in two ways is never guessed.
 */
#ifndef STORE_IMPORT_CSV_NUMBER_H
#define STORE_IMPORT_CSV_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

enum { CSV_NUMBER_MAX = 64 };

enum csv_numbers {
    CSV_NUMBERS_UNCLEAR, /* only what can be read in one way is a number */
    CSV_NUMBERS_NOTES,   /* a point is a decimal one, a comma may be either */
    CSV_NUMBERS_POINT,   /* 1,234.5 */
    CSV_NUMBERS_COMMA,   /* 1.234,5 */
};

/* What a number shows about the others: its decimal sign, or that it may be either; of 1234 nothing. */
enum csv_number_shape { CSV_SHAPE_PLAIN, CSV_SHAPE_POINT, CSV_SHAPE_COMMA, CSV_SHAPE_EITHER };

enum csv_number_shape csv_number_shape(const char *text);

/*
 * Copies text with the number at its beginning as in C, and without blanks: "3 420,5 MB/s" is "3420.5MB/s". False
 * when it is empty, too long, or no number in tables that are written so.
 */
bool csv_number_normal(char out[CSV_NUMBER_MAX], const char *text, enum csv_numbers numbers);

/* True when the number can be read in two ways. */
bool csv_number_is_unclear(const char *text, enum csv_numbers numbers);

#endif
