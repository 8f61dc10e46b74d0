#include <fcntl.h>
#include <limits.h>
#include <linux/loop.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "core/base/strbuf.h"
#include "core/base/xalloc.h"
#include "runner/device/block_internal.h"

enum { MAX_LINKS = 16 };

bool names_have(const struct names *list, const char *name)
{
    for (size_t i = 0; i < list->n; i++) {
        if (strcmp(list->item[i], name) == 0)
            return true;
    }
    return false;
}

bool names_add(struct names *list, char *name)
{
    if (!name || names_have(list, name)) {
        free(name);
        return false;
    }
    GROW(list->item, list->n + 1, list->room);
    list->item[list->n++] = name;
    return true;
}

void names_release(struct names *list)
{
    sysroot_list_free(list->item, list->n);
    *list = (struct names){0};
}

bool sysroot_is_live(const struct sysroot *sr)
{
    return sr->root[0] == '\0';
}

static char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return xstrdup(slash ? slash + 1 : path);
}

/* Puts target behind the folder of *path (or in its place when absolute), ".." and "." resolved. */
static void follow(char **path, const char *target)
{
    struct strbuf joined = STRBUF_INIT, out = STRBUF_INIT;
    if (target[0] != '/')
        strbuf_add(&joined, *path, (size_t)(strrchr(*path, '/') - *path + 1));
    strbuf_adds(&joined, target);
    for (const char *p = joined.text; *p;) {
        size_t len = strcspn(p, "/");
        if (len == 2 && p[0] == '.' && p[1] == '.') {
            const char *slash = strrchr(out.text, '/');
            strbuf_truncate(&out, slash ? (size_t)(slash - out.text) : 0);
        } else if (len > 0 && !(len == 1 && p[0] == '.')) {
            strbuf_addc(&out, '/');
            strbuf_add(&out, p, len);
        }
        p += len;
        p += strspn(p, "/");
    }
    free(*path);
    *path = strbuf_detach(&out);
    strbuf_release(&joined);
}

/* A recorded tree has no device nodes: links are followed as text, the end is /dev/NAME. */
static char *recorded_name(const struct sysroot *sr, const char *given)
{
    if (given[0] != '/')
        return NULL;
    char *path = xstrdup(given), *target;
    for (int i = 0; i < MAX_LINKS && (target = sysroot_readlink(sr, "%s", path)) != NULL; i++) {
        follow(&path, target);
        free(target);
    }
    char *name = strncmp(path, "/dev/", 5) == 0 ? xstrdup(path + 5) : NULL;
    free(path);
    if (!name)
        return NULL;
    for (char *p = name; (p = strchr(p, '/')) != NULL;)
        *p = '!';
    if (sysroot_exists(sr, "/sys/class/block/%s", name))
        return name;
    free(name);
    return NULL;
}

char *block_name(const struct sysroot *sr, const char *path)
{
    struct stat st;
    if (!sysroot_is_live(sr))
        return recorded_name(sr, path);
    if (stat(path, &st) != 0 || !S_ISBLK(st.st_mode))
        return NULL;
    return block_name_of_devno(sr, st.st_rdev);
}

char *block_name_of_devno(const struct sysroot *sr, dev_t devno)
{
    char *link = sysroot_readlink(sr, "/sys/dev/block/%u:%u", major(devno), minor(devno));
    char *name = link ? base_name(link) : NULL;
    free(link);
    return name;
}

bool block_devno(const struct sysroot *sr, const char *name, dev_t *devno)
{
    unsigned maj, min;
    char *text = sysroot_read(sr, "/sys/class/block/%s/dev", name);
    bool ok = text && sscanf(text, "%u:%u", &maj, &min) == 2;
    if (ok)
        *devno = makedev(maj, min);
    free(text);
    return ok;
}

char *block_node(const char *name)
{
    char *node = xasprintf("/dev/%s", name);
    for (char *p = node; (p = strchr(p, '!')) != NULL;)
        *p = '/';
    return node;
}

char *block_title(const struct sysroot *sr, const char *name)
{
    char *node = block_node(name);
    char *known_as = sysroot_read(sr, "/sys/class/block/%s/dm/name", name);
    if (!known_as)
        return node;
    char *title = xasprintf("%s (%s)", node, known_as);
    free(node);
    free(known_as);
    return title;
}

char *block_sysfs_path(const struct sysroot *sr, const char *name)
{
    char *path = xasprintf("/sys/class/block/%s", name);
    char *target = sysroot_readlink(sr, "%s", path);
    if (target)
        follow(&path, target);
    free(target);
    return path;
}

bool block_is_partition(const struct sysroot *sr, const char *name)
{
    return sysroot_exists(sr, "/sys/class/block/%s/partition", name);
}

char *block_whole(const struct sysroot *sr, const char *name)
{
    if (!block_is_partition(sr, name))
        return xstrdup(name);
    char *path = block_sysfs_path(sr, name); /* .../block/sda/sda1 */
    *strrchr(path, '/') = '\0';
    char *whole = base_name(path);
    free(path);
    return whole;
}

void block_partitions(struct names *out, const struct sysroot *sr, const char *name)
{
    size_t n;
    char **entry = sysroot_list(sr, &n, "/sys/class/block/%s", name);
    for (size_t i = 0; i < n; i++) {
        if (sysroot_exists(sr, "/sys/class/block/%s/%s/partition", name, entry[i]))
            names_add(out, xstrdup(entry[i]));
    }
    sysroot_list_free(entry, n);
}

static void add_folder(struct names *out, const struct sysroot *sr, const char *name,
                       const char *folder)
{
    size_t n;
    char **entry = sysroot_list(sr, &n, "/sys/class/block/%s/%s", name, folder);
    for (size_t i = 0; i < n; i++)
        names_add(out, xstrdup(entry[i]));
    sysroot_list_free(entry, n);
}

void block_holders(struct names *out, const struct sysroot *sr, const char *name)
{
    add_folder(out, sr, name, "holders");
}

void block_slaves(struct names *out, const struct sysroot *sr, const char *name)
{
    add_folder(out, sr, name, "slaves");
}

void block_below(struct names *out, const struct sysroot *sr, const char *name)
{
    struct names next = {0};
    block_slaves(&next, sr, name);
    if (block_is_partition(sr, name))
        names_add(&next, block_whole(sr, name));
    names_add(&next, loop_backing_device(sr, name));
    for (size_t i = 0; i < next.n; i++) {
        if (names_add(out, xstrdup(next.item[i]))) /* new: so that a ring in sysfs ends */
            block_below(out, sr, next.item[i]);
    }
    names_release(&next);
}

char *loop_backing_file(const struct sysroot *sr, const char *name)
{
    return sysroot_read(sr, "/sys/class/block/%s/loop/backing_file", name);
}

/*
 * The path in sysfs is as it was where the loop was set up, perhaps in a container; the kernel
 * itself knows the device numbers. The ioctl needs the right to open the loop device.
 */
static bool ask_loop_driver(const char *name, struct loop_info64 *info)
{
    char *node = block_node(name);
    int fd = open(node, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    free(node);
    if (fd < 0)
        return false;
    bool known = ioctl(fd, LOOP_GET_STATUS64, info) == 0;
    close(fd);
    return known;
}

char *loop_backing_device(const struct sysroot *sr, const char *name)
{
    char *file = loop_backing_file(sr, name);
    if (!file)
        return NULL;
    char *device = block_name(sr, file);
    struct loop_info64 info = {0};
    if (!device && sysroot_is_live(sr) && ask_loop_driver(name, &info) && info.lo_rdevice != 0)
        device = block_name_of_devno(sr, (dev_t)info.lo_rdevice);
    free(file);
    return device;
}

char *loop_filesystem_device(const struct sysroot *sr, const char *name)
{
    char *file = loop_backing_file(sr, name), *below = loop_backing_device(sr, name);
    struct loop_info64 info = {0};
    char *device = NULL;
    if (file && !below && sysroot_is_live(sr) && ask_loop_driver(name, &info))
        device = block_name_of_devno(sr, (dev_t)info.lo_device);
    if (file && !below && !device)
        device = device_of_file(sr, file);
    free(below);
    free(file);
    return device;
}

bool loop_is_direct(const struct sysroot *sr, const char *name)
{
    uint64_t direct;
    return sysroot_read_u64(sr, &direct, "/sys/class/block/%s/loop/dio", name) && direct != 0;
}
