/* One I/O done by a blocking call: psync's way, and every engine's for what its interface lacks. */
#ifndef RUNNER_ENGINE_SYNC_IO_INTERNAL_H
#define RUNNER_ENGINE_SYNC_IO_INTERNAL_H

#include "runner/engine/io.h"

/* Fills io->result: bytes done or -errno. A signal does not cut it short. */
void sync_io(int fd, struct io *io);

/*
 * I/Os an asynchronous engine had to do by blocking calls inside submit, because its interface has
 * no such operation: kept until they are reaped, oldest first.
 */
struct sync_queue {
    struct io **io;
    unsigned n;
};

void sync_queue_init(struct sync_queue *q, unsigned iodepth);
void sync_queue_release(struct sync_queue *q);
/* Does the I/O, marks it IO_BLOCKED and keeps it; submit takes no other with it. */
void sync_queue_do(struct sync_queue *q, int fd, struct io *io);
/* Moves at most max of them to done; returns how many. */
unsigned sync_queue_take(struct sync_queue *q, struct io **done, unsigned max);

#endif
