#include <criterion/criterion.h>
#include <math.h>

#include "core/base/varint.h"
#include "core/base/xalloc.h"
#include "core/model/series.h"

static struct series example(size_t n)
{
    struct series s = {.interval_ns = 1000000000};
    for (size_t i = 0; i < n; i++) {
        struct series_point *p = series_append(&s);
        p->end_ns = (i + 1) * 1000000000 + i * 37;
        p->len_ns = 1000000000 + 37;
        p->ios = 3500 + i;
        p->bytes = p->ios * 4096;
        p->lat_sum_ns = p->ios * 285000;
        p->lat_max_ns = 9000000;
        p->lat_p50_ns = 250000;
        p->lat_p99_ns = 1000000;
        p->inflight = 64;
    }
    return s;
}

static void expect_equal(const struct series *a, const struct series *b)
{
    cr_assert_eq(a->n, b->n);
    cr_expect_eq(a->interval_ns, b->interval_ns);
    cr_expect_eq(memcmp(a->point, b->point, a->n * sizeof *a->point), 0);
}

Test(series_codec, comes_back)
{
    struct series s = example(60), back = {0};
    struct strbuf sb = STRBUF_INIT;
    series_encode(&sb, &s);
    cr_assert_eq(series_decode(&back, sb.text, sb.len, NULL), 0);
    expect_equal(&s, &back);
    cr_expect_lt(sb.len, 60 * 32, "compact: %zu bytes", sb.len);
    series_release(&back);
    series_release(&s);
    strbuf_release(&sb);
}

Test(series_codec, known_bytes)
{
    struct series s = {.interval_ns = 100};
    *series_append(&s) = (struct series_point){101, 100, 3, 300, 7, 6, 5, 4, 2};
    struct strbuf sb = STRBUF_INIT;
    series_encode(&sb, &s);
    cr_expect_eq(sb.len, 14);
    cr_expect_eq(memcmp(sb.text, "S\x01\x64\x01\x02\x00\x03\xAC\x02\x07\x06\x05\x04\x02", 14), 0);
    series_release(&s);
    strbuf_release(&sb);
}

Test(series_codec, extreme_values_come_back)
{
    struct series s = {.interval_ns = UINT64_MAX}, back = {0};
    *series_append(&s) =
        (struct series_point){0, UINT64_MAX, UINT64_MAX, 0, UINT64_MAX, 1, 2, 3, 4};
    *series_append(&s) = (struct series_point){UINT64_MAX, 0, 0, UINT64_MAX, 0, 0, 0, 0, 0};
    struct strbuf sb = STRBUF_INIT;
    series_encode(&sb, &s);
    cr_assert_eq(series_decode(&back, sb.text, sb.len, NULL), 0);
    expect_equal(&s, &back);
    series_release(&back);
    series_release(&s);
    strbuf_release(&sb);
}

Test(series_codec, empty)
{
    struct series s = {.interval_ns = 5}, back = {0};
    struct strbuf sb = STRBUF_INIT;
    series_encode(&sb, &s);
    cr_assert_eq(series_decode(&back, sb.text, sb.len, NULL), 0);
    cr_expect_eq(back.n, 0);
    series_release(&back);
    strbuf_release(&sb);
}

Test(series_codec, histograms_come_back)
{
    struct series s = example(5), back = {0};
    s.hist = xcalloc(5, SERIES_HIST_BUCKETS * sizeof *s.hist);
    s.hist[0] = 1;
    s.hist[SERIES_HIST_BUCKETS - 1] = UINT32_MAX;
    s.hist[3 * SERIES_HIST_BUCKETS + 100] = 12345;
    struct strbuf sb = STRBUF_INIT, hb = STRBUF_INIT;
    series_encode(&sb, &s);
    series_encode_hist(&hb, &s);
    cr_assert_eq(series_decode(&back, sb.text, sb.len, NULL), 0);
    cr_expect_null(back.hist);
    cr_assert_eq(series_decode_hist(&back, hb.text, hb.len, NULL), 0);
    cr_expect_eq(memcmp(s.hist, back.hist, 5 * SERIES_HIST_BUCKETS * sizeof *s.hist), 0);
    series_release(&back);
    series_release(&s);
    strbuf_release(&sb);
    strbuf_release(&hb);
}

static int decode(const struct strbuf *sb, struct series *s)
{
    char *exact = xmalloc(sb->len);
    memcpy(exact, sb->text, sb->len);
    int rc = series_decode(s, exact, sb->len, NULL);
    free(exact);
    return rc;
}

Test(series_codec, damage_is_refused_and_leaves_the_series_alone)
{
    struct series s = example(3), kept = example(2);
    struct strbuf sb = STRBUF_INIT;
    series_encode(&sb, &s);
    size_t whole = sb.len;
    for (size_t n = 0; n < whole; n++) {
        strbuf_truncate(&sb, n);
        cr_expect_eq(decode(&sb, &kept), -ERR_STORE, "%zu bytes", n);
        strbuf_reset(&sb);
        series_encode(&sb, &s);
    }
    strbuf_addc(&sb, 0);
    cr_expect_eq(decode(&sb, &kept), -ERR_STORE);
    strbuf_reset(&sb);
    strbuf_add(&sb, "S\x01", 2);
    varint_add(&sb, 1);
    varint_add(&sb, UINT64_MAX); /* a count that would need all memory */
    struct error err = ERROR_INIT;
    cr_expect_eq(series_decode(&kept, sb.text, sb.len, &err), -ERR_STORE);
    cr_expect_str_eq(err.message, "a series is damaged: more points than bytes");
    cr_expect_eq(kept.n, 2);
    cr_expect_eq(kept.point[1].ios, 3501);
    series_release(&kept);
    series_release(&s);
    strbuf_release(&sb);
}

Test(series_codec, damaged_histograms_are_refused)
{
    static const struct {
        size_t n;
        uint64_t v[8];
    } bad[] = {{1, {1}},                             /* number of points */
               {2, {2, 0}},                          /* a row is missing */
               {4, {2, 1, 5, 0}},                    /* a zero stored */
               {5, {2, 1, 5, UINT64_C(1) << 32, 0}}, /* above 32 bits */
               {5, {2, 1, SERIES_HIST_BUCKETS, 1, 0}},
               {7, {2, 2, 5, 1, UINT64_MAX, 1, 0}},
               {7, {2, 2, 5, 1, 0, 1, 0}},
               {3, {2, SERIES_HIST_BUCKETS + 1, 0}},
               {4, {2, 0, 0, 0}}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct series s = example(2);
        struct strbuf sb = STRBUF_INIT;
        strbuf_add(&sb, "T\x01", 2);
        for (size_t k = 0; k < bad[i].n; k++)
            varint_add(&sb, bad[i].v[k]);
        cr_expect_eq(series_decode_hist(&s, sb.text, sb.len, NULL), -ERR_STORE, "case %zu", i);
        cr_expect_null(s.hist);
        strbuf_release(&sb);
        series_release(&s);
    }
}

/* What no point states comes back as not stated, and is no rate of 0. */
Test(series_codec, what_the_source_did_not_count)
{
    struct series s = {.interval_ns = 1000000000, .missing = SERIES_NO_IOS}, back = {0};
    struct series_point *p = series_append(&s);
    p->end_ns = p->len_ns = 1000000000;
    p->bytes = 4096;
    p->lat_sum_ns = 250000;
    struct strbuf out = STRBUF_INIT;
    struct error err = ERROR_INIT;
    series_encode(&out, &s);
    cr_assert_eq(series_decode(&back, out.text, out.len, &err), 0, "%s", err.message);
    cr_expect(back.missing == SERIES_NO_IOS && back.n == 1);
    cr_expect(isnan(series_iops(&back, 0)) && series_bw(&back, 0) == 4096);
    cr_expect_eq(series_lat_mean(&back, 0), 250000); /* of an unknown number of I/Os */
    out.text[2] = 4;
    cr_expect_eq(series_decode(&back, out.text, out.len, &err), -ERR_STORE);
    strbuf_release(&out);
    series_release(&s);
    series_release(&back);
}
