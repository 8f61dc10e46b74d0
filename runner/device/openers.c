#include <ctype.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "core/base/xalloc.h"
#include "runner/device/usage_internal.h"

char **process_list(const struct sysroot *sr, size_t *n)
{
    size_t n_all, kept = 0;
    char **name = sysroot_list(sr, &n_all, "/proc");
    for (size_t i = 0; i < n_all; i++) {
        if (isdigit((unsigned char)name[i][0]))
            name[kept++] = name[i];
        else
            free(name[i]);
    }
    *n = kept;
    return name;
}

char *process_title(const struct sysroot *sr, const char *pid)
{
    char *comm = sysroot_read(sr, "/proc/%s/comm", pid);
    char *title = comm ? xasprintf("%s (pid %s)", comm, pid) : xasprintf("pid %s", pid);
    free(comm);
    return title;
}

/* What is looked for behind a descriptor; *device says which one it is. */
typedef bool fd_match(const struct sysroot *sr, const char *link, const void *arg, dev_t *device);

/* statx without asking a server: a hanging network mount of somebody must not hang us. */
static bool look(const char *path, struct statx *stx)
{
    return statx(AT_FDCWD, path, AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT, STATX_TYPE | STATX_INO,
                 stx) == 0;
}

static bool is_block(const struct sysroot *sr, const char *link, const void *arg, dev_t *device)
{
    (void)arg;
    if (sysroot_is_live(sr)) {
        struct statx stx;
        if (!look(link, &stx) || !S_ISBLK(stx.stx_mode))
            return false;
        *device = makedev(stx.stx_rdev_major, stx.stx_rdev_minor);
        return true;
    }
    char *target = sysroot_readlink(sr, "%s", link);
    char *name = target ? block_name(sr, target) : NULL;
    bool found = name && block_devno(sr, name, device);
    free(target);
    free(name);
    return found;
}

struct file_id {
    dev_t device;
    ino_t inode;
};

static bool is_file(const struct sysroot *sr, const char *link, const void *arg, dev_t *device)
{
    const struct file_id *file = arg;
    struct statx stx;
    (void)sr;
    if (!look(link, &stx) || stx.stx_ino != file->inode)
        return false;
    *device = makedev(stx.stx_dev_major, stx.stx_dev_minor);
    return *device == file->device;
}

/* fdinfo has a line "flags: OCTAL" with the flags of open(). */
static bool opened_for_writing(const struct sysroot *sr, const char *pid, const char *fd)
{
    unsigned flags = 0;
    char *text = sysroot_read(sr, "/proc/%s/fdinfo/%s", pid, fd);
    const char *line = text ? strstr(text, "flags:") : NULL;
    bool known = line && sscanf(line, "flags: %o", &flags) == 1;
    free(text);
    return known && (flags & O_ACCMODE) != O_RDONLY;
}

/* The entry of this process for the device: one made since `first`, or a new one. */
static struct opener *entry_for(struct openers *out, size_t first, dev_t device)
{
    for (size_t i = first; i < out->n; i++) {
        if (out->item[i].device == device)
            return &out->item[i];
    }
    GROW(out->item, out->n + 1, out->room);
    out->item[out->n] = (struct opener){.device = device};
    return &out->item[out->n++];
}

static void look_at_process(struct openers *out, const struct sysroot *sr, const char *pid,
                            fd_match *match, const void *arg)
{
    size_t n, first = out->n;
    char **fd = sysroot_list(sr, &n, "/proc/%s/fd", pid);
    for (size_t i = 0; i < n; i++) {
        char *link = xasprintf("/proc/%s/fd/%s", pid, fd[i]);
        dev_t device;
        if (match(sr, link, arg, &device)) {
            struct opener *entry = entry_for(out, first, device);
            entry->writes |= opened_for_writing(sr, pid, fd[i]);
            if (!entry->process)
                entry->process = process_title(sr, pid);
        }
        free(link);
    }
    sysroot_list_free(fd, n);
}

static void look_at_all(struct openers *out, const struct sysroot *sr, fd_match *match,
                        const void *arg)
{
    char *self = sysroot_readlink(sr, "/proc/self");
    size_t n;
    char **pid = process_list(sr, &n);
    for (size_t i = 0; i < n; i++) {
        if (!self || strcmp(self, pid[i]) != 0)
            look_at_process(out, sr, pid[i], match, arg);
    }
    sysroot_list_free(pid, n);
    free(self);
}

void openers_of_blocks(struct openers *out, const struct sysroot *sr)
{
    look_at_all(out, sr, is_block, NULL);
}

void openers_of_file(struct openers *out, dev_t device, ino_t inode)
{
    struct file_id file = {device, inode};
    look_at_all(out, &sysroot_system, is_file, &file);
}

void openers_release(struct openers *o)
{
    for (size_t i = 0; i < o->n; i++)
        free(o->item[i].process);
    free(o->item);
    *o = (struct openers){0};
}
