/* A sink that keeps everything it is given, in memory. */
#ifndef TESTS_SUPPORT_COLLECT_H
#define TESTS_SUPPORT_COLLECT_H

#include "core/model/sink.h"

struct collected {
    struct run **run; /* host, devices and limits are not kept, device paths are */
    size_t n_runs, room_runs;
    struct cell **cell; /* of all runs, in order; run_id is the number of the run, from 1 */
    size_t n_cells, room_cells;
    char **device; /* "run:path" */
    size_t n_devices, room_devices;
    char **skipped; /* "place: reason" */
    size_t n_skipped, room_skipped;
    size_t ends;
    size_t fail_at; /* the cell call, from 1, that fails; 0: none */
    size_t calls;
};

/* Cells are moved out of what the importer hands over. */
struct sink collect_sink(struct collected *c);
/* Index in cell of the i-th cell of a run (both from 0); ends the test when there is none. */
size_t collect_cell_index(const struct collected *c, size_t run, size_t i);
void collect_release(struct collected *c);

#endif
