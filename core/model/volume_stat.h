/*
 * What a cloud's volume counted about itself over a cell: differences of two readings of its own
 * statistics (runner/device/volume_page.h). Its times are of its own clock, so are its I/Os: a volume
 * that merges or splits requests counts others than the kernel.
 */
#ifndef CORE_MODEL_VOLUME_STAT_H
#define CORE_MODEL_VOLUME_STAT_H

#include "core/model/field.h"

/* clang-format off */
#define VOLUME_STAT_FIELDS(X) \
    X(TEXT, name,                  NONE,  "kernel name") \
    X(TEXT, kind,                  NONE,  "whose statistics: ebs, instance-store") \
    X(U64,  span_ns,               NS,    "time between the two readings") \
    X(U64,  disk_iops_exceeded_ns, NS,    "time the load asked for more than the IOPS of the volume") \
    X(U64,  disk_bw_exceeded_ns,   NS,    "time it asked for more than the throughput of the volume") \
    X(U64,  vm_iops_exceeded_ns,   NS,    "time it asked for more than the IOPS of the VM") \
    X(U64,  vm_bw_exceeded_ns,     NS,    "time it asked for more than the throughput of the VM") \
    X(U64,  read_ios,              COUNT, "reads completed, as the volume counts them") \
    X(U64,  write_ios,             COUNT, "writes completed, as the volume counts them") \
    X(U64,  read_bytes,            BYTES, "bytes read") \
    X(U64,  write_bytes,           BYTES, "bytes written") \
    X(U64,  read_ns,               NS,    "time of all reads added up") \
    X(U64,  write_ns,              NS,    "time of all writes added up") \
    X(U64,  queue,                 COUNT, "I/Os waiting in the volume at the end") \
    X(JSON, read_hist,             NONE,  "array: reads by latency, [from ns, to ns, reads]") \
    X(JSON, write_hist,            NONE,  "array: writes by latency, [from ns, to ns, writes]")
/* clang-format on */

FIELD_RECORD(volume_stat, VOLUME_STAT_FIELDS);

#define VOLUME_STAT_ENUM(type, name, unit, help) VOLUME_STAT_##name,
enum { VOLUME_STAT_FIELDS(VOLUME_STAT_ENUM) VOLUME_STAT_FIELD_COUNT };
extern const struct field_set volume_stat_fields;

#endif
