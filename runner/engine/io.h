/* One I/O in flight: a slot of a job, reused for the whole cell. */
#ifndef RUNNER_ENGINE_IO_H
#define RUNNER_ENGINE_IO_H

#include <stdint.h>

#include "core/model/direction.h"

enum io_flag {
    IO_DATASYNC = 1 << 0, /* of DIR_SYNC: fdatasync, not fsync */
    /* set by an asynchronous engine that did this I/O, and no other, inside submit: no slat */
    IO_BLOCKED = 1 << 1,
};

struct io {
    void *buf;         /* slot's own buffer in the arena of the environment */
    uint64_t offset;   /* bytes from the start of the device or file */
    uint64_t start;    /* ns: when it was prepared; under a rate, when it was due */
    uint64_t issue;    /* ns: after the submit call that took it returned; IO_BLOCKED: before it */
    uint64_t complete; /* ns: when it was reaped */
    uint32_t len;      /* bytes asked for; 0 for DIR_SYNC */
    int32_t result;    /* bytes done, or -errno */
    uint32_t slot;     /* 0 .. iodepth - 1: index of engine-private data */
    uint16_t file;     /* index into env.fd */
    uint8_t dir;       /* enum dir: DIR_READ, DIR_WRITE, DIR_TRIM, DIR_SYNC */
    uint8_t flags;     /* enum io_flag */
};

#endif
