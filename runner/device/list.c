#include "core/base/xalloc.h"
#include "runner/device/block_internal.h"
#include "runner/device/device.h"

void device_list(struct device_info **out, size_t *n, const struct sysroot *sr)
{
    size_t n_names, room = 0;
    char **name = sysroot_list(sr, &n_names, "/sys/class/block");
    *out = NULL;
    *n = 0;
    for (size_t i = 0; i < n_names; i++) {
        uint64_t hidden = 0;
        sysroot_read_u64(sr, &hidden, "/sys/class/block/%s/hidden", name[i]);
        char *node = block_node(name[i]);
        GROW(*out, *n + 1, room);
        struct device_info *info = &(*out)[*n];
        *info = (struct device_info){0};
        /* a device can vanish between the two looks */
        if (!hidden && device_describe(info, sr, node, 0, NULL) == 0)
            ++*n;
        free(node);
    }
    sysroot_list_free(name, n_names);
}

void device_list_free(struct device_info *info, size_t n)
{
    for (size_t i = 0; i < n; i++)
        fields_release(&device_fields, &info[i]);
    free(info);
}

bool device_is_idle(const struct device_info *info)
{
    if (!IS_KNOWN(info, DEVICE, size) || info->size == 0)
        return true;
    return info->type && strcmp(info->type, "ram") == 0;
}
