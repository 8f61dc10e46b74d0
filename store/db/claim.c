/*
 * Who is measuring a run right now. A claim is a lock on one byte (the id of the run) of the empty file
 * STORE-lock beside the store: it ends with the process, also with kill -9, and names it. Not on the store
 * itself, because closing any descriptor of a file ends all POSIX locks that SQLite has on it.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "core/base/xalloc.h"
#include "store/db/store_internal.h"

static int open_lock_file(struct store *s, struct error *err)
{
    if (s->claim_fd >= 0 || s->mode == STORE_MEMORY)
        return 0;
    char *path = xasprintf("%s-lock", s->path);
    s->claim_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    int rc = s->claim_fd >= 0 ? 0
                              : error_errno(err, ERR_STORE, errno,
                                            "cannot make %s, which keeps two programs from "
                                            "measuring one run",
                                            path);
    free(path);
    return rc;
}

static struct flock byte_of(int64_t run_id)
{
    return (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = run_id, .l_len = 1};
}

int claim_refuse_other(struct store *s, int64_t run_id, struct error *err)
{
    int rc = open_lock_file(s, err);
    struct flock lock = byte_of(run_id);
    if (rc < 0 || s->mode == STORE_MEMORY || fcntl(s->claim_fd, F_GETLK, &lock) != 0 ||
        lock.l_type == F_UNLCK)
        return rc;
    return error_set(err, ERR_USAGE,
                     "run %lld is being measured right now, by process %ld\nWait for its end, or "
                     "stop it (kill %ld): what it has finished is kept.",
                     (long long)run_id, (long)lock.l_pid, (long)lock.l_pid);
}

bool claim_is_free(struct store *s, int64_t run_id)
{
    if (s->mode == STORE_MEMORY)
        return false;
    if (s->claim_fd < 0) {
        char *path = xasprintf("%s-lock", s->path);
        int flags = s->mode == STORE_WRITE ? O_RDWR : O_RDONLY;
        s->claim_fd = open(path, flags | O_CLOEXEC | O_NOFOLLOW);
        free(path);
        if (s->claim_fd < 0)
            return errno == ENOENT; /* nobody has measured into this file */
    }
    /* asked as another owner would, so that a claim of this process counts too */
    struct flock lock = byte_of(run_id);
    return fcntl(s->claim_fd, F_OFD_GETLK, &lock) == 0 && lock.l_type == F_UNLCK;
}

int claim_take(struct store *s, int64_t run_id, struct error *err)
{
    int rc = open_lock_file(s, err);
    struct flock lock = byte_of(run_id);
    if (rc < 0 || s->mode == STORE_MEMORY || fcntl(s->claim_fd, F_SETLK, &lock) == 0)
        return rc;
    rc = claim_refuse_other(s, run_id, err);
    return rc < 0 ? rc
                  : error_set(err, ERR_USAGE,
                              "run %lld was just being measured by another process\nTry again.",
                              (long long)run_id);
}

void claim_release(struct store *s, int64_t run_id)
{
    struct flock lock = byte_of(run_id);
    lock.l_type = F_UNLCK;
    if (s->claim_fd >= 0)
        fcntl(s->claim_fd, F_SETLK, &lock);
}
