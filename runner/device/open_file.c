#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/numfmt.h"
#include "core/base/xalloc.h"
#include "runner/device/open_internal.h"
#include "runner/device/scratch_internal.h"

/* Removes what this call made and could not finish. */
static void remove_unfinished(const char *path)
{
    char *mark = xasprintf("%s.blkmatrix", path);
    unlink(path);
    unlink(mark);
    free(mark);
}

/* Before gigabytes are written: can the file be opened as the run will open it? */
static int try_direct(const struct device_info *info, struct error *err)
{
    int fd = open(info->resolved, O_RDONLY | O_DIRECT | O_CLOEXEC);
    if (fd < 0)
        return open_failed(info, errno, true, err);
    close(fd);
    return 0;
}

static int make_file(const struct device_info *info, const struct device_request *r,
                     struct error *err)
{
    const char *path = info->resolved;
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return error_errno(err, ERR_DEVICE, errno, "cannot make %s", path);
    int rc = r->direct ? try_direct(info, err) : 0;
    if (rc == 0)
        rc = scratch_fill(fd, path, 0, r->size, r->go_on, r->arg, err);
    close(fd);
    if (rc < 0)
        remove_unfinished(path);
    return rc;
}

/* The file that was looked at, opened again with other flags. */
static int reopen(int *fd, const struct device_info *info, int look, int flags, struct error *err)
{
    struct stat before, now;
    int opened = open(info->resolved, flags | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW);
    if (opened < 0)
        return open_failed(info, errno, (flags & O_DIRECT) != 0, err);
    if (fstat(look, &before) != 0 || fstat(opened, &now) != 0 || before.st_dev != now.st_dev ||
        before.st_ino != now.st_ino) {
        close(opened);
        return error_set(err, ERR_REFUSED, "%s was exchanged while it was being checked",
                         info->path);
    }
    *fd = opened;
    return 0;
}

/* A file of ours that is too small, or was not filled to the end, is filled up. */
static int extend(const struct device *d, const struct device_request *r, int look, uint64_t from,
                  uint64_t size, struct error *err)
{
    int fd = -1;
    int rc = reopen(&fd, &d->info, look, O_RDWR, err);
    if (rc < 0)
        return rc;
    rc = scratch_fill(fd, d->info.resolved, from, size, r->go_on, r->arg, err);
    close(fd);
    return rc;
}

static int check_size(struct device *d, const struct device_request *r, struct error *err)
{
    char asked[NUMFMT_MAX], have[NUMFMT_MAX];
    struct stat st;
    if (fstat(d->fd, &st) != 0)
        return error_errno(err, ERR_DEVICE, errno, "cannot get the size of %s", r->path);
    uint64_t size = (uint64_t)st.st_size;
    if (size == 0 || r->size > size) {
        error_set(err, ERR_USAGE, "%s has %s, which is less than asked for (%s)", r->path,
                  fmt_bytes(have, size), r->size ? fmt_bytes(asked, r->size) : "at least a block");
        error_hint(err, "a file that blkmatrix did not make is never made larger; name a new one");
        return -ERR_USAGE;
    }
    SET(&d->info, DEVICE, size, size);
    d->size = r->size ? r->size : size;
    return 0;
}

/* With the file open for looking only: decides, fills up, and opens it for the run. */
static int open_checked(struct device *d, const struct device_request *r, int look,
                        struct error *err)
{
    uint64_t filled = 0, want = r->size ? r->size : d->info.size;
    bool ours = scratch_state(look, d->info.resolved, &filled) == SCRATCH_OURS;
    bool grow = ours && filled < want;
    int rc = 0;
    if (r->write || grow)
        rc = check_before_write(&d->info, look, false, &r->permit, err);
    if (rc == 0 && grow)
        rc = extend(d, r, look, filled, want, err);
    int flags = (r->write ? O_RDWR | r->sync : O_RDONLY) | (r->direct ? O_DIRECT : 0);
    if (rc == 0)
        rc = reopen(&d->fd, &d->info, look, flags, err);
    if (rc == 0)
        rc = check_size(d, r, err);
    if (rc == 0 && r->write && ours) {
        rc = scratch_mark_writing(d->fd, d->info.resolved, err);
        d->mark_at_end = rc == 0;
    }
    if (rc < 0)
        return rc;
    SET(&d->info, DEVICE, made_here, ours);
    if (ours)
        field_set_text(&device_fields, &d->info, DEVICE_precondition, "filled with random data");
    return 0;
}

int open_file(struct device *d, const struct device_request *r, struct error *err)
{
    int look = open(d->info.resolved, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (look < 0 && errno == ENOENT) {
        int rc = make_file(&d->info, r, err);
        if (rc < 0)
            return rc;
        look = open(d->info.resolved, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    }
    if (look < 0)
        return open_failed(&d->info, errno, false, err);
    /* describe again: only now there is a file whose alignment can be asked for */
    struct device_info now = {0};
    int rc = device_describe(&now, &sysroot_system, r->path, 0, err);
    if (rc == 0) {
        fields_release(&device_fields, &d->info);
        d->info = now;
        rc = open_checked(d, r, look, err);
    }
    if (rc == 0 && r->direct && !IS_KNOWN(&d->info, DEVICE, dio_align))
        rc = open_failed(&d->info, EINVAL, true, err);
    close(look);
    return rc;
}
