#include "core/stats/burst.h"

#include <math.h>

#include "core/base/xalloc.h"
#include "core/stats/sample_stats.h"
#include "core/stats/segments.h"

#define MIN_FALL   0.10
#define MAX_SLOPE  0.15
#define TIGHT_CV   0.10
#define SIDE_SHARE 0.70
#define BLOCKS     20

/* |Theil-Sen slope| x length <= 15 % of the median, over the medians of 20 blocks. */
static bool is_flat(const double *x, size_t n)
{
    if (n < 10)
        return true;
    size_t blocks = n / 2 < BLOCKS ? n / 2 : BLOCKS;
    double level[BLOCKS], slope[BLOCKS * (BLOCKS - 1) / 2];
    size_t pairs = 0, at = 0;
    for (size_t b = 0; b < blocks; b++) {
        size_t len = n / blocks + (b < n % blocks);
        level[b] = stat_median(x + at, len);
        at += len;
        for (size_t a = 0; a < b; a++)
            slope[pairs++] = (level[b] - level[a]) / (double)(b - a);
    }
    double rise = fabs(stat_median(slope, pairs)) * (double)(blocks - 1);
    return rise <= MAX_SLOPE * stat_median(x, n);
}

/* The share of samples from..to-1 above (or below) the level; 1 when there are none. */
static double share_beyond(const double *x, size_t from, size_t to, double level, bool above)
{
    size_t hit = 0;
    for (size_t i = from; i < to; i++)
        hit += above ? x[i] > level : x[i] < level;
    return to > from ? (double)hit / (double)(to - from) : 1;
}

/* A cliff, not a decay: both sides are on their level one to three widths from the cut. */
static bool is_sharp(const double *x, size_t n, size_t at, double middle)
{
    size_t w = n / 50 > 3 ? n / 50 : 3;
    size_t from = at > 3 * w ? at - 3 * w : 0, to = at > w ? at - w : 0;
    size_t end = at + 3 * w < n ? at + 3 * w : n;
    double before = at > w ? share_beyond(x, from, to, middle, true) : 1;
    double after = at + w < n ? share_beyond(x, at + w, end, middle, false) : 1;
    return before >= SIDE_SHARE && after >= SIDE_SHARE;
}

/* Index of the segment after the largest fall; 0 when none is large enough. */
static size_t largest_fall(const struct segment *s, size_t n)
{
    size_t at = 0;
    double most = 0;
    for (size_t i = 1; i < n; i++) {
        double fall = log(s[i - 1].level / s[i].level);
        if (fall > most) {
            at = i;
            most = fall;
        }
    }
    return most >= -log(1 - MIN_FALL) ? at : 0;
}

/* No segment before the fall is low, none after it comes back: credits do not return under load. */
static bool is_one_way(const struct segment *s, size_t n, size_t fall, double middle)
{
    for (size_t i = 0; i < n; i++) {
        if (i < fall ? s[i].level < middle : s[i].level > middle)
            return false;
    }
    return true;
}

static void describe(const double *x, size_t n, size_t at, struct burst *out)
{
    double high = stat_median(x, at), low = stat_median(x + at, n - at), spent = 0;
    for (size_t i = 0; i < at; i++)
        spent += x[i];
    *out = (struct burst){
        .at = at,
        .rate = high,
        .sustained = low,
        .spent = spent,
        .credits = spent - low * (double)at,
        .cv_rate = stat_robust_sd(x, at) / high,
        .cv_sustained = stat_robust_sd(x + at, n - at) / low,
    };
    out->throttle = out->cv_sustained <= TIGHT_CV;
}

bool burst_find(const double *x, size_t n, struct burst *out)
{
    size_t count;
    struct segment *s = segments_find(x, n, &count);
    size_t fall = largest_fall(s, count);
    bool found = false;
    if (fall > 0) {
        size_t at = s[fall].start, rest = n - at;
        double high = stat_median(x, at), low = stat_median(x + at, rest);
        double middle = sqrt(high * low);
        found = low > 0 && low <= high * (1 - MIN_FALL) && rest >= 5 &&
                (double)rest >= 0.05 * (double)n && is_one_way(s, count, fall, middle) &&
                is_sharp(x, n, at, middle) && is_flat(x, at) && is_flat(x + at, rest);
        if (found)
            describe(x, n, at, out);
    }
    free(s);
    return found;
}
