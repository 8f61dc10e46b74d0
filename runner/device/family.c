#include "core/base/xalloc.h"
#include "runner/device/usage_internal.h"

/* One walk over the devices around a target. */
struct walk {
    const struct sysroot *sr;
    struct names *found;
    struct names opened; /* those whose partitions have been added */
    struct names loops;  /* every loop device that is set up */
    struct names path;   /* the target and all devices that its bytes lie on */
};

static void visit(struct walk *w, const char *name, bool with_partitions);

static void visit_all(struct walk *w, const struct names *list)
{
    for (size_t i = 0; i < list->n; i++)
        visit(w, list->item[i], true);
}

/* The bytes of its file that a loop device stands for; false when that cannot be read. */
static bool loop_window(const struct sysroot *sr, const char *loop, uint64_t *start, uint64_t *end)
{
    uint64_t sectors;
    if (!sysroot_read_u64(sr, start, "/sys/class/block/%s/loop/offset", loop) ||
        !sysroot_read_u64(sr, &sectors, "/sys/class/block/%s/size", loop))
        return false;
    *end = *start + sectors * 512;
    return true;
}

/* Two loop devices on one file or device that have no byte in common. */
static bool are_apart(const struct sysroot *sr, const char *a, const char *b)
{
    uint64_t a_start, a_end, b_start, b_end;
    return loop_window(sr, a, &a_start, &a_end) && loop_window(sr, b, &b_start, &b_end) &&
           (a_end <= b_start || b_end <= a_start);
}

/* A loop device on `below` beside the one that the target's bytes come through. */
static bool is_elsewhere(const struct walk *w, const char *loop, const char *below)
{
    for (size_t i = 0; i < w->path.n; i++) {
        char *device = loop_backing_device(w->sr, w->path.item[i]);
        bool apart =
            device && strcmp(device, below) == 0 && are_apart(w->sr, loop, w->path.item[i]);
        free(device);
        if (apart)
            return true;
    }
    return false;
}

/* Loop devices that read from the device, and for a loop device its twins on the same bytes. */
static void visit_loops(struct walk *w, const char *name)
{
    char *own = loop_backing_file(w->sr, name);
    for (size_t i = 0; i < w->loops.n; i++) {
        const char *loop = w->loops.item[i];
        if (strcmp(loop, name) == 0)
            continue;
        char *file = loop_backing_file(w->sr, loop);
        char *device = loop_backing_device(w->sr, loop);
        bool on = device && strcmp(device, name) == 0 && !is_elsewhere(w, loop, name);
        if (on || (own && file && strcmp(own, file) == 0 && !are_apart(w->sr, loop, name)))
            visit(w, loop, true);
        free(file);
        free(device);
    }
    free(own);
    char *below = loop_backing_device(w->sr, name);
    if (below)
        visit(w, below, true);
    free(below);
}

static void visit(struct walk *w, const char *name, bool with_partitions)
{
    bool is_new = names_add(w->found, xstrdup(name));
    if (with_partitions && names_add(&w->opened, xstrdup(name))) {
        struct names partitions = {0};
        block_partitions(&partitions, w->sr, name);
        visit_all(w, &partitions);
        names_release(&partitions);
    }
    if (!is_new)
        return;
    struct names holders = {0};
    block_holders(&holders, w->sr, name);
    visit_all(w, &holders);
    names_release(&holders);
    visit_loops(w, name);
    char *whole = block_whole(w->sr, name);
    if (strcmp(whole, name) != 0)
        visit(w, whole, false);
    free(whole);
}

void family_collect(struct names *out, const struct sysroot *sr, const char *name)
{
    struct walk w = {.sr = sr, .found = out};
    size_t n;
    char **entry = sysroot_list(sr, &n, "/sys/class/block");
    for (size_t i = 0; i < n; i++) {
        if (sysroot_exists(sr, "/sys/class/block/%s/loop/backing_file", entry[i]))
            names_add(&w.loops, xstrdup(entry[i]));
    }
    sysroot_list_free(entry, n);
    names_add(&w.path, xstrdup(name));
    block_below(&w.path, sr, name);
    visit(&w, name, true);
    names_release(&w.path);
    names_release(&w.opened);
    names_release(&w.loops);
}
