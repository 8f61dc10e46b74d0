/* Kernel counters of one block device over a cell: differences of /proc/diskstats, or fio's
 * disk_util. */
#ifndef CORE_MODEL_DISK_STAT_H
#define CORE_MODEL_DISK_STAT_H

#include "core/model/field.h"

/* clang-format off */
#define DISK_STAT_FIELDS(X) \
    X(TEXT, name,         NONE,  "kernel name") \
    X(TEXT, host,         NONE,  "host, where results of several are in one file") \
    X(BOOL, aggregate,    NONE,  "figures are averages over the devices below (fio's aggr_)") \
    X(TEXT, below,        NONE,  "name of the stacked device this one is part of") \
    X(U64,  read_ios,     COUNT, "read requests completed, after splits and merges") \
    X(U64,  write_ios,    COUNT, "write requests completed") \
    X(U64,  discard_ios,  COUNT, "discard requests completed") \
    X(U64,  read_bytes,   BYTES, "bytes read") \
    X(U64,  write_bytes,  BYTES, "bytes written") \
    X(U64,  read_merges,  COUNT, "reads merged into another request") \
    X(U64,  write_merges, COUNT, "writes merged into another request") \
    X(U64,  read_ns,      NS,    "time of all reads added up") \
    X(U64,  write_ns,     NS,    "time of all writes added up") \
    X(U64,  in_queue_ns,  NS,    "time of all requests added up") \
    X(F64,  util,         RATIO, "share of the time with at least one request")
/* clang-format on */

FIELD_RECORD(disk_stat, DISK_STAT_FIELDS);

#define DISK_STAT_ENUM(type, name, unit, help) DISK_STAT_##name,
enum { DISK_STAT_FIELDS(DISK_STAT_ENUM) DISK_STAT_FIELD_COUNT };
extern const struct field_set disk_stat_fields;

#endif
