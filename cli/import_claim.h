/*
 * A result that is in the store already, read once more for the logs that are its own: the sink keeps nothing, and finds
 * out whether the run has the samples that they give. A run does not change: those that came later are not taken.
 */
#ifndef CLI_IMPORT_CLAIM_H
#define CLI_IMPORT_CLAIM_H

#include "core/model/sink.h"
#include "store/db/store.h"

struct import_claim {
    struct store *store;
    int64_t run;   /* in the store; 0: the one that is told now is not there */
    size_t told;   /* samples of its cells now */
    size_t kept;   /* and those in the store */
    int64_t lacks; /* the first run that has fewer than told; 0: none */
};

struct sink import_claim_sink(struct import_claim *c);

#endif
