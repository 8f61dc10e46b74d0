/*
 * Memory that is freed all at once: datasets, charts, scenes and pages live in one. Pointers stay
 * valid until arena_destroy. Nothing in an arena is freed alone. Not thread-safe.
 */
#ifndef CORE_BASE_ARENA_H
#define CORE_BASE_ARENA_H

#include <stddef.h>

struct arena;

struct arena *arena_create(void);
/* Accepts NULL. */
void arena_destroy(struct arena *a);
/* n zeroed bytes, aligned for any type. */
void *arena_alloc(struct arena *a, size_t n) __attribute__((returns_nonnull));
/* n elements of the given size, zeroed, multiplication checked. */
void *arena_array(struct arena *a, size_t n, size_t size) __attribute__((returns_nonnull));
char *arena_strdup(struct arena *a, const char *s) __attribute__((returns_nonnull));
char *arena_strndup(struct arena *a, const char *s, size_t n) __attribute__((returns_nonnull));
char *arena_printf(struct arena *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), returns_nonnull));

#endif
