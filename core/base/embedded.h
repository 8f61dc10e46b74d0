/*
 * Files of schemas/ and templates/ inside the binary. With $BLKMATRIX_DATA set to a source tree the
 * file is read from there instead (for work on templates).
 */
#ifndef CORE_BASE_EMBEDDED_H
#define CORE_BASE_EMBEDDED_H

#include <stddef.h>

/*
 * The bytes of a file by its name in the tree ("templates/report.html"), NUL after the last byte,
 * owned by the program and valid for its whole life; *len (may be NULL) gets their number. NULL
 * when there is no such file.
 */
const char *embedded_find(const char *name, size_t *len);

/* The i-th name in sorted order, NULL after the last. */
const char *embedded_name(size_t i);

#endif
