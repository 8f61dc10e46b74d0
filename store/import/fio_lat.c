/* Latencies of fio's JSON: figures, percentiles, json+ bins. */
#include <math.h>

#include "core/base/xalloc.h"
#include "store/import/fio_read_internal.h"
#include "store/import/number.h"

/* fio takes at most 20 in a list; re-written files may hold duplicates. */
#define PERCENTILES_MAX 256

/* The object of a latency and the length of its unit in ns: "clat_ns", or "clat" in us (fio 2). */
static json_id find_lat(const struct json_doc *d, json_id direction, enum lat_kind kind,
                        uint64_t *unit)
{
    char name[16];
    snprintf(name, sizeof name, "%s_ns", lat_kind_names[kind]);
    json_id obj = json_find(d, direction, name);
    *unit = 1;
    if (!obj) {
        obj = json_find(d, direction, lat_kind_names[kind]);
        *unit = 1000;
    }
    return obj;
}

static bool key_number(const struct json_doc *d, json_id id, double *v)
{
    size_t n;
    const char *key = json_key(d, id, &n);
    return number_f64(key, n, v);
}

static bool key_index(const struct json_doc *d, json_id id, uint64_t *v)
{
    size_t n;
    const char *key = json_key(d, id, &n);
    return number_u64(key, n, v);
}

static int by_percentile(const void *a, const void *b)
{
    const struct lat_point *x = a, *y = b;
    return (x->p > y->p) - (x->p < y->p);
}

/* fio before 3.4 pads the list with "0.00" : 0, many times. */
static void read_percentiles(struct fio_reader *r, json_id obj, uint64_t unit, struct lat *out)
{
    const struct json_doc *d = r->d;
    struct lat_point point[PERCENTILES_MAX];
    size_t n = 0;
    for (json_id id = json_child(d, obj); id && n < PERCENTILES_MAX; id = json_next(d, id)) {
        double p;
        uint64_t v;
        if (!key_number(d, id, &p) || p <= 0 || p > 100)
            continue;
        if (json_u64(d, id, &v) && !__builtin_mul_overflow(v, unit, &v) && v <= INT64_MAX)
            point[n++] = (struct lat_point){p, v};
        else
            fio_say_bad(r, id);
    }
    if (n == 0)
        return;
    qsort(point, n, sizeof *point, by_percentile);
    out->reported = xmalloc(n * sizeof *point);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || point[i].p > point[i - 1].p)
            out->reported[out->n_reported++] = point[i];
    }
}

/*
 * fio 2.12 to 2.19 name a bin by its number and state the geometry beside the counts; its middle,
 * by the formula of today, is in us.
 */
static bool bins_are_numbered(const struct json_doc *d, json_id bins)
{
    return json_find(d, bins, "FIO_IO_U_PLAT_BITS") != 0;
}

/* Adds the bins up; false when their counts cannot be true. */
static bool add_bins(struct fio_reader *r, json_id bins, uint64_t unit, struct hist *h,
                     uint64_t *total)
{
    const struct json_doc *d = r->d;
    bool numbered = bins_are_numbered(d, bins);
    for (json_id id = json_child(d, bins); id; id = json_next(d, id)) {
        uint64_t v, count;
        if (!key_index(d, id, &v))
            continue; /* the constants of the geometry */
        if (numbered)
            v = v < HIST_BUCKETS ? hist_mid((unsigned)v) : UINT64_MAX;
        if (!json_u64(d, id, &count) || __builtin_mul_overflow(v, unit, &v) ||
            __builtin_add_overflow(*total, count, total)) {
            r->doubts.overflow = true;
            fio_say_bad(r, id);
            return false;
        }
        if (count > 0)
            hist_add_bin(h, v, count);
    }
    return *total > 0;
}

/* Figures that cannot be stay with the latency, where they are told (figures.h), and must not spoil its bins. */
static bool are_ordered(const struct lat *l)
{
    bool min = IS_KNOWN(l, LAT_F, min), max = IS_KNOWN(l, LAT_F, max);
    if (min && max && l->min > l->max)
        return false;
    return !IS_KNOWN(l, LAT_F, mean) || ((!min || l->mean >= (double)l->min * 0.98 - 1000) &&
                                         (!max || l->mean <= (double)l->max * 1.02 + 1000));
}

/* The exact figures beside the bins, so that mean and stddev of the histogram are fio's own. */
static void set_exact_sums(struct hist *h, const struct lat *l, uint64_t n)
{
    if (!are_ordered(l))
        return;
    if (IS_KNOWN(l, LAT_F, min))
        h->min = l->min;
    if (IS_KNOWN(l, LAT_F, max))
        h->max = l->max;
    long double sum = (long double)l->mean * (long double)n;
    if (!IS_KNOWN(l, LAT_F, mean) || sum < 0 || sum >= 0x1p64L)
        return;
    h->sum = (uint64_t)(sum + 0.5L);
    long double sd = IS_KNOWN(l, LAT_F, stddev) ? (long double)l->stddev : 0;
    long double sum_sq = sd * sd * (long double)(n - 1) + sum * (long double)l->mean;
    if (sum_sq >= 0 && sum_sq < 0x1p127L)
        h->sum_sq = (hist_u128)sum_sq;
}

static void read_bins(struct fio_reader *r, json_id bins, uint64_t unit, struct lat *out)
{
    if (json_kind(r->d, bins) != JSON_OBJECT || !json_child(r->d, bins))
        return;
    struct hist *h = xmalloc(sizeof *h);
    hist_init(h);
    uint64_t total = 0;
    if (!add_bins(r, bins, unit, h, &total)) {
        free(h);
        return;
    }
    set_exact_sums(h, out, total);
    SET(out, LAT_F, n, total);
    out->hist = h;
    r->doubts.us_bins |= unit > 1;
}

static bool read_scaled(struct fio_reader *r, json_id obj, const char *name, uint64_t unit,
                        uint64_t *v)
{
    return fio_read_u64(r, obj, name, v) && !__builtin_mul_overflow(*v, unit, v);
}

void fio_read_lat(struct fio_reader *r, json_id direction, enum lat_kind kind, struct lat *out)
{
    const struct json_doc *d = r->d;
    uint64_t unit, n = 0, min = 0, max = 0;
    json_id obj = find_lat(d, direction, kind, &unit);
    if (json_kind(d, obj) != JSON_OBJECT)
        return;
    bool has_n = fio_read_u64(r, obj, "N", &n);
    bool has_max = read_scaled(r, obj, "max", unit, &max);
    double mean = 0, stddev = 0;
    bool has_mean = fio_read_f64(r, obj, "mean", &mean);
    /* disable_clat, gtod_reduce and sync engines (slat) leave zeros: nothing was measured */
    if ((has_n && n == 0) || (max == 0 && mean == 0))
        return;
    if (has_n)
        SET(out, LAT_F, n, n);
    if (read_scaled(r, obj, "min", unit, &min))
        SET(out, LAT_F, min, min);
    if (has_max)
        SET(out, LAT_F, max, max);
    if (has_mean)
        SET(out, LAT_F, mean, mean * (double)unit);
    if (fio_read_f64(r, obj, "stddev", &stddev))
        SET(out, LAT_F, stddev, stddev * (double)unit);
    read_bins(r, json_find(d, obj, "bins"), unit, out);
    /* bins of whole us do not give fio 2's percentiles back to the digit */
    if (!out->hist || unit > 1)
        read_percentiles(r, json_find(d, obj, "percentile"), unit, out);
}
