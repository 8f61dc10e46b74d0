#include <libmount/libmount.h>
#include <sys/sysmacros.h>

#include "core/base/xalloc.h"
#include "runner/device/usage_internal.h"

static bool is_listed(const struct mounts *m, const char *device, const char *target)
{
    for (size_t i = 0; i < m->n; i++) {
        const struct mount *have = &m->item[i];
        if (have->device && strcmp(have->device, device) == 0 && strcmp(have->target, target) == 0)
            return true;
    }
    return false;
}

/*
 * The number of the filesystem is that of its device, save where one filesystem has several
 * devices (btrfs) or a layer of its own: there it is anonymous (major 0) and the source tells.
 */
static char *device_of(const struct sysroot *sr, struct libmnt_fs *fs)
{
    dev_t devno = mnt_fs_get_devno(fs);
    if (major(devno) != 0)
        return block_name_of_devno(sr, devno);
    const char *source = mnt_fs_get_source(fs);
    return source && strncmp(source, "/dev/", 5) == 0 ? block_name(sr, source) : NULL;
}

static void read_table(struct mounts *out, const struct sysroot *sr, const char *pid,
                       const char *elsewhere)
{
    char *file = xasprintf("%s/proc/%s/mountinfo", sr->root, pid);
    struct libmnt_table *table = mnt_new_table_from_file(file);
    struct libmnt_iter *each = mnt_new_iter(MNT_ITER_FORWARD);
    struct libmnt_fs *fs;
    while (table && each && mnt_table_next_fs(table, each, &fs) == 0) {
        char *device = device_of(sr, fs);
        const char *target = mnt_fs_get_target(fs);
        /* elsewhere only devices matter; here the others hide what lies under them */
        if (target && (device ? !is_listed(out, device, target) : !elsewhere)) {
            GROW(out->item, out->n + 1, out->room);
            out->item[out->n++] = (struct mount){
                .device = device,
                .target = xstrdup(target),
                .fs_type = xstrdup_null(mnt_fs_get_fstype(fs)),
                .elsewhere = xstrdup_null(elsewhere),
            };
        } else {
            free(device);
        }
    }
    mnt_free_iter(each);
    mnt_unref_table(table);
    free(file);
}

void mounts_collect(struct mounts *out, const struct sysroot *sr)
{
    struct names spaces = {0};
    names_add(&spaces, sysroot_readlink(sr, "/proc/self/ns/mnt"));
    read_table(out, sr, "self", NULL);
    size_t n;
    char **pid = process_list(sr, &n);
    for (size_t i = 0; i < n; i++) {
        /* one process speaks for all of its namespace */
        if (!names_add(&spaces, sysroot_readlink(sr, "/proc/%s/ns/mnt", pid[i])))
            continue;
        char *title = process_title(sr, pid[i]);
        read_table(out, sr, pid[i], title);
        free(title);
    }
    sysroot_list_free(pid, n);
    names_release(&spaces);
}

void mounts_release(struct mounts *m)
{
    for (size_t i = 0; i < m->n; i++) {
        free(m->item[i].device);
        free(m->item[i].target);
        free(m->item[i].fs_type);
        free(m->item[i].elsewhere);
    }
    free(m->item);
    *m = (struct mounts){0};
}

char *mounted_btrfs(struct names *members, const struct sysroot *sr, const char *name)
{
    size_t n;
    char *found = NULL;
    char **uuid = sysroot_list(sr, &n, "/sys/fs/btrfs");
    for (size_t i = 0; i < n && !found; i++) {
        if (!sysroot_exists(sr, "/sys/fs/btrfs/%s/devices/%s", uuid[i], name))
            continue;
        found = xstrdup(uuid[i]);
        size_t n_devices;
        char **device = sysroot_list(sr, &n_devices, "/sys/fs/btrfs/%s/devices", uuid[i]);
        for (size_t d = 0; d < n_devices; d++)
            names_add(members, xstrdup(device[d]));
        sysroot_list_free(device, n_devices);
    }
    sysroot_list_free(uuid, n);
    return found;
}

void swap_collect(struct names *out, const struct sysroot *sr)
{
    char *file = xasprintf("%s/proc/swaps", sr->root);
    struct libmnt_table *table = mnt_new_table();
    struct libmnt_iter *each = mnt_new_iter(MNT_ITER_FORWARD);
    struct libmnt_fs *fs;
    if (table && each && mnt_table_parse_swaps(table, file) == 0) {
        while (mnt_table_next_fs(table, each, &fs) == 0)
            names_add(out, xstrdup_null(mnt_fs_get_source(fs)));
    }
    mnt_free_iter(each);
    mnt_unref_table(table);
    free(file);
}
