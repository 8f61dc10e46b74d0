/*
 * Allocation that cannot fail: out of memory prints one line and ends the program (the only place
 * in the libraries that may). Sizes are multiplied with an overflow check. Free with free().
 */
#ifndef CORE_BASE_XALLOC_H
#define CORE_BASE_XALLOC_H

#include <stddef.h>

void *xmalloc(size_t size) __attribute__((malloc, returns_nonnull));
void *xcalloc(size_t n, size_t size) __attribute__((malloc, returns_nonnull));
void *xrealloc(void *p, size_t n, size_t size) __attribute__((returns_nonnull));
char *xstrdup(const char *s) __attribute__((malloc, returns_nonnull));
/* xstrdup that passes NULL through. */
char *xstrdup_null(const char *s);
/* The first n bytes of s, NUL added; stops at a NUL inside. */
char *xstrndup(const char *s, size_t n) __attribute__((malloc, returns_nonnull));
char *xasprintf(const char *fmt, ...)
    __attribute__((format(printf, 1, 2), malloc, returns_nonnull));
/* p, and all that it points to, stays allocated to the end of the program because somebody else
 * (the kernel) may still write to it: leak checkers are told so. NULL does nothing. */
void xabandon(const void *p);

/*
 * Grows an array so that it holds at least `need` elements, doubling its capacity.
 *   struct cell *cells = NULL; size_t n = 0, room = 0;
 *   GROW(cells, n + 1, room);
 */
#define GROW(array, need, room)                                                                    \
    do {                                                                                           \
        if ((need) > (room)) {                                                                     \
            (room) = (need) > 2 * (room) ? (need) : 2 * (room);                                    \
            (array) = xrealloc((array), (room), sizeof *(array));                                  \
        }                                                                                          \
    } while (0)

#endif
