/*
 * Scratch files: files this program made to measure on. They are marked, so that a later run knows
 * them as ours and may overwrite them.
 *
 * The mark is the extended attribute user.blkmatrix; where the filesystem has none (vfat, NFS,
 * tmpfs before Linux 6.6) it is a file beside it, NAME.blkmatrix, that also holds inode number and
 * birth time, so that it does not vouch for another file of the same name. Its text is
 * "filled=BYTES size=BYTES written=NANOSECONDS": what has been written, of which size in the end, and
 * the time of modification that our last write left.
 *
 * A mark says who made the file, not whose content is in it now: somebody may have put a backup or a
 * filesystem into it. So a file whose size or time of modification is another one is not ours any
 * more. While a run writes, the time is 0: killed then, nobody can tell what came after, and the file
 * is not ours either. While it is being filled the time is a promise for the next seconds, and the
 * file is ours when it was not modified later than that.
 */
#ifndef RUNNER_DEVICE_SCRATCH_INTERNAL_H
#define RUNNER_DEVICE_SCRATCH_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"

enum scratch_state {
    SCRATCH_FOREIGN, /* not made here, or replaced */
    SCRATCH_CHANGED, /* made here; what is in it may be somebody's */
    SCRATCH_OURS,    /* made here, and nobody else has written to it */
};
/* Whose the open file is; *filled gets how much of it holds our data (0: begun only). */
enum scratch_state scratch_state(int fd, const char *path, uint64_t *filled);

/* Marks the open file, written to its end, with its time of modification; 0 or ERR_DEVICE. */
int scratch_mark(int fd, const char *path, struct error *err);
/* Marks it before a run writes to it, until scratch_mark(). */
int scratch_mark_writing(int fd, const char *path, struct error *err);

/*
 * Allocates the file up to size and writes random data from `from` on, through to the disk, and marks
 * it: first as begun, in the end as ours. Reads of it then meet real blocks, no holes. go_on as in struct device_request. ERR_DEVICE,
 * ERR_INTERRUPTED.
 */
int scratch_fill(int fd, const char *path, uint64_t from, uint64_t size,
                 bool (*go_on)(void *arg, uint64_t done, uint64_t total), void *arg,
                 struct error *err);

#endif
