#include "core/base/range.h"

#include <criterion/criterion.h>

static char *parsed(const char *text, enum range_unit unit)
{
    struct range r = RANGE_INIT;
    struct error err = ERROR_INIT;
    struct strbuf sb = STRBUF_INIT;
    if (range_parse(&r, text, unit, 0, UINT64_MAX, &err) < 0)
        strbuf_addf(&sb, "error: %s", err.message);
    for (size_t i = 0; i < r.n; i++)
        strbuf_addf(&sb, "%s%lu", i ? " " : "", r.value[i]);
    range_release(&r);
    return strbuf_detach(&sb);
}

static void expect(const char *text, enum range_unit unit, const char *values)
{
    char *got = parsed(text, unit);
    cr_expect_str_eq(got, values, "%s gives %s", text, got);
    free(got);
}

Test(range, the_forms_of_the_manual)
{
    expect("4k..1M", RANGE_SIZE, "4096 8192 16384 32768 65536 131072 262144 524288 1048576");
    expect("4k..1M/x4", RANGE_SIZE, "4096 16384 65536 262144 1048576");
    expect("16..64/+16", RANGE_COUNT, "16 32 48 64");
    expect("4k,16k,1M", RANGE_SIZE, "4096 16384 1048576");
    expect("4k,16k..64k,1M", RANGE_SIZE, "4096 16384 32768 65536 1048576");
    expect("1..64/x4", RANGE_COUNT, "1 4 16 64");
    expect("7", RANGE_COUNT, "7");
    expect("0..100/+25", RANGE_COUNT, "0 25 50 75 100");
    expect("4k..12k/+4k", RANGE_SIZE, "4096 8192 12288");
}

Test(range, keeps_the_order_and_each_value_once)
{
    expect("64,1,16", RANGE_COUNT, "64 1 16");
    expect("4,1..8,4", RANGE_COUNT, "4 1 2 8");
    expect("1M,1024k", RANGE_SIZE, "1048576");
}

Test(range, the_end_counts_only_when_a_step_reaches_it)
{
    expect("1..10", RANGE_COUNT, "1 2 4 8");
    expect("3..10/+3", RANGE_COUNT, "3 6 9");
    expect("5..5", RANGE_COUNT, "5");
}

Test(range, steps_stop_at_the_largest_number)
{
    expect("9223372036854775808..18446744073709551615", RANGE_COUNT, "9223372036854775808");
    expect("18446744073709551614..18446744073709551615/+1", RANGE_COUNT,
           "18446744073709551614 18446744073709551615");
}

Test(range, refuses_with_the_place)
{
    static const struct {
        const char *text, *part;
    } bad[] = {
        {"", "character 1: a value is missing"},
        {"4k,,8k", "character 4: a value is missing"},
        {"4k,", "character 4: a value is missing"},
        {"..8", "character 1: a value is missing"},
        {"4k..", "character 5: a value is missing"},
        {"8..4", "must not be above the last"},
        {"0..8", "0 cannot be multiplied"},
        {"1..8/x1", "never reaches the end"},
        {"1..8/+0", "never reaches the end"},
        {"1..8/4", "character 6: a step is written"},
        {"1..8/", "a step is written"},
        {"1..8/x", "character 7: a value is missing"},
        {"1..2..3", "not a"},
        {"4k 8k", "not a size"},
        {"-4", "not a size"},
        {"1..100000000/+1", "too many values"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char *got = parsed(bad[i].text, RANGE_SIZE);
        cr_expect(strstr(got, bad[i].part) && strncmp(got, "error: ", 7) == 0, "%s gives %s",
                  bad[i].text, got);
        free(got);
    }
}

Test(range, values_have_bounds_and_failure_leaves_out_untouched)
{
    uint64_t own = 5;
    struct range r = {&own, 1};
    struct error err = ERROR_INIT;
    cr_expect_eq(range_parse(&r, "1,2,4096", RANGE_COUNT, 1, 4095, &err), -ERR_USAGE);
    cr_expect_str_eq(err.message,
                     "'1,2,4096', at character 5: 4096 is out of range: it must be 1 to 4095");
    cr_expect_eq(r.value, &own);
    cr_expect_eq(r.n, 1);
    cr_expect_eq(range_parse(&r, "256", RANGE_SIZE, 512, 1 << 20, &err), -ERR_USAGE);
    cr_expect_not_null(strstr(err.message, "256 is out of range: it must be 512 to 1M"));
}

Test(range, format_is_the_inverse)
{
    static const char *const lists[] = {"4k,8k,16k", "512,1.5k,4097", "1M,64k,4k", "1G,2T,3P", "0"};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        struct range r = RANGE_INIT;
        struct strbuf sb = STRBUF_INIT;
        cr_assert_eq(range_parse(&r, lists[i], RANGE_SIZE, 0, UINT64_MAX, NULL), 0);
        range_format(&sb, &r, RANGE_SIZE);
        cr_expect_str_eq(sb.text, lists[i]);
        strbuf_release(&sb);
        range_release(&r);
        cr_expect_null(r.value);
    }
}

Test(range, every_block_size_up_to_1M_comes_back)
{
    for (uint64_t v = 1; v <= 1 << 20; v += v < 70000 ? 1 : 512) {
        struct range one = {&v, 1}, back = RANGE_INIT;
        struct strbuf sb = STRBUF_INIT;
        range_format(&sb, &one, RANGE_SIZE);
        cr_assert_eq(range_parse(&back, sb.text, RANGE_SIZE, 0, UINT64_MAX, NULL), 0, "%s",
                     sb.text);
        cr_assert_eq(back.value[0], v, "%lu became %s", v, sb.text);
        range_release(&back);
        strbuf_release(&sb);
    }
}
