/*
 * Fitting a table into a terminal: which columns are shown, and their texts cut ("…") or broken into lines at
 * blanks. For text_table.c only; widths are columns of the terminal in the locale of the thread.
 */
#ifndef CORE_BASE_TEXT_FIT_H
#define CORE_BASE_TEXT_FIT_H

#include <stdbool.h>
#include <stddef.h>

struct fit_column {
    unsigned flags;  /* enum text_table_flag */
    bool is_unknown; /* nothing is known in any row */
    bool is_shown;   /* out */
};

#define FIT_GAP 2 /* between two columns */

/* The widths of a text as a terminal shows it. */
size_t text_fit_width(const char *text);
/*
 * `cell` has n_rows x n texts from malloc, the headings first; those too wide are replaced. Columns are left out,
 * first those in which nothing is known, then COL_SPARE ones from the right, as long as the rest has not a
 * comfortable width; then COL_YIELD ones from the right, as long as the rest does not fit however narrow. Then
 * COL_TRUNC and COL_WRAP columns shrink, the widest first.
 */
void text_fit(char **cell, size_t n_rows, struct fit_column *column, size_t n, size_t width);

#endif
