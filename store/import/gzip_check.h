/*
 * The checksums of a gzip file. libarchive does not look at them, and a bit that is wrong can leave
 * valid JSON with another number in it.
 */
#ifndef STORE_IMPORT_GZIP_CHECK_H
#define STORE_IMPORT_GZIP_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

bool gzip_is(const char *bytes, size_t n);
/*
 * Unpacks all of it and keeps nothing. ERR_INPUT, with the place, when it is broken or unpacks to more
 * than `most` bytes.
 */
int gzip_check(const char *path, const char *bytes, size_t n, size_t most, struct error *err);

#endif
