/*
 * Plug point: how I/Os reach the kernel. One engine instance belongs to one job thread: created,
 * used and destroyed on it. Batches go in with submit, come out with reap; neither allocates,
 * locks, logs or reads the clock (the job does, once a batch). Only `sim`, which is a device as
 * well as an engine, locks what the jobs share of it and has a clock.
 *
 * To add one: a .c file with a const struct engine_ops, a row in registry.c, a line in
 * CMakeLists.txt; tests/runner/engine/conformance_test.c then runs on it.
 */
#ifndef RUNNER_ENGINE_ENGINE_H
#define RUNNER_ENGINE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/base/strbuf.h"
#include "runner/engine/io.h"

struct engine;        /* private to each engine */
struct engine_shared; /* likewise: what the engines of several jobs have in common */

enum engine_flag {
    ENGINE_SYNC = 1 << 0,       /* submit does the I/O itself: iodepth is 1, slat does not exist */
    ENGINE_NO_DEVICE = 1 << 1,  /* needs no file descriptors (sim) */
    ENGINE_HELPERS = 1 << 2,    /* kernel threads of the process may do part of the work: CPU use is
                                * that of the process, not of the job threads */
    ENGINE_WHOLE_CELL = 1 << 3, /* another program runs whole cells (runner/fio_exec): there is no
                                 * create, submit, reap and destroy */
};

/* One option an engine takes; the rows make its help and its parser. */
enum engine_option_type {
    ENGINE_OPT_COUNT, /* double: IOPS and the like, decimal k and M */
    ENGINE_OPT_BW,    /* double: bytes/s */
    ENGINE_OPT_SIZE,  /* uint64_t: bytes */
    ENGINE_OPT_TIME,  /* uint64_t: ns */
    ENGINE_OPT_U64,   /* uint64_t */
    ENGINE_OPT_BOOL,  /* bool */
};

struct engine_option {
    const char *name; /* NULL ends the rows */
    enum engine_option_type type;
    size_t offset; /* of the value in the engine's own configuration */
    const char *help;
};

/* What an engine works on. Everything in it outlives the engine. */
struct engine_env {
    const int *fd;        /* open files; NULL for ENGINE_NO_DEVICE */
    const uint64_t *size; /* usable bytes of each */
    unsigned n_files;
    unsigned iodepth; /* most I/Os in flight at one time */
    void *arena;      /* all buffers: iodepth * buf_len bytes, page-aligned, touched */
    size_t buf_len;
    const char *options;          /* "name=value,name=value" or "" */
    uint64_t seed;                /* for engines that simulate */
    unsigned job;                 /* number of the job among those that share, from 0 */
    struct engine_shared *shared; /* from share_create; NULL when the engine has no such call */
};

struct engine_ops {
    const char *name;
    const char *summary;
    const struct engine_option *option; /* rows, or NULL when it takes none */
    unsigned flags;                     /* enum engine_flag */

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
     * (-EINTR when a signal came first). With min 0 it only looks, without a system call where
     * the interface allows. With nothing in flight it waits for the timeout, so that a job has
     * one way to wait. Required.
     */
    int (*reap)(struct engine *e, struct io **done, unsigned min, unsigned max,
                uint64_t timeout_ns);
    /* Ends it; I/Os still in flight are waited for or cancelled, so buffers may be freed after.
     * NULL ok. */
    void (*destroy)(struct engine *e);

    /*
     * What the engines of several jobs (and of the cells after one another) have in common, for
     * engines that simulate a device: made by whoever starts the first job, handed to each in the
     * environment, destroyed after the last engine. NULL when there is nothing to share.
     */
    int (*share_create)(struct engine_shared **out, const char *options, uint64_t seed,
                        struct error *err);
    void (*share_destroy)(struct engine_shared *s);
    /* The engine's own clock, ns; NULL: the job reads CLOCK_MONOTONIC. */
    uint64_t (*now)(struct engine *e);
    /* Asked before destroy: the short name of a doubt about the figures (cell caveats), or NULL.
     * The call itself may be NULL. */
    const char *(*caveat)(struct engine *e);
};

extern const struct engine_ops engine_psync;
extern const struct engine_ops engine_libaio;
extern const struct engine_ops engine_io_uring;
extern const struct engine_ops engine_sim;
extern const struct engine_ops engine_fio;

/* Every engine of this build, in the order of --help; NULL-terminated. */
extern const struct engine_ops *const engine_registry[];

const struct engine_ops *engine_find(const char *name); /* NULL when there is none */

/*
 * Checks an option text against the rows of an engine; ERR_USAGE names the option, and the ones
 * there are. With `canonical` not NULL appends "name=value,..." sorted by name, as a cell key has
 * it.
 */
int engine_check_options(const struct engine_ops *ops, const char *options,
                         struct strbuf *canonical, struct error *err);
/* Appends one line "name=VALUE  what it does" for each option. */
void engine_options_help(const struct engine_ops *ops, struct strbuf *out);

#endif
