/* Tables of expected values: tab-separated, the first line names the columns. */
#ifndef TESTS_SUPPORT_TSV_H
#define TESTS_SUPPORT_TSV_H

#include <stddef.h>

struct tsv {
    char *text;
    char **cell; /* row-major, without the head */
    char **column;
    size_t n_columns, n_rows;
};

/* Ends the test program when the file is not there or a row has another number of columns. */
void tsv_load(struct tsv *t, const char *path);
void tsv_release(struct tsv *t);
/* Ends the test program when there is no such column. */
const char *tsv_get(const struct tsv *t, size_t row, const char *column);

#endif
