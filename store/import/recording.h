/*
 * A sink that keeps everything it is told, to tell it to another sink later: importers run on other
 * threads than the one the store belongs to.
 */
#ifndef STORE_IMPORT_RECORDING_H
#define STORE_IMPORT_RECORDING_H

#include <stddef.h>

#include "core/model/sink.h"

struct recorded_run;

struct recording {
    struct recorded_run *run; /* each with its cells */
    size_t n, room;
    char **skipped; /* place and reason by turns */
    size_t n_skipped, room_skipped;
};

/* A sink over *r ({0} at first). What it is given is taken over: cells at once, a run at its end. */
struct sink recording_sink(struct recording *r);
/* Tells all of it to another sink; stops at the first failure, which that sink was then told of. */
int recording_play(struct recording *r, struct sink *to, struct error *err);
/* Forgets it all; it can be used again. */
void recording_release(struct recording *r);

#endif
