#include "core/base/sha256.h"

#include <sha256.h> /* libmd */
#include <stdint.h>

char *sha256_hex(char hex[SHA256_TEXT_MAX], const void *bytes, size_t n)
{
    return SHA256Data(bytes, n, hex);
}
