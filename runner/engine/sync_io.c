#include "runner/engine/sync_io_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/xalloc.h"

/* Block devices take a discard, files a hole: both make reads return zeros or old data. */
static int trim(int fd, uint64_t offset, uint64_t len)
{
    struct stat st;
    if (fstat(fd, &st))
        return -1;
    if (S_ISBLK(st.st_mode)) {
        uint64_t range[2] = {offset, len};
        return ioctl(fd, BLKDISCARD, range);
    }
    return fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)len);
}

static ssize_t once(int fd, const struct io *io)
{
    switch (io->dir) {
    case DIR_READ:
        return pread(fd, io->buf, io->len, (off_t)io->offset);
    case DIR_WRITE:
        return pwrite(fd, io->buf, io->len, (off_t)io->offset);
    case DIR_TRIM:
        return trim(fd, io->offset, io->len) ? -1 : (ssize_t)io->len;
    default:
        return io->flags & IO_DATASYNC ? fdatasync(fd) : fsync(fd);
    }
}

void sync_io(int fd, struct io *io)
{
    ssize_t n;
    do {
        n = once(fd, io);
    } while (n < 0 && errno == EINTR);
    io->result = n < 0 ? -errno : (int32_t)n;
}

void sync_queue_init(struct sync_queue *q, unsigned iodepth)
{
    *q = (struct sync_queue){.io = xcalloc(iodepth, sizeof(struct io *))};
}

void sync_queue_release(struct sync_queue *q)
{
    free(q->io);
    *q = (struct sync_queue){0};
}

void sync_queue_do(struct sync_queue *q, int fd, struct io *io)
{
    sync_io(fd, io);
    io->flags |= IO_BLOCKED;
    q->io[q->n++] = io;
}

unsigned sync_queue_take(struct sync_queue *q, struct io **done, unsigned max)
{
    unsigned n = q->n < max ? q->n : max;
    if (n == 0)
        return 0;
    memcpy(done, q->io, n * sizeof(struct io *));
    q->n -= n;
    memmove(q->io, q->io + n, q->n * sizeof(struct io *));
    return n;
}
