#include "runner/device/purge.h"

#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>

bool device_is_cloud_volume(const struct device_info *info)
{
    static const struct {
        const char *vendor; /* NULL: any */
        const char *model;
    } volume[] = {{NULL, "Amazon Elastic Block Store"},
                  {"Msft", "Virtual Disk"},
                  {NULL, "MSFT NVMe Accelerator"},
                  {"Google", "PersistentDisk"},
                  {NULL, "nvme_card-pd"}};
    if (info->cloud_volume_id || info->volume_type)
        return true;
    for (size_t i = 0; i < sizeof volume / sizeof *volume; i++) {
        const char *vendor = volume[i].vendor, *model = volume[i].model;
        bool fits = !vendor || (info->vendor && strncmp(info->vendor, vendor, strlen(vendor)) == 0);
        if (fits && info->model && strncmp(info->model, model, strlen(model)) == 0)
            return true;
    }
    return false;
}

const char *device_purge(int fd, const struct device_info *info, uint64_t offset, uint64_t bytes,
                         bool wanted)
{
    if (device_is_cloud_volume(info))
        return "cannot be: a cloud volume";
    if (!wanted)
        return "not done";
    if (info->type && (strcmp(info->type, "file") == 0 || strcmp(info->type, "sim") == 0))
        return "not done: no device of its own";
    if (IS_KNOWN(info, DEVICE, discard_max) && info->discard_max == 0)
        return "cannot be: it knows no discard";
    uint64_t range[2] = {offset, bytes};
    return ioctl(fd, BLKDISCARD, range) == 0 ? "trimmed" : "not done: it refused the discard";
}
