/*
 * Writes before a sweep, so that a device is measured in the state of one that is in use and not
 * as it left the factory, or as a volume that has never been touched.
 */
#ifndef RUNNER_SWEEP_PRECONDITION_H
#define RUNNER_SWEEP_PRECONDITION_H

#include <stdint.h>

#include "core/model/device_info.h"

enum precondition {
    PRECONDITION_NONE,
    PRECONDITION_FILL,  /* everything once in sequence, 128 KiB at a time */
    PRECONDITION_SEQ2X, /* the same twice, as SNIA has it for flash */
    PRECONDITION_RAND,  /* once in sequence, then every 4 KiB block once in random order */
    PRECONDITION_COUNT,
};
extern const char *const precondition_names[PRECONDITION_COUNT + 1]; /* NULL-terminated */

/* Bytes it writes to an extent of that many. */
uint64_t precondition_bytes(enum precondition how, uint64_t extent);
/* "once in sequence (128 KiB), then every 4 KiB block once at random". */
const char *precondition_words(enum precondition how);

#endif
