/* Options of a load beyond pattern, block size and depth, from the command line into a cell key. */
#ifndef CLI_SWEEP_LOAD_H
#define CLI_SWEEP_LOAD_H

#include "cli/opt.h"
#include "core/model/cell_key.h"

/* As typed; NULL and 0: not given. Part of a command's config. */
struct load_options {
    const char *bssplit;
    const char *random;
    const char *rate, *rate_iops;
    const char *cpus;
    struct range curve;
    struct opt_size bs_write;
    uint64_t fsync, fdatasync;
    uint64_t thinktime;
    uint64_t compress, dedupe;
    int sync;    /* index into load_sync_names */
    int arrival; /* index into load_arrival_names */
};
extern const char *const load_sync_names[];    /* "none", "sync", "dsync"; NULL-terminated */
extern const char *const load_arrival_names[]; /* "constant", "poisson"; NULL-terminated */

/* Puts them into the key. ERR_USAGE names the option that is wrong, or two that exclude each other. */
int load_to_key(struct cell_key *key, const struct load_options *o, struct error *err);
/* The largest of the block sizes in key->bs_text. */
int load_largest_block(uint64_t *out, const struct cell_key *key, struct error *err);

#endif
