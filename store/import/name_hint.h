/*
 * What the name of a job or file says about its load, as people and scripts name them:
 * "randread-4k-qd32", "random_write_test", bench-fio's "4k/randread-32-8.json" (pattern, iodepth,
 * numjobs). Used only where a result states no options; what comes from here is marked as assumed.
 */
#ifndef STORE_IMPORT_NAME_HINT_H
#define STORE_IMPORT_NAME_HINT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/model/cell_key.h"

struct name_hint {
    int rw;           /* enum rw, -1 unknown */
    uint64_t iodepth; /* 0 unknown */
    uint64_t numjobs; /* 0 unknown */
    bool layout;      /* the name has bench-fio's form, so its folders mean something, too */
    uint64_t bs;      /* of a folder, 0 unknown */
    int rwmixread;    /* of a folder, 0 unknown */
};

/* Reads one name; what it does not say stays as it was in *hint. */
void name_hint_add(struct name_hint *hint, const char *name);
/* A folder (n bytes) above such a file: "4k", or of mixed loads "randrw75". */
void name_hint_add_folder(struct name_hint *hint, const char *name, size_t n);

#endif
