#include "core/model/hist.h"

#include <math.h>

void hist_init(struct hist *h)
{
    *h = (struct hist){.min = UINT64_MAX};
}

uint64_t hist_lo(unsigned i)
{
    if (i < 128)
        return i;
    unsigned e = (i >> HIST_BITS) - 1;
    return (uint64_t)(64 + (i & 63)) << e;
}

uint64_t hist_width(unsigned i)
{
    return i < 128 ? 1 : UINT64_C(1) << ((i >> HIST_BITS) - 1);
}

uint64_t hist_mid(unsigned i)
{
    return hist_lo(i) + hist_width(i) / 2;
}

uint64_t hist_n(const struct hist *h)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < HIST_BUCKETS; i++)
        n += h->count[i];
    return n;
}

double hist_mean(const struct hist *h)
{
    uint64_t n = hist_n(h);
    return n > 0 ? (double)h->sum / (double)n : NAN;
}

/*
 * n * sum_sq - sum^2 can need more than 128 bits, so the integers are centred first: with
 * sum = n q + r the squared deviations from q add up to sum_sq - q (sum + r), exactly.
 */
double hist_stddev(const struct hist *h)
{
    uint64_t n = hist_n(h);
    if (n < 2)
        return NAN;
    uint64_t q = h->sum / n, r = h->sum % n;
    hist_u128 about_q = h->sum_sq - (hist_u128)q * ((hist_u128)h->sum + r);
    double about_mean = (double)about_q - (double)r * (double)r / (double)n;
    return sqrt(fmax(about_mean, 0) / (double)(n - 1));
}

/* Sums of real measurements do not overflow; those of forged files stop at the top. */
static uint64_t add_u64(uint64_t a, uint64_t b)
{
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static hist_u128 add_u128(hist_u128 a, hist_u128 b)
{
    hist_u128 sum;
    return __builtin_add_overflow(a, b, &sum) ? ~(hist_u128)0 : sum;
}

void hist_merge(struct hist *to, const struct hist *from)
{
    for (unsigned i = 0; i < HIST_BUCKETS; i++)
        to->count[i] = add_u64(to->count[i], from->count[i]);
    to->sum = add_u64(to->sum, from->sum);
    to->sum_sq = add_u128(to->sum_sq, from->sum_sq);
    if (from->min < to->min)
        to->min = from->min;
    if (from->max > to->max)
        to->max = from->max;
}

void hist_add_bin(struct hist *h, uint64_t v, uint64_t count)
{
    if (count == 0)
        return;
    unsigned i = hist_index(v);
    uint64_t mid = hist_mid(i), sum;
    hist_u128 sum_sq;
    h->count[i] = add_u64(h->count[i], count);
    if (__builtin_mul_overflow(mid, count, &sum))
        sum = UINT64_MAX;
    if (__builtin_mul_overflow((hist_u128)mid * mid, (hist_u128)count, &sum_sq))
        sum_sq = ~(hist_u128)0;
    h->sum = add_u64(h->sum, sum);
    h->sum_sq = add_u128(h->sum_sq, sum_sq);
    if (v < h->min)
        h->min = v;
    if (v > h->max)
        h->max = v;
}

static uint64_t clamp(const struct hist *h, uint64_t v)
{
    if (v < h->min)
        return h->min;
    return v > h->max ? h->max : v;
}

/* The bucket that holds the value of the given rank, 1 .. n. */
static unsigned bucket_of_rank(const struct hist *h, uint64_t rank)
{
    uint64_t below = 0;
    unsigned last = 0;
    for (unsigned i = 0; i < HIST_BUCKETS; i++) {
        if (h->count[i] == 0)
            continue;
        last = i;
        below += h->count[i];
        if (below >= rank)
            break;
    }
    return last;
}

/* ceil(x) as a rank within 1 .. n; x may be a hair too large, as 99.9 is as a double. */
static uint64_t to_rank(long double x, uint64_t n)
{
    long double rank = ceill(x * (1 - 1e-15L));
    if (rank < 1)
        return 1;
    return rank >= (long double)n ? n : (uint64_t)rank;
}

uint64_t hist_percentile(const struct hist *h, double p)
{
    uint64_t n = hist_n(h);
    if (n == 0)
        return 0;
    if (p >= 100)
        return h->max;
    uint64_t rank = to_rank((long double)p * (long double)n / 100, n);
    return clamp(h, hist_mid(bucket_of_rank(h, rank)));
}

bool percentile_has_samples(uint64_t n, double p)
{
    /* 10,000 values do support 99.9, though 100 - 99.9 is below 0.1 as a double */
    return (double)n * (100 - p) / 100 >= 10 * (1 - 1e-9);
}

bool hist_supports(const struct hist *h, double p)
{
    return percentile_has_samples(hist_n(h), p);
}

void hist_share_above(const struct hist *h, uint64_t v, double *lo, double *hi)
{
    uint64_t n = hist_n(h), above = 0;
    if (n == 0) {
        *lo = *hi = NAN;
        return;
    }
    unsigned own = hist_index(v);
    for (unsigned i = own + 1; i < HIST_BUCKETS; i++)
        above += h->count[i];
    uint64_t same = h->count[own];
    bool is_last_of_bucket = own < HIST_BUCKETS - 1 && v == hist_lo(own) + hist_width(own) - 1;
    if (is_last_of_bucket || h->max <= v)
        same = 0;
    uint64_t sure = h->min > v ? n : above;
    *lo = (double)sure / (double)n;
    *hi = h->min > v ? 1 : (double)(above + same) / (double)n;
}

void hist_percentile_ci(const struct hist *h, double p, double z, double deff, uint64_t *lo,
                        uint64_t *hi)
{
    uint64_t n = hist_n(h);
    if (n == 0) {
        *lo = *hi = 0;
        return;
    }
    double q = p / 100, half = z * sqrt((double)n * q * (1 - q) * deff);
    unsigned lower = bucket_of_rank(h, to_rank((double)n * q - half, n));
    unsigned upper = bucket_of_rank(h, to_rank((double)n * q + half, n));
    *lo = hist_lo(lower);
    *hi = hist_lo(upper) + hist_width(upper) - 1;
}

double hist_ks(const struct hist *a, const struct hist *b)
{
    double na = (double)hist_n(a), nb = (double)hist_n(b), d = 0;
    if (na == 0 || nb == 0)
        return NAN;
    uint64_t below_a = 0, below_b = 0;
    for (unsigned i = 0; i < HIST_BUCKETS; i++) {
        below_a += a->count[i];
        below_b += b->count[i];
        d = fmax(d, fabs((double)below_a / na - (double)below_b / nb));
    }
    return d;
}

double hist_wasserstein_ln(const struct hist *a, const struct hist *b)
{
    double na = (double)hist_n(a), nb = (double)hist_n(b), w = 0, gap = 0, before = 0;
    if (na == 0 || nb == 0)
        return NAN;
    uint64_t below_a = 0, below_b = 0;
    for (unsigned i = 0; i < HIST_BUCKETS; i++) {
        if (a->count[i] == 0 && b->count[i] == 0)
            continue;
        uint64_t mid = hist_mid(i);
        double at = log(mid > 0 ? (double)mid : 1);
        w += gap * (at - before);
        below_a += a->count[i];
        below_b += b->count[i];
        gap = fabs((double)below_a / na - (double)below_b / nb);
        before = at;
    }
    return w;
}
