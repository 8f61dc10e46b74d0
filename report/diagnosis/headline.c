/* Titles: what holds small and large blocks, in one line. */
#include <math.h>

#include "core/base/numfmt.h"
#include "report/diagnosis/explain_internal.h"
#include "report/diagnosis/words_internal.h"

const char *region_phrase(struct arena *a, const struct run *run, const struct region *r)
{
    switch (r->finding->binds) {
    case BINDS_RATE:
        return "the job's own rate";
    case BINDS_PAUSE:
        return "the job's own pauses";
    case BINDS_CPU:
        return "the load generator's CPU";
    case BINDS_LATENCY:
        return "latency";
    case BINDS_MIX:
        return arena_printf(a, "the pace of the mix's %ss", other_noun(r->finding->row));
    case BINDS_UNEXPLAINED:
        if (r->level == LEVEL_BEND)
            return arena_printf(a, "latency or a ceiling near %s",
                                measured_words(a, spoken(r, r->first)));
        if (r->level == LEVEL_BW)
            return arena_printf(a, "a ceiling of %s", bw_words(a, region_bw(r)));
        return arena_printf(a, "a ceiling of %s", iops_words(a, region_iops(r)));
    case BINDS_UNKNOWN:
        return is_beside_others(r->finding->row) ? "what the jobs together did" : "nothing known";
    default:
        return tied_name(a, run, r->finding);
    }
}

/* The most I/Os and the most bytes of a family: what can be said where no ceiling is clear. */
static const char *peaks(struct arena *a, const struct family *f)
{
    const struct row_facts *most_ios = deepest(f, 0), *most_bytes = most_ios;
    for (size_t i = 0; i < f->n; i++) {
        for (size_t k = 0; k < f->ladder[i].n; k++) {
            const struct row_facts *r = f->ladder[i].rung[k];
            if (r->rate_now > most_ios->rate_now)
                most_ios = r;
            if (r->rate_now * (double)r->row->bs >
                most_bytes->rate_now * (double)most_bytes->row->bs)
                most_bytes = r;
        }
    }
    char small[NUMFMT_MAX], large[NUMFMT_MAX];
    return arena_printf(a, "%s at %s and %s at %s", iops_words(a, most_ios->rate_now),
                        fmt_bs(small, most_ios->row->bs),
                        bw_words(a, most_bytes->rate_now * (double)most_bytes->row->bs),
                        fmt_bs(large, most_bytes->row->bs));
}

/* First and last block size of a region, for what has no single level. */
static const char *extent(struct arena *a, const struct region *r)
{
    const struct row_facts *lo = spoken(r, r->first), *hi = spoken(r, r->last);
    if (lo == hi)
        return measured_words(a, lo);
    return arena_printf(a, "%s and %s", measured_words(a, lo), measured_words(a, hi));
}

/* What fell again at the deepest queue has no level that it keeps. */
static const char *levels_verb(const struct region *r)
{
    return is_fallen(r, r->first) ? "reach" : "level off at";
}

/* "2,500 IOPS", or its throughput. */
static const char *level_words(struct arena *a, const struct region *r)
{
    return r->level == LEVEL_BW ? bw_words(a, region_bw(r)) : iops_words(a, region_iops(r));
}

static const char *single(struct arena *a, const struct run *run, const struct region *r,
                          const char *who)
{
    const struct finding *f = r->finding;
    const char *Who = capitalise(a, who);
    switch (f->binds) {
    case BINDS_RATE:
        return arena_printf(a, "%s ran at the job's own rate limit", Who);
    case BINDS_PAUSE:
        return arena_printf(a, "%s ran at the pace of the job's own pauses", Who);
    case BINDS_CPU:
        return arena_printf(a, "The load generator's CPU limits %s, not the device", who);
    case BINDS_LATENCY:
        return arena_printf(a, "Latency, not a cap, limits %s", who);
    case BINDS_MIX:
        return arena_printf(a, "The %ss pace the %s", other_noun(f->row), who);
    case BINDS_UNEXPLAINED:
        if (r->level == LEVEL_SOFT || r->level == LEVEL_BEND ||
            f->facts->saturated.state == SATURATION_UNKNOWN)
            return arena_printf(a, "%s reach %s", Who, extent(a, r));
        return arena_printf(a, "%s %s %s", Who, levels_verb(r), level_words(a, r));
    case BINDS_UNKNOWN:
        return is_beside_others(f->row)
                   ? arena_printf(a, "%s reach %s beside other jobs", Who, extent(a, r))
                   : arena_printf(a, "%s: nothing was measured", Who);
    default:
        return arena_printf(a, "%s holds %s %s", capitalise(a, tied_name(a, run, f)), who,
                            range_words(a, r));
    }
}

/* Nothing but bends and ceilings: there is no pair of levels. */
static bool is_bent(const struct region *r, size_t n)
{
    bool bend = false;
    for (size_t i = 0; i < n; i++) {
        bend = bend || r[i].level == LEVEL_BEND;
        if (r[i].finding->binds != BINDS_UNEXPLAINED)
            return false;
    }
    return bend;
}

const char *family_headline(struct arena *a, const struct run *run, const struct region *r,
                            size_t n, const char *who)
{
    if (n == 1)
        return single(a, run, r, who);
    if (is_unclear(r, n) || is_bent(r, n))
        return arena_printf(a, "%s reach %s", capitalise(a, who), peaks(a, r->family));
    const struct region *small = &r[0], *large = &r[n - 1];
    const struct limit *low = small->finding->limit, *high = large->finding->limit;
    const char *kind = noun(small->finding->row);
    if (low && high && low->owner != high->owner)
        return arena_printf(a, "The %s caps small %ss, the %s caps large ones",
                            owners_words(a, small->finding), kind, owners_words(a, large->finding));
    if (low && high && low->kind != high->kind)
        return arena_printf(a, "The %s caps the IOPS of small %ss and the throughput of large ones",
                            owners_words(a, small->finding), kind);
    if (small->finding->binds == BINDS_UNEXPLAINED && large->finding->binds == BINDS_UNEXPLAINED) {
        const char *verb = is_fallen(large, large->first) ? levels_verb(large) : levels_verb(small);
        const char *low_words = level_words(a, small), *high_words = level_words(a, large);
        if (small->level == large->level) {
            low_words = arena_printf(a, "%s %s", low_words, range_words(a, small));
            high_words = arena_printf(a, "%s %s", high_words, range_words(a, large));
        }
        return arena_printf(a, "%s %s %s and %s", capitalise(a, who), verb, low_words, high_words);
    }
    return arena_printf(a, "%s limits small %ss, %s large ones",
                        capitalise(a, region_phrase(a, run, small)), kind,
                        region_phrase(a, run, large));
}
