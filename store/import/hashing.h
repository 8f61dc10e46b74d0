/*
 * SHA-256 of bytes while they are still being read, on a thread of its own: for large files that takes as long as the
 * reading.
 */
#ifndef STORE_IMPORT_HASHING_H
#define STORE_IMPORT_HASHING_H

#include "core/base/sha256.h"

struct hashing;

struct hashing *hashing_start(void);
/* The first n bytes are there; n grows from call to call. They must neither change nor move before hashing_wait(). */
void hashing_give(struct hashing *h, const char *bytes, size_t n);
/* Waits until all that was given is hashed: it may move now. */
void hashing_wait(struct hashing *h);
/* The hash of all that was given; returns hex. Frees h. */
char *hashing_end(struct hashing *h, char hex[SHA256_TEXT_MAX]);

#endif
