#include "runner/device/scratch_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "core/base/numfmt.h"
#include "core/base/rng.h"
#include "core/base/xalloc.h"

static const char MARK[] = "user.blkmatrix";
enum { MARK_MAX = 160, CHUNK = 1 << 20 };

/* What identifies a file for as long as it lives: "ino=N born=SECONDS.NANOSECONDS". */
static void identity_text(int fd, char *text, size_t n)
{
    struct statx stx = {0};
    statx(fd, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &stx);
    snprintf(text, n, "ino=%" PRIu64 " born=%" PRId64 ".%09u", (uint64_t)stx.stx_ino,
             (stx.stx_mask & STATX_BTIME) != 0 ? (int64_t)stx.stx_btime.tv_sec : 0,
             (stx.stx_mask & STATX_BTIME) != 0 ? stx.stx_btime.tv_nsec : 0);
}

static bool read_sidecar(int fd, const char *path, char text[MARK_MAX])
{
    char *name = xasprintf("%s.blkmatrix", path), identity[MARK_MAX];
    int side = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    free(name);
    if (side < 0)
        return false;
    ssize_t n = read(side, text, MARK_MAX - 1);
    close(side);
    if (n <= 0)
        return false;
    text[n] = '\0';
    identity_text(fd, identity, sizeof identity);
    return strstr(text, identity) != NULL;
}

bool scratch_is_ours(int fd, const char *path, uint64_t *filled)
{
    char text[MARK_MAX] = {0};
    struct stat st;
    uint64_t size;
    if (fgetxattr(fd, MARK, text, sizeof text - 1) <= 0 && !read_sidecar(fd, path, text))
        return false;
    if (sscanf(text, "filled=%" SCNu64 " size=%" SCNu64, filled, &size) != 2 || fstat(fd, &st) != 0)
        return false;
    /* while it is being filled it may be shorter */
    uint64_t now = (uint64_t)st.st_size;
    return *filled < size ? now <= size : now == size;
}

static int write_sidecar(int fd, const char *path, const char *mark, struct error *err)
{
    char *name = xasprintf("%s.blkmatrix", path), identity[MARK_MAX];
    identity_text(fd, identity, sizeof identity);
    int side = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    int rc = 0;
    if (side < 0 || dprintf(side, "%s %s\nThis file says that blkmatrix made the file beside it.\n",
                            mark, identity) < 0)
        rc = error_errno(err, ERR_DEVICE, errno, "cannot write the mark %s", name);
    if (side >= 0)
        close(side);
    free(name);
    return rc;
}

int scratch_mark(int fd, const char *path, uint64_t filled, uint64_t size, struct error *err)
{
    char mark[MARK_MAX];
    int n = snprintf(mark, sizeof mark, "filled=%" PRIu64 " size=%" PRIu64, filled, size);
    if (fsetxattr(fd, MARK, mark, (size_t)n, 0) == 0)
        return 0;
    return write_sidecar(fd, path, mark, err);
}

static int write_all(int fd, const void *bytes, size_t n, uint64_t offset)
{
    for (const char *p = bytes; n > 0;) {
        ssize_t done = pwrite(fd, p, n, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done == 0 ? ENOSPC : errno;
        p += done;
        n -= (size_t)done;
        offset += (uint64_t)done;
    }
    return 0;
}

static int write_random(int fd, const char *path, uint64_t from, uint64_t size,
                        bool (*go_on)(void *arg, uint64_t done, uint64_t total), void *arg,
                        struct error *err)
{
    uint64_t *chunk = xmalloc(CHUNK), seed = 0;
    struct rng rng;
    int rc = 0;
    if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
        rc = error_errno(err, ERR_DEVICE, errno, "cannot get random data");
    rng_seed(&rng, seed);
    while (rc == 0 && from < size) {
        size_t len = size - from < CHUNK ? (size_t)(size - from) : CHUNK;
        for (size_t i = 0; i < CHUNK / sizeof *chunk; i++)
            chunk[i] = rng_next(&rng);
        int errnum = write_all(fd, chunk, len, from);
        from += len;
        /* start the write-back as we go, or the sync at the end takes all the time unseen */
        sync_file_range(fd, (off_t)(from - len), (off_t)len, SYNC_FILE_RANGE_WRITE);
        if (errnum)
            rc = error_errno(err, ERR_DEVICE, errnum, "cannot fill %s", path);
        else if (go_on && !go_on(arg, from, size))
            rc = error_set(err, ERR_INTERRUPTED, "interrupted while filling %s", path);
    }
    free(chunk);
    return rc;
}

int scratch_fill(int fd, const char *path, uint64_t from, uint64_t size,
                 bool (*go_on)(void *arg, uint64_t done, uint64_t total), void *arg,
                 struct error *err)
{
    char text[NUMFMT_MAX];
    int errnum = posix_fallocate(fd, 0, (off_t)size);
    if (errnum) {
        error_errno(err, ERR_DEVICE, errnum, "cannot make %s with %s", path, fmt_bytes(text, size));
        error_hint(err, "use a smaller --size, or a file on another filesystem");
        return -ERR_DEVICE;
    }
    int rc = write_random(fd, path, from, size, go_on, arg, err);
    if (rc == 0 && fdatasync(fd) != 0)
        rc = error_errno(err, ERR_DEVICE, errno, "cannot write %s to disk", path);
    /* what stays in the page cache would be memory that the run could use */
    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    return rc;
}
