/* Histogram and series blobs, as a store that somebody else made may hold them. */
#include <stdint.h>

#include "core/model/series.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void require(bool ok)
{
    if (!ok)
        abort();
}

static void try_hist(const uint8_t *data, size_t n)
{
    static struct hist h, back;
    if (hist_decode(&h, data, n, NULL) < 0)
        return;
    struct strbuf sb = STRBUF_INIT;
    hist_encode(&sb, &h);
    require(hist_decode(&back, sb.text, sb.len, NULL) == 0);
    require(memcmp(h.count, back.count, sizeof h.count) == 0);
    if (hist_n(&h) > 0) {
        uint64_t before = 0;
        for (double p = 0; p <= 100; p += 12.5) {
            uint64_t v = hist_percentile(&h, p);
            require(v >= before && v <= h.max);
            before = v;
        }
    }
    strbuf_release(&sb);
}

static void try_series(const uint8_t *data, size_t n)
{
    struct series s = {0}, back = {0};
    /* the first byte says how much of the rest is points; what follows is histograms */
    size_t points = n > 0 ? (size_t)data[0] : 0;
    if (n < 1 || points > n - 1)
        points = n > 0 ? n - 1 : 0;
    if (n == 0 || series_decode(&s, data + 1, points, NULL) < 0)
        return;
    struct strbuf sb = STRBUF_INIT;
    series_encode(&sb, &s);
    require(series_decode(&back, sb.text, sb.len, NULL) == 0 && back.n == s.n);
    require(s.n == 0 || memcmp(s.point, back.point, s.n * sizeof *s.point) == 0);
    if (series_decode_hist(&s, data + 1 + points, n - 1 - points, NULL) == 0) {
        strbuf_reset(&sb);
        series_encode_hist(&sb, &s);
        require(series_decode_hist(&back, sb.text, sb.len, NULL) == 0);
    }
    strbuf_release(&sb);
    series_release(&s);
    series_release(&back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    try_hist(data, n);
    try_series(data, n);
    return 0;
}
