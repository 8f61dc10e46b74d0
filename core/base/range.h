/*
 * Lists and ranges of the matrix: "4k..1M" doubles, "4k..1M/x4" multiplies by 4, "16..64/+16" adds,
 * "4k,16k,1M" is a list; they mix: "4k,16k..64k,1M". Values keep the order written; a value that
 * comes twice is kept once. The end of a range is included only when a step reaches it (4k..1M
 * does).
 */
#ifndef CORE_BASE_RANGE_H
#define CORE_BASE_RANGE_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/strbuf.h"

#define RANGE_MAX_VALUES 4096

enum range_unit {
    RANGE_SIZE,  /* elements read by parse_size */
    RANGE_COUNT, /* plain whole numbers */
};

struct range {
    uint64_t *value;
    size_t n;
};

#define RANGE_INIT                                                                                 \
    {                                                                                              \
        NULL, 0                                                                                    \
    }

/*
 * Parses text; every value must lie in min..max. On success *out is new (its old content is not
 * freed) and owned by the caller: range_release. ERR_USAGE with the place in the text otherwise.
 */
int range_parse(struct range *out, const char *text, enum range_unit unit, uint64_t min,
                uint64_t max, struct error *err);
void range_release(struct range *r);
/* Appends the shortest list text that parses back to the same values, "4k,8k,16k". */
void range_format(struct strbuf *out, const struct range *r, enum range_unit unit);

#endif
