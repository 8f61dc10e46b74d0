#include "report/analysis/analysis.h"

#include <math.h>

#include "core/base/xalloc.h"
#include "core/stats/sample_stats.h"
#include "core/stats/segments.h"

#define SECOND_NS   UINT64_C(1000000000)
#define FINEST_NS   (SECOND_NS / 4)
#define MIN_SAMPLES 30
/* Fewer are cut where the rate changes, but are no proof of a burst unless it nearly halves. */
#define FEW_SAMPLES 10
#define FEW_FALL    0.6
#define VARIES      1.10

/* Samples of about a second: shorter ones pulse with the throttle and mislead. */
struct sample {
    double start_s, end_s;
    double iops, bw;
};

static size_t add_up(const struct series *s, uint64_t step_ns, struct sample *out)
{
    size_t n = 0;
    uint64_t len = 0, ios = 0, bytes = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct series_point *p = &s->point[i];
        len += p->len_ns;
        ios += p->ios;
        bytes += p->bytes;
        if (len == 0 || (s->interval_ns < step_ns && len + s->interval_ns / 2 < step_ns))
            continue;
        double seconds = (double)len / 1e9, end = (double)p->end_ns / 1e9;
        out[n++] = (struct sample){end - seconds, end, (double)ios / seconds,
                                   bytes > 0 || ios == 0 ? (double)bytes / seconds : NAN};
        len = ios = bytes = 0;
    }
    return n;
}

static void add_phase(struct timeline *t, const struct sample *s, const double *rate, size_t from,
                      size_t to)
{
    double *bw = xmalloc((to - from) * sizeof *bw);
    for (size_t i = from; i < to; i++)
        bw[i - from] = s[i].bw;
    double level = stat_median(rate + from, to - from);
    t->phase = xrealloc(t->phase, t->n + 1, sizeof *t->phase);
    t->phase[t->n++] = (struct time_phase){
        .start_s = s[from].start_s,
        .end_s = s[to - 1].end_s,
        .iops = level,
        .bw = isnan(bw[0]) ? NAN : stat_median(bw, to - from),
        .cv = level > 0 ? stat_robust_sd(rate + from, to - from) / level : NAN,
    };
    free(bw);
}

static bool is_varying(const double *rate, size_t n)
{
    double *smooth = xmalloc(n * sizeof *smooth);
    stat_running_median(rate, n, smooth);
    double lo = smooth[0], hi = smooth[0];
    for (size_t i = 1; i < n; i++) {
        lo = fmin(lo, smooth[i]);
        hi = fmax(hi, smooth[i]);
    }
    free(smooth);
    return hi > VARIES * lo;
}

static void credits_in_bytes(struct timeline *t, const struct sample *s)
{
    t->burst_bytes = 0;
    for (size_t i = 0; i < t->burst.at; i++)
        t->burst_bytes += (s[i].bw - t->phase[1].bw) * (s[i].end_s - s[i].start_s);
}

static bool find_burst(const struct timeline *t, const double *rate, size_t n, struct burst *out)
{
    if (!burst_find(rate, n, out))
        return false;
    return t->is_tested || out->sustained <= FEW_FALL * out->rate;
}

static void find_phases(struct timeline *t, const struct sample *s, const double *rate, size_t n)
{
    if (n < FEW_SAMPLES || !is_varying(rate, n)) {
        add_phase(t, s, rate, 0, n);
        return;
    }
    t->has_burst = find_burst(t, rate, n, &t->burst);
    if (t->has_burst) {
        t->burst.spent *= t->step_s;
        t->burst.credits *= t->step_s;
        add_phase(t, s, rate, 0, t->burst.at);
        add_phase(t, s, rate, t->burst.at, n);
        credits_in_bytes(t, s);
        t->exhausted_s = s[0].start_s + t->burst.credits / (t->burst.rate - t->burst.sustained);
        return;
    }
    size_t count;
    struct segment *seg = segments_find(rate, n, &count);
    for (size_t i = 0; i < count; i++)
        add_phase(t, s, rate, seg[i].start, seg[i].end);
    free(seg);
}

/* The timeline at one length of samples. */
static bool find_at(const struct series *s, uint64_t step_ns, struct timeline *out)
{
    *out = (struct timeline){.burst_bytes = NAN, .exhausted_s = NAN};
    struct sample *sample = xmalloc(s->n * sizeof *sample);
    size_t n = add_up(s, step_ns, sample);
    if (n > 0) {
        double *rate = xmalloc(n * sizeof *rate);
        for (size_t i = 0; i < n; i++)
            rate[i] = sample[i].iops;
        out->n_samples = n;
        out->step_s = (sample[n - 1].end_s - sample[0].start_s) / (double)n;
        out->is_tested = n >= MIN_SAMPLES;
        find_phases(out, sample, rate, n);
        free(rate);
    }
    free(sample);
    return n > 0;
}

/* A burst in a cell that is too short for 30 seconds, but not for 30 shorter samples. */
static void find_short_burst(const struct series *s, struct timeline *t)
{
    for (uint64_t step = SECOND_NS / 2; step >= FINEST_NS && step > s->interval_ns / 2; step /= 2) {
        struct timeline fine;
        find_at(s, step, &fine);
        if (fine.has_burst) {
            timeline_release(t);
            *t = fine;
            return;
        }
        timeline_release(&fine);
    }
}

bool timeline_find(const struct series *s, struct timeline *out)
{
    *out = (struct timeline){.burst_bytes = NAN, .exhausted_s = NAN};
    if (!s || s->n == 0 || s->missing & SERIES_NO_IOS || !find_at(s, SECOND_NS, out))
        return false;
    if (!out->is_tested && !out->has_burst)
        find_short_burst(s, out);
    return true;
}

void timeline_release(struct timeline *t)
{
    free(t->phase);
    *t = (struct timeline){0};
}
