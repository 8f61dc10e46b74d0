/* A line of fio's terse output (fio_terse.c), cut at its semicolons, and the numbers in it. */
#ifndef STORE_IMPORT_FIO_TERSE_LINE_H
#define STORE_IMPORT_FIO_TERSE_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/import/fio_text_line.h"

enum {
    TERSE_FIELDS_MAX = 2048,
    TERSE_PERCENTILES = 20,
    TERSE_TAIL_FIELDS = 5 + 7 + 10 + 12,
};

struct terse_line {
    char *text;
    const char *field[TERSE_FIELDS_MAX];
    size_t n;
    unsigned version;
    size_t head;              /* fields before the directions */
    size_t directions;        /* number of them */
    size_t width;             /* fields of each */
    size_t number;            /* of the line, from 1 */
    struct fio_text_odd *odd; /* is told of figures that cannot be */
};

/* Cuts the text, which must stay; of the line only text, n and field are set. */
void terse_cut(struct terse_line *l, char *text);
/* Finds version, head, directions and width; false: the line breaks off. */
bool terse_find_layout(struct terse_line *l);

bool terse_is_percent(const struct terse_line *l, size_t i);
bool terse_get_u64(const struct terse_line *l, size_t i, uint64_t *v);
/* With or without a percent sign behind it. */
bool terse_get_f64(const struct terse_line *l, size_t i, double *v);

/* The same of figures, times a unit: what stands there and cannot be is told. */
bool terse_figure_u64(const struct terse_line *l, size_t i, uint64_t unit, uint64_t *v);
bool terse_figure_f64(const struct terse_line *l, size_t i, double unit, double *v);
/* "99.000000%=1286", in us; unused places are "0%=0". */
bool terse_percentile(const struct terse_line *l, size_t i, double *p, uint64_t *ns);

#endif
