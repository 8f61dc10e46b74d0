/* Snapshot of the host: what must be the same before two runs may be compared without a word. */
#ifndef CORE_MODEL_HOST_INFO_H
#define CORE_MODEL_HOST_INFO_H

#include "core/model/field.h"

/* clang-format off */
#define HOST_FIELDS(X) \
    X(TEXT, hostname,       NONE,  "host name") \
    X(TEXT, machine,        NONE,  "architecture") \
    X(TEXT, os,             NONE,  "distribution") \
    X(TEXT, kernel,         NONE,  "kernel release") \
    X(TEXT, kernel_version, NONE,  "kernel build") \
    X(TEXT, cmdline,        NONE,  "kernel command line") \
    X(JSON, mitigations,    NONE,  "CPU vulnerability to its mitigation") \
    X(TEXT, cpu_model,      NONE,  "CPU model") \
    X(U64,  cpus_online,    COUNT, "CPUs online") \
    X(TEXT, cpus_allowed,   NONE,  "CPUs this process may use") \
    X(BOOL, smt,            NONE,  "simultaneous multithreading on") \
    X(BOOL, turbo,          NONE,  "turbo frequencies on") \
    X(TEXT, governor,       NONE,  "frequency governor") \
    X(U64,  numa_nodes,     COUNT, "NUMA nodes") \
    X(U64,  memory,         BYTES, "memory") \
    X(TEXT, clocksource,    NONE,  "kernel clock source") \
    X(F64,  clock_read_ns,  NS,    "cost of reading the clock once") \
    X(TEXT, virt,           NONE,  "hypervisor: kvm, hyperv, xen, vmware, firecracker, none ...") \
    X(TEXT, dmi_vendor,     NONE,  "system vendor") \
    X(TEXT, dmi_product,    NONE,  "product name") \
    X(TEXT, dmi_bios,       NONE,  "firmware vendor and version") \
    X(TEXT, cloud,          NONE,  "aws, azure, gcp") \
    X(TEXT, instance_type,  NONE,  "VM size") \
    X(TEXT, region,         NONE,  "region and zone") \
    X(TEXT, image,          NONE,  "image of the VM") \
    X(TEXT, cgroup,         NONE,  "cgroup of this process") \
    X(JSON, io_limits,      NONE,  "cgroup io limits that apply, as found") \
    X(TEXT, ionice,         NONE,  "I/O priority class and level") \
    X(U64,  memlock_limit,  BYTES, "locked-memory limit") \
    X(U64,  nofile_limit,   COUNT, "open-file limit") \
    X(U64,  aio_max_nr,     COUNT, "fs.aio-max-nr") \
    X(U64,  io_uring_off,   NONE,  "kernel.io_uring_disabled: 0 on, 1 group only, 2 off")
/* clang-format on */

FIELD_RECORD(host_info, HOST_FIELDS);

#define HOST_ENUM(type, name, unit, help) HOST_##name,
enum { HOST_FIELDS(HOST_ENUM) HOST_FIELD_COUNT };
extern const struct field_set host_fields;

#endif
