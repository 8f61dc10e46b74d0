/*
 * Reading on one thread and keeping on another: an importer works beside the store, which belongs to the thread that
 * calls. Cells wait in a short queue; of runs, nothing begins or ends before all that was told earlier is kept.
 */
#ifndef STORE_IMPORT_HANDOVER_H
#define STORE_IMPORT_HANDOVER_H

#include "core/model/sink.h"

/* Cells that may wait. */
#define HANDOVER_CELLS_MAX 32

/*
 * Calls work(self, sink, err) on a thread of its own, tells `to` on this one what the sink was told, in the same order,
 * and returns what work returned. A cell that cannot be kept is said to work with a later call: at the latest with the
 * end of the run. Cells are taken over: work does not learn their ids. Without a thread, all is done on this one.
 */
int handover_run(int (*work)(void *self, struct sink *sink, struct error *err), void *self,
                 struct sink *to, struct error *err);

#endif
