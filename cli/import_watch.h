/* Between an importer and the store. */
#ifndef CLI_IMPORT_WATCH_H
#define CLI_IMPORT_WATCH_H

#include "cli/import_internal.h"
#include "store/db/store.h"

/*
 * Hands everything on to the store (in a dry run to nobody), and keeps what the table will show. A run
 * that is there already, in an export of this very store for instance, is passed over.
 */
struct import_watch {
    struct import_row *row;
    struct store *store; /* NULL: a dry run without a store */
    struct sink into;
    bool dry;
    bool over; /* the current run is passed over */
    size_t runs_over, cells_over;
    const struct limit_args *limits;
    const struct limit_catalogue *catalogue;
    const struct jobfile *job; /* NULL: none */
    const struct run *run;     /* the current one */
};

struct import_watch import_watch_start(struct import_session *s, struct import_row *row,
                                       enum store_sink_mode mode);
struct sink import_watch_sink(struct import_watch *w);
/* What became of the row, from the importer's answer; what is left are errors of the store. */
int import_watch_finish(struct import_watch *w, int rc, struct error *err);

#endif
