#include "core/model/caveat.h"

#include <criterion/criterion.h>
#include <ctype.h>

Test(caveat, names_and_words)
{
    for (const struct caveat *c = caveat_table; c->name; c++) {
        for (const char *p = c->name; *p; p++)
            cr_assert(islower((unsigned char)*p) || *p == '-', "%s", c->name);
        cr_assert_neq(c->words[strlen(c->words) - 1], '.');
        cr_assert_eq(caveat_words(c->name), c->words, "%s is there twice", c->name);
    }
    cr_assert_null(caveat_words("of-tomorrow"));
    cr_assert_null(caveat_words(""));
}
