#include <criterion/criterion.h>
#include <math.h>

#include "core/base/varint.h"
#include "core/base/xalloc.h"
#include "core/model/hist.h"
#include "tests/support/noise.h"
#include "tests/support/vectors.h"

static struct hist h, back;

static char *hex(const struct strbuf *sb, size_t n)
{
    struct strbuf out = STRBUF_INIT;
    for (size_t i = 0; i < n && i < sb->len; i++)
        strbuf_addf(&out, "%02x", (unsigned char)sb->text[i]);
    return strbuf_detach(&out);
}

Test(hist_codec, known_bytes)
{
    cJSON *j = vectors_load("hist_encode_small");
    const cJSON *pair;
    hist_init(&h);
    cJSON_ArrayForEach(pair, cJSON_GetObjectItem(j, "buckets"))
    {
        h.count[cJSON_GetArrayItem(pair, 0)->valueint] =
            (uint64_t)cJSON_GetArrayItem(pair, 1)->valuedouble;
    }
    struct strbuf sb = STRBUF_INIT;
    hist_encode(&sb, &h);
    char *got = hex(&sb, sb.len);
    cr_expect_str_eq(got, cJSON_GetObjectItem(j, "hex")->valuestring);
    free(got);
    cr_assert_eq(hist_decode(&back, sb.text, sb.len, NULL), 0);
    cr_expect_eq(memcmp(h.count, back.count, sizeof h.count), 0);
    cr_expect_eq(hist_percentile(&back, 50), vectors_whole(j, "p50"));
    cr_expect_eq(hist_percentile(&back, 99), vectors_whole(j, "p99"));
    cr_expect_eq(hist_percentile(&back, 100), vectors_whole(j, "p100"));
    strbuf_release(&sb);
    cJSON_Delete(j);
}

Test(hist_codec, a_real_distribution)
{
    cJSON *j = vectors_load("hist_percentiles");
    const cJSON *pair;
    hist_init(&h);
    cJSON_ArrayForEach(pair, cJSON_GetObjectItem(j, "sparse"))
    {
        hist_add_bin(&h, hist_mid((unsigned)cJSON_GetArrayItem(pair, 0)->valueint),
                     (uint64_t)cJSON_GetArrayItem(pair, 1)->valuedouble);
    }
    struct strbuf sb = STRBUF_INIT;
    hist_encode(&sb, &h);
    cr_expect_eq(sb.len, vectors_whole(j, "encoding_bytes"));
    uint64_t sum = 0;
    for (size_t i = 0; i < sb.len; i++)
        sum += (unsigned char)sb.text[i];
    cr_expect_eq(sum, vectors_whole(j, "encoding_sum"));
    char *got = hex(&sb, 64);
    cr_expect_str_eq(got, cJSON_GetObjectItem(j, "encoding_hex_first64")->valuestring);
    free(got);
    cr_assert_eq(hist_decode(&back, sb.text, sb.len, NULL), 0);
    cr_expect_eq(memcmp(&h, &back, sizeof h), 0, "bins and blob estimate alike");
    strbuf_release(&sb);
    cJSON_Delete(j);
}

Test(hist_codec, empty)
{
    struct strbuf sb = STRBUF_INIT;
    hist_init(&h);
    hist_encode(&sb, &h);
    cr_expect_eq(sb.len, 4);
    cr_expect_eq(hist_decode(&back, sb.text, sb.len, NULL), 0);
    cr_expect_eq(hist_n(&back), 0);
    cr_expect_eq(back.min, UINT64_MAX);
    strbuf_release(&sb);
}

static void put(struct strbuf *sb, size_t n, const uint64_t *v)
{
    strbuf_reset(sb);
    strbuf_add(sb, "H\x01\x06", 3);
    for (size_t i = 0; i < n; i++)
        varint_add(sb, v[i]);
}

#define EXPECT_DAMAGED(...)                                                                        \
    do {                                                                                           \
        const uint64_t v_[] = {__VA_ARGS__};                                                       \
        struct error err_ = ERROR_INIT;                                                            \
        put(&sb, sizeof v_ / sizeof v_[0], v_);                                                    \
        cr_expect_eq(hist_decode(&back, sb.text, sb.len, &err_), -ERR_STORE, #__VA_ARGS__);        \
        cr_expect_neq(err_.message[0], '\0');                                                      \
    } while (0)

Test(hist_codec, damaged_bytes_are_refused)
{
    struct strbuf sb = STRBUF_INIT;
    EXPECT_DAMAGED(1);                               /* no bucket there */
    EXPECT_DAMAGED(1, 5);                            /* no count */
    EXPECT_DAMAGED(1, 1856, 1);                      /* behind the last bucket */
    EXPECT_DAMAGED(2, 1855, 1, 1, 1);                /* likewise, by the delta */
    EXPECT_DAMAGED(1, UINT64_MAX, 1);                /* wraps */
    EXPECT_DAMAGED(2, 5, 1, UINT64_MAX, 1);          /* wraps back */
    EXPECT_DAMAGED(2, 5, 1, 0, 1);                   /* the same bucket twice */
    EXPECT_DAMAGED(1, 5, 0);                         /* a zero stored */
    EXPECT_DAMAGED(2, 5, UINT64_MAX, 1, UINT64_MAX); /* n overflows */
    EXPECT_DAMAGED(1857, 1, 1);                      /* too many buckets */
    EXPECT_DAMAGED(1, 5, 1, 7);                      /* goes on */
    cr_expect_eq(hist_decode(&back, "", 0, NULL), -ERR_STORE);
    cr_expect_eq(hist_decode(&back, "H\x02\x06\x00", 4, NULL), -ERR_STORE);
    cr_expect_eq(hist_decode(&back, "H\x01\x05\x00", 4, NULL), -ERR_STORE);
    strbuf_release(&sb);
}

/* Every prefix and every single-byte change of a good blob: an error or another histogram, no more.
 */
Test(hist_codec, survives_any_damage)
{
    struct strbuf sb = STRBUF_INIT;
    hist_init(&h);
    for (uint64_t v = 100; v < UINT64_C(20000000000); v = v * 5 / 4)
        hist_add_bin(&h, v, v);
    hist_encode(&sb, &h);
    for (size_t n = 0; n < sb.len; n++) {
        char *exact = xmalloc(n);
        memcpy(exact, sb.text, n);
        cr_expect_lt(hist_decode(&back, exact, n, NULL), 0);
        free(exact);
    }
    for (size_t i = 0; i < sb.len; i++) {
        for (int x = 1; x < 256; x += 6) {
            char *exact = xmalloc(sb.len);
            memcpy(exact, sb.text, sb.len);
            exact[i] = (char)(exact[i] ^ x);
            if (hist_decode(&back, exact, sb.len, NULL) == 0)
                cr_expect_gt(hist_n(&back), 0);
            free(exact);
        }
    }
    strbuf_release(&sb);
}
