/*
 * Block devices as sysfs shows them, by kernel name ("sda1", "dm-0"): from a path to the name, from
 * a name to what it is part of, what stands on it and what it stands on. Every read goes through a
 * sysroot, so a recorded tree of another machine answers as well.
 */
#ifndef RUNNER_DEVICE_BLOCK_INTERNAL_H
#define RUNNER_DEVICE_BLOCK_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "core/base/error.h"
#include "core/base/sysroot.h"

/* A growing set of names, in the order they came. */
struct names {
    char **item;
    size_t n;
    size_t room;
};

/* Takes the name over (frees it when it is there already or NULL); true when it is new. */
bool names_add(struct names *list, char *name);
bool names_have(const struct names *list, const char *name);
void names_release(struct names *list);

/* True for the running system, false for a recorded tree. */
bool sysroot_is_live(const struct sysroot *sr);

/*
 * The kernel name of the block device that path leads to, through any links; NULL when it leads to
 * something else or to nothing. Free with free().
 */
char *block_name(const struct sysroot *sr, const char *path);
char *block_name_of_devno(const struct sysroot *sr, dev_t devno);
/* MAJOR:MINOR of a kernel name; false when there is no such device. */
bool block_devno(const struct sysroot *sr, const char *name, dev_t *devno);
/* "/dev/NAME" ('!' in kernel names is '/' there). Free with free(). */
char *block_node(const char *name);
/* The node with the name people know behind it: "/dev/dm-0 (vg-data)". Free with free(). */
char *block_title(const struct sysroot *sr, const char *name);
/* The folder under /sys/devices, climbing from which finds bus and adapter. Free with free(). */
char *block_sysfs_path(const struct sysroot *sr, const char *name);

bool block_is_partition(const struct sysroot *sr, const char *name);
/* The disk a partition is part of; the name itself for anything else. Free with free(). */
char *block_whole(const struct sysroot *sr, const char *name);

/* Each adds to *out what it finds. */
void block_partitions(struct names *out, const struct sysroot *sr, const char *name);
void block_holders(struct names *out, const struct sysroot *sr, const char *name);
void block_slaves(struct names *out, const struct sysroot *sr, const char *name);
/* Everything below, down to the disks, files excepted. */
void block_below(struct names *out, const struct sysroot *sr, const char *name);

/* The block device of the filesystem that path (resolved) is on; NULL: none. Free with free(). */
char *device_of_file(const struct sysroot *sr, const char *path);

/* What a loop device reads from, as the kernel shows it ("/img (deleted)"); NULL when none. */
char *loop_backing_file(const struct sysroot *sr, const char *name);
/* The block device under a loop device; NULL when it stands on a file. Free with free(). */
char *loop_backing_device(const struct sysroot *sr, const char *name);
/*
 * The block device of the filesystem that has the file under a loop device; NULL when it stands on a device, or
 * on a file in memory or of a network. Free with free().
 */
char *loop_filesystem_device(const struct sysroot *sr, const char *name);
/* A loop device that passes its I/O on past the page cache, so that what holds the one below holds it too. */
bool loop_is_direct(const struct sysroot *sr, const char *name);

#endif
