/*
 * Scratch files: files this program made to measure on. They are marked, so that a later run knows
 * them as ours and may overwrite them.
 *
 * The mark is the extended attribute user.blkmatrix; where the filesystem has none (vfat, NFS,
 * tmpfs before Linux 6.6) it is a file beside it, NAME.blkmatrix, that also holds inode number and
 * birth time, so that it does not vouch for another file of the same name. Its text is
 * "filled=BYTES size=BYTES": what has been written, of which size in the end. A file whose size is not what
 * the mark says was replaced by somebody and is not ours any more.
 */
#ifndef RUNNER_DEVICE_SCRATCH_INTERNAL_H
#define RUNNER_DEVICE_SCRATCH_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"

/* True when the open file was made here; *filled gets how much of it holds data (0: begun only). */
bool scratch_is_ours(int fd, const char *path, uint64_t *filled);
/* Marks the open file; 0 or ERR_DEVICE. */
int scratch_mark(int fd, const char *path, uint64_t filled, uint64_t size, struct error *err);

/*
 * Allocates the file up to size and writes random data from `from` on, through to the disk. Reads
 * of it then meet real blocks, no holes. go_on as in struct device_request. ERR_DEVICE,
 * ERR_INTERRUPTED.
 */
int scratch_fill(int fd, const char *path, uint64_t from, uint64_t size,
                 bool (*go_on)(void *arg, uint64_t done, uint64_t total), void *arg,
                 struct error *err);

#endif
