/*
 * Choosing cells of a run by what they measured: words like bs=4k, rw=randread, iodepth=1,4,
 * direction=write, device=/dev/sdc, status=partial. All words must hold, one value of each is
 * enough. Numbers may be written as sizes.
 */
#ifndef CLI_CELL_FILTER_H
#define CLI_CELL_FILTER_H

#include "core/base/error.h"
#include "core/model/run.h"

struct cell_filter {
    const char **word; /* "name=values", of the command line */
    size_t n;
    int64_t id; /* the one cell with this id; 0: any */
};

/* Checks the words (a plain number is a cell id). ERR_USAGE names the fields there are. */
int cell_filter_parse(struct cell_filter *out, const char **word, size_t n, struct error *err);
void cell_filter_release(struct cell_filter *f);
bool cell_filter_matches(const struct cell_filter *f, const struct cell *cell,
                         const struct run *run);
/* False when the filter names other directions. */
bool cell_filter_has_direction(const struct cell_filter *f, enum dir dir);

#endif
