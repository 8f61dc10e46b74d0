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

/* The filesystem that path is on, in *table (free with mnt_unref_table()); NULL when that cannot be read. */
static struct libmnt_fs *find_filesystem(struct libmnt_table **table, const struct sysroot *sr,
                                         const char *path)
{
    char *file = xasprintf("%s/proc/self/mountinfo", sr->root);
    *table = mnt_new_table_from_file(file);
    free(file);
    struct libmnt_fs *fs = NULL;
    char *at = xstrdup(path); /* and its folders: the table of another machine has to do as well */
    while (*table && !(fs = mnt_table_find_target(*table, *at ? at : "/", MNT_ITER_BACKWARD)) &&
           *at)
        *strrchr(at, '/') = '\0';
    free(at);
    return fs;
}

char *device_of_file(const struct sysroot *sr, const char *path)
{
    if (*path != '/') /* "(unreachable)/image": of a filesystem that was unmounted under it */
        return NULL;
    struct libmnt_table *table;
    struct libmnt_fs *fs = find_filesystem(&table, sr, path);
    char *device = fs ? filesystem_device(sr, fs) : NULL;
    mnt_unref_table(table);
    return device;
}

void describe_filesystem(struct device_info *info, const struct sysroot *sr, const char *path)
{
    struct libmnt_table *table;
    struct libmnt_fs *fs = find_filesystem(&table, sr, path);
    if (fs) {
        set_text(info, DEVICE_fs_type, mnt_fs_get_fstype(fs));
        set_text(info, DEVICE_mount_point, mnt_fs_get_target(fs));
        set_text(info, DEVICE_mount_options, mnt_fs_get_options(fs));
        struct names stack = {0};
        names_add(&stack, filesystem_device(sr, fs));
        describe_below(info, sr, &stack, 0);
        names_release(&stack);
    }
    mnt_unref_table(table);
}
