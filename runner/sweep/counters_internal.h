/*
 * What the kernel counts while a cell runs: requests of the devices (/sys/class/block/NAME/stat,
 * Documentation/block/stat.rst) and CPU time taken by the hypervisor (/proc/stat).
 */
#ifndef RUNNER_SWEEP_COUNTERS_INTERNAL_H
#define RUNNER_SWEEP_COUNTERS_INTERNAL_H

#include "core/base/sysroot.h"
#include "core/model/cell.h"
#include "core/model/device_info.h"

#define DISK_COUNTERS 15 /* fields of a stat file that are used; older kernels have 11 */

struct disk_counters {
    char *name;
    char *below; /* name of the device this one is under, NULL: a target itself */
    bool counts; /* queue/iostats: whether the kernel counts at all */
    uint64_t value[DISK_COUNTERS];
    size_t n;
};

struct counters {
    uint64_t at_ns;
    struct disk_counters *disk;
    size_t n_disks;
    uint64_t steal, all; /* clock ticks of all CPUs */
    bool has_cpu;
};

/* Reads the counters of the devices and of what they stand on. */
void counters_read(struct counters *c, const struct sysroot *sr, const struct device_info *device,
                   const size_t *index, size_t n);
void counters_release(struct counters *c);
/*
 * Puts the differences into the cell: disk, steal, and unless others loaded the device at the same
 * time what they say about its requests.
 */
void counters_to_cell(struct cell *cell, const struct counters *before,
                      const struct counters *after, bool alone);

#endif
