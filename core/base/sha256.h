/* SHA-256 of bytes (nettle), as 64 lower-case hex digits. */
#ifndef CORE_BASE_SHA256_H
#define CORE_BASE_SHA256_H

#include <stddef.h>

#define SHA256_TEXT_MAX 65

/* Returns hex. */
char *sha256_hex(char hex[SHA256_TEXT_MAX], const void *bytes, size_t n);

#endif
