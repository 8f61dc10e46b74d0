#include "core/base/json.h"

#include <criterion/criterion.h>

Test(json_valid, takes_json)
{
    static const char *const good[] = {"0",
                                       "-1",
                                       "1.5e-3",
                                       "\"\"",
                                       "null",
                                       "true",
                                       "false",
                                       "[]",
                                       "{}",
                                       " [ 1 , 2 ] ",
                                       "{\"a\":{\"b\":[null,\"\\u00e9\\n\\/\"]}}",
                                       "\"é漢\"",
                                       "1E5",
                                       "-0",
                                       "0.0"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        cr_expect(json_is_valid(good[i]), "%s", good[i]);
}

Test(json_valid, refuses_the_rest)
{
    static const char *const bad[] = {
        "",           " ",     "01",       "1.",      ".5",        "+1",        "nul",      "nulll",
        "[1,]",       "[1 2]", "[",        "]",       "{",         "{\"a\"}",   "{\"a\":}", "{a:1}",
        "{\"a\":1,}", "1 2",   "\"",       "\"\\x\"", "\"\\u12\"", "\"a\nb\"",  "'a'",      "NaN",
        "-",          "1e",    "\"\xFF\"", "\"\\\"",  "[1}",       "{\"a\" 1}", "//x\n1",   "\"\\"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        cr_expect_not(json_is_valid(bad[i]), "%s", bad[i]);
}

Test(json_valid, depth_has_an_end)
{
    char deep[201];
    for (int levels = 60; levels <= 70; levels += 10) {
        memset(deep, '[', (size_t)levels);
        memset(deep + levels, ']', (size_t)levels);
        deep[2 * levels] = '\0';
        cr_expect_eq(json_is_valid(deep), levels <= 64, "%d levels", levels);
    }
}
