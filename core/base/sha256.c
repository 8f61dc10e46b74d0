#include "core/base/sha256.h"

#include <nettle/sha2.h>
#include <stdint.h>

/* nettle uses the instructions that the processor has for it: imports hash every byte they read. */
char *sha256_hex(char hex[SHA256_TEXT_MAX], const void *bytes, size_t n)
{
    static const char digit[] = "0123456789abcdef";
    struct sha256_ctx ctx;
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_init(&ctx);
    if (n > 0)
        sha256_update(&ctx, n, bytes);
    sha256_digest(&ctx, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        hex[2 * i] = digit[digest[i] >> 4];
        hex[2 * i + 1] = digit[digest[i] & 15];
    }
    hex[SHA256_TEXT_MAX - 1] = '\0';
    return hex;
}
