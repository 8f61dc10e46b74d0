/* A folder of its own for a test, removed with everything in it. */
#ifndef TESTS_SUPPORT_SCRATCH_H
#define TESTS_SUPPORT_SCRATCH_H

#include <stddef.h>

/* Makes the folder (under $TMPDIR or /tmp). Free with scratch_remove. */
char *scratch_make(void);
/* Removes the folder and frees its name. */
void scratch_remove(char *folder);
/* "folder/name", malloc'd; name is printf-like. */
char *scratch_path(const char *folder, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Writes a file; ends the test program when it cannot. */
void scratch_write(const char *path, const void *bytes, size_t n);
/* The content of a file, NUL behind it, malloc'd; NULL when there is none. */
char *scratch_read(const char *path, size_t *n);

#endif
