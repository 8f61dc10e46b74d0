#include "core/model/series.h"

#include "core/base/varint.h"
#include "core/base/xalloc.h"

static const unsigned char points_magic[] = {'S', 0x01}, missing_magic[] = {'S', 0x02};
static const unsigned char hist_magic[] = {'T', 0x01};

#define POINT_MEMBERS 9 /* of struct series_point, each at least one byte */

void series_encode(struct strbuf *out, const struct series *s)
{
    strbuf_add(out, s->missing ? missing_magic : points_magic, sizeof points_magic);
    if (s->missing)
        varint_add(out, s->missing);
    varint_add(out, s->interval_ns);
    varint_add(out, s->n);
    uint64_t grid = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct series_point *p = &s->point[i];
        grid += s->interval_ns;
        varint_add_zigzag(out, (int64_t)(p->end_ns - grid));
        varint_add_zigzag(out, (int64_t)(p->len_ns - s->interval_ns));
        varint_add(out, p->ios);
        varint_add(out, p->bytes);
        varint_add(out, p->lat_sum_ns);
        varint_add(out, p->lat_max_ns);
        varint_add(out, p->lat_p50_ns);
        varint_add(out, p->lat_p99_ns);
        varint_add(out, p->inflight);
    }
}

static int damaged(struct error *err, const char *why)
{
    return error_set(err, ERR_STORE, "a series is damaged: %s", why);
}

/* Sums wrap the same way as when they were encoded, so every value comes back. */
static bool read_point(struct varint_reader *r, struct series_point *p, uint64_t grid,
                       uint64_t interval)
{
    int64_t end, len;
    if (!varint_read_zigzag(r, &end) || !varint_read_zigzag(r, &len))
        return false;
    p->end_ns = grid + (uint64_t)end;
    p->len_ns = interval + (uint64_t)len;
    return varint_read(r, &p->ios) && varint_read(r, &p->bytes) && varint_read(r, &p->lat_sum_ns) &&
           varint_read(r, &p->lat_max_ns) && varint_read(r, &p->lat_p50_ns) &&
           varint_read(r, &p->lat_p99_ns) && varint_read(r, &p->inflight);
}

int series_decode(struct series *s, const void *bytes, size_t n, struct error *err)
{
    bool marked =
        n >= sizeof points_magic && memcmp(bytes, missing_magic, sizeof points_magic) == 0;
    if (!marked &&
        (n < sizeof points_magic || memcmp(bytes, points_magic, sizeof points_magic) != 0))
        return damaged(err, "it does not start with its mark");
    struct varint_reader r = {.at = (const unsigned char *)bytes + sizeof points_magic,
                              .end = (const unsigned char *)bytes + n};
    uint64_t interval, count, missing = 0;
    if (marked &&
        (!varint_read(&r, &missing) || missing == 0 || missing > (SERIES_NO_IOS | SERIES_NO_BYTES)))
        return damaged(err, "what it does not state is not known");
    if (!varint_read(&r, &interval) || !varint_read(&r, &count))
        return damaged(err, "it ends too early");
    if (count > varint_left(&r) / POINT_MEMBERS)
        return damaged(err, "more points than bytes");
    struct series made = {.interval_ns = interval,
                          .missing = (unsigned)missing,
                          .n = (size_t)count,
                          .room = (size_t)count};
    made.point = xcalloc(made.n, sizeof *made.point);
    uint64_t grid = 0;
    for (size_t i = 0; i < made.n; i++) {
        grid += interval;
        if (!read_point(&r, &made.point[i], grid, interval)) {
            series_release(&made);
            return damaged(err, "it ends too early");
        }
    }
    if (varint_left(&r) > 0) {
        series_release(&made);
        return damaged(err, "it goes on after its end");
    }
    series_release(s);
    *s = made;
    return 0;
}

static void encode_row(struct strbuf *out, const uint32_t *row)
{
    unsigned nonzero = 0, before = 0;
    for (unsigned b = 0; b < SERIES_HIST_BUCKETS; b++)
        nonzero += row[b] > 0;
    varint_add(out, nonzero);
    for (unsigned b = 0; b < SERIES_HIST_BUCKETS; b++) {
        if (row[b] == 0)
            continue;
        varint_add(out, b - before);
        varint_add(out, row[b]);
        before = b;
    }
}

void series_encode_hist(struct strbuf *out, const struct series *s)
{
    strbuf_add(out, hist_magic, sizeof hist_magic);
    varint_add(out, s->n);
    for (size_t i = 0; i < s->n; i++)
        encode_row(out, s->hist + i * SERIES_HIST_BUCKETS);
}

static bool read_row(struct varint_reader *r, uint32_t *row)
{
    uint64_t nonzero, index = 0;
    if (!varint_read(r, &nonzero) || nonzero > SERIES_HIST_BUCKETS)
        return false;
    for (uint64_t k = 0; k < nonzero; k++) {
        uint64_t delta, count;
        if (!varint_read(r, &delta) || !varint_read(r, &count) || (k > 0 && delta == 0) ||
            delta >= SERIES_HIST_BUCKETS - index || count == 0 || count > UINT32_MAX)
            return false;
        index += delta;
        row[index] = (uint32_t)count;
    }
    return true;
}

int series_decode_hist(struct series *s, const void *bytes, size_t n, struct error *err)
{
    if (n < sizeof hist_magic || memcmp(bytes, hist_magic, sizeof hist_magic) != 0)
        return damaged(err, "its histograms do not start with their mark");
    struct varint_reader r = {.at = (const unsigned char *)bytes + sizeof hist_magic,
                              .end = (const unsigned char *)bytes + n};
    uint64_t count;
    if (!varint_read(&r, &count) || count != s->n)
        return damaged(err, "it has not as many histograms as points");
    uint32_t *hist = xcalloc(s->n, SERIES_HIST_BUCKETS * sizeof *hist);
    bool ok = true;
    for (size_t i = 0; ok && i < s->n; i++)
        ok = read_row(&r, hist + i * SERIES_HIST_BUCKETS);
    if (!ok || varint_left(&r) > 0) {
        free(hist);
        return damaged(err, "a histogram cannot be read");
    }
    free(s->hist);
    s->hist = hist;
    return 0;
}
