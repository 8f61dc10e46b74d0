/*
 * May this target be written? Findings are facts that speak against it, each with the device it was
 * found on: the target, its partitions, and everything stacked on them (LVM, RAID, dm-crypt, loop
 * devices), followed to the end.
 *
 *   mounted          it or anything on it, at every place, also in other mount namespaces that can
 *                    be seen; members of a mounted btrfs
 *   swap             in use as swap
 *   held             sysfs holders: LVM, RAID, dm-crypt, multipath, bcache
 *   loop             a loop device reads from it, or from a file on a filesystem of it
 *   open             another process has it open, or the kernel has it claimed (O_EXCL)
 *   read-only        the device cannot be written
 *   partition-table  libblkid finds one, or the kernel has partitions of it
 *   signature        libblkid finds a filesystem, RAID, LVM or swap signature
 *   unreadable       could not be looked at, so nobody knows
 *   no-medium        its size is 0: nothing in the drive, or a loop device that is not set up
 *   not-ours         a file that exists and was not made by this program, or was changed by others
 *
 * Only signature, partition-table and not-ours can be overruled, by --destroy-data spelled with the
 * target's own path: for a device its node or a name of it in /dev, as given to --dev, not a link or
 * node elsewhere; for a file the path as given, or resolved. Looking opens the device for reading, never
 * for writing.
 */
#ifndef RUNNER_DEVICE_SAFETY_H
#define RUNNER_DEVICE_SAFETY_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/base/sysroot.h"
#include "core/model/device_info.h"

enum finding_kind {
    FINDING_MOUNTED,
    FINDING_SWAP,
    FINDING_HELD,
    FINDING_LOOP,
    FINDING_OPEN,
    FINDING_READ_ONLY,
    FINDING_PARTITION_TABLE,
    FINDING_SIGNATURE,
    FINDING_UNREADABLE,
    FINDING_NO_MEDIUM,
    FINDING_NOT_OURS,
    FINDING_COUNT,
};
extern const char *const finding_names[FINDING_COUNT + 1]; /* the words above */

struct finding {
    enum finding_kind kind;
    char *device; /* where it was found, "/dev/sdb1" */
    char *text;   /* a sentence without full stop: "/dev/sdb1 is mounted on /data" */
};

struct findings {
    struct finding *item;
    size_t n;
    size_t room;
};

/* What the user allowed on the command line. */
struct safety_permit {
    bool allow_write;                /* --allow-write: needed for block devices */
    const char *const *destroy_data; /* paths of --destroy-data */
    size_t n_destroy_data;
};

/* True when --destroy-data can overrule it. */
bool finding_can_be_overruled(enum finding_kind kind);

/* Who uses block devices at this moment: one look at the system judges many devices. */
struct usage;
/* sr must outlive it. Free with usage_destroy (NULL is fine). */
struct usage *usage_create(const struct sysroot *sr);
void usage_destroy(struct usage *u);

/*
 * Everything that speaks against writing to the target described by info (device_describe).
 * *out is empty before; release with findings_release(). No finding: nothing does. Under a recorded
 * sysroot signatures and kernel claims are not looked for.
 */
void safety_inspect(struct findings *out, const struct usage *u, const struct device_info *info);
void findings_release(struct findings *f);

/*
 * ERR_REFUSED when writing is not allowed: the message lists every finding that stands and how it
 * can be dealt with; else 0.
 */
int safety_judge(const struct findings *f, const struct device_info *info,
                 const struct safety_permit *permit, struct error *err);

#endif
