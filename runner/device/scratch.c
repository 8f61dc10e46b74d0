#include "runner/device/scratch_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/numfmt.h"
#include "core/base/rng.h"
#include "core/base/xalloc.h"

static const char MARK[] = "user.blkmatrix";
enum { MARK_MAX = 256, CHUNK = 1 << 20 };
/* How far ahead a file that is being filled is promised to be written by us alone. */
static const int64_t PROMISE_NS = 10 * (int64_t)NS_PER_S;

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

static int64_t modified_ns(const struct stat *st)
{
    return (int64_t)st->st_mtim.tv_sec * (int64_t)NS_PER_S + st->st_mtim.tv_nsec;
}

enum scratch_state scratch_state(int fd, const char *path, uint64_t *filled)
{
    char text[MARK_MAX] = {0};
    struct stat st;
    uint64_t size;
    int64_t written;
    if (fgetxattr(fd, MARK, text, sizeof text - 1) <= 0 && !read_sidecar(fd, path, text))
        return SCRATCH_FOREIGN;
    if (sscanf(text, "filled=%" SCNu64 " size=%" SCNu64 " written=%" SCNd64, filled, &size,
               &written) != 3 ||
        fstat(fd, &st) != 0)
        return SCRATCH_FOREIGN;
    uint64_t now = (uint64_t)st.st_size;
    if (*filled < size) /* while it is being filled it may be shorter */
        return now > size                    ? SCRATCH_FOREIGN
               : modified_ns(&st) <= written ? SCRATCH_OURS
                                             : SCRATCH_CHANGED;
    return now != size                   ? SCRATCH_FOREIGN
           : modified_ns(&st) == written ? SCRATCH_OURS
                                         : SCRATCH_CHANGED;
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

static int write_mark(int fd, const char *path, uint64_t filled, uint64_t size, int64_t written,
                      struct error *err)
{
    char mark[MARK_MAX];
    int n = snprintf(mark, sizeof mark, "filled=%" PRIu64 " size=%" PRIu64 " written=%" PRId64,
                     filled, size, written);
    if (fsetxattr(fd, MARK, mark, (size_t)n, 0) == 0)
        return 0;
    return write_sidecar(fd, path, mark, err);
}

static int mark_whole(int fd, const char *path, bool writing, struct error *err)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return error_errno(err, ERR_DEVICE, errno, "cannot get the size of %s", path);
    uint64_t size = (uint64_t)st.st_size;
    return write_mark(fd, path, size, size, writing ? 0 : modified_ns(&st), err);
}

int scratch_mark(int fd, const char *path, struct error *err)
{
    /* a file server stamps what arrives there: nothing may be on its way any more */
    fdatasync(fd);
    return mark_whole(fd, path, false, err);
}

int scratch_mark_writing(int fd, const char *path, struct error *err)
{
    return mark_whole(fd, path, true, err);
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
    const uint64_t begun = from;
    int64_t promised = 0;
    struct rng rng;
    int rc = 0;
    if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
        rc = error_errno(err, ERR_DEVICE, errno, "cannot get random data");
    rng_seed(&rng, seed);
    while (rc == 0 && from < size) {
        size_t len = size - from < CHUNK ? (size_t)(size - from) : CHUNK;
        for (size_t i = 0; i < CHUNK / sizeof *chunk; i++)
            chunk[i] = rng_next(&rng);
        int64_t now = clock_wall_ns();
        if (now > promised - PROMISE_NS / 2) {
            promised = now + PROMISE_NS;
            rc = write_mark(fd, path, begun, size, promised, err);
            if (rc < 0)
                break;
        }
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
    /* marked first: killed while filling, it is known as ours and as unfinished */
    int rc = write_mark(fd, path, from, size, clock_wall_ns() + PROMISE_NS, err);
    if (rc < 0)
        return rc;
    int errnum = posix_fallocate(fd, 0, (off_t)size);
    if (errnum) {
        error_errno(err, ERR_DEVICE, errnum, "cannot make %s with %s", path, fmt_bytes(text, size));
        error_hint(err, "use a smaller --size, or a file on another filesystem");
        return -ERR_DEVICE;
    }
    rc = write_random(fd, path, from, size, go_on, arg, err);
    if (rc == 0 && fdatasync(fd) != 0)
        rc = error_errno(err, ERR_DEVICE, errno, "cannot write %s to disk", path);
    /* what stays in the page cache would be memory that the run could use */
    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    return rc < 0 ? rc : scratch_mark(fd, path, err);
}
