#include "runner/workload/workload.h"

#include "core/base/rng.h"
#include "core/base/xalloc.h"
#include "runner/workload/buffer_internal.h"
#include "runner/workload/pacer_internal.h"
#include "runner/workload/permutation_internal.h"
#include "runner/workload/zipf_internal.h"

/* Where the I/Os of one direction go. */
struct lane {
    const struct block_sizes *sizes;
    uint64_t blocks; /* of the smallest size in the extent */
    uint64_t next;   /* sequential: offset of the next I/O; cover: its number in the order */
    struct permutation order;
    struct zipf zipf;
};

struct workload {
    struct rng rng;
    uint64_t base; /* the extent */
    uint64_t size;
    enum offsets offsets;
    bool mixed;
    uint64_t read_below; /* of 2^32: a draw below it is a read */
    enum dir only;       /* when not mixed */
    struct lane lane[WORKLOAD_DIRS];
    uint64_t sync_every, writes_since_sync;
    bool datasync;
    unsigned n_pacers; /* 0: closed loop; 1: of the only direction; 2: reads, writes */
    struct pacer pacer[2];
    bool is_held; /* in a closed loop: one direction has a rate, that of pacer[0] */
    enum dir held;
    uint64_t now; /* since the start of the load, where it is held */
    struct buffer_maker buffers;
};

static void lane_init(struct lane *l, const struct workload_spec *spec, enum dir dir, uint64_t key,
                      double share)
{
    l->sizes = &spec->bs[dir];
    l->blocks = spec->size / l->sizes->min;
    if (spec->offsets == OFFSETS_SEQUENTIAL)
        l->next = (uint64_t)((double)l->blocks * share) * l->sizes->min;
    if (spec->offsets == OFFSETS_COVER || spec->offsets == OFFSETS_ZIPF)
        permutation_init(&l->order, l->blocks, key);
    if (spec->offsets == OFFSETS_ZIPF)
        zipf_init(&l->zipf, l->blocks, spec->theta);
}

static void pacers_init(struct workload *w, const struct workload_spec *spec, double share)
{
    uint64_t read_seed = rng_next(&w->rng), write_seed = rng_next(&w->rng);
    w->is_held = workload_is_held(spec);
    if (w->is_held) {
        int i = spec->rate_iops[0] > 0 || spec->rate_bw[0] > 0 ? 0 : 1;
        w->held = i == 0 ? DIR_READ : DIR_WRITE;
        pacer_init(&w->pacer[0], spec->rate_iops[i], spec->rate_bw[i], spec->poisson,
                   i == 0 ? read_seed : write_seed, share, spec->bs[w->held].min);
    }
    if (!workload_is_open(spec))
        return;
    w->n_pacers = w->mixed ? 2 : 1;
    for (unsigned i = 0; i < w->n_pacers; i++) {
        enum dir dir = w->only;
        if (w->mixed)
            dir = i == 0 ? DIR_READ : DIR_WRITE;
        pacer_init(&w->pacer[i], spec->rate_iops[i], spec->rate_bw[i], spec->poisson,
                   i == 0 ? read_seed : write_seed, share, spec->bs[dir].min);
    }
}

struct workload *workload_create(const struct workload_spec *spec, uint64_t seed, unsigned job,
                                 unsigned numjobs, const struct buffer_pool *pool)
{
    struct workload *w = xcalloc(1, sizeof *w);
    double share = (double)job / numjobs;
    rng_seed(&w->rng, seed);
    w->base = spec->offset;
    w->size = spec->size;
    w->offsets = spec->offsets;
    w->mixed = rw_is_mixed(spec->rw);
    w->read_below = (UINT64_C(1) << 32) * spec->read_percent / 100;
    w->sync_every = workload_uses(spec, DIR_SYNC) ? spec->sync_every : 0;
    w->datasync = spec->datasync;
    /* One order for both directions of a mix, so that the popular blocks of both are the same. */
    uint64_t key = rng_next(&w->rng);
    for (enum dir d = DIR_READ; d < WORKLOAD_DIRS; d++) {
        if (!workload_uses(spec, d))
            continue;
        w->only = d;
        lane_init(&w->lane[d], spec, d, key, share);
    }
    pacers_init(w, spec, share);
    buffer_maker_init(&w->buffers, pool, rng_next(&w->rng), spec->compress, spec->dedupe);
    return w;
}

struct workload *workload_clone(const struct workload *w)
{
    struct workload *c = xmalloc(sizeof *c);
    *c = *w;
    return c;
}

void workload_destroy(struct workload *w)
{
    free(w);
}

static uint32_t draw_size(struct workload *w, const struct block_sizes *s)
{
    if (s->n == 1)
        return s->max;
    uint64_t draw = rng_next(&w->rng) >> 32;
    size_t lo = 0, hi = s->n - 1;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (draw < s->size[mid].below)
            hi = mid;
        else
            lo = mid + 1;
    }
    return s->size[lo].bytes;
}

/* Number of the block of the smallest size at which an I/O of len bytes begins. */
static uint64_t draw_block(struct workload *w, struct lane *l, uint32_t len)
{
    uint64_t starts = l->blocks;
    if (l->sizes->n > 1)
        starts = (w->size - len) / l->sizes->min + 1;
    if (w->offsets == OFFSETS_UNIFORM)
        return rng_below(&w->rng, starts);
    uint64_t block;
    if (w->offsets == OFFSETS_ZIPF) {
        block = permutation_at(&l->order, zipf_rank(&l->zipf, &w->rng) - 1);
    } else {
        block = permutation_at(&l->order, l->next);
        if (++l->next == l->blocks) {
            l->next = 0;
            permutation_init(&l->order, l->blocks, rng_next(&w->rng));
        }
    }
    return block < starts ? block : starts - 1;
}

static uint64_t next_offset(struct workload *w, struct lane *l, uint32_t len)
{
    if (w->offsets != OFFSETS_SEQUENTIAL)
        return draw_block(w, l, len) * l->sizes->min;
    uint64_t at = len <= w->size - l->next ? l->next : 0;
    l->next = at + len < w->size ? at + len : 0;
    return at;
}

static unsigned due_pacer(const struct workload *w)
{
    return w->n_pacers == 2 && w->pacer[1].next < w->pacer[0].next;
}

uint64_t workload_due(const struct workload *w)
{
    return w->n_pacers == 0 ? 0 : (uint64_t)w->pacer[due_pacer(w)].next;
}

static enum dir draw_dir(struct workload *w, unsigned pacer)
{
    if (!w->mixed)
        return w->only;
    /* under rates the shares of a mix are those of the rates, as in fio */
    if (w->n_pacers == 2)
        return pacer == 0 ? DIR_READ : DIR_WRITE;
    enum dir dir = rng_next(&w->rng) >> 32 < w->read_below ? DIR_READ : DIR_WRITE;
    if (!w->is_held || dir != w->held || w->pacer[0].next <= (double)w->now)
        return dir;
    return dir == DIR_READ ? DIR_WRITE : DIR_READ;
}

void workload_at(struct workload *w, uint64_t ns)
{
    w->now = ns;
}

struct workload_op workload_next(struct workload *w)
{
    unsigned p = due_pacer(w);
    struct workload_op op = {.due = workload_due(w)};
    if (w->sync_every && w->writes_since_sync == w->sync_every) {
        w->writes_since_sync = 0;
        op.dir = DIR_SYNC;
        op.datasync = w->datasync;
        return op;
    }
    op.dir = draw_dir(w, p);
    struct lane *l = &w->lane[op.dir];
    op.len = draw_size(w, l->sizes);
    op.offset = w->base + next_offset(w, l, op.len);
    w->writes_since_sync += op.dir == DIR_WRITE;
    if (w->n_pacers || (w->is_held && op.dir == w->held))
        pacer_advance(&w->pacer[p], op.len);
    return op;
}

void workload_fill(struct workload *w, const struct workload_op *op, void *buf)
{
    buffer_fill(&w->buffers, buf, op->len);
}
