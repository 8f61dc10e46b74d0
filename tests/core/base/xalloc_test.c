#include "core/base/xalloc.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdint.h>

Test(xalloc, texts)
{
    char *a = xstrdup("abc"), *b = xstrndup("abcdef", 2), *c = xasprintf("%s/%d", "x", 7);
    cr_expect_str_eq(a, "abc");
    cr_expect_str_eq(b, "ab");
    cr_expect_str_eq(c, "x/7");
    cr_expect_null(xstrdup_null(NULL));
    char *d = xstrdup_null("d");
    cr_expect_str_eq(d, "d");
    free(a);
    free(b);
    free(c);
    free(d);
}

Test(xalloc, grow_doubles)
{
    int *v = NULL;
    size_t n = 0, room = 0;
    for (int i = 0; i < 1000; i++) {
        GROW(v, n + 1, room);
        v[n++] = i;
    }
    cr_expect_eq(v[999], 999);
    cr_expect_leq(room, 2 * n);
    free(v);
}

Test(xalloc, nothing_is_still_a_pointer)
{
    void *p = xmalloc(0), *q = xcalloc(0, 8);
    cr_expect_not_null(p);
    cr_expect_not_null(q);
    p = xrealloc(p, 0, 8);
    cr_expect_not_null(p);
    free(p);
    free(q);
}

Test(xalloc, overflow_ends_the_program, .signal = SIGABRT)
{
    xrealloc(NULL, SIZE_MAX / 2, 4);
}
