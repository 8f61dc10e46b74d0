/*
 * Where a table begins: below Excel's "sep=;" and the titles that people write above it. Its heading is the first of the
 * first lines that is understood.
 */
#ifndef STORE_IMPORT_CSV_HEADING_H
#define STORE_IMPORT_CSV_HEADING_H

#include "store/import/csv_table.h"

struct csv_heading {
    struct csv_start start;
    bool found;  /* its columns are understood; else it is the first line */
    bool format; /* they are those of our own export or of a known tool */
    bool first;  /* nothing but "sep=", comments and empty lines is above it */
};

/* With the text of a map, the columns are those that it names; NULL: as csv_map_find. */
struct csv_heading csv_heading_find(const char *text, size_t n, const char *map);

/* How many columns of a table mean something, 0 unless one is a figure and one a setting. */
size_t csv_understood(const struct csv_table *t, bool *format);

#endif
