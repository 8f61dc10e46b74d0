#include <libmount/libmount.h>
#include <sys/sysmacros.h>

#include "core/base/xalloc.h"
#include "runner/device/block_internal.h"
#include "runner/device/describe_internal.h"

static void set_text(struct device_info *info, size_t field, const char *text)
{
    if (text && *text)
        field_set_text(&device_fields, info, field, text);
}

/* The block device a filesystem is on; NULL for network, memory and stacked filesystems. */
static char *filesystem_device(const struct sysroot *sr, struct libmnt_fs *fs)
{
    char *name = block_name_of_devno(sr, mnt_fs_get_devno(fs));
    /* btrfs and others show an anonymous number; their source is one of their devices */
    const char *source = mnt_fs_get_srcpath(fs);
    if (!name && source)
        name = block_name(sr, source);
    return name;
}

void describe_filesystem(struct device_info *info, const struct sysroot *sr, const char *path)
{
    char *file = xasprintf("%s/proc/self/mountinfo", sr->root);
    struct libmnt_table *table = mnt_new_table_from_file(file);
    free(file);
    if (!table)
        return;
    struct libmnt_fs *fs = mnt_table_find_mountpoint(table, path, MNT_ITER_BACKWARD);
    if (fs) {
        set_text(info, DEVICE_fs_type, mnt_fs_get_fstype(fs));
        set_text(info, DEVICE_mount_point, mnt_fs_get_target(fs));
        set_text(info, DEVICE_mount_options, mnt_fs_get_options(fs));
        struct names below = {0};
        char *device = filesystem_device(sr, fs);
        if (device) {
            names_add(&below, xstrdup(device));
            block_below(&below, sr, device);
        }
        describe_below(info, &below);
        free(device);
        names_release(&below);
    }
    mnt_unref_table(table);
}
