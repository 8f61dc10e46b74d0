#include "core/base/sha256.h"

#include <nettle/sha2.h>
#include <stdint.h>

#include "core/base/xalloc.h"

/* nettle uses the instructions that the processor has for it: imports hash every byte they read. */
struct sha256 {
    struct sha256_ctx ctx;
};

struct sha256 *sha256_create(void)
{
    struct sha256 *s = xmalloc(sizeof *s);
    sha256_init(&s->ctx);
    return s;
}

void sha256_add(struct sha256 *s, const void *bytes, size_t n)
{
    if (n > 0)
        sha256_update(&s->ctx, n, bytes);
}

char *sha256_result(struct sha256 *s, char hex[SHA256_TEXT_MAX])
{
    static const char digit[] = "0123456789abcdef";
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(&s->ctx, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        hex[2 * i] = digit[digest[i] >> 4];
        hex[2 * i + 1] = digit[digest[i] & 15];
    }
    hex[SHA256_TEXT_MAX - 1] = '\0';
    return hex;
}

void sha256_destroy(struct sha256 *s)
{
    free(s);
}

char *sha256_hex(char hex[SHA256_TEXT_MAX], const void *bytes, size_t n)
{
    struct sha256 s;
    sha256_init(&s.ctx);
    sha256_add(&s, bytes, n);
    return sha256_result(&s, hex);
}
