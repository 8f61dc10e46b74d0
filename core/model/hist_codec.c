#include "core/model/hist.h"

#include "core/base/varint.h"

static const unsigned char magic[] = {'H', 0x01, HIST_BITS};

void hist_encode(struct strbuf *out, const struct hist *h)
{
    uint64_t nonzero = 0;
    for (unsigned i = 0; i < HIST_BUCKETS; i++)
        nonzero += h->count[i] > 0;
    strbuf_add(out, magic, sizeof magic);
    varint_add(out, nonzero);
    unsigned before = 0;
    for (unsigned i = 0; i < HIST_BUCKETS; i++) {
        if (h->count[i] == 0)
            continue;
        varint_add(out, i - before);
        varint_add(out, h->count[i]);
        before = i;
    }
}

static int damaged(struct error *err, const char *why)
{
    return error_set(err, ERR_STORE, "a latency histogram is damaged: %s", why);
}

int hist_decode(struct hist *h, const void *bytes, size_t n, struct error *err)
{
    hist_init(h);
    if (n < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0)
        return damaged(err, "it does not start with its mark");
    struct varint_reader r = {.at = (const unsigned char *)bytes + sizeof magic,
                              .end = (const unsigned char *)bytes + n};
    uint64_t nonzero, index = 0, total = 0;
    if (!varint_read(&r, &nonzero) || nonzero > HIST_BUCKETS)
        return damaged(err, "wrong number of buckets");
    for (uint64_t k = 0; k < nonzero; k++) {
        uint64_t delta, count;
        if (!varint_read(&r, &delta) || !varint_read(&r, &count))
            return damaged(err, "it ends too early");
        if ((k > 0 && delta == 0) || delta >= HIST_BUCKETS - index)
            return damaged(err, "a bucket out of order");
        if (count == 0 || __builtin_add_overflow(total, count, &total))
            return damaged(err, "an impossible count");
        index += delta;
        hist_add_bin(h, hist_mid((unsigned)index), count);
    }
    return varint_left(&r) == 0 ? 0 : damaged(err, "it goes on after its end");
}
