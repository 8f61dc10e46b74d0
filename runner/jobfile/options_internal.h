/* fio's options: which of them are run, and what their values may be. */
#ifndef RUNNER_JOBFILE_OPTIONS_INTERNAL_H
#define RUNNER_JOBFILE_OPTIONS_INTERNAL_H

#include "runner/jobfile/sections_internal.h"

enum option_kind {
    OPTION_FLAG,    /* nothing, or a number: 0 is off */
    OPTION_NUMBER,  /* with k, M ... */
    OPTION_PERCENT, /* 0..100 */
    OPTION_TRIPLE,  /* read,write,trim */
    OPTION_EXTENT,  /* bytes or a percentage */
    OPTION_TIME_S,  /* seconds without a suffix */
    OPTION_TIME_MS,
    OPTION_TIME_US,
    OPTION_TEXT,
    OPTION_PATTERN, /* rw */
    OPTION_SPREAD,  /* random_distribution */
    OPTION_SIZES,   /* bssplit, bsrange */
    OPTION_PROCESS, /* rate_process */
    OPTION_SYNC,
    OPTION_ENGINE,
    OPTION_CPUS,   /* cpus_allowed */
    OPTION_POLICY, /* cpus_allowed_policy */
    OPTION_ONE,    /* only 1 can be run, and is how it is anyway */
    OPTION_SAME,   /* says how things are here anyway */
    OPTION_OUTPUT, /* changes what fio writes, not what it does */
    OPTION_OTHER,  /* passed over with a word why */
};

struct option_row {
    const char *name; /* fio's canonical one */
    const char *alias;
    enum option_kind kind;
    const char *why; /* of OPTION_OTHER */
};

/* The row of a name; NULL: outside the subset. */
const struct option_row *option_find(const char *name);
/* True when the value can be run; else why[n] may say what could (or is ""). */
bool option_check(const struct option_row *row, const char *value, char *why, size_t n);
/* The engine here for fio's name of one; NULL: none. */
const char *option_engine(const char *fio_name);

#endif
