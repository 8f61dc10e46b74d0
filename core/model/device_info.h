/* Snapshot of a device (or file) under test, taken before the run; what is not known stays unknown.
 */
#ifndef CORE_MODEL_DEVICE_INFO_H
#define CORE_MODEL_DEVICE_INFO_H

#include "core/model/field.h"

/* clang-format off */
#define DEVICE_FIELDS(X) \
    X(TEXT, path,             NONE,    "path as given") \
    X(TEXT, resolved,         NONE,    "path it leads to, /dev/NAME for a block device") \
    X(TEXT, type,             NONE,    "disk, part, loop, zram, dm, md, file, sim") \
    X(U64,  size,             BYTES,   "capacity") \
    X(TEXT, devno,            NONE,    "MAJOR:MINOR") \
    X(TEXT, model,            NONE,    "model") \
    X(TEXT, vendor,           NONE,    "vendor") \
    X(TEXT, serial,           NONE,    "serial number") \
    X(TEXT, wwid,             NONE,    "world-wide id") \
    X(TEXT, firmware,         NONE,    "firmware revision") \
    X(U64,  logical_block,    BYTES,   "logical block size") \
    X(U64,  physical_block,   BYTES,   "physical block size") \
    X(U64,  alignment_offset, BYTES,   "offset of the first aligned block") \
    X(U64,  dio_align,        BYTES,   "alignment that O_DIRECT needs") \
    X(TEXT, scheduler,        NONE,    "I/O scheduler") \
    X(U64,  nr_requests,      COUNT,   "request queue length") \
    X(U64,  hw_queues,        COUNT,   "hardware queues") \
    X(U64,  nomerges,         NONE,    "merging: 0 on, 1 simple only, 2 off") \
    X(U64,  rq_affinity,      NONE,    "completion on the submitting CPU: 0, 1, 2") \
    X(U64,  wbt_lat_us,       NONE,    "writeback throttling target, us; 0 off") \
    X(U64,  max_sectors_kb,   NONE,    "largest request, KiB") \
    X(BOOL, rotational,       NONE,    "spinning medium") \
    X(TEXT, write_cache,      NONE,    "write back or write through") \
    X(BOOL, fua,              NONE,    "forced unit access") \
    X(BOOL, io_poll,          NONE,    "polled completions possible") \
    X(TEXT, zoned,            NONE,    "none, host-aware, host-managed") \
    X(U64,  discard_max,      BYTES,   "largest discard; 0 is no discard") \
    X(I64,  numa_node,        NONE,    "NUMA node of the device") \
    X(F64,  temperature,      CELSIUS, "temperature before the run") \
    X(U64,  percent_used,     PERCENT, "wear as the device reports it") \
    X(TEXT, fs_type,          NONE,    "filesystem of a file target") \
    X(TEXT, mount_point,      NONE,    "where that filesystem is mounted") \
    X(TEXT, mount_options,    NONE,    "its mount options") \
    X(TEXT, backing_file,     NONE,    "file behind a loop device") \
    X(JSON, below,            NONE,    "array of kernel names this device stands on (dm, md, partitions)") \
    X(TEXT, transport,        NONE,    "nvme, sata, scsi, virtio, xen, usb, loop ...") \
    X(TEXT, cloud_volume_id,  NONE,    "volume id of the cloud") \
    X(TEXT, volume_type,      NONE,    "cloud volume type, e.g. gp3, Premium_LRS") \
    X(TEXT, cache_mode,       NONE,    "host caching of the volume: none, ro, rw") \
    X(TEXT, precondition,     NONE,    "what was done to it before") \
    X(TEXT, purge,            NONE,    "how it was emptied before that, or why it was not") \
    X(BOOL, made_here,        NONE,    "the file was made by this tool")
/* clang-format on */

FIELD_RECORD(device_info, DEVICE_FIELDS);

#define DEVICE_ENUM(type, name, unit, help) DEVICE_##name,
enum { DEVICE_FIELDS(DEVICE_ENUM) DEVICE_FIELD_COUNT };
extern const struct field_set device_fields;

#endif
