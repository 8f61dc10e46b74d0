/*
 * A table read from text, completely: from CSV (comma, semicolon or tab, whichever the first line has
 * most), or from lines of "name=value" pairs as people note results in a spreadsheet or chat. Lines that
 * begin with '#' are comments.
 */
#ifndef STORE_IMPORT_CSV_TABLE_H
#define STORE_IMPORT_CSV_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/strbuf.h"

#define CSV_COLUMNS_MAX 1024

struct csv_value {
    uint32_t column;
    uint32_t at; /* offset in the text of the table */
};

struct csv_row {
    uint32_t first; /* values from here on */
    uint32_t n;
    uint32_t line; /* where it begins in the text, from 1 */
    bool wide;     /* it has more values than the heading has columns */
    bool narrow;   /* it has fewer than the heading has names */
    bool open;     /* the text ends in it: no newline follows */
};

struct csv_table {
    struct strbuf text; /* all values, each with a NUL */
    struct csv_value *value;
    size_t n_values, room_values;
    struct csv_row *row;
    size_t n_rows, room_rows;
    char **column; /* names from the first line */
    size_t n_columns;
    char delimiter;
};

/* Where the heading is in a text. */
struct csv_start {
    size_t at, line; /* its first byte; its line, from 1 */
    char delimiter;  /* 0: what its line has most */
};

/* ERR_INPUT with the line for sizes over the limits. */
int csv_table_read_from(struct csv_table *t, const char *text, size_t n,
                        const struct csv_start *start, struct error *err);
/* The heading is the first line. */
int csv_table_read(struct csv_table *t, const char *text, size_t n, struct error *err);
/* Bytes up to the newline that ends the first line; those in quotes do not. */
size_t csv_line_length(const char *text, size_t n);
/* The columns are all names that occur, in the order they first do. */
int csv_table_read_pairs(struct csv_table *t, const char *text, size_t n, struct error *err);
void csv_table_release(struct csv_table *t);

/* Takes away what our own export puts before texts that a spreadsheet would run (core/base/csv_text.h). */
void csv_table_unprotect(struct csv_table *t);

/* A further column behind those there are. */
void csv_table_add_column(struct csv_table *t, const char *name, size_t n);

/* "" when the row has no such value. */
const char *csv_table_get(const struct csv_table *t, size_t row, size_t column);

/* How many "name=value" pairs a line has. */
size_t csv_pairs_count(const char *line, size_t n);

#endif
