#include "runner/workload/buffer_internal.h"

#include "core/base/xalloc.h"

enum { POOL_BYTES = 4 << 20, SLICE_ALIGN = 64 };

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

void buffer_fill(void *buf, uint32_t len, const struct buffer_pool *pool, struct rng *rng,
                 uint64_t offset, uint64_t sequence)
{
    char *out = buf;
    const char *bytes = (const char *)pool->word;
    uint64_t from = rng_below(rng, POOL_BYTES / SLICE_ALIGN) * SLICE_ALIGN;
    for (uint32_t at = 0; at < len;) {
        uint64_t room = POOL_BYTES - from, n = len - at < room ? len - at : room;
        memcpy(out + at, bytes + from, n);
        at += (uint32_t)n;
        from = 0;
    }
    uint64_t mark = sequence << 40 | sequence >> 24;
    for (uint32_t at = 0; at + sizeof mark <= len; at += BUFFER_STAMP_EVERY) {
        /* one to one, and as random to look at as the rest */
        uint64_t stamp = ((offset + at) ^ mark) * UINT64_C(0x9e3779b97f4a7c15);
        stamp ^= stamp >> 32;
        memcpy(out + at, &stamp, sizeof stamp);
    }
}
