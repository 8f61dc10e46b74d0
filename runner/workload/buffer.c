#include "runner/workload/buffer_internal.h"

#include "core/base/xalloc.h"

enum { POOL_BYTES = 4 << 20, SLICE_ALIGN = 64, STAMP_EVERY = 512, CHUNK = 4096, REPEATED = 64 };

struct buffer_pool {
    uint64_t word[POOL_BYTES / sizeof(uint64_t)];
};

struct buffer_pool *buffer_pool_create(uint64_t seed)
{
    struct buffer_pool *p = xmalloc(sizeof *p);
    struct rng rng;
    rng_seed(&rng, seed);
    for (size_t i = 0; i < POOL_BYTES / sizeof(uint64_t); i++)
        p->word[i] = rng_next(&rng);
    return p;
}

void buffer_pool_destroy(struct buffer_pool *p)
{
    free(p);
}

void buffer_maker_init(struct buffer_maker *m, const struct buffer_pool *pool, uint64_t seed,
                       unsigned compress, unsigned dedupe)
{
    *m = (struct buffer_maker){.pool = pool, .compress = compress, .dedupe = dedupe};
    rng_seed(&m->rng, seed);
    m->key = rng_next(&m->rng);
}

/* Repeats are of a few: one of all would mostly be of a block that something else was written over since. */
static uint64_t next_content(struct buffer_maker *m)
{
    if (m->dedupe && m->contents && rng_below(&m->rng, 100) < m->dedupe)
        return rng_below(&m->rng, m->contents < REPEATED ? m->contents : REPEATED);
    return m->contents++;
}

static void copy_slice(char *out, uint32_t len, const struct buffer_pool *pool, uint64_t from)
{
    const char *bytes = (const char *)pool->word;
    for (uint32_t at = 0; at < len;) {
        uint64_t room = POOL_BYTES - from, n = len - at < room ? len - at : room;
        memcpy(out + at, bytes + from, n);
        at += (uint32_t)n;
        from = 0;
    }
}

/* splitmix64 is one to one: stamps differ where (content, position) does. */
static void stamp(char *out, uint32_t len, uint64_t state)
{
    for (uint32_t at = 0; at + sizeof(uint64_t) <= len; at += STAMP_EVERY) {
        uint64_t mark = splitmix64(&state);
        memcpy(out + at, &mark, sizeof mark);
    }
}

static void zero_tails(char *out, uint32_t len, unsigned percent)
{
    for (uint32_t at = 0; at < len; at += CHUNK) {
        uint32_t chunk = len - at < CHUNK ? len - at : CHUNK, zeros = chunk * percent / 100;
        memset(out + at + chunk - zeros, 0, zeros);
    }
}

void buffer_fill(struct buffer_maker *m, void *buf, uint32_t len)
{
    uint64_t state = m->key + next_content(m), start = splitmix64(&state);
    copy_slice(buf, len, m->pool, start % (POOL_BYTES / SLICE_ALIGN) * SLICE_ALIGN);
    stamp(buf, len, start);
    if (m->compress)
        zero_tails(buf, len, m->compress);
}
