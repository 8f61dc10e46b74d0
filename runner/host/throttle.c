#include <inttypes.h>
#include <libmount/libmount.h>

#include "core/base/xalloc.h"
#include "runner/host/host.h"
#include "runner/host/host_internal.h"

static void add(struct throttles *out, const char *device, enum limit_kind kind,
                enum limit_side side, uint64_t value, const char *file)
{
    GROW(out->item, out->n + 1, out->room);
    out->item[out->n++] = (struct throttle){xstrdup(device), kind, side, value, xstrdup(file)};
}

void throttles_release(struct throttles *t)
{
    for (size_t i = 0; i < t->n; i++) {
        free(t->item[i].device);
        free(t->item[i].file);
    }
    free(t->item);
    *t = (struct throttles){0};
}

/*
 * Folder of this process's group in the hierarchy with that controller ("" is cgroup v2), NULL when
 * there is none. In a container the mount shows a part of the hierarchy only: its root is cut off
 * the group's path. *top: the length of the mount point, where climbing ends.
 */
static char *group_folder(const struct sysroot *sr, const char *controller, size_t *top)
{
    char *file = xasprintf("%s/proc/self/mountinfo", sr->root), *folder = NULL;
    char *groups = sysroot_read(sr, "/proc/self/cgroup");
    char *key = xasprintf(":%s:", controller);
    const char *found = groups ? strstr(groups, key) : NULL;
    char *path = found ? xstrndup(found + strlen(key), strcspn(found + strlen(key), "\n")) : NULL;
    struct libmnt_table *table = mnt_new_table_from_file(file);
    struct libmnt_iter *each = mnt_new_iter(MNT_ITER_FORWARD);
    struct libmnt_fs *fs;
    while (path && table && each && !folder && mnt_table_next_fs(table, each, &fs) == 0) {
        const char *type = mnt_fs_get_fstype(fs), *root = mnt_fs_get_root(fs);
        bool fits = *controller
                        ? strcmp(type, "cgroup") == 0 && mnt_fs_match_options(fs, controller)
                        : strcmp(type, "cgroup2") == 0;
        if (!fits)
            continue;
        const char *rest = path;
        if (root && strcmp(root, "/") != 0 && strncmp(path, root, strlen(root)) == 0)
            rest += strlen(root);
        *top = strlen(mnt_fs_get_target(fs));
        folder = xasprintf("%s%s", mnt_fs_get_target(fs), strcmp(rest, "/") == 0 ? "" : rest);
    }
    mnt_free_iter(each);
    mnt_unref_table(table);
    free(file);
    free(groups);
    free(key);
    free(path);
    return folder;
}

/* cgroup v1: a file a kind, lines "8:16 3500". */
static void read_v1(struct throttles *out, const struct sysroot *sr)
{
    static const struct {
        const char *name;
        enum limit_kind kind;
        enum limit_side side;
    } source[] = {
        {"read_iops_device", CAP_IOPS, SIDE_READ},
        {"write_iops_device", CAP_IOPS, SIDE_WRITE},
        {"read_bps_device", CAP_BW, SIDE_READ},
        {"write_bps_device", CAP_BW, SIDE_WRITE},
    };
    size_t top;
    char *folder = group_folder(sr, "blkio", &top);
    for (size_t i = 0; folder && i < sizeof source / sizeof source[0]; i++) {
        char *file = xasprintf("%s/blkio.throttle.%s", folder, source[i].name);
        char *text = sysroot_read(sr, "%s", file);
        for (const char *line = text; line && *line;) {
            char device[32];
            uint64_t value;
            if (sscanf(line, "%31s %" SCNu64, device, &value) == 2)
                add(out, device, source[i].kind, source[i].side, value, file);
            line = strchr(line, '\n');
            line = line ? line + 1 : NULL;
        }
        free(text);
        free(file);
    }
    free(folder);
}

/* cgroup v2: "8:16 rbps=max wbps=1048576 riops=3500 wiops=max". */
static void read_io_max(struct throttles *out, const char *text, const char *file)
{
    static const struct {
        const char *key;
        enum limit_kind kind;
        enum limit_side side;
    } source[] = {
        {" rbps=", CAP_BW, SIDE_READ},
        {" wbps=", CAP_BW, SIDE_WRITE},
        {" riops=", CAP_IOPS, SIDE_READ},
        {" wiops=", CAP_IOPS, SIDE_WRITE},
    };
    for (const char *line = text; line && *line;) {
        size_t len = strcspn(line, "\n");
        char *copy = xstrndup(line, len), device[32];
        for (size_t i = 0; i < sizeof source / sizeof source[0]; i++) {
            const char *at = strstr(copy, source[i].key);
            uint64_t value;
            if (at && sscanf(copy, "%31s", device) == 1 &&
                sscanf(at + strlen(source[i].key), "%" SCNu64, &value) == 1)
                add(out, device, source[i].kind, source[i].side, value, file);
        }
        free(copy);
        line += len + (line[len] == '\n');
    }
}

static void read_v2(struct throttles *out, const struct sysroot *sr)
{
    size_t top = 0;
    char *folder = group_folder(sr, "", &top);
    while (folder && strlen(folder) >= top) {
        char *file = xasprintf("%s/io.max", folder);
        char *text = sysroot_read(sr, "%s", file);
        read_io_max(out, text, file);
        free(text);
        free(file);
        char *slash = strrchr(folder, '/');
        if (!slash)
            break;
        *slash = '\0';
    }
    free(folder);
}

void throttles_collect(struct throttles *out, const struct sysroot *sr)
{
    read_v1(out, sr);
    read_v2(out, sr);
}

/* A loop device behind the page cache: what is written ends there, and is taken from there to the device below later. */
static bool is_buffered_loop(const struct sysroot *sr, const char *devno)
{
    uint64_t direct = 0;
    return devno && sysroot_exists(sr, "/sys/dev/block/%s/loop/backing_file", devno) &&
           !(sysroot_read_u64(sr, &direct, "/sys/dev/block/%s/loop/dio", devno) && direct != 0);
}

/* True when the throttled device is the one measured, or one that it stands on without the page cache between. */
static bool concerns(const struct throttle *t, const struct sysroot *sr,
                     const struct device_info *device)
{
    if (device->devno && strcmp(t->device, device->devno) == 0)
        return true;
    cJSON *below = device->below ? cJSON_Parse(device->below) : NULL;
    const cJSON *name = below ? below->child : NULL;
    bool found = false, through = !is_buffered_loop(sr, device->devno);
    for (; name && through && !found; name = name->next) {
        char *devno = sysroot_read(sr, "/sys/class/block/%s/dev", name->valuestring);
        found = devno && strcmp(devno, t->device) == 0;
        through = !is_buffered_loop(sr, devno);
        free(devno);
    }
    cJSON_Delete(below);
    return found;
}

void host_add_limits(struct run *run, const struct sysroot *sr)
{
    struct throttles t = {0};
    throttles_collect(&t, sr);
    for (size_t i = 0; i < t.n; i++) {
        for (size_t d = 0; d < run->n_devices; d++) {
            if (!concerns(&t.item[i], sr, &run->device[d]))
                continue;
            struct limit *limit = run_add_limit(run);
            char *name = xasprintf("cgroup throttle of %s", t.item[i].device);
            SET(limit, LIMIT, owner, OWNER_HOST);
            SET(limit, LIMIT, device, d);
            SET(limit, LIMIT, kind, t.item[i].kind);
            SET(limit, LIMIT, side, t.item[i].side);
            SET(limit, LIMIT, phase, PHASE_BASE);
            SET(limit, LIMIT, path, PATH_ANY);
            SET(limit, LIMIT, value, (double)t.item[i].value);
            field_set_text(&limit_fields, limit, LIMIT_name, name);
            field_set_text(&limit_fields, limit, LIMIT_source, t.item[i].file);
            free(name);
        }
    }
    throttles_release(&t);
}
