/* One row of a table as a cell (of our own export: a direction of one). */
#ifndef STORE_IMPORT_CSV_ROW_H
#define STORE_IMPORT_CSV_ROW_H

#include "store/import/csv_map.h"
#include "store/import/importer.h"

/* A table being imported. */
struct csv_reading {
    const struct import_source *src;
    struct sink *sink;
    struct import_outcome *outcome;
    struct csv_table table;
    struct csv_map map;
    size_t row;         /* the one that is read */
    struct error fault; /* the first value that did not fit */
};

/* The value of a column in the current row. */
const char *csv_row_value(const struct csv_reading *r, size_t column);

/* Why a row cannot be read as the heading says, for messages; NULL when it can. */
const char *csv_row_misshape(const struct csv_reading *r, size_t row);

/*
 * Reads the current row into an empty cell. False when it is left out: sink and outcome were told why. A
 * value that does not fit also becomes the fault of the import; a phase that is no I/O (MKDIRS) does not.
 */
bool csv_row_read(struct csv_reading *r, struct cell *cell);

/* Says that the value of a column does not fit. */
void csv_row_bad_value(struct csv_reading *r, size_t column);

#endif
