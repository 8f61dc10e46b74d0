/* Expected values: what fio 3.33 did with the same text (bytes an I/O of a null-engine job). */
#include "store/import/fio_units.h"

#include <criterion/criterion.h>

static uint64_t number(const char *text, unsigned base)
{
    uint64_t v = 0;
    return fio_number(text, strlen(text), base, &v) ? v : 0;
}

Test(fio_units, suffixes_of_sizes)
{
    static const struct {
        const char *text;
        uint64_t v1024, v1000;
    } cases[] = {
        {"4k", 4096, 4000},         {"4K", 4096, 4000},   {"4KB", 4096, 4000},
        {"4Ki", 4096, 4000},        {"4KiB", 4000, 4096}, {"1mb", 1048576, 1000000},
        {"1MiB", 1000000, 1048576}, {"4096", 4096, 4096}, {"4096B", 4096, 4096},
        {"0x1000", 4096, 4096},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_expect_eq(number(cases[i].text, 1024), cases[i].v1024, "%s", cases[i].text);
        cr_expect_eq(number(cases[i].text, 1000), cases[i].v1000, "%s", cases[i].text);
    }
    static const char *const bad[] = {
        "", "k", "50%", "4x", "4kk", "0x", "-4k", "99999999999999999999", "16777216p"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_expect_eq(number(bad[i], 1024), 0, "%s", bad[i]);
}

Test(fio_units, times)
{
    uint64_t ns;
    cr_expect(fio_time("60", 1000000000, &ns) && ns == UINT64_C(60000000000));
    cr_expect(fio_time("100", 1000, &ns) && ns == 100000);
    cr_expect(fio_time("500ms", 1000, &ns) && ns == 500000000);
    cr_expect(fio_time("2m", 1000, &ns) && ns == UINT64_C(120000000000));
    cr_expect(fio_time("1h", 1000, &ns) && ns == UINT64_C(3600000000000));
    cr_expect_not(fio_time("5parsecs", 1000, &ns));
    cr_expect_not(fio_time("", 1000, &ns));
    cr_expect_not(fio_time("18446744073709551615d", 1000, &ns));
}

Test(fio_units, read_write_trim)
{
    uint64_t v[3];
    unsigned given;
    cr_expect(fio_triple("4k", 1024, v, &given));
    cr_expect(given == 7 && v[0] == 4096 && v[1] == 4096 && v[2] == 4096);
    cr_expect(fio_triple("4k,16k", 1024, v, &given));
    cr_expect(given == 7 && v[0] == 4096 && v[1] == 16384 && v[2] == 16384);
    cr_expect(fio_triple("4k,16k,8k", 1024, v, &given));
    cr_expect(given == 7 && v[2] == 8192);
    cr_expect(fio_triple("8k,", 1024, v, &given) && given == 1);
    cr_expect(fio_triple(",16k", 1024, v, &given) && given == 6 && v[1] == 16384);
    cr_expect(fio_triple(",,8k", 1024, v, &given) && given == 4);
    cr_expect_not(fio_triple("", 1024, v, &given));
    cr_expect_not(fio_triple("4k,x", 1024, v, &given));
}
