/* Writes stored runs with an exporter, a piece at a time: what `export` and `show` have in common. */
#ifndef CLI_EXPORT_RUNS_H
#define CLI_EXPORT_RUNS_H

#include <stdio.h>

#include "cli/cell_filter.h"
#include "store/db/store.h"
#include "store/export/exporter.h"

struct export_request {
    const struct run_ids *ids;
    unsigned flags;                   /* enum export_flag */
    uint64_t slower_than;             /* ns; 0: not asked for */
    bool array;                       /* the runs are a list even when it is one */
    const struct cell_filter *filter; /* NULL: all cells */
};

/* ERR_DEVICE when `to` cannot be written. */
int export_runs(const struct exporter *exporter, struct store *store,
                const struct export_request *request, FILE *to, struct error *err);

#endif
