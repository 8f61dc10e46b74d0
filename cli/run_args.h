/* Runs as arguments of a command: the selectors of store.h, and how help explains them. */
#ifndef CLI_RUN_ARGS_H
#define CLI_RUN_ARGS_H

#include "store/db/store.h"

#define RUN_ARGS_HELP                                                                              \
    "RUN is an id (17), the beginning of a UUID (3f2a), @latest, @-1 (the one before, -2 ...), a " \
    "run's name, or labels: release=6.8, or release=6.8,disk=gp3 where all must hold. Labels may " \
    "name several runs; the other forms name one, and what fits several is an error that lists "   \
    "them.\n"

/* All runs that the words name, each once, oldest first. ERR_USAGE when one names none. */
int run_args_select(struct store *store, const char **word, size_t n, struct run_ids *out,
                    struct error *err);

#endif
