#include "core/base/varint.h"

#include <criterion/criterion.h>

Test(varint, known_bytes)
{
    static const struct {
        uint64_t v;
        const char *bytes;
        size_t n;
    } cases[] = {{0, "\x00", 1},
                 {127, "\x7F", 1},
                 {128, "\x80\x01", 2},
                 {300, "\xAC\x02", 2},
                 {UINT64_MAX, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01", 10}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct strbuf sb = STRBUF_INIT;
        varint_add(&sb, cases[i].v);
        cr_expect_eq(sb.len, cases[i].n);
        cr_expect_eq(memcmp(sb.text, cases[i].bytes, cases[i].n), 0);
        struct varint_reader r = {(unsigned char *)sb.text, (unsigned char *)sb.text + sb.len};
        uint64_t back = 1;
        cr_expect(varint_read(&r, &back));
        cr_expect_eq(back, cases[i].v);
        cr_expect_eq(varint_left(&r), 0);
        strbuf_release(&sb);
    }
}

Test(varint, zigzag)
{
    static const int64_t values[] = {0, -1, 1, -2, INT64_MAX, INT64_MIN, 63, -64};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        struct strbuf sb = STRBUF_INIT;
        varint_add_zigzag(&sb, values[i]);
        struct varint_reader r = {(unsigned char *)sb.text, (unsigned char *)sb.text + sb.len};
        int64_t back = 99;
        cr_expect(varint_read_zigzag(&r, &back));
        cr_expect_eq(back, values[i]);
        cr_expect(values[i] < -64 || values[i] > 63 || sb.len == 1);
        strbuf_release(&sb);
    }
}

Test(varint, damaged_bytes)
{
    static const struct {
        const char *bytes;
        size_t n;
    } bad[] = {{"", 0},
               {"\x80", 1},
               {"\xFF\xFF", 2},
               {"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02", 10}, /* 65 bits */
               {"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 11}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct varint_reader r = {(const unsigned char *)bad[i].bytes,
                                  (const unsigned char *)bad[i].bytes + bad[i].n};
        uint64_t v = 7;
        cr_expect_not(varint_read(&r, &v), "case %zu", i);
        cr_expect_eq(v, 7);
        cr_expect_leq(r.at, r.end);
    }
}
