/* Runs an importer over bytes, for the tests of this folder. */
#ifndef TESTS_STORE_IMPORT_IMPORT_BYTES_H
#define TESTS_STORE_IMPORT_IMPORT_BYTES_H

#include "core/base/sha256.h"
#include "store/import/importer.h"
#include "tests/support/collect.h"

/* `bytes` has a NUL after n bytes. What came of it is added to *c. */
static inline int import_bytes(const struct importer *importer, struct collected *c,
                               struct import_outcome *outcome, const char *path, const char *bytes,
                               size_t n, struct error *err)
{
    char hex[SHA256_TEXT_MAX];
    struct import_source src = {
        .path = path, .bytes = bytes, .n = n, .sha256 = sha256_hex(hex, bytes, n)};
    struct sink sink = collect_sink(c);
    return importer->read(&src, &sink, outcome, err);
}

#endif
