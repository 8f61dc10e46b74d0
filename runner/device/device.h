/*
 * What is measured: block devices and regular files. Listing and describing only read; opening for
 * the run is where a target becomes a file descriptor, and the one way to one that can be written.
 *
 * A target is named by any path that leads to it (/dev/sdb, /dev/disk/by-id/..., a symbolic link, a
 * file). The path is looked at once: what is checked is what was opened (device numbers are
 * compared on the open descriptors), and the descriptor stays open for the whole run, so that the
 * thing behind the path cannot be exchanged between check and write.
 *
 * None of this is thread-safe on one object; device_fd() may be used by all job threads.
 */
#ifndef RUNNER_DEVICE_DEVICE_H
#define RUNNER_DEVICE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/strbuf.h"
#include "core/base/sysroot.h"
#include "core/model/device_info.h"
#include "runner/device/safety.h"

/*
 * Every block device and partition of the system, numbers in names by value, hidden paths of
 * multipath NVMe left out. *out: array of *n records, free with device_list_free().
 */
void device_list(struct device_info **out, size_t *n, const struct sysroot *sr);
void device_list_free(struct device_info *info, size_t n);
/* No medium, or a loop, zram or ram device that is not set up: nothing anybody would measure. */
bool device_is_idle(const struct device_info *info);

/*
 * Fills *out (empty before) with what is known about the target; released by the caller with
 * fields_release(&device_fields, out). Nothing is opened for writing, nothing is made. Where nothing
 * is and make_size > 0 the file is described as device_open() would make it; else that, and a path
 * to something that is neither a block device nor a regular file, is ERR_USAGE.
 */
int device_describe(struct device_info *out, const struct sysroot *sr, const char *path,
                    uint64_t make_size, struct error *err);

/*
 * Can I/Os of bs bytes at multiples of bs from offset on work here? ERR_USAGE with what to use in
 * place; a sentence is appended to *warning (may be NULL) when it works but is slow (smaller than
 * the physical block: the device reads, modifies and writes). With O_DIRECT only alignment counts
 * that is known.
 */
int device_check_io(const struct device_info *info, bool direct, uint64_t bs, uint64_t offset,
                    struct strbuf *warning, struct error *err);

struct device_request;
/*
 * ERR_USAGE when a target that is there is too small for the request and opening it would not make it larger: a
 * device, and a file that was not made here. Opens a file for reading, for a moment.
 */
int device_check_extent(const struct device_info *info, const struct device_request *request,
                        struct error *err);

struct device_request {
    const char *path;
    bool write;    /* a pattern that writes or trims will run */
    bool trim;     /* a pattern that trims will run; a file is no target of it */
    bool direct;   /* O_DIRECT */
    int sync;      /* O_SYNC or O_DSYNC for each write, 0: neither */
    uint64_t size; /* a file: make it of this size, or use so much of it; 0: all there is */
    struct safety_permit permit; /* what the user allowed */
    /*
     * Called while a file is filled, every few MiB; false stops it (ERR_INTERRUPTED, a file made by
     * this call is removed). May be NULL.
     */
    bool (*go_on)(void *arg, uint64_t done, uint64_t total);
    void *arg;
};

struct device; /* an open target */

/*
 * Opens the target for a run, of the running system. Reading: O_RDONLY. Writing: everything in
 * safety.h is checked on a read-only descriptor first; only then is it opened O_RDWR, with O_EXCL
 * on a block device, and the state is checked once more under that claim.
 *
 * A file that does not exist is made (needs size): blocks allocated, filled with random data that
 * is on disk when this returns, and marked as ours (scratch_mark.h), so that a later run may use and
 * overwrite it. A file of somebody else is only read, unless the permit names it.
 *
 * ERR_REFUSED: for safety. ERR_USAGE: no such target, size missing or too large, O_DIRECT not
 * possible. ERR_DEVICE: the kernel refuses. ERR_INTERRUPTED: go_on said so.
 */
int device_open(struct device **out, const struct device_request *request, struct error *err);
/* Closes the descriptor; the scratch file stays for the next run. NULL is fine. */
void device_close(struct device *d);

/* Valid until device_close; shared by all jobs. */
int device_fd(const struct device *d);
/* Bytes that may be used from the start. */
uint64_t device_size(const struct device *d);
/* Snapshot taken while opening; owned by the device. */
const struct device_info *device_snapshot(const struct device *d);

#endif
