/* SHA-256 of bytes (nettle), as 64 lower-case hex digits. */
#ifndef CORE_BASE_SHA256_H
#define CORE_BASE_SHA256_H

#include <stddef.h>

#define SHA256_TEXT_MAX 65

/* Returns hex. */
char *sha256_hex(char hex[SHA256_TEXT_MAX], const void *bytes, size_t n);

/* The same of bytes that come one after the other. */
struct sha256;

struct sha256 *sha256_create(void);
void sha256_add(struct sha256 *s, const void *bytes, size_t n);
/* Of all that was added; returns hex. Nothing more can be added. */
char *sha256_result(struct sha256 *s, char hex[SHA256_TEXT_MAX]);
void sha256_destroy(struct sha256 *s);

#endif
