#include "core/stats/segments.h"

#include <math.h>

#include "core/base/xalloc.h"
#include "core/stats/mean_interval.h"
#include "core/stats/sample_stats.h"

#define MIN_SEGMENT 5
#define MIN_SHARE   0.03
#define PENALTY     2.5
#define MIN_CHANGE  0.05
#define MIN_ERRORS  4.0
#define MAX_POINTS  4000
#define MIN_SD      2e-3
#define MAX_RHO     0.95

/* Prefix sums: the sum of squares within any piece in O(1). */
struct sums {
    double *s, *q;
};

static struct sums sums_of(const double *y, size_t n)
{
    struct sums p = {xmalloc((n + 1) * sizeof(double)), xmalloc((n + 1) * sizeof(double))};
    p.s[0] = p.q[0] = 0;
    for (size_t i = 0; i < n; i++) {
        p.s[i + 1] = p.s[i] + y[i];
        p.q[i + 1] = p.q[i] + y[i] * y[i];
    }
    return p;
}

static void sums_release(struct sums *p)
{
    free(p->s);
    free(p->q);
}

static double within(const struct sums *p, size_t from, size_t to)
{
    double sum = p->s[to] - p->s[from];
    return p->q[to] - p->q[from] - sum * sum / (double)(to - from);
}

/*
 * PELT (Killick 2012). With a shortest segment m, a start s may be dropped at t only on the evidence
 * of u = t - m: from then on a cut at u is allowed and never costs more than going on from s.
 */
size_t partition_l2(const double *y, size_t n, double penalty, size_t min_len, size_t *starts)
{
    struct sums p = sums_of(y, n);
    double *best = xmalloc((n + 1) * sizeof *best);
    size_t *from = xcalloc(n + 1, sizeof *from);
    size_t *open = xmalloc((n + 1) * sizeof *open);
    size_t n_open = 0;
    for (size_t t = 0; t <= n; t++)
        best[t] = INFINITY;
    best[0] = -penalty;
    for (size_t t = min_len; t <= n; t++) {
        size_t u = t - min_len, kept = 0;
        for (size_t i = 0; i < n_open && isfinite(best[u]); i++) {
            if (best[open[i]] + within(&p, open[i], u) <= best[u])
                open[kept++] = open[i];
        }
        if (isfinite(best[u])) {
            n_open = kept;
            open[n_open++] = u;
        }
        for (size_t i = 0; i < n_open; i++) {
            double cost = best[open[i]] + within(&p, open[i], t) + penalty;
            if (cost < best[t]) {
                best[t] = cost;
                from[t] = open[i];
            }
        }
    }
    size_t count = 0;
    for (size_t t = n; t > 0; t = from[t])
        starts[count++] = from[t];
    for (size_t i = 0; i < count / 2; i++) {
        size_t swap = starts[i];
        starts[i] = starts[count - 1 - i];
        starts[count - 1 - i] = swap;
    }
    free(open);
    free(from);
    free(best);
    sums_release(&p);
    return count;
}

/* The best single cut, 0 when the series is too short for one. */
static size_t best_cut(const double *y, size_t n, size_t min_len)
{
    struct sums p = sums_of(y, n);
    size_t at = 0;
    double best = -1;
    for (size_t t = min_len; t + min_len <= n; t++) {
        double left = p.s[t] / (double)t;
        double right = (p.s[n] - p.s[t]) / (double)(n - t);
        double gain = (double)t * (double)(n - t) / (double)n * (left - right) * (left - right);
        if (gain > best) {
            best = gain;
            at = t;
        }
    }
    sums_release(&p);
    return at;
}

/* One-sample spikes are clipped to 3 robust standard deviations of the running median. */
static void clip_spikes(double *y, size_t n)
{
    double *smooth = xmalloc(n * sizeof *smooth);
    double *off = xmalloc(n * sizeof *off);
    stat_running_median(y, n, smooth);
    for (size_t i = 0; i < n; i++)
        off[i] = y[i] - smooth[i];
    double limit = 3 * fmax(stat_robust_sd(off, n), 1e-4);
    for (size_t i = 0; i < n; i++)
        y[i] = smooth[i] + fmax(-limit, fmin(limit, off[i]));
    free(off);
    free(smooth);
}

static double variance_of_steps(const double *y, size_t n)
{
    double *step = xmalloc(n * sizeof *step);
    for (size_t i = 1; i < n; i++)
        step[i - 1] = y[i] - y[i - 1];
    double mean = mean_of(step, n - 1), sum = 0;
    for (size_t i = 0; i + 1 < n; i++)
        sum += (step[i] - mean) * (step[i] - mean);
    free(step);
    return sum / (double)(n - 1);
}

/*
 * Long-run variance of the noise: residuals of a cheap segmentation, their lag-1 correlation
 * included. Without it correlated noise would be cut into steps.
 */
static double long_run_variance(const double *y, size_t n, size_t min_len, size_t *starts)
{
    double penalty = 1e-9 + 6 * variance_of_steps(y, n) * log((double)n);
    size_t count = partition_l2(y, n, penalty, min_len, starts);
    if (count > 4) {
        starts[1] = best_cut(y, n, min_len);
        count = starts[1] ? 2 : 1;
    }
    double *rest = xmalloc(n * sizeof *rest);
    double square = 0;
    for (size_t i = 0; i < count; i++) {
        size_t end = i + 1 < count ? starts[i + 1] : n;
        double mean = mean_of(y + starts[i], end - starts[i]);
        for (size_t k = starts[i]; k < end; k++) {
            rest[k] = y[k] - mean;
            square += rest[k] * rest[k];
        }
    }
    double rho = fmin(fmax(stat_lag1(rest, n), 0), MAX_RHO);
    double sd = fmax(sqrt(square / (double)n), MIN_SD);
    free(rest);
    return sd * sd * (1 + rho) / (1 - rho);
}

/* Drops the least significant cut until each is at least 5 % and 4 standard errors. */
static size_t drop_small_cuts(const double *y, size_t n, double variance, size_t *starts,
                              size_t count)
{
    while (count > 1) {
        double worst = INFINITY;
        size_t drop = 0;
        for (size_t i = 1; i < count; i++) {
            size_t end = i + 1 < count ? starts[i + 1] : n;
            size_t left = starts[i] - starts[i - 1], right = end - starts[i];
            double change = fabs(mean_of(y + starts[i - 1], left) - mean_of(y + starts[i], right));
            double error = sqrt(variance / (double)left + variance / (double)right);
            double score = fmin(change / MIN_CHANGE, change / (MIN_ERRORS * error));
            if (score < worst) {
                worst = score;
                drop = i;
            }
        }
        if (worst >= 1)
            break;
        memmove(starts + drop, starts + drop + 1, (count - drop - 1) * sizeof *starts);
        count--;
    }
    return count;
}

/* Means of k samples each; the last bin takes the rest. */
static size_t bin(const double *x, size_t n, size_t k, double *out)
{
    size_t bins = n / k;
    for (size_t i = 0; i < bins; i++)
        out[i] = mean_of(x + i * k, i + 1 < bins ? k : n - i * k);
    return bins;
}

struct segment *segments_find(const double *x, size_t n, size_t *n_out)
{
    *n_out = 0;
    if (n == 0)
        return NULL;
    size_t k = (n + MAX_POINTS - 1) / MAX_POINTS;
    double *y = xmalloc(n * sizeof *y);
    size_t points = bin(x, n, k, y);
    double floor = 1e-3 * fmax(stat_median(y, points), 1e-9);
    for (size_t i = 0; i < points; i++)
        y[i] = log(fmax(y[i], floor));
    size_t min_len = (size_t)fmax(MIN_SEGMENT, ceil(MIN_SHARE * (double)points));
    size_t *starts = xcalloc(points / min_len + 3, sizeof *starts);
    size_t count = 1;
    if (points >= 2 * min_len) {
        clip_spikes(y, points);
        double variance = long_run_variance(y, points, min_len, starts);
        double penalty = PENALTY * variance * log((double)points);
        count = partition_l2(y, points, penalty, min_len, starts);
        count = drop_small_cuts(y, points, variance, starts, count);
    }
    struct segment *out = xcalloc(count, sizeof *out);
    for (size_t i = 0; i < count; i++) {
        size_t end = i + 1 < count ? starts[i + 1] : points;
        double level = exp(stat_median(y + starts[i], end - starts[i]));
        out[i] = (struct segment){starts[i] * k, i + 1 < count ? end * k : n, level};
    }
    free(starts);
    free(y);
    *n_out = count;
    return out;
}
