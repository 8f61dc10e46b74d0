/* An engine on a scratch file (or on nothing, for one that needs none), for the tests of this folder. */
#ifndef TESTS_RUNNER_ENGINE_RIG_H
#define TESTS_RUNNER_ENGINE_RIG_H

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "runner/engine/engine.h"

enum { BS = 4096, BLOCKS = 64, TAIL = 512, DEPTH = 16 };
#define FILE_SIZE (BS * BLOCKS + TAIL)
/* A wait that only ends by itself where something is wrong, however slow the machine is. */
#define LONG_NS (60 * NS_PER_S)

struct rig {
    const struct engine_ops *ops;
    struct engine *engine;
    struct engine_shared *shared;
    int fd;
    uint64_t size;
    char *arena;
    struct io io[DEPTH];
};

static inline int scratch_file(void)
{
    char path[] = "/tmp/blkmatrix-engine-XXXXXX";
    int fd = mkostemp(path, O_CLOEXEC);
    cr_assert(fd >= 0, "no scratch file in /tmp: %d", errno);
    unlink(path);
    cr_assert_eq(ftruncate(fd, FILE_SIZE), 0);
    return fd;
}

static inline int start(struct rig *r, const char *options, struct error *err)
{
    if (r->ops->share_create) {
        int rc = r->ops->share_create(&r->shared, options, 7, err);
        if (rc)
            return rc;
    }
    struct engine_env env = {.fd = &r->fd,
                             .size = &r->size,
                             .n_files = 1,
                             .iodepth = DEPTH,
                             .arena = r->arena,
                             .buf_len = BS,
                             .options = options,
                             .shared = r->shared};
    return r->ops->create(&r->engine, &env, err);
}

static inline void rig_init(struct rig *r, const struct engine_ops *ops)
{
    char why[256] = "";
    if (!ops->supported(why, sizeof why))
        cr_skip_test("%s cannot work here: %s", ops->name, why);
    *r = (struct rig){.ops = ops, .fd = scratch_file(), .size = FILE_SIZE};
    r->arena = mmap(NULL, DEPTH * BS, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    cr_assert_neq(r->arena, MAP_FAILED);
    for (unsigned i = 0; i < DEPTH; i++) {
        r->io[i].slot = i;
        r->io[i].buf = r->arena + (size_t)i * BS;
    }
    struct error err = ERROR_INIT;
    int rc = start(r, "", &err);
    cr_assert_eq(rc, 0, "%s: %s", ops->name, err.message);
}

static inline void rig_stop(struct rig *r)
{
    r->ops->destroy(r->engine);
    if (r->ops->share_destroy)
        r->ops->share_destroy(r->shared);
    r->engine = NULL;
    r->shared = NULL;
}

static inline void rig_release(struct rig *r)
{
    rig_stop(r);
    munmap(r->arena, DEPTH * BS);
    close(r->fd);
}

static inline struct io *set(struct rig *r, unsigned i, enum dir dir, uint64_t offset, uint32_t len)
{
    struct io *io = &r->io[i];
    io->dir = (uint8_t)dir;
    io->offset = offset;
    io->len = len;
    io->result = -12345;
    return io;
}

/* Submits all of io[0..n) in as many calls as it takes and reaps until all are back. */
static inline unsigned do_all(struct rig *r, struct io **io, unsigned n)
{
    unsigned sent = 0, back = 0, rounds = 0;
    struct io *done[DEPTH];
    while (back < n && rounds++ < 1000) {
        if (sent < n) {
            int k = r->ops->submit(r->engine, io + sent, n - sent);
            cr_assert(k >= 0 && k <= (int)(n - sent), "submit returned %d", k);
            sent += (unsigned)k;
        }
        int k = r->ops->reap(r->engine, done, 1, DEPTH, LONG_NS);
        cr_assert(k >= 0 && k <= (int)(sent - back), "reap returned %d with %u in flight", k,
                  sent - back);
        back += (unsigned)k;
    }
    return back;
}

static inline unsigned do_one(struct rig *r, struct io *io)
{
    return do_all(r, &io, 1);
}

static inline bool has_device(const struct rig *r)
{
    return !(r->ops->flags & ENGINE_NO_DEVICE);
}

#endif
