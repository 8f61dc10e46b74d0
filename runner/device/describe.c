#include "runner/device/describe_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "core/base/json.h"
#include "core/base/xalloc.h"
#include "runner/device/block_internal.h"
#include "runner/device/device.h"

static void set_text(struct device_info *info, size_t field, const char *text)
{
    if (text && *text)
        field_set_text(&device_fields, info, field, text);
}

static const char *block_type(const struct sysroot *sr, const char *name)
{
    if (block_is_partition(sr, name))
        return "part";
    if (sysroot_exists(sr, "/sys/class/block/%s/dm", name))
        return "dm";
    if (sysroot_exists(sr, "/sys/class/block/%s/md", name))
        return "md";
    if (strncmp(name, "loop", 4) == 0)
        return "loop";
    if (strncmp(name, "zram", 4) == 0)
        return "zram";
    if (strncmp(name, "ram", 3) == 0)
        return "ram";
    return "disk";
}

/* "none [mq-deadline] kyber" has the one in use in brackets. */
static void read_scheduler(struct device_info *info, const struct sysroot *sr, const char *disk)
{
    char *text = sysroot_read(sr, "/sys/class/block/%s/queue/scheduler", disk);
    char *open = text ? strchr(text, '[') : NULL;
    char *close = open ? strchr(open, ']') : NULL;
    if (close) {
        *close = '\0';
        set_text(info, DEVICE_scheduler, open + 1);
    } else {
        set_text(info, DEVICE_scheduler, text);
    }
    free(text);
}

/* A partition shares the queue of its disk. */
static void read_queue(struct device_info *info, const struct sysroot *sr, const char *disk)
{
    static const struct {
        size_t field;
        const char *file;
    } attribute[] = {
        {DEVICE_logical_block, "logical_block_size"},
        {DEVICE_physical_block, "physical_block_size"},
        {DEVICE_nr_requests, "nr_requests"},
        {DEVICE_nomerges, "nomerges"},
        {DEVICE_rq_affinity, "rq_affinity"},
        {DEVICE_wbt_lat_us, "wbt_lat_usec"},
        {DEVICE_max_sectors_kb, "max_sectors_kb"},
        {DEVICE_rotational, "rotational"},
        {DEVICE_write_cache, "write_cache"},
        {DEVICE_fua, "fua"},
        {DEVICE_io_poll, "io_poll"},
        {DEVICE_zoned, "zoned"},
        {DEVICE_discard_max, "discard_max_bytes"},
    };
    for (size_t i = 0; i < sizeof attribute / sizeof attribute[0]; i++) {
        char *text = sysroot_read(sr, "/sys/class/block/%s/queue/%s", disk, attribute[i].file);
        if (text)
            field_parse(&device_fields, info, attribute[i].field, text);
        free(text);
    }
    read_scheduler(info, sr, disk);
    size_t n;
    char **hw_queue = sysroot_list(sr, &n, "/sys/class/block/%s/mq", disk);
    if (n > 0)
        SET(info, DEVICE, hw_queues, n);
    sysroot_list_free(hw_queue, n);
}

/* The node is an attribute of the adapter, somewhere above the device; -1 means it has none. */
static void read_numa_node(struct device_info *info, const struct sysroot *sr, const char *disk)
{
    char *path = block_sysfs_path(sr, disk), *slash;
    while ((slash = strrchr(path, '/')) != NULL && slash != path) {
        char *text = sysroot_read(sr, "%s/numa_node", path);
        if (text && *text != '-')
            field_parse(&device_fields, info, DEVICE_numa_node, text);
        bool found = text != NULL;
        free(text);
        if (found)
            break;
        *slash = '\0';
    }
    free(path);
}

void describe_below(struct device_info *info, const struct sysroot *sr, struct names *stack,
                    size_t skip)
{
    for (size_t i = 0; i < stack->n; i++) {   /* grows as it goes, each name once */
        char *name = xstrdup(stack->item[i]); /* the list may move */
        block_below(stack, sr, name);
        if (loop_is_direct(sr, name))
            names_add(stack, loop_filesystem_device(sr, name));
        free(name);
    }
    if (stack->n <= skip)
        return;
    cJSON *array = cJSON_CreateArray();
    for (size_t i = skip; i < stack->n; i++)
        json_add_text(array, NULL, stack->item[i]);
    char *text = json_print(array, false);
    set_text(info, DEVICE_below, text);
    free(text);
    cJSON_Delete(array);
}

void describe_block(struct device_info *info, const struct sysroot *sr, const char *name)
{
    char *disk = block_whole(sr, name), *node = block_node(name);
    set_text(info, DEVICE_resolved, node);
    set_text(info, DEVICE_type, block_type(sr, name));

    uint64_t value;
    dev_t devno;
    if (sysroot_read_u64(sr, &value, "/sys/class/block/%s/size", name))
        SET(info, DEVICE, size, value * 512);
    if (sysroot_read_u64(sr, &value, "/sys/class/block/%s/alignment_offset", name))
        SET(info, DEVICE, alignment_offset, value);
    if (block_devno(sr, name, &devno)) {
        char *text = xasprintf("%u:%u", major(devno), minor(devno));
        set_text(info, DEVICE_devno, text);
        free(text);
    }
    read_queue(info, sr, disk);
    read_numa_node(info, sr, disk);
    describe_identity(info, sr, disk);

    char *backing = loop_backing_file(sr, name);
    set_text(info, DEVICE_backing_file, backing);
    free(backing);
    struct names stack = {0};
    names_add(&stack, xstrdup(name));
    describe_below(info, sr, &stack, 1);
    names_release(&stack);
    free(disk);
    free(node);
}

/*
 * Offsets and lengths that O_DIRECT needs: statx since Linux 6.1, else the logical block size of
 * the device, else 4096 for a file. A file on which the kernel says O_DIRECT cannot work at all
 * stays unknown.
 */
static void read_dio_align(struct device_info *info, const char *path, bool is_file)
{
    struct statx stx;
    if (path && statx(AT_FDCWD, path, 0, STATX_DIOALIGN, &stx) == 0 &&
        (stx.stx_mask & STATX_DIOALIGN) != 0) {
        if (stx.stx_dio_offset_align > 0)
            SET(info, DEVICE, dio_align, stx.stx_dio_offset_align);
    } else if (IS_KNOWN(info, DEVICE, logical_block)) {
        SET(info, DEVICE, dio_align, info->logical_block);
    } else if (is_file) {
        SET(info, DEVICE, dio_align, 4096);
    }
}

static void describe_file(struct device_info *info, const struct sysroot *sr, const char *real)
{
    struct stat st;
    set_text(info, DEVICE_resolved, real);
    set_text(info, DEVICE_type, "file");
    if (stat(real, &st) == 0)
        SET(info, DEVICE, size, (uint64_t)st.st_size);
    describe_filesystem(info, sr, real);
    read_dio_align(info, real, true);
}

/* A file that is not there yet: its folder tells where it will be. */
static int describe_future_file(struct device_info *info, const struct sysroot *sr,
                                const char *path, uint64_t size, struct error *err)
{
    const char *slash = strrchr(path, '/');
    char *folder =
        slash ? xstrndup(path, slash == path ? 1 : (size_t)(slash - path)) : xstrdup(".");
    char *real = realpath(folder, NULL);
    int errnum = errno;
    free(folder);
    if (!real)
        return error_errno(err, ERR_USAGE, errnum, "cannot make the file %s", path);
    char *resolved =
        xasprintf("%s/%s", strcmp(real, "/") == 0 ? "" : real, slash ? slash + 1 : path);
    set_text(info, DEVICE_path, path);
    set_text(info, DEVICE_resolved, resolved);
    set_text(info, DEVICE_type, "file");
    SET(info, DEVICE, size, size);
    describe_filesystem(info, sr, real);
    free(resolved);
    free(real);
    return 0;
}

static int describe_node(struct device_info *info, const struct sysroot *sr, const char *path,
                         const char *name)
{
    set_text(info, DEVICE_path, path);
    describe_block(info, sr, name);
    if (!sysroot_is_live(sr)) {
        read_dio_align(info, NULL, false);
        return 0;
    }
    read_dio_align(info, path, false);
    if (info->transport && strcmp(info->transport, "nvme") == 0) {
        int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (fd >= 0) {
            describe_nvme_wear(info, fd);
            close(fd);
        }
    }
    return 0;
}

int device_describe(struct device_info *out, const struct sysroot *sr, const char *path,
                    uint64_t make_size, struct error *err)
{
    char *name = block_name(sr, path);
    if (name) {
        int rc = describe_node(out, sr, path, name);
        free(name);
        return rc;
    }
    struct stat st;
    if (!sysroot_is_live(sr) || stat(path, &st) != 0) {
        int errnum = sysroot_is_live(sr) ? errno : ENOENT;
        if (errnum == ENOENT && make_size > 0 && sysroot_is_live(sr))
            return describe_future_file(out, sr, path, make_size, err);
        error_errno(err, ERR_USAGE, errnum, "no device or file at %s", path);
        error_hint(err, "`blkmatrix devices` lists the devices; a file is made with --size");
        return -ERR_USAGE;
    }
    if (!S_ISREG(st.st_mode))
        return error_set(err, ERR_USAGE, "%s is neither a block device nor a regular file", path);
    char *real = realpath(path, NULL);
    if (!real)
        return error_errno(err, ERR_USAGE, errno, "cannot resolve %s", path);
    set_text(out, DEVICE_path, path);
    describe_file(out, sr, real);
    free(real);
    return 0;
}
