#include "core/base/xalloc.h"

#include <stdarg.h>
#include <stdint.h>

#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#endif

static void *checked(void *p)
{
    if (!p) {
        fputs("blkmatrix: out of memory\n", stderr);
        abort();
    }
    return p;
}

void *xmalloc(size_t size)
{
    return checked(malloc(size ? size : 1));
}

void *xcalloc(size_t n, size_t size)
{
    return checked(calloc(n ? n : 1, size ? size : 1));
}

void *xrealloc(void *p, size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes))
        return checked(NULL);
    return checked(realloc(p, bytes ? bytes : 1));
}

char *xstrdup(const char *s)
{
    return checked(strdup(s));
}

char *xstrdup_null(const char *s)
{
    return s ? xstrdup(s) : NULL;
}

char *xstrndup(const char *s, size_t n)
{
    return checked(strndup(s, n));
}

char *xasprintf(const char *fmt, ...)
{
    char *out = NULL;
    va_list ap;
    va_start(ap, fmt);
    int n = vasprintf(&out, fmt, ap);
    va_end(ap);
    return checked(n < 0 ? NULL : out);
}

void xabandon(const void *p)
{
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
    __lsan_ignore_object(p);
#else
    (void)p;
#endif
}
