#include "runner/sweep/precondition.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/numfmt.h"
#include "core/base/xalloc.h"
#include "runner/device/purge.h"
#include "runner/sweep/sweep_internal.h"
#include "runner/workload/workload.h"

#define SEQUENTIAL_BYTES (UINT64_C(128) << 10)
#define RANDOM_BYTES     UINT64_C(4096)
#define DEPTH            32
#define TELL_NS          (250 * NS_PER_MS)
#define WAIT_NS          (100 * NS_PER_MS)
/* As long as a job waits for I/Os that do not come back. */
#define HANG_NS (60 * NS_PER_S)

const char *const precondition_names[] = {"none", "fill", "seq2x", "rand", NULL};

static unsigned passes(enum precondition how)
{
    static const unsigned n[] = {0, 1, 2, 2};
    return n[how];
}

uint64_t precondition_bytes(enum precondition how, uint64_t extent)
{
    return passes(how) * extent;
}

const char *precondition_words(enum precondition how)
{
    static const char *const words[] = {
        "nothing was written before", "written once in sequence (128 KiB)",
        "written twice in sequence (128 KiB)",
        "written once in sequence (128 KiB), then each 4 KiB block once in random order"};
    return words[how];
}

/* One target while it is written. */
struct filling {
    struct sweep *s;
    const struct sweep_target *target;
    const struct engine_ops *ops;
    struct engine *engine;
    struct workload *load; /* contents; of a random pass also the offsets */
    int fd;                /* -1: simulated */
    struct io *io;
    struct io **free, **batch, **finished;
    unsigned depth, n_free, n_batch, inflight;
    void *arena;
    size_t arena_len;
    uint64_t begin, end;  /* of the extent */
    bool random;          /* this pass */
    uint64_t issued;      /* bytes of this pass */
    uint64_t done, total; /* bytes of all passes */
    uint64_t began_ns, told_ns, progress_ns;
};

/* Length of the next piece; 0: the pass has no more. */
static uint32_t next_len(const struct filling *f)
{
    uint64_t left = f->end - f->begin - f->issued;
    if (f->random) /* each block once: whole blocks only */
        return left < RANDOM_BYTES ? 0 : (uint32_t)RANDOM_BYTES;
    return (uint32_t)(left < SEQUENTIAL_BYTES ? left : SEQUENTIAL_BYTES);
}

static struct workload_op next(struct filling *f, uint32_t len)
{
    struct workload_op op = {.offset = f->begin + f->issued, .len = len, .dir = DIR_WRITE};
    if (f->random)
        op = workload_next(f->load);
    f->issued += len;
    return op;
}

static void prepare(struct filling *f)
{
    for (uint32_t len; f->n_free && (len = next_len(f)) > 0;) {
        struct workload_op op = next(f, len);
        struct io *io = f->free[--f->n_free];
        io->offset = op.offset;
        io->len = op.len;
        io->dir = DIR_WRITE;
        workload_fill(f->load, &op, io->buf);
        f->batch[f->n_batch++] = io;
    }
}

static int failed(const struct filling *f, const struct io *io, int errnum, struct error *err)
{
    char size[NUMFMT_MAX];
    if (errnum == 0)
        return error_set(err, ERR_DEVICE,
                         "preconditioning: %s took only a part of a write at %" PRIu64,
                         f->target->path, io->offset);
    return error_errno(err, ERR_DEVICE, errnum,
                       "preconditioning: cannot write %s at %" PRIu64 " of %s",
                       fmt_bytes(size, io->len), io->offset, f->target->path);
}

static int submit(struct filling *f, struct error *err)
{
    if (f->n_batch == 0)
        return 0;
    int n = f->ops->submit(f->engine, f->batch, f->n_batch);
    if (n < 0)
        return failed(f, f->batch[0], -n, err);
    f->inflight += (unsigned)n;
    f->n_batch -= (unsigned)n;
    memmove(f->batch, f->batch + n, f->n_batch * sizeof(struct io *));
    return 0;
}

static int reap(struct filling *f, struct error *err)
{
    int n = f->ops->reap(f->engine, f->finished, 1, f->depth, WAIT_NS);
    if (n < 0 && n != -EINTR)
        return error_errno(err, ERR_DEVICE, -n, "preconditioning: %s", f->target->path);
    for (int i = 0; i < n; i++) {
        struct io *io = f->finished[i];
        f->inflight--;
        f->free[f->n_free++] = io;
        if (io->result != (int32_t)io->len)
            return failed(f, io, io->result < 0 ? -io->result : 0, err);
        f->done += io->len;
    }
    return n;
}

/* Tells how far it is; ends it when the user wants that, or nothing moves any more. */
static int look_on(struct filling *f, bool moved, struct error *err)
{
    const struct sweep_watch *watch = &f->s->spec->watch;
    uint64_t now = clock_now_ns();
    if (moved)
        f->progress_ns = now;
    if (watch->precondition && (now - f->told_ns >= TELL_NS || f->done == f->total)) {
        const struct sweep_filling filling = {f->target->path, f->done, f->total,
                                              now - f->began_ns};
        watch->precondition(watch->arg, &filling);
        f->told_ns = now;
    }
    if (sweep_is_stopped(f->s))
        return error_set(err, ERR_INTERRUPTED,
                         "interrupted while %s was preconditioned: nothing was measured, and it is "
                         "partly overwritten",
                         f->target->path);
    if (now - f->progress_ns > HANG_NS)
        return error_set(err, ERR_DEVICE, "preconditioning: %s has finished no write for 60 s",
                         f->target->path);
    return 0;
}

static int run_pass(struct filling *f, bool random, struct error *err)
{
    f->random = random;
    f->issued = 0;
    int rc = 0;
    do {
        prepare(f);
        rc = submit(f, err);
        int n = rc == 0 ? reap(f, err) : 0;
        if (rc == 0 && n < 0 && n != -EINTR)
            rc = n;
        if (rc == 0)
            rc = look_on(f, n > 0, err);
    } while (rc == 0 && (f->inflight || f->n_batch || next_len(f) > 0));
    return rc;
}

static void make_slots(struct filling *f)
{
    f->io = xcalloc(f->depth, sizeof *f->io);
    f->free = xcalloc(f->depth, sizeof *f->free);
    f->batch = xcalloc(f->depth, sizeof *f->batch);
    f->finished = xcalloc(f->depth, sizeof *f->finished);
    for (unsigned i = 0; i < f->depth; i++) {
        f->io[i].slot = i;
        f->io[i].buf = (char *)f->arena + i * SEQUENTIAL_BYTES;
        f->free[f->n_free++] = &f->io[i];
    }
}

/* One that does single I/Os: an engine that runs another program does none. */
static const struct engine_ops *find_engine(const struct cell_key *base)
{
    const struct engine_ops *ops = engine_find(base->engine);
    char why[256];
    if (!(ops->flags & ENGINE_WHOLE_CELL))
        return ops;
    return engine_libaio.supported(why, sizeof why) ? &engine_libaio : &engine_psync;
}

static int start(struct filling *f, struct error *err)
{
    const struct cell_key *base = &f->s->spec->plan->axes.base;
    f->ops = find_engine(base);
    f->depth = f->ops->flags & ENGINE_SYNC ? 1 : DEPTH;
    f->arena_len = f->depth * SEQUENTIAL_BYTES;
    f->arena = mmap(NULL, f->arena_len, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (f->arena == MAP_FAILED)
        return error_set(err, ERR_DEVICE, "preconditioning: not enough memory");
    make_slots(f);
    bool own = strcmp(f->ops->name, base->engine) == 0;
    const struct engine_env env = {.fd = &f->fd,
                                   .size = &f->target->size,
                                   .n_files = 1,
                                   .iodepth = f->depth,
                                   .arena = f->arena,
                                   .buf_len = SEQUENTIAL_BYTES,
                                   .options =
                                       own && base->engine_options ? base->engine_options : "",
                                   .shared = f->s->shared};
    return f->ops->create(&f->engine, &env, err);
}

static void release(struct filling *f)
{
    if (f->engine)
        f->ops->destroy(f->engine);
    if (f->arena && f->arena != MAP_FAILED)
        munmap(f->arena, f->arena_len);
    free(f->io);
    free(f->free);
    free(f->batch);
    free(f->finished);
}

/* The extent that the cells use. */
static void set_extent(struct filling *f, const struct cell_key *base)
{
    uint64_t size = f->target->size, offset = IS_KNOWN(base, CELL_KEY, offset) ? base->offset : 0;
    uint64_t block =
        IS_KNOWN(&f->target->info, DEVICE, logical_block) ? f->target->info.logical_block : 512;
    if (offset > size)
        offset = size;
    uint64_t bytes = size - offset;
    if (IS_KNOWN(base, CELL_KEY, size) && base->size && base->size < bytes)
        bytes = base->size;
    f->begin = offset;
    f->end = offset + bytes / block * block;
}

static int write_passes(struct filling *f, const struct workload_spec *load,
                        const struct buffer_pool *pool, struct error *err)
{
    enum precondition how = f->s->spec->precondition;
    int rc = start(f, err);
    f->progress_ns = f->told_ns = f->began_ns = clock_now_ns();
    for (unsigned i = 0; rc == 0 && i < passes(how); i++) {
        f->load = workload_create(load, f->s->spec->plan->axes.seed + i, 0, 1, pool);
        rc = run_pass(f, how == PRECONDITION_RAND && i == 1, err);
        workload_destroy(f->load);
    }
    release(f);
    if (rc == 0 && f->fd >= 0 && fsync(f->fd) != 0)
        rc = error_errno(err, ERR_DEVICE, errno, "preconditioning: %s", f->target->path);
    return rc;
}

static void note(struct device_info *info, const struct filling *f, enum precondition how)
{
    char size[NUMFMT_MAX];
    char *text = how == PRECONDITION_NONE ? xstrdup(precondition_words(how))
                                          : xasprintf("%s: %s in all", precondition_words(how),
                                                      fmt_bytes(size, f->done));
    if (how != PRECONDITION_NONE || !info->precondition)
        field_set_text(&device_fields, info, DEVICE_precondition, text);
    free(text);
}

static int fill_target(struct sweep *s, size_t i, struct error *err)
{
    const struct sweep_spec *spec = s->spec;
    const struct sweep_target *target = &spec->target[i];
    struct filling f = {
        .s = s, .target = target, .fd = target->device ? device_fd(target->device) : -1};
    struct cell_key key = {0};
    struct workload_spec load;
    struct device_info *info = &spec->run->device[i];
    set_extent(&f, &spec->plan->axes.base);
    f.total = precondition_bytes(spec->precondition, f.end - f.begin);
    SET(&key, CELL_KEY, rw, RW_RANDWRITE);
    SET(&key, CELL_KEY, bs, RANDOM_BYTES);
    SET(&key, CELL_KEY, offset, f.begin);
    SET(&key, CELL_KEY, size, f.end - f.begin);
    field_set_text(&cell_key_fields, &key, CELL_KEY_distribution, "cover");
    int rc = workload_spec_from_key(&load, &key, f.target->size, err);
    fields_release(&cell_key_fields, &key);
    if (rc < 0)
        return rc;
    bool wanted = spec->purge && spec->precondition != PRECONDITION_NONE;
    const char *purged = device_purge(f.fd, info, f.begin, f.end - f.begin, wanted);
    field_set_text(&device_fields, info, DEVICE_purge, purged);
    struct buffer_pool *pool = buffer_pool_create(spec->plan->axes.seed);
    rc = write_passes(&f, &load, pool, err);
    buffer_pool_destroy(pool);
    workload_spec_release(&load);
    if (rc == 0)
        note(info, &f, spec->precondition);
    return rc;
}

int precondition_run(struct sweep *s, struct error *err)
{
    int rc = 0;
    for (size_t i = 0; i < s->spec->plan->axes.n_devices && rc == 0; i++)
        rc = fill_target(s, i, err);
    return rc;
}
