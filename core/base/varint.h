/*
 * LEB128: unsigned integers as bytes, seven bits each, lowest first, the top bit set on all but the
 * last. What the histogram and series blobs are made of.
 */
#ifndef CORE_BASE_VARINT_H
#define CORE_BASE_VARINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/strbuf.h"

void varint_add(struct strbuf *out, uint64_t v);
/* Signed values near zero in few bytes: 0 -1 1 -2 ... become 0 1 2 3 ... */
void varint_add_zigzag(struct strbuf *out, int64_t v);

/* Bytes that are being read. */
struct varint_reader {
    const unsigned char *at;
    const unsigned char *end;
};

/* False, and *v untouched, at the end of the bytes or when the value does not fit 64 bits. */
bool varint_read(struct varint_reader *r, uint64_t *v);
bool varint_read_zigzag(struct varint_reader *r, int64_t *v);
/* Bytes not read yet: no more values than this can follow. */
size_t varint_left(const struct varint_reader *r);

#endif
