/*
 * Which column of a table is what: a map file, one of those that come with the program (schemas/import),
 * or guessed from the headings. A map file has lines "COLUMN = TARGET [UNIT]"; '?' behind the column
 * means that it may be missing; '#' begins a comment. "decimal = ," and "decimal = ." say how numbers are written.
 */
#ifndef STORE_IMPORT_CSV_MAP_H
#define STORE_IMPORT_CSV_MAP_H

#include "store/import/csv_column.h"
#include "store/import/csv_table.h"

struct csv_map {
    struct column *column; /* one for each column of the table */
    size_t n;
    const char *name; /* "blkmatrix", "elbencho.map", "guessed", or NULL: the user's */
    bool own;         /* our own export: it gives back what was exported */
    bool has_columns; /* a map that names some; else it only says how numbers are written */
    char decimal;     /* the decimal sign that a map names; 0: the numbers of the table tell */
};

/*
 * Applies the text of a map file. ERR_USAGE with its line for words that name nothing and columns that the
 * table has not (its columns are listed). One without columns leaves them to their headings.
 */
int csv_map_apply(struct csv_map *map, const struct csv_table *t, const char *text,
                  struct error *err);
/* Finds what is wrong with a map whatever the table is: ERR_USAGE, as csv_map_apply. */
int csv_map_check(const char *text, struct error *err);
/* The first built-in map whose columns are all there, else guesses. ERR_INPUT when no figure is found. */
int csv_map_find(struct csv_map *map, const struct csv_table *t, struct error *err);
void csv_map_release(struct csv_map *map);

/* True when some column is a measured figure. */
bool csv_map_has_figure(const struct csv_map *map);

#endif
