#include "store/import/gzip_check.h"

#include <string.h>
#define ZLIB_CONST /* what is unpacked is not written to */
#include <zlib.h>

#include "core/base/xalloc.h"

/* zlib counts what is left in an unsigned int. */
#define PIECE_MAX ((size_t)1 << 30)

enum { OUTPUT_BYTES = 1 << 18, GZIP_ONLY = 16 };

bool gzip_is(const char *bytes, size_t n)
{
    return n >= 3 && memcmp(bytes, "\x1f\x8b\x08", 3) == 0;
}

struct checker {
    z_stream z;
    const char *bytes;
    size_t n, given; /* bytes handed to zlib */
    size_t unpacked, most;
    unsigned char *out;
};

static size_t used(const struct checker *c)
{
    return c->given - c->z.avail_in;
}

/* Unpacks a piece; what inflate says, and Z_BUF_ERROR where the input ends too soon. */
static int step(struct checker *c)
{
    if (c->z.avail_in == 0) {
        size_t left = c->n - c->given;
        c->z.next_in = (const Bytef *)(c->bytes + c->given);
        c->z.avail_in = (uInt)(left < PIECE_MAX ? left : PIECE_MAX);
        c->given += c->z.avail_in;
    }
    c->z.next_out = c->out;
    c->z.avail_out = OUTPUT_BYTES;
    int rc = inflate(&c->z, Z_NO_FLUSH);
    c->unpacked += OUTPUT_BYTES - c->z.avail_out;
    return rc;
}

/* Members follow each other; bytes behind the last that are no member are padding, as to gzip. */
static int check_members(struct checker *c, const char *path, struct error *err)
{
    for (;;) {
        int rc = step(c);
        if (c->unpacked > c->most)
            return error_set(err, ERR_INPUT,
                             "%s: unpacks to more than %zu MiB\nUnpack it yourself, and import the "
                             "folder.",
                             path, c->most >> 20);
        if (rc == Z_STREAM_END) {
            size_t at = used(c);
            if (!gzip_is(c->bytes + at, c->n - at))
                return 0;
            inflateReset(&c->z);
        } else if (rc == Z_BUF_ERROR) {
            return error_set(err, ERR_INPUT, "%s: byte %zu: the gzip data ends too soon", path,
                             used(c));
        } else if (rc != Z_OK) {
            return error_set(err, ERR_INPUT, "%s: byte %zu: broken gzip data: %s", path, used(c),
                             c->z.msg ? c->z.msg : zError(rc));
        }
    }
}

int gzip_check(const char *path, const char *bytes, size_t n, size_t most, struct error *err)
{
    struct checker c = {.bytes = bytes, .n = n, .most = most};
    int rc = inflateInit2(&c.z, MAX_WBITS + GZIP_ONLY);
    if (rc != Z_OK)
        return error_set(err, ERR_INPUT, "%s: gzip: %s", path, zError(rc));
    c.out = xmalloc(OUTPUT_BYTES);
    rc = check_members(&c, path, err);
    inflateEnd(&c.z);
    free(c.out);
    return rc;
}
