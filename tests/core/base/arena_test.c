#include "core/base/arena.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdint.h>

Test(arena, memory_is_aligned_zeroed_and_stays)
{
    struct arena *a = arena_create();
    char *first = arena_strdup(a, "first");
    for (size_t n = 0; n < 3000; n += 7) {
        unsigned char *p = arena_alloc(a, n);
        cr_assert_eq((uintptr_t)p % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < n; i++)
            cr_assert_eq(p[i], 0);
        memset(p, 0xAA, n);
    }
    char *big = arena_alloc(a, 1 << 20);
    big[(1 << 20) - 1] = 'x';
    cr_expect_str_eq(first, "first");
    arena_destroy(a);
    arena_destroy(NULL);
}

Test(arena, texts)
{
    struct arena *a = arena_create();
    cr_expect_str_eq(arena_strndup(a, "abcdef", 3), "abc");
    cr_expect_str_eq(arena_strndup(a, "ab", 10), "ab");
    cr_expect_str_eq(arena_printf(a, "%s-%d", "x", 12), "x-12");
    cr_expect_str_eq(arena_printf(a, "%s", ""), "");
    uint64_t *v = arena_array(a, 100, sizeof *v);
    cr_expect_eq(v[99], 0);
    arena_destroy(a);
}

Test(arena, an_impossible_size_ends_the_program, .signal = SIGABRT)
{
    struct arena *a = arena_create();
    arena_array(a, SIZE_MAX / 4, 8);
}
