/*
 * Who uses block devices now: mounts, swap, loop devices, open descriptors. Facts only; safety.c
 * turns them into findings.
 */
#ifndef RUNNER_DEVICE_USAGE_INTERNAL_H
#define RUNNER_DEVICE_USAGE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "core/base/sysroot.h"
#include "runner/device/block_internal.h"
#include "runner/device/safety.h"

/*
 * Adds every block device that shares bytes with the one named: partitions, holders, loop devices
 * on it, the device below a loop device, other loop devices on the same file, the disk around a
 * partition (without its other partitions); each followed to the end. The device itself is first.
 */
void family_collect(struct names *out, const struct sysroot *sr, const char *name);

struct mount {
    char *device;    /* kernel name of the device it is on; NULL when it is on none */
    char *target;    /* where */
    char *fs_type;   /* as mounted */
    char *elsewhere; /* "containerd (pid 812)" when only that mount namespace has it, else NULL */
};

struct mounts {
    struct mount *item;
    size_t n;
    size_t room;
};

/* All mounts of this mount namespace, then those of block devices in every other that /proc shows. */
void mounts_collect(struct mounts *out, const struct sysroot *sr);
void mounts_release(struct mounts *m);
/*
 * The mounted btrfs a device belongs to (its UUID, free with free()), NULL when none: only one of
 * its devices is in the mount table. That one, or some, are added to *members.
 */
char *mounted_btrfs(struct names *members, const struct sysroot *sr, const char *name);

/* Paths in use as swap, as /proc/swaps has them. */
void swap_collect(struct names *out, const struct sysroot *sr);

/* A device or file another process has open; one entry a process and device. */
struct opener {
    dev_t device;  /* the block device, or the filesystem of the file */
    char *process; /* "postgres (pid 812)" */
    bool writes;   /* open for writing */
};

struct openers {
    struct opener *item;
    size_t n;
    size_t room;
};

/* Every block device that other processes have open, as far as we may look. */
void openers_of_blocks(struct openers *out, const struct sysroot *sr);
/* The processes that have this file of the running system open. */
void openers_of_file(struct openers *out, dev_t device, ino_t inode);
void openers_release(struct openers *o);
/* "name (pid N)". Free with free(). */
char *process_title(const struct sysroot *sr, const char *pid);
/* Names of /proc that are process ids. Free with sysroot_list_free. */
char **process_list(const struct sysroot *sr, size_t *n);

/* One look at the system, good for judging many devices. */
struct usage {
    const struct sysroot *sr;
    struct mounts mounts;
    struct names swaps;
    struct openers openers;
};

#endif
