#include "cli/out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/xalloc.h"

static int cannot_write(const char *path, const char *what, struct error *err)
{
    return error_errno(err, ERR_DEVICE, errno, "cannot write the %s %s", what, path);
}

static int write_all(int fd, const struct strbuf *bytes, const char *path, const char *what,
                     struct error *err)
{
    for (size_t done = 0; done < bytes->len;) {
        ssize_t n = write(fd, bytes->text + done, bytes->len - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return cannot_write(path, what, err);
        done += (size_t)n;
    }
    return 0;
}

static int write_stream(const char *path, const char *what, const struct strbuf *bytes,
                        struct error *err)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return error_errno(err, ERR_USAGE, errno, "cannot open %s", path);
    int rc = write_all(fd, bytes, path, what, err);
    if (close(fd) != 0 && rc == 0)
        rc = cannot_write(path, what, err);
    return rc;
}

static int write_beside(const char *path, const char *what, const struct strbuf *bytes,
                        struct error *err)
{
    char *temporary = xasprintf("%s.XXXXXX", path);
    int fd = mkostemp(temporary, O_CLOEXEC);
    int rc = 0;
    if (fd < 0) {
        rc = error_errno(err, ERR_USAGE, errno, "cannot make the %s %s", what, path);
        error_hint(err, "Choose a folder you may write to with -o.");
    } else {
        mode_t mask = umask(0);
        umask(mask);
        rc = write_all(fd, bytes, path, what, err);
        if (fchmod(fd, 0666 & ~mask) != 0 || close(fd) != 0)
            rc = rc ? rc : cannot_write(path, what, err);
        if (rc == 0 && rename(temporary, path) != 0)
            rc = cannot_write(path, what, err);
        if (rc)
            unlink(temporary);
    }
    free(temporary);
    return rc;
}

int out_file_check(bool *replaced, const char *path, const char *what, struct error *err)
{
    struct stat st;
    *replaced = stat(path, &st) != 0 || S_ISREG(st.st_mode);
    if (*replaced || S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode))
        return 0;
    return error_set(
        err, ERR_USAGE,
        "%s is a %s: no %s is written there; give the name of a file with -o, or - for "
        "the standard output",
        path, S_ISDIR(st.st_mode) ? "folder" : "device", what);
}

int out_file_write(const char *path, const char *what, const struct strbuf *bytes,
                   struct error *err)
{
    bool replaced;
    int rc = out_file_check(&replaced, path, what, err);
    if (rc < 0)
        return rc;
    return replaced ? write_beside(path, what, bytes, err) : write_stream(path, what, bytes, err);
}
