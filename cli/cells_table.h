/* Cells as a table for people, one row a direction; columns that say nothing are left out. */
#ifndef CLI_CELLS_TABLE_H
#define CLI_CELLS_TABLE_H

#include "core/base/text_table.h"
#include "core/model/run.h"

struct cell_filter;
struct cells_table;

/* `filter` chooses cells and directions, NULL all; slower_than (ns) 0: no such column. */
struct cells_table *cells_table_create(const struct run *run, const struct cell_filter *filter,
                                       uint64_t slower_than);
void cells_table_destroy(struct cells_table *t);
/* Takes over what it needs of the cell (with LOAD_HIST). Cells in plan order. */
void cells_table_add(struct cells_table *t, const struct cell *cell);
/*
 * A cell of the run that gets no row: what differs between it and the others gets a column all the same, as the
 * rows would otherwise not say which of its values is theirs.
 */
void cells_table_note(struct cells_table *t, const struct cell_key *key);
/* Puts the rows in the order of these cell ids; rows of other cells come last. */
void cells_table_arrange(struct cells_table *t, const int64_t *id, size_t n);
size_t cells_table_cells(const struct cells_table *t);
/* The table; the caller destroys it. On a narrow terminal (width 0: none) it has fewer columns. */
struct text_table *cells_table_make(const struct cells_table *t, size_t width);
/* What all cells have in common, as words: "libaio, direct, 1 job, 60 s each, latency is clat". */
void cells_table_common(struct strbuf *out, const struct cells_table *t);
/*
 * Whether cells that were measured in rounds reached a steady state, a line without newline at the
 * end; nothing for other cells.
 */
void cells_table_steady(struct strbuf *out, const struct cells_table *t);
/*
 * The doubts about cells that a "*" marks in the table, a line each without newline at the end:
 * "* buffered (24 cells): through the page cache ...".
 */
void cells_table_doubts(struct strbuf *out, const struct cells_table *t);

#endif
