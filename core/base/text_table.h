/*
 * A table of text, printed for a terminal (libsmartcols: widths, UTF-8, cutting), as Markdown or as
 * CSV. Cells that come from files are cleaned of control characters by the printers.
 */
#ifndef CORE_BASE_TEXT_TABLE_H
#define CORE_BASE_TEXT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/strbuf.h"

struct text_table;

enum text_table_flag {
    COL_RIGHT = 1 << 0, /* numbers */
    COL_TRUNC = 1 << 1, /* may be cut when the terminal is narrow */
    COL_WRAP = 1 << 2,  /* may be wrapped when the terminal is narrow */
    COL_SPARE = 1 << 3, /* may be left out when the terminal is narrow */
    COL_YIELD = 1 << 4, /* left out only where nothing else makes the table fit */
};

struct text_table *text_table_create(void);
void text_table_destroy(struct text_table *t);
/* Columns first, all of them; then rows. `title` is copied. */
void text_table_column(struct text_table *t, const char *title, unsigned flags);
void text_table_row(struct text_table *t);
/* The next cell of the current row, left to right; NULL shows "–". Text is copied. */
void text_table_cell(struct text_table *t, const char *text);
void text_table_cellf(struct text_table *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
size_t text_table_rows(const struct text_table *t);
/*
 * Appends the table, nothing when it has no rows. width 0: as wide as it needs; else columns in which nothing is
 * known are left out before others are cut. Bold headings only when `colour`.
 */
void text_table_print(const struct text_table *t, struct strbuf *out, size_t width, bool colour);
void text_table_markdown(const struct text_table *t, struct strbuf *out);
/*
 * As core/base/csv_text.h writes values. Control characters stay as they are: a program reads this.
 */
void text_table_csv(const struct text_table *t, struct strbuf *out);

#endif
