/*
 * Emptying a device before it is preconditioned: what SNIA calls a purge. A trim of the extent is
 * all that is done; a volume of a cloud cannot be purged, as there is no medium of its own below.
 */
#ifndef RUNNER_DEVICE_PURGE_H
#define RUNNER_DEVICE_PURGE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/model/device_info.h"

/* By what it says of itself: a volume of AWS (EBS), Azure or Google Cloud; their local disks are not. */
bool device_is_cloud_volume(const struct device_info *info);
/*
 * Trims the extent if that is `wanted` and the device can. Returns what was done, or why not, in
 * words for device_info.purge (constant text). fd is open for writing.
 */
const char *device_purge(int fd, const struct device_info *info, uint64_t offset, uint64_t bytes,
                         bool wanted);

#endif
