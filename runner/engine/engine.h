/*
 * Plug point: how I/Os reach the kernel. One engine instance belongs to one job thread: created,
 * used and destroyed on it. Batches go in with submit, come out with reap; neither allocates,
 * locks, logs or reads the clock (the job does, once a batch).
 *
 * To add one: a .c file with a const struct engine_ops, a row in registry.c, a line in
 * CMakeLists.txt; tests/runner/engine/conformance_test.c then runs on it.
 */
#ifndef RUNNER_ENGINE_ENGINE_H
#define RUNNER_ENGINE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "runner/engine/io.h"

struct engine; /* private to each engine */

enum engine_flag {
    ENGINE_SYNC = 1 << 0,      /* submit does the I/O itself: iodepth is 1, slat does not exist */
    ENGINE_NO_DEVICE = 1 << 1, /* needs no file descriptors (sim) */
};

/* What an engine works on. Everything in it outlives the engine. */
struct engine_env {
    const int *fd;        /* open files; NULL for ENGINE_NO_DEVICE */
    const uint64_t *size; /* usable bytes of each */
    unsigned n_files;
    unsigned iodepth; /* most I/Os in flight at one time */
    void *arena;      /* all buffers: iodepth * buf_len bytes, page-aligned, touched */
    size_t buf_len;
    const char *options; /* "name=value,name=value" or "" */
    uint64_t seed;       /* for engines that simulate */
};

struct engine_ops {
    const char *name;
    const char *summary;
    const char *options_help; /* lines "name=VALUE  what it does", or NULL */
    unsigned flags;           /* enum engine_flag */

    /* True when it can work on this machine; else why[n] says what is missing. Required. */
    bool (*supported)(char *why, size_t n);
    /* Required. ERR_USAGE for bad options, ERR_DEVICE when the kernel refuses. */
    int (*create)(struct engine **out, const struct engine_env *env, struct error *err);
    /*
     * Starts the first I/Os of io[0..n); returns how many were taken (1..n), 0 when the kernel has
     * no room now (reap, then try again), or -errno when io[0] itself cannot be submitted.
     * Required.
     */
    int (*submit)(struct engine *e, struct io **io, unsigned n);
    /*
     * Collects finished I/Os into done[0..max), result filled in: waits until there are at least
     * `min`, or timeout_ns has passed (UINT64_MAX: no limit). Returns their number or -errno
     * (-EINTR when a signal came first). Required.
     */
    int (*reap)(struct engine *e, struct io **done, unsigned min, unsigned max,
                uint64_t timeout_ns);
    /* Ends it; I/Os still in flight are waited for or cancelled, so buffers may be freed after.
     * NULL ok. */
    void (*destroy)(struct engine *e);
};

extern const struct engine_ops engine_psync;
extern const struct engine_ops engine_libaio;
extern const struct engine_ops engine_sim;

/* Every engine of this build, in the order of --help; NULL-terminated. */
extern const struct engine_ops *const engine_registry[];

const struct engine_ops *engine_find(const char *name); /* NULL when there is none */

#endif
