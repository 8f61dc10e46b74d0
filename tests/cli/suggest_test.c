#include "cli/suggest.h"

#include <criterion/criterion.h>

Test(suggest, distance)
{
    cr_assert_eq(suggest_distance("iodepth", "iodepth"), 0);
    cr_assert_eq(suggest_distance("io_depth", "IO-depth"), 0);
    cr_assert_eq(suggest_distance("kitten", "sitting"), 3);
    cr_assert_eq(suggest_distance("ab", "ba"), 1); /* a swap is one slip */
    cr_assert_eq(suggest_distance("", "abc"), 3);
    cr_assert_gt(suggest_distance("a", "0123456789012345678901234567890123456789x"), 1000);
}

static struct suggest of(const char *typed, const char *const *names)
{
    struct suggest s;
    suggest_init(&s, typed);
    for (; *names; names++)
        suggest_offer(&s, *names);
    return s;
}

Test(suggest, nearest_first_and_nothing_far)
{
    const char *const names[] = {"sweep", "show", "report", "run", "rw", "repeat", NULL};
    struct suggest s = of("swep", names);
    cr_assert_eq(s.n, 1);
    cr_assert_str_eq(s.best[0], "sweep");
    s = of("rep", names); /* an abbreviation of two */
    cr_assert_eq(s.n, 2);
    s = of("xyzzy", names);
    cr_assert_eq(s.n, 0);
    s = of("", names);
    cr_assert_eq(s.n, 0);
    s = of("w", names);   /* one letter says nothing */
    cr_assert_eq(s.n, 1); /* but "rw" is one slip away */
}

Test(suggest, words)
{
    static const char *const names[] = {"gp3", "gp2", "P30"};
    static const char *const want[] = {"", "gp3", "gp3 or gp2", "gp3, gp2 or P30"};
    for (size_t n = 0; n <= 3; n++) {
        struct suggest s = {.n = n};
        for (size_t i = 0; i < n; i++)
            s.best[i] = names[i];
        struct strbuf out = STRBUF_INIT;
        suggest_words(&s, &out);
        cr_expect_str_eq(out.text, want[n]);
        strbuf_release(&out);
    }
}
