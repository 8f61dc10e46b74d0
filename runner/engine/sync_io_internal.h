/* One I/O done by a blocking call: psync's way, and every engine's for what its interface lacks. */
#ifndef RUNNER_ENGINE_SYNC_IO_INTERNAL_H
#define RUNNER_ENGINE_SYNC_IO_INTERNAL_H

#include "runner/engine/io.h"

/* Fills io->result: bytes done or -errno. A signal does not cut it short. */
void sync_io(int fd, struct io *io);

#endif
