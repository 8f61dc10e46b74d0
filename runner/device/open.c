#include "runner/device/open_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/numfmt.h"
#include "core/base/xalloc.h"
#include "runner/device/safety_internal.h"
#include "runner/device/scratch_internal.h"

static bool only_open_elsewhere(const struct findings *f)
{
    for (size_t i = 0; i < f->n; i++) {
        if (f->item[i].kind != FINDING_OPEN)
            return false;
    }
    return f->n > 0;
}

static void look_once(struct findings *found, const struct device_info *info, int fd, bool claimed)
{
    struct usage *u = usage_create(&sysroot_system);
    safety_look(found, u, info, fd, claimed);
    usage_destroy(u);
}

int check_before_write(const struct device_info *info, int fd, bool claimed,
                       const struct safety_permit *permit, struct error *err)
{
    enum { PATIENCE_MS = 1500, LOOK_EVERY_MS = 150 };
    struct findings found = {0};
    look_once(&found, info, fd, claimed);
    for (int ms = 0; ms < PATIENCE_MS && only_open_elsewhere(&found); ms += LOOK_EVERY_MS) {
        findings_release(&found);
        clock_sleep_until(clock_now_ns() + LOOK_EVERY_MS * NS_PER_MS);
        look_once(&found, info, fd, claimed);
    }
    int rc = safety_judge(&found, info, permit, err);
    findings_release(&found);
    return rc;
}

int open_failed(const struct device_info *info, int errnum, bool direct, struct error *err)
{
    const char *path = info->path;
    if (errnum == EBUSY)
        return error_set(err, ERR_REFUSED,
                         "writing to %s is refused: another program or the kernel has claimed it "
                         "for exclusive use since it was checked",
                         path);
    if (errnum == EINVAL && direct) {
        error_set(err, ERR_USAGE, "%s cannot be opened with O_DIRECT: %s does not support it", path,
                  info->fs_type ? info->fs_type : "the device");
        error_hint(err, "use --direct 0 (measures the page cache too), or a file elsewhere");
        return -ERR_USAGE;
    }
    error_errno(err, ERR_DEVICE, errnum, "cannot open %s", path);
    if (errnum == EACCES || errnum == EPERM)
        error_hint(err, "devices need root (sudo), or membership in the group that owns them");
    return -ERR_DEVICE;
}

static bool is_ours(const struct device_info *info)
{
    uint64_t filled;
    int fd = open(info->resolved, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    bool ours = fd >= 0 && scratch_state(fd, info->resolved, &filled) == SCRATCH_OURS;
    if (fd >= 0)
        close(fd);
    return ours;
}

int device_check_extent(const struct device_info *info, const struct device_request *request,
                        struct error *err)
{
    char asked[NUMFMT_MAX], have[NUMFMT_MAX];
    if (!IS_KNOWN(info, DEVICE, size) || request->size <= info->size)
        return 0;
    fmt_bytes(have, info->size);
    fmt_bytes(asked, request->size);
    if (strcmp(info->type, "file") != 0)
        return error_set(err, ERR_USAGE, "%s has %s, asked for is an extent up to %s",
                         request->path, have, asked);
    if (is_ours(info))
        return 0;
    error_set(err, ERR_USAGE, "%s has %s, which is less than asked for (%s)", request->path, have,
              asked);
    error_hint(err, "a file that blkmatrix did not make is never made larger; name a new one");
    return -ERR_USAGE;
}

int device_open(struct device **out, const struct device_request *request, struct error *err)
{
    struct device *d = xcalloc(1, sizeof *d);
    d->fd = -1;
    int rc = device_describe(&d->info, &sysroot_system, request->path, request->size, err);
    if (rc == 0) {
        bool is_file = strcmp(d->info.type, "file") == 0;
        rc = is_file ? open_file(d, request, err) : open_block(d, request, err);
    }
    if (rc < 0) {
        device_close(d);
        return rc;
    }
    *out = d;
    return 0;
}

void device_close(struct device *d)
{
    if (!d)
        return;
    struct error unmarked = ERROR_INIT;
    if (d->mark_at_end) /* left unmarked it is refused next time, which is safe */
        scratch_mark(d->fd, d->info.resolved, &unmarked);
    if (d->fd >= 0)
        close(d->fd);
    fields_release(&device_fields, &d->info);
    free(d);
}

int device_fd(const struct device *d)
{
    return d->fd;
}

uint64_t device_size(const struct device *d)
{
    return d->size;
}

const struct device_info *device_snapshot(const struct device *d)
{
    return &d->info;
}

int device_check_io(const struct device_info *info, bool direct, uint64_t bs, uint64_t offset,
                    struct strbuf *warning, struct error *err)
{
    char have[NUMFMT_MAX], need[NUMFMT_MAX];
    uint64_t align = IS_KNOWN(info, DEVICE, dio_align) ? info->dio_align : 0;
    const char *what = bs % (align ? align : 1) != 0 ? "block size" : "offset";
    uint64_t value = bs % (align ? align : 1) != 0 ? bs : offset;
    if (direct && align && value % align != 0) {
        error_set(err, ERR_USAGE,
                  "%s %s does not work on %s: with O_DIRECT it must be a multiple of %s", what,
                  fmt_bs(have, value), info->path, fmt_bs(need, align));
        error_hint(err, "use multiples of %s, or --direct 0 (buffered)", need);
        return -ERR_USAGE;
    }
    if (IS_KNOWN(info, DEVICE, size) && bs > info->size)
        return error_set(err, ERR_USAGE, "block size %s is larger than %s itself", fmt_bs(have, bs),
                         info->path);
    if (!warning || !IS_KNOWN(info, DEVICE, physical_block))
        return 0;
    if (bs % info->physical_block != 0 || offset % info->physical_block != 0)
        strbuf_addf(warning,
                    "%s: I/Os of %s are not multiples of its physical block of %s, so "
                    "that writes read and modify blocks first. ",
                    info->path, fmt_bs(have, bs), fmt_bs(need, info->physical_block));
    else if (IS_KNOWN(info, DEVICE, alignment_offset) && info->alignment_offset != 0)
        strbuf_addf(warning, "%s starts %s behind a physical block, so that no I/O is aligned. ",
                    info->path, fmt_bs(have, info->alignment_offset));
    return 0;
}
