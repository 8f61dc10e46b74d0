#include "core/model/limit.h"

const char *const owner_names[OWNER_COUNT + 1] = {"disk", "vm", "host", NULL};
const char *const cap_names[CAP_COUNT + 1] = {"iops", "bw", NULL};
const char *const phase_names[PHASE_COUNT + 1] = {"base", "burst", NULL};
const char *const path_names[PATH_COUNT + 1] = {"any", "cached", "uncached", NULL};
const char *const side_names[SIDE_COUNT + 1] = {"any", "read", "write", NULL};

static bool is_same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

bool limit_names_source(const struct limit *limit, size_t i)
{
    bool found = false;
    for (size_t k = 0; k < i; k++)
        found = found || (is_same_text(limit[k].name, limit[i].name) &&
                          is_same_text(limit[k].source, limit[i].source));
    return limit[i].source && !found;
}
