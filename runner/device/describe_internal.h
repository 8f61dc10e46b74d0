/* Parts of device_describe(), a file each. */
#ifndef RUNNER_DEVICE_DESCRIBE_INTERNAL_H
#define RUNNER_DEVICE_DESCRIBE_INTERNAL_H

#include "core/base/error.h"
#include "core/base/sysroot.h"
#include "core/model/device_info.h"

/* Everything sysfs says about the block device with this kernel name. */
void describe_block(struct device_info *info, const struct sysroot *sr, const char *name);
/* Bus, model, serial, wwid, firmware, temperature: called by describe_block. */
void describe_identity(struct device_info *info, const struct sysroot *sr, const char *name);
/*
 * Filesystem, mount and the devices below of the file at path (absolute, resolved), from the mount
 * table of this process.
 */
void describe_filesystem(struct device_info *info, const struct sysroot *sr, const char *path);
/* Wear of an NVMe device from its SMART log; does nothing without the right to ask. */
void describe_nvme_wear(struct device_info *info, int fd);
/* Percentage used out of a SMART / health log page (NVMe base specification, log 02h, byte 5). */
void parse_nvme_smart(struct device_info *info, const unsigned char log[512]);

struct names;
/*
 * The kernel names of all that the devices in *stack stand on, as a JSON array, the first `skip` left out: down
 * to the disks, and through files where a loop device passes its I/O on to them directly.
 */
void describe_below(struct device_info *info, const struct sysroot *sr, struct names *stack,
                    size_t skip);

#endif
