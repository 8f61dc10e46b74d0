#include "core/base/arena.h"

#include "core/base/xalloc.h"

#include <stdarg.h>
#include <stdint.h>

#define BLOCK_BYTES (64u * 1024u)

struct block {
    struct block *next;
    size_t used;
    size_t room;
    max_align_t bytes[];
};

struct arena {
    struct block *head;
};

struct arena *arena_create(void)
{
    return xcalloc(1, sizeof(struct arena));
}

void arena_destroy(struct arena *a)
{
    if (!a)
        return;
    for (struct block *b = a->head; b;) {
        struct block *next = b->next;
        free(b);
        b = next;
    }
    free(a);
}

void *arena_alloc(struct arena *a, size_t n)
{
    const size_t align = _Alignof(max_align_t);
    if (n > SIZE_MAX / 2)
        return xrealloc(NULL, SIZE_MAX, 2); /* ends the program */
    n = (n + align - 1) & ~(align - 1);
    if (!a->head || a->head->room - a->head->used < n) {
        size_t room = n > BLOCK_BYTES ? n : BLOCK_BYTES;
        struct block *b = xcalloc(1, sizeof *b + room);
        b->room = room;
        b->next = a->head;
        a->head = b;
    }
    void *p = (char *)a->head->bytes + a->head->used;
    a->head->used += n;
    return p;
}

void *arena_array(struct arena *a, size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes))
        bytes = SIZE_MAX;
    return arena_alloc(a, bytes);
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
    size_t len = strnlen(s, n);
    char *p = arena_alloc(a, len + 1);
    memcpy(p, s, len);
    return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
    return arena_strndup(a, s, strlen(s));
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    size_t bytes = n > 0 ? (size_t)n + 1 : 1;
    char *p = arena_alloc(a, bytes);
    va_start(ap, fmt);
    vsnprintf(p, bytes, fmt, ap);
    va_end(ap);
    return p;
}
