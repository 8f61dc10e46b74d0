/* A known cap on what the storage can do, as it applied to a run that day. */
#ifndef CORE_MODEL_LIMIT_H
#define CORE_MODEL_LIMIT_H

#include "core/model/field.h"

enum limit_owner { OWNER_DISK, OWNER_VM, OWNER_HOST, OWNER_COUNT };
enum limit_kind { CAP_IOPS, CAP_BW, CAP_COUNT };
enum limit_phase { PHASE_BASE, PHASE_BURST, PHASE_COUNT };
enum limit_path { PATH_ANY, PATH_CACHED, PATH_UNCACHED, PATH_COUNT };
enum limit_side { SIDE_ANY, SIDE_READ, SIDE_WRITE, SIDE_COUNT };
extern const char *const owner_names[OWNER_COUNT + 1]; /* disk vm host */
extern const char *const cap_names[CAP_COUNT + 1];     /* iops bw */
extern const char *const phase_names[PHASE_COUNT + 1]; /* base burst */
extern const char *const path_names[PATH_COUNT + 1];   /* any cached uncached */
extern const char *const side_names[SIDE_COUNT + 1];   /* any read write */

/* clang-format off */
#define LIMIT_FIELDS(X) \
    X(OWNER, owner,     NONE,  "who sets the cap: disk, vm, host") \
    X(U64,   device,    NONE,  "index of the device it is for; unknown: each disk, or what all devices share") \
    X(CAP,   kind,      NONE,  "iops, or bw in bytes/s") \
    X(SIDE,  side,      NONE,  "any: reads and writes share it; read; write") \
    X(PHASE, phase,     NONE,  "base (for ever) or burst (while credits last)") \
    X(PATH,  path,      NONE,  "host cache path it holds on: any, cached, uncached") \
    X(F64,   value,     NONE,  "I/Os per second or bytes per second, by kind") \
    X(F64,   value_max, NONE,  "upper end where the published unit is unsure (10^6 or 2^20)") \
    X(TEXT,  published, NONE,  "figure and unit as published, e.g. 64 MBps") \
    X(U64,   io_size,   BYTES, "an I/O above this counts as several") \
    X(F64,   credits,   NONE,  "burst bucket: I/Os or bytes") \
    X(TEXT,  name,      NONE,  "what has the cap: P6, Standard_DS2_v2, cgroup ...") \
    X(TEXT,  source,    NONE,  "where the figure is from") \
    X(TEXT,  checked,   NONE,  "date of that source")
/* clang-format on */

FIELD_RECORD(limit, LIMIT_FIELDS);

#define LIMIT_ENUM(type, name, unit, help) LIMIT_##name,
enum { LIMIT_FIELDS(LIMIT_ENUM) LIMIT_FIELD_COUNT };
extern const struct field_set limit_fields;

/* Does limit i state a source that none before it with the same name does? So a list names each once. */
bool limit_names_source(const struct limit *limit, size_t i);

#endif
