#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/device/safety_internal.h"
#include "runner/device/scratch_internal.h"
#include "runner/device/usage_internal.h"

static void look_for_swap(struct findings *out, const struct usage *u, const char *path,
                          const struct stat *st)
{
    struct stat swap;
    for (size_t i = 0; i < u->swaps.n; i++) {
        if (stat(u->swaps.item[i], &swap) == 0 && swap.st_dev == st->st_dev &&
            swap.st_ino == st->st_ino)
            finding_add(out, FINDING_SWAP, path, "%s is in use as swap", path);
    }
}

static void look_for_loops(struct findings *out, const struct usage *u, const char *path)
{
    size_t n;
    char **loop = sysroot_list(u->sr, &n, "/sys/class/block");
    for (size_t i = 0; i < n; i++) {
        char *file = loop_backing_file(u->sr, loop[i]);
        if (file && strcmp(file, path) == 0)
            finding_add(out, FINDING_LOOP, path, "%s is the file behind /dev/%s", path, loop[i]);
        free(file);
    }
    sysroot_list_free(loop, n);
}

static void look_for_openers(struct findings *out, const char *path, const struct stat *st)
{
    struct openers openers = {0};
    openers_of_file(&openers, st->st_dev, st->st_ino);
    for (size_t i = 0; i < openers.n; i++)
        finding_add(out, FINDING_OPEN, path, "%s is open in %s for %s", path,
                    openers.item[i].process, openers.item[i].writes ? "writing" : "reading");
    openers_release(&openers);
}

void look_at_file(struct findings *out, const struct usage *u, const struct device_info *info,
                  int fd)
{
    const char *path = info->resolved;
    struct stat st;
    uint64_t filled;
    int own = -1;
    if (fd < 0)
        fd = own = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 && errno == ENOENT)
        return; /* will be made */
    if (fd < 0 || fstat(fd, &st) != 0) {
        finding_add(out, FINDING_UNREADABLE, path, "%s cannot be read: %s", path, strerror(errno));
        if (own >= 0)
            close(own);
        return;
    }
    enum scratch_state state = scratch_state(fd, path, &filled);
    if (state == SCRATCH_CHANGED)
        finding_add(out, FINDING_NOT_OURS, path,
                    "%s was made by blkmatrix and has been changed since, or blkmatrix was killed "
                    "while it wrote there: its content may be somebody's",
                    path);
    if (state == SCRATCH_FOREIGN)
        finding_add(out, FINDING_NOT_OURS, path,
                    "%s exists and was not made by blkmatrix, or has been replaced since", path);
    look_for_swap(out, u, path, &st);
    look_for_loops(out, u, path);
    look_for_openers(out, path, &st);
    if (own >= 0)
        close(own);
}
