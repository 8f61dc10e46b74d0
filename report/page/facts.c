/* The four figures under the headline: the two peaks, the best latency, and what lasts. */
#include <inttypes.h>
#include <math.h>

#include "core/base/numfmt.h"
#include "core/base/xalloc.h"
#include "core/stats/sample_stats.h"
#include "report/page/page_internal.h"

static bool counts(const struct row *r)
{
    return r->part == 0 && r->n_repeats > 0;
}

/* Rates that differ by less are one plateau: its shallowest queue stands for it. */
#define SAME_PEAK 0.999

/* Reads and writes of a mix are what was done at once. */
static bool is_mix(const struct row *r)
{
    return r->part == 0 && strchr(r->pattern, ',') != NULL;
}

static double mix_rate(const struct row *r, bool bytes)
{
    double *v = xcalloc(r->n_repeats, sizeof *v);
    for (size_t i = 0; i < r->n_repeats; i++)
        v[i] = bytes ? cell_bw(r->repeat[i]) : cell_iops(r->repeat[i]);
    double median = r->n_repeats > 0 ? stat_median(v, r->n_repeats) : NAN;
    free(v);
    return median;
}

/* Of a burst that ended the rate while it lasted: the mean of the cell is that of how long it was measured. */
static double rate(const struct row_facts *f, bool bytes)
{
    const struct row *r = f->row;
    double v = is_mix(r) ? mix_rate(r, bytes) : bytes ? r->bw : r->iops;
    if (f->timeline.has_burst && r->iops > 0)
        v *= f->timeline.burst.rate / r->iops;
    return counts(r) && v > 0 ? v : 0;
}

static const struct row_facts *best_row(const struct page *p, bool bytes)
{
    const struct row_facts *best = NULL;
    double most = 0;
    for (size_t i = 0; i < p->analysis->n_facts; i++)
        most = fmax(most, rate(&p->analysis->facts[i], bytes));
    for (size_t i = 0; i < p->analysis->n_facts && most > 0; i++) {
        const struct row_facts *f = &p->analysis->facts[i];
        if (rate(f, bytes) >= SAME_PEAK * most && (!best || f->row->depth < best->row->depth))
            best = f;
    }
    return best;
}

static struct fact peak(struct page *p, bool bytes)
{
    char buf[NUMFMT_MAX], other[NUMFMT_MAX];
    const struct row_facts *f = best_row(p, bytes);
    if (!f)
        return (struct fact){"–", bytes ? "MiB/s" : "IOPS",
                             best_row(p, !bytes) ? (bytes ? "no bandwidth was recorded"
                                                          : "no rate of I/Os was recorded")
                                                 : "no rate was recorded",
                             NULL};
    const struct row *r = f->row;
    const char *small = NULL;
    double iops = rate(f, false), bw = rate(f, true);
    if (bytes)
        small = arena_printf(p->arena, "%s MB/s, %s IOPS", fmt_mb(buf, bw), fmt_iops(other, iops));
    else if (bw > 0)
        small = arena_printf(p->arena, "%s MiB/s", fmt_mib(buf, bw));
    const char *number = bytes ? fmt_mib(buf, bw) : fmt_iops(buf, iops);
    const char *where = is_mix(r) ? page_mix_words(p, r) : page_row_words(p, r);
    return (struct fact){
        arena_strdup(p->arena, number), bytes ? "MiB/s at most" : "IOPS at most",
        f->timeline.has_burst ? arena_printf(p->arena, "%s, in a burst", where) : where, small};
}

/* For ascending order: what is unknown (0) comes last. */
static uint64_t unknown_last(uint64_t v)
{
    return v ? v : UINT64_MAX;
}

/* Lowest depth first, then the smallest block, then reads before writes. */
static const struct row *quiet_row(const struct page *p)
{
    const struct row *best = NULL;
    for (size_t i = 0; i < p->analysis->n_facts; i++) {
        const struct row *r = p->analysis->facts[i].row;
        if (!counts(r) || r->lat.known == 0)
            continue;
        if (!best || unknown_last(r->depth) < unknown_last(best->depth) ||
            (r->depth == best->depth && unknown_last(r->bs) < unknown_last(best->bs)))
            best = r;
    }
    return best;
}

static struct fact latency(struct page *p)
{
    char buf[NUMFMT_MAX], other[NUMFMT_MAX];
    const struct row *r = quiet_row(p);
    if (!r)
        return (struct fact){"–", "p99 latency", "no latency was recorded", NULL};
    double p99 = row_percentile(r, 99), p50 = row_percentile(r, 50);
    bool mean = isnan(p99) && IS_KNOWN(&r->lat, LAT_F, mean);
    const char *word = mean ? "mean latency" : "p99 latency";
    fmt_latency(buf, mean ? r->lat.mean : p99);
    const char *small = isnan(p50) || mean
                            ? NULL
                            : arena_printf(p->arena, "half within %s", fmt_latency(other, p50));
    return (struct fact){arena_strdup(p->arena, buf), word, page_row_words(p, r), small};
}

/* The deepest fall from a burst to a sustained rate. */
static const struct row_facts *largest_burst(const struct page *p)
{
    const struct row_facts *worst = NULL;
    double ratio = 0;
    for (size_t i = 0; i < p->analysis->n_facts; i++) {
        const struct row_facts *f = &p->analysis->facts[i];
        if (!counts(f->row) || !f->timeline.has_burst)
            continue;
        double r = f->timeline.burst.rate / f->timeline.burst.sustained;
        if (r > ratio) {
            ratio = r;
            worst = f;
        }
    }
    return worst;
}

static struct fact lasting(struct page *p)
{
    char buf[NUMFMT_MAX], other[NUMFMT_MAX];
    const struct row_facts *f = largest_burst(p);
    if (f) {
        double at = f->timeline.phase[1].start_s;
        fmt_duration(buf, (uint64_t)(at * 1e9));
        const char *detail = arena_printf(p->arena, "after %s at %s IOPS", buf,
                                          fmt_iops(other, f->timeline.burst.rate));
        return (struct fact){arena_strdup(p->arena, fmt_iops(buf, f->timeline.burst.sustained)),
                             "IOPS sustained", detail, page_row_words(p, f->row)};
    }
    size_t tested = 0, unsteady = 0, all = 0, given_up = 0;
    double longest = 0;
    for (size_t i = 0; i < p->analysis->n_facts; i++) {
        const struct row_facts *c = &p->analysis->facts[i];
        if (!counts(c->row))
            continue;
        all++;
        if (c->timeline.n > 0)
            longest = fmax(longest, c->timeline.phase[c->timeline.n - 1].end_s);
        tested += c->timeline.is_tested;
        unsteady += c->timeline.n > 1;
        given_up += cell_has_caveat(c->row->cell, "not-steady");
    }
    if (given_up > 0)
        return (struct fact){arena_printf(p->arena, "%zu", given_up), "results not steady",
                             arena_printf(p->arena, "of %zu, when their rounds ended", all), NULL};
    if (tested == 0)
        return (struct fact){
            "–", "sustained rate",
            longest > 0 ? arena_printf(p->arena, "not tested: cells ran %s, 30 samples are needed",
                                       fmt_duration(buf, (uint64_t)(longest * 1e9)))
                        : "not tested: no samples over time",
            NULL};
    const char *of = arena_printf(p->arena, "%zu of %zu results, %s each", tested, all,
                                  fmt_duration(buf, (uint64_t)(longest * 1e9)));
    if (unsteady > 0)
        return (struct fact){arena_printf(p->arena, "%zu", unsteady), "results changed their rate",
                             of, "see over time"};
    return (struct fact){"Steady", "rate within each cell", of, NULL};
}

void page_fill_facts(struct page *p)
{
    p->fact[0] = peak(p, false);
    p->fact[1] = peak(p, true);
    p->fact[2] = latency(p);
    p->fact[3] = lasting(p);
}
