/* The sections of `blkmatrix show`, for people. */
#ifndef CLI_SHOW_INTERNAL_H
#define CLI_SHOW_INTERNAL_H

#include "cli/cell_filter.h"
#include "cli/cells_table.h"
#include "cli/view.h"
#include "core/model/run.h"
#include "store/db/store.h"

/* The run, the host, the devices, the limits. */
void show_run(struct view *v, const struct run *run);
/* Only the limits; nothing when there are none. */
void show_limits(struct view *v, const struct run *run);
/* Text of one or more lines, filled to the width of the terminal. */
void show_lines(struct view *v, const char *text);
/* The table of cells and what they have in common; chosen: they are not all of the run. */
void show_cells(struct view *v, const struct run *run, const struct cells_table *cells,
                bool chosen);
/* One cell in detail. */
void show_cell(struct view *v, const struct run *run, const struct cell *cell);

/* show_ends.c */

/* The suite that the run is of, if it is. */
void show_suite(struct view *v, const struct run *run);
/* When the measurement of a cell ended: its interval, its rounds. SHOWN_ENDS are their fields. */
void show_ends(struct view *v, const struct run *run, const struct cell *cell);
#define SHOWN_ENDS                                                                                 \
    (UINT64_C(1) << CELL_rounds | UINT64_C(1) << CELL_steady | UINT64_C(1) << CELL_steady_range |  \
     UINT64_C(1) << CELL_steady_slope | UINT64_C(1) << CELL_round_values |                         \
     UINT64_C(1) << CELL_ci_half | UINT64_C(1) << CELL_n_eff | UINT64_C(1) << CELL_ended_by)

/* Prints the chosen cells as a job file of fio. */
int show_as_fio(struct store *store, const struct run *run, const struct cell_filter *filter,
                struct error *err);

#endif
