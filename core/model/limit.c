#include "core/model/limit.h"

const char *const owner_names[OWNER_COUNT + 1] = {"disk", "vm", "host", NULL};
const char *const cap_names[CAP_COUNT + 1] = {"iops", "bw", NULL};
const char *const phase_names[PHASE_COUNT + 1] = {"base", "burst", NULL};
const char *const path_names[PATH_COUNT + 1] = {"any", "cached", "uncached", NULL};
const char *const side_names[SIDE_COUNT + 1] = {"any", "read", "write", NULL};
