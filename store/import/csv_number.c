#include "store/import/csv_number.h"

#include <string.h>

/* Blanks: also the ones that French and Swiss spreadsheets part thousands with, the last one in Latin-1. Bytes of one at p, 0: none. */
static size_t blank_at(const char *p)
{
    static const char *const blanks[] = {" ", "\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x89", "\xa0"};
    for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++) {
        if (strncmp(p, blanks[i], strlen(blanks[i])) == 0)
            return strlen(blanks[i]);
    }
    return 0;
}

static bool without_blanks(char out[CSV_NUMBER_MAX], const char *text)
{
    size_t n = 0;
    while (*text) {
        size_t blank = blank_at(text);
        text += blank;
        if (blank)
            continue;
        if (n == CSV_NUMBER_MAX - 1)
            return false;
        out[n++] = *text++;
    }
    out[n] = '\0';
    return n > 0;
}

static const char digits[] = "0123456789";

/* Three digits behind each sign up to n, one to three and no 0 in front of the first. */
static bool is_grouped(const char *p, size_t n, char sign)
{
    size_t at = strspn(p, digits);
    if (at < 1 || at > 3 || *p == '0')
        return false;
    while (at < n && p[at] == sign && strspn(p + at + 1, digits) == 3)
        at += 4;
    return at == n;
}

static size_t count(const char *p, size_t n, char sign)
{
    size_t found = 0;
    for (size_t i = 0; i < n; i++)
        found += p[i] == sign;
    return found;
}

static enum csv_number_shape shape_of(const char *p)
{
    size_t n = strspn(p, "0123456789.,"), points = count(p, n, '.'), commas = count(p, n, ',');
    if (points + commas == 0)
        return CSV_SHAPE_PLAIN;
    if (points > 0 && commas > 0) {
        size_t last = n;
        while (p[last - 1] != '.' && p[last - 1] != ',')
            last--;
        char thousands = p[last - 1] == '.' ? ',' : '.';
        if (!is_grouped(p, last - 1, thousands))
            return CSV_SHAPE_PLAIN;
        return thousands == ',' ? CSV_SHAPE_POINT : CSV_SHAPE_COMMA;
    }
    bool grouped = is_grouped(p, n, points ? '.' : ',');
    if (points + commas > 1)
        return !grouped ? CSV_SHAPE_PLAIN : points ? CSV_SHAPE_COMMA : CSV_SHAPE_POINT;
    if (grouped && p[n] != 'e' && p[n] != 'E')
        return CSV_SHAPE_EITHER;
    return points ? CSV_SHAPE_POINT : CSV_SHAPE_COMMA;
}

enum csv_number_shape csv_number_shape(const char *text)
{
    char value[CSV_NUMBER_MAX];
    return without_blanks(value, text) ? shape_of(value) : CSV_SHAPE_PLAIN;
}

bool csv_number_is_unclear(const char *text, enum csv_numbers numbers)
{
    return csv_number_shape(text) == CSV_SHAPE_EITHER &&
           (numbers == CSV_NUMBERS_UNCLEAR ||
            (numbers == CSV_NUMBERS_NOTES && strchr(text, ',') != NULL));
}

/* The decimal sign, '\0' where the number is none of such a table. */
static char decimal_sign(enum csv_number_shape shape, enum csv_numbers numbers)
{
    switch (shape) {
    case CSV_SHAPE_POINT:
        return numbers == CSV_NUMBERS_COMMA ? '\0' : '.';
    case CSV_SHAPE_COMMA:
        return numbers == CSV_NUMBERS_POINT ? '\0' : ',';
    default:
        return numbers == CSV_NUMBERS_COMMA ? ',' : '.';
    }
}

bool csv_number_normal(char out[CSV_NUMBER_MAX], const char *text, enum csv_numbers numbers)
{
    if (!without_blanks(out, text) || csv_number_is_unclear(text, numbers))
        return false;
    enum csv_number_shape shape = shape_of(out);
    if (shape == CSV_SHAPE_PLAIN)
        return true;
    char decimal = decimal_sign(shape, numbers);
    if (!decimal)
        return false;
    size_t n = strspn(out, "0123456789.,"), kept = 0;
    for (size_t i = 0; out[i]; i++) {
        bool sign = i < n && (out[i] == '.' || out[i] == ',');
        if (!sign || out[i] == decimal)
            out[kept++] = sign ? '.' : out[i];
    }
    out[kept] = '\0';
    return true;
}
