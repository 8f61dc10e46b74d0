#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "core/base/xalloc.h"
#include "runner/device/safety_internal.h"
#include "runner/device/usage_internal.h"

/* One inspection. */
struct look {
    struct findings *out;
    const struct usage *u;
    const struct sysroot *sr;
    const char *path; /* the target as given, */
    dev_t devno;      /* and what it led to */
    struct names family;
    struct names way; /* the target and all devices that its bytes lie on */
};

static void look_for_mounts(struct look *l, const char *name, const char *title)
{
    struct names btrfs = {0};
    char *uuid = mounted_btrfs(&btrfs, l->sr, name);
    bool found = false;
    for (size_t i = 0; i < l->u->mounts.n; i++) {
        const struct mount *m = &l->u->mounts.item[i];
        if (!m->device || (strcmp(m->device, name) != 0 && !names_have(&btrfs, m->device)))
            continue;
        found = true;
        finding_add(l->out, FINDING_MOUNTED, title, "%s is mounted on %s%s%s", title, m->target,
                    m->elsewhere ? " in the mount namespace of " : "",
                    m->elsewhere ? m->elsewhere : "");
    }
    if (uuid && !found)
        finding_add(l->out, FINDING_MOUNTED, title, "%s belongs to the mounted btrfs %s", title,
                    uuid);
    names_release(&btrfs);
    free(uuid);
}

static void look_for_swap(struct look *l, const char *name, const char *title)
{
    for (size_t i = 0; i < l->u->swaps.n; i++) {
        char *swap = block_name(l->sr, l->u->swaps.item[i]);
        if (swap && strcmp(swap, name) == 0)
            finding_add(l->out, FINDING_SWAP, title, "%s is in use as swap", title);
        free(swap);
    }
}

/* "the LVM volume vg-data", "the raid1 array md0", "bcache0". Free with free(). */
static char *holder_words(const struct sysroot *sr, const char *holder)
{
    static const struct {
        const char *prefix; /* of the device-mapper UUID */
        const char *word;
    } target[] = {{"LVM-", "LVM volume"},
                  {"CRYPT-", "dm-crypt device"},
                  {"mpath-", "multipath device"},
                  {"part", "partition mapping"},
                  {"", "device-mapper device"}};
    char *dm = sysroot_read(sr, "/sys/class/block/%s/dm/name", holder);
    char *uuid = sysroot_read(sr, "/sys/class/block/%s/dm/uuid", holder);
    char *level = sysroot_read(sr, "/sys/class/block/%s/md/level", holder);
    char *words;
    if (dm) {
        size_t i = 0;
        while (strncmp(uuid ? uuid : "", target[i].prefix, strlen(target[i].prefix)) != 0)
            i++;
        words = xasprintf("the %s %s (%s)", target[i].word, dm, holder);
    } else if (level) {
        words = xasprintf("the %s array %s", *level ? level : "RAID", holder);
    } else {
        words = xstrdup(holder);
    }
    free(dm);
    free(uuid);
    free(level);
    return words;
}

static void look_for_holders(struct look *l, const char *name, const char *title)
{
    struct names holders = {0};
    block_holders(&holders, l->sr, name);
    for (size_t i = 0; i < holders.n; i++) {
        char *words = holder_words(l->sr, holders.item[i]);
        finding_add(l->out, FINDING_HELD, title, "%s is held by %s", title, words);
        free(words);
    }
    names_release(&holders);
}

/* The mount that path lies in, of this namespace; NULL when none is known. */
static const struct mount *mount_of(const struct mounts *m, const char *path)
{
    const struct mount *best = NULL;
    size_t best_len = 0;
    for (size_t i = 0; i < m->n; i++) {
        const char *target = m->item[i].target;
        size_t len = strcmp(target, "/") == 0 ? 0 : strlen(target);
        if (!m->item[i].elsewhere && strncmp(path, target, len) == 0 && path[len] == '/' &&
            (!best || len >= best_len)) {
            best = &m->item[i];
            best_len = len;
        }
    }
    return best;
}

/*
 * Loop devices that read from the device itself, or from a file on a filesystem of it. The one that is
 * the target, or under it, is how the bytes are meant to be reached; one on other bytes is no family.
 */
static void look_for_loops(struct look *l, const char *name, const char *title)
{
    size_t n;
    char **loop = sysroot_list(l->sr, &n, "/sys/class/block");
    for (size_t i = 0; i < n; i++) {
        char *file = loop_backing_file(l->sr, loop[i]);
        char *device = file ? loop_backing_device(l->sr, loop[i]) : NULL;
        const struct mount *m = file && !device ? mount_of(&l->u->mounts, file) : NULL;
        if (device && strcmp(device, name) == 0 && names_have(&l->family, loop[i]) &&
            !names_have(&l->way, loop[i]))
            finding_add(l->out, FINDING_LOOP, title, "%s is the backing device of /dev/%s", title,
                        loop[i]);
        else if (m && m->device && strcmp(m->device, name) == 0)
            finding_add(l->out, FINDING_LOOP, title, "%s holds %s, the file behind /dev/%s", title,
                        file, loop[i]);
        free(file);
        free(device);
    }
    sysroot_list_free(loop, n);
}

static void add_openers(struct look *l, const struct openers *o, dev_t device, const char *title)
{
    for (size_t i = 0; i < o->n; i++) {
        if (o->item[i].device == device)
            finding_add(l->out, FINDING_OPEN, title, "%s is open in %s for %s", title,
                        o->item[i].process, o->item[i].writes ? "writing" : "reading");
    }
}

/* Of the partitions too: what is on them is what would be lost. */
static void look_for_signatures(struct look *l, const char *target, const char *title, int fd)
{
    struct names partitions = {0};
    size_t before = l->out->n;
    signature_look(l->out, title, fd);
    bool table = false;
    for (size_t i = before; i < l->out->n; i++)
        table |= l->out->item[i].kind == FINDING_PARTITION_TABLE;
    block_partitions(&partitions, l->sr, target);
    if (partitions.n > 0 && !table)
        finding_add(l->out, FINDING_PARTITION_TABLE, title, "the kernel has %zu partition%s of %s",
                    partitions.n, partitions.n == 1 ? "" : "s", title);
    for (size_t i = 0; i < partitions.n; i++) {
        char *node = block_node(partitions.item[i]);
        int part = open(node, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (part >= 0) {
            signature_look(l->out, node, part);
            close(part);
        }
        free(node);
    }
    names_release(&partitions);
}

/* The path as it is now, with these flags; -1 and errno when it leads to another device. */
static int open_target(const struct look *l, int flags)
{
    struct stat st;
    int fd = open(l->path, flags | O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISBLK(st.st_mode) || st.st_rdev != l->devno)) {
        close(fd);
        errno = ESTALE;
        return -1;
    }
    return fd;
}

/* Is somebody in the kernel (a filesystem, a volume manager) or a program like mkfs on it? */
static void look_for_claim(struct look *l, const char *title)
{
    int fd = open_target(l, O_EXCL);
    if (fd >= 0)
        close(fd);
    else if (errno == EBUSY)
        finding_add(l->out, FINDING_OPEN, title,
                    "%s is claimed for exclusive use (O_EXCL is refused), by whom cannot be seen",
                    title);
}

/* What only the running system can answer, from the device itself. */
static void look_inside(struct look *l, const char *name, const char *title, int fd, bool claimed)
{
    int own = -1;
    bool in_use = l->out->n > 0;
    if (fd < 0)
        fd = own = open_target(l, 0);
    if (fd < 0) {
        finding_add(l->out, FINDING_UNREADABLE, title, "%s cannot be read: %s", title,
                    strerror(errno));
        return;
    }
    look_for_signatures(l, name, title, fd);
    /* a claim of ours could be in the way of somebody's mount: only where nothing else is known */
    if (!claimed && !in_use)
        look_for_claim(l, title);
    if (own >= 0)
        close(own);
}

static void look_around(struct look *l, const char *name)
{
    family_collect(&l->family, l->sr, name);
    names_add(&l->way, xstrdup(name));
    block_below(&l->way, l->sr, name);
    for (size_t i = 0; i < l->family.n; i++) {
        const char *relative = l->family.item[i];
        char *title = block_title(l->sr, relative);
        dev_t device;
        look_for_mounts(l, relative, title);
        look_for_swap(l, relative, title);
        look_for_holders(l, relative, title);
        look_for_loops(l, relative, title);
        if (block_devno(l->sr, relative, &device))
            add_openers(l, &l->u->openers, device, title);
        free(title);
    }
}

void look_at_block(struct findings *out, const struct usage *u, const struct device_info *info,
                   int fd, bool claimed)
{
    struct look l = {.out = out, .u = u, .sr = u->sr, .path = info->path};
    unsigned maj, min;
    char *name = NULL;
    /* by number: the path may lead elsewhere by now */
    if (info->devno && sscanf(info->devno, "%u:%u", &maj, &min) == 2) {
        l.devno = makedev(maj, min);
        name = block_name_of_devno(l.sr, l.devno);
    }
    if (!name) {
        finding_add(out, FINDING_UNREADABLE, info->path, "%s: no such device any more", info->path);
        return;
    }
    look_around(&l, name);
    char *title = block_title(l.sr, name);
    uint64_t read_only = 0, sectors = 0;
    sysroot_read_u64(l.sr, &read_only, "/sys/class/block/%s/ro", name);
    sysroot_read_u64(l.sr, &sectors, "/sys/class/block/%s/size", name);
    if (sectors == 0)
        finding_add(out, FINDING_NO_MEDIUM, title, "%s has no medium (its size is 0)", title);
    if (read_only)
        finding_add(out, FINDING_READ_ONLY, title, "%s is read-only", title);
    if (sysroot_is_live(l.sr) && sectors > 0)
        look_inside(&l, name, title, fd, claimed);
    free(title);
    free(name);
    names_release(&l.family);
    names_release(&l.way);
}
