/*
 * Reading /sys, /proc and /etc through a root, so that tests (and bug reports) can point every read
 * at a recorded tree. Small text files only: at most 1 MiB is read.
 */
#ifndef CORE_BASE_SYSROOT_H
#define CORE_BASE_SYSROOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sysroot {
    const char *root; /* "" for the real system, else a folder without trailing slash */
};

/* The real system. */
extern const struct sysroot sysroot_system;

/*
 * The content of root + path (printf-like path), trailing white space removed, NUL bytes as blanks.
 * NULL when the file is missing or cannot be read. Free with free().
 */
char *sysroot_read(const struct sysroot *sr, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* As sysroot_read, then a whole decimal number; false when there is none. */
bool sysroot_read_u64(const struct sysroot *sr, uint64_t *v, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
bool sysroot_exists(const struct sysroot *sr, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Target of a symbolic link, NULL when it is none. Free with free(). */
char *sysroot_readlink(const struct sysroot *sr, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/*
 * Names in a folder, sorted (numbers inside names by value: loop2 before loop10), without . and ..;
 * *n gets their number. NULL and 0 when there is no such folder. Free with sysroot_list_free.
 */
char **sysroot_list(const struct sysroot *sr, size_t *n, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void sysroot_list_free(char **names, size_t n);

#endif
