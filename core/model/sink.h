/*
 * Where measured and imported results go. The runner and every importer talk to this interface
 * only; the store implements it (store_sink), tests and --dry-run have their own.
 *
 * Order: begin, then cell and skip in any number, then end. After a failure of any of them only end
 * (with STATUS_FAILED) may follow. All pointers belong to the caller and may be reused after the
 * call. A sink may take the contents of a cell, and at the end of the run: it leaves an empty record.
 */
#ifndef CORE_MODEL_SINK_H
#define CORE_MODEL_SINK_H

#include "core/base/error.h"
#include "core/model/run.h"

struct sink {
    void *self;
    /* Makes the run known; sets run->id. */
    int (*begin)(void *self, struct run *run, struct error *err);
    /* Keeps one cell; it is safe on disk when this returns 0. Sets cell->id and run_id. */
    int (*cell)(void *self, struct cell *cell, struct error *err);
    /* Told of something in the source that is no cell, with the place and the reason. May be NULL.
     */
    void (*skip)(void *self, const char *place, const char *reason);
    /* Finishes the run. Of its record, status and finished_ns may have changed since begin. */
    int (*end)(void *self, struct run *run, struct error *err);
};

#endif
