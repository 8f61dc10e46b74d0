#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "runner/device/open_internal.h"

/* Opens the path and makes sure that it is the device that was described. */
static int open_same(int *fd, const struct device_info *info, int flags, struct error *err)
{
    char now[32];
    struct stat st;
    int opened = open(info->path, flags | O_CLOEXEC);
    if (opened < 0)
        return open_failed(info, errno, (flags & O_DIRECT) != 0, err);
    if (fstat(opened, &st) != 0 || !S_ISBLK(st.st_mode))
        st.st_rdev = 0;
    snprintf(now, sizeof now, "%u:%u", major(st.st_rdev), minor(st.st_rdev));
    if (!info->devno || strcmp(now, info->devno) != 0) {
        close(opened);
        return error_set(err, ERR_REFUSED,
                         "%s led to device %s and now leads to %s: it was exchanged while it was "
                         "being checked",
                         info->path, info->devno ? info->devno : "of unknown number", now);
    }
    *fd = opened;
    return 0;
}

/* The order matters: nothing is opened for writing before the first check has passed. */
static int open_for_writing(struct device *d, const struct device_request *r, struct error *err)
{
    int look = -1, direct = r->direct ? O_DIRECT : 0;
    int rc = open_same(&look, &d->info, O_RDONLY | O_NONBLOCK, err);
    if (rc < 0)
        return rc;
    rc = check_before_write(&d->info, look, false, &r->permit, err);
    if (rc == 0)
        rc = open_same(&d->fd, &d->info, O_RDWR | O_EXCL | direct | r->sync, err);
    /* what came between the check and the claim; from now on nobody can mount it */
    if (rc == 0)
        rc = check_before_write(&d->info, look, true, &r->permit, err);
    close(look);
    return rc;
}

int open_block(struct device *d, const struct device_request *r, struct error *err)
{
    int rc;
    if (r->write && d->info.zoned && strcmp(d->info.zoned, "host-managed") == 0)
        return error_set(err, ERR_USAGE,
                         "%s is host-managed zoned storage, which takes sequential writes in "
                         "zones only: writing patterns do not work on it",
                         r->path);
    if (r->write)
        rc = open_for_writing(d, r, err);
    else
        rc = open_same(&d->fd, &d->info, O_RDONLY | (r->direct ? O_DIRECT : 0), err);
    if (rc < 0)
        return rc;
    uint64_t size = 0;
    if (ioctl(d->fd, BLKGETSIZE64, &size) != 0)
        return error_errno(err, ERR_DEVICE, errno, "cannot get the size of %s", r->path);
    if (size == 0)
        return error_set(err, ERR_DEVICE, "%s has no medium (its size is 0)", r->path);
    SET(&d->info, DEVICE, size, size);
    d->size = r->size ? r->size : size;
    return device_check_extent(&d->info, r, err);
}
