#include "core/base/varint.h"

void varint_add(struct strbuf *out, uint64_t v)
{
    while (v >= 0x80) {
        strbuf_addc(out, (char)(unsigned char)((v & 0x7F) | 0x80));
        v >>= 7;
    }
    strbuf_addc(out, (char)v);
}

void varint_add_zigzag(struct strbuf *out, int64_t v)
{
    uint64_t sign = v < 0 ? UINT64_MAX : 0;
    varint_add(out, ((uint64_t)v << 1) ^ sign);
}

bool varint_read(struct varint_reader *r, uint64_t *v)
{
    uint64_t value = 0;
    for (unsigned shift = 0; r->at < r->end && shift < 64; shift += 7) {
        uint64_t byte = *r->at++;
        if (shift == 63 && byte > 1)
            return false;
        value |= (byte & 0x7F) << shift;
        if (byte < 0x80) {
            *v = value;
            return true;
        }
    }
    return false;
}

bool varint_read_zigzag(struct varint_reader *r, int64_t *v)
{
    uint64_t u;
    if (!varint_read(r, &u))
        return false;
    uint64_t sign = u & 1 ? UINT64_MAX : 0;
    *v = (int64_t)((u >> 1) ^ sign);
    return true;
}

size_t varint_left(const struct varint_reader *r)
{
    return (size_t)(r->end - r->at);
}
