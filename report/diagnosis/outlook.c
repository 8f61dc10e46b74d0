/* How long a burst can last: the listed bucket against what the load takes out of it. */
#include <math.h>

#include "core/base/clock.h"
#include "core/base/numfmt.h"
#include "core/base/xalloc.h"
#include "report/diagnosis/words_internal.h"

/* The burst figure beside a base figure. */
static const struct limit *burst_of(const struct run *run, const struct limit *base)
{
    for (size_t i = 0; i < run->n_limits; i++) {
        const struct limit *l = &run->limit[i];
        if (l->phase == PHASE_BURST && l->owner == base->owner && l->kind == base->kind &&
            l->side == base->side && l->device == base->device && IS_KNOWN(l, LIMIT, credits))
            return l;
    }
    return NULL;
}

double burst_seconds(const struct finding *f)
{
    const struct run *run = f->row->run;
    const struct limit *burst = f->base ? burst_of(run, f->base) : NULL;
    if (!burst)
        return NAN;
    struct row_cap *cap = xcalloc(run->n_limits + 1, sizeof *cap);
    size_t n = row_caps(f->row, cap), i = 0;
    while (i < n && cap[i].limit != f->base)
        i++;
    /* the bucket of each device, in I/Os of this row */
    double bucket = NAN;
    if (i < n)
        bucket = burst->credits * (cap[i].total / f->base->value) * (cap[i].iops / cap[i].total);
    free(cap);
    return bucket / (f->facts->rate_now - f->sustained);
}

/* What held the burst, where that is listed: the verdict itself is about what came after it. */
static const char *burst_holder(struct arena *a, const struct run *run, const struct finding *f)
{
    return f->before ? arena_printf(a, ", held by %s,", limit_name(a, run, f->before)) : "";
}

/* "24,480 I/Os", or "5.98 GiB" of a bucket of bytes. */
static const char *credit_words(struct arena *a, const struct burst *b, double bs, bool bytes)
{
    char buf[NUMFMT_MAX];
    double credits = fmax(b->credits, 0);
    if (bytes)
        return plain(a, fmt_bytes(buf, (uint64_t)(credits * bs)));
    return arena_printf(a, "%s I/Os", fmt_count(buf, (uint64_t)credits));
}

static const char *burst_words(struct arena *a, const struct row_facts *f, const char *holder,
                               bool bytes)
{
    char time[NUMFMT_MAX], bs[NUMFMT_MAX];
    const struct timeline *t = &f->timeline;
    double each = bytes ? (double)f->row->bs : 1;
    const char *(*rate)(struct arena *, double) = bytes ? bw_words : iops_words;
    return arena_printf(
        a, "A burst at %s%s ran out after %s at %s: at least %s of credit, then %s.",
        rate(a, t->burst.rate * each), holder,
        plain(a, fmt_duration(time, (uint64_t)llround(t->exhausted_s) * NS_PER_S)),
        fmt_bs(bs, f->row->bs), credit_words(a, &t->burst, (double)f->row->bs, bytes),
        rate(a, t->burst.sustained * each));
}

const char *seen_burst_sentence(struct arena *a, const struct run *run, const struct region *r,
                                size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = r[i].first; k <= r[i].last; k++) {
            const struct row_facts *f = deepest(r[i].family, k);
            const struct finding *found = &r[i].all[f - r[i].facts];
            const struct limit *held = found->before ? found->before : found->limit;
            bool bytes = f->row->bs > 0 && held && held->kind == CAP_BW;
            if (f->timeline.has_burst)
                return burst_words(a, f, burst_holder(a, run, found), bytes);
        }
    }
    return NULL;
}

static const char *ran_words(struct arena *a, const struct cell *c, double lasts)
{
    char buf[NUMFMT_MAX];
    if (!IS_KNOWN(c, CELL, runtime_ns))
        return "";
    const char *why = (double)c->runtime_ns / 1e9 > lasts
                          ? ": the bucket is larger than listed, or had time to fill"
                          : "";
    return arena_printf(a, "; this cell ran %s%s", plain(a, fmt_duration(buf, c->runtime_ns)), why);
}

/* Another load of the run was held by the base figure: the bucket was empty then. */
static const char *empty_words(struct arena *a, const struct limit *base, const struct region *r,
                               size_t n)
{
    char bs[NUMFMT_MAX];
    for (size_t i = 0; i < n; i++) {
        for (size_t k = r[i].first; k <= r[i].last; k++) {
            const struct finding *f = finding_at(&r[i], k);
            if (f->limit == base)
                return arena_printf(a, "; it was empty at %s, which the base figure held",
                                    fmt_bs(bs, f->row->bs));
        }
    }
    return NULL;
}

const char *outlook_sentence(struct arena *a, const struct region *r, size_t n)
{
    const struct finding *first = NULL;
    double lasts = INFINITY;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = r[i].first; k <= r[i].last; k++) {
            const struct finding *f = finding_at(&r[i], k);
            double seconds = burst_seconds(f);
            if (seconds > 0 && seconds < lasts) {
                lasts = seconds;
                first = f;
            }
        }
    }
    if (!first)
        return NULL;
    char bs[NUMFMT_MAX], buf[NUMFMT_MAX];
    const char *empty = empty_words(a, first->base, r, n);
    return arena_printf(a, "At %s and this rate the burst bucket is empty after %s%s.",
                        fmt_bs(bs, first->row->bs),
                        plain(a, fmt_duration(buf, (uint64_t)(lasts * 1e9))),
                        empty ? empty : ran_words(a, first->row->cell, lasts));
}
