#include "runner/workload/workload.h"

#include "core/base/rng.h"
#include "core/base/xalloc.h"
#include "runner/workload/buffer_internal.h"

/* Where the I/Os of one direction go. */
struct lane {
    uint32_t bs;
    uint64_t blocks; /* of bs in the extent */
    uint64_t next;   /* sequential: number of the next block */
};

struct workload {
    struct rng rng;
    uint64_t base; /* start of the extent */
    bool random;
    bool mixed;
    uint64_t read_below; /* of 2^32: a draw below it is a read */
    enum dir only;       /* when not mixed */
    struct lane lane[DIR_TRIM + 1];
    const struct buffer_pool *pool;
    uint64_t sequence; /* of writes */
};

struct workload *workload_create(const struct workload_spec *spec, uint64_t seed, unsigned job,
                                 unsigned numjobs, const struct buffer_pool *pool)
{
    struct workload *w = xcalloc(1, sizeof *w);
    rng_seed(&w->rng, seed);
    w->base = spec->offset;
    w->random = rw_is_random(spec->rw);
    w->mixed = rw_is_mixed(spec->rw);
    w->read_below = (UINT64_C(1) << 32) * spec->read_percent / 100;
    w->pool = pool;
    for (enum dir d = DIR_READ; d <= DIR_TRIM; d++) {
        if (!workload_uses(spec, d))
            continue;
        struct lane *l = &w->lane[d];
        w->only = d;
        l->bs = spec->bs[d];
        l->blocks = spec->size / l->bs;
        l->next = (uint64_t)((double)l->blocks * job / numjobs);
    }
    return w;
}

void workload_destroy(struct workload *w)
{
    free(w);
}

struct workload_op workload_next(struct workload *w)
{
    enum dir dir = w->only;
    if (w->mixed)
        dir = rng_next(&w->rng) >> 32 < w->read_below ? DIR_READ : DIR_WRITE;
    struct lane *l = &w->lane[dir];
    uint64_t block;
    if (w->random) {
        block = rng_below(&w->rng, l->blocks);
    } else {
        block = l->next;
        l->next = block + 1 < l->blocks ? block + 1 : 0;
    }
    return (struct workload_op){.offset = w->base + block * l->bs, .len = l->bs, .dir = dir};
}

void workload_fill(struct workload *w, const struct workload_op *op, void *buf)
{
    buffer_fill(buf, op->len, w->pool, &w->rng, op->offset, w->sequence++);
}
