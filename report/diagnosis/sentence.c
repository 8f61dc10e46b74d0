/* Clauses, sentences and titles made of regions. */
#include <inttypes.h>
#include <math.h>

#include "core/base/numfmt.h"
#include "core/base/strbuf.h"
#include "report/diagnosis/explain_internal.h"
#include "report/diagnosis/words_internal.h"

#define MAX_REGIONS 3

/* "from QD 32": where it starts to level off; "at QD 64" when only one depth could tell. */
static const char *knee_words(struct arena *a, const struct region *r)
{
    const struct ladder *l = &r->family->ladder[r->first];
    if (l->knee >= l->n)
        return arena_printf(a, "at %s", qd_words(a, l->rung[l->n - 1]->row->depth));
    return arena_printf(a, "from %s", qd_words(a, l->rung[l->knee]->row->depth));
}

/* One depth only was there before it fell again. */
static bool is_peak(const struct region *r)
{
    const struct ladder *l = &r->family->ladder[r->first];
    return is_fallen(r, r->first) && (l->knee >= l->n || l->knee == l->top);
}

/* " (QD 64 falls 50 % below that)"; "" where the deepest queue is at the level itself. */
static const char *fallen_words(struct arena *a, const struct region *r)
{
    if (!is_fallen(r, r->first))
        return "";
    double least = INFINITY, most = 0;
    for (size_t i = r->first; i <= r->last; i++) {
        double below = 100 * (1 - deepest(r->family, i)->rate_now / spoken(r, i)->rate_now);
        least = fmin(least, below);
        most = fmax(most, below);
    }
    const char *depth = qd_words(a, deepest(r->family, r->first)->row->depth);
    if (round(least) == round(most))
        return arena_printf(a, " (%s falls %.0f %% below that)", depth, most);
    return arena_printf(a, " (%s falls %.0f to %.0f %% below that)", depth, least, most);
}

static const char *latency_words(struct arena *a, const struct row *r)
{
    char buf[NUMFMT_MAX];
    double ns = row_percentile(r, 50);
    if (isnan(ns) && IS_KNOWN(&r->lat, LAT_F, mean))
        ns = r->lat.mean;
    if (isnan(ns))
        return "";
    return arena_printf(a, " (%s a%s %s)", plain(a, fmt_latency(buf, ns)),
                        r->dir == DIR_MIXED ? "n" : "", noun(r));
}

static const char *level_clause(struct arena *a, const struct region *r)
{
    char buf[NUMFMT_MAX];
    if (is_peak(r) && r->level != LEVEL_SOFT)
        return arena_printf(
            a, "%s at %s at %s%s", r->level == LEVEL_BW ? "throughput peaks" : "rates peak",
            r->level == LEVEL_BW ? bw_words(a, region_bw(r)) : iops_words(a, region_iops(r)),
            qd_words(a, r->finding->row->depth), fallen_words(a, r));
    switch (r->level) {
    case LEVEL_BW:
        return arena_printf(a, "throughput levels off at %s %s%s", bw_words(a, region_bw(r)),
                            knee_words(a, r), fallen_words(a, r));
    case LEVEL_SOFT:
        return arena_printf(
            a,
            "rates level off %s on a soft curve (its fit ends at %s and %s), as a device "
            "does without a throttle%s",
            knee_words(a, r), iops_words(a, r->family->plateau.iops),
            bw_words(a, r->family->plateau.bw), fallen_words(a, r));
    default:
        return arena_printf(a, "IOPS level off at %s %s%s", fmt_iops(buf, region_iops(r)),
                            knee_words(a, r), fallen_words(a, r));
    }
}

/* "16 x 5 MiB/s": the job's own rate, on each device. */
static const char *rate_words(struct arena *a, const struct row *r)
{
    const struct cell_key *key = &r->cell->key;
    const struct cell *c = r->cell;
    bool devices = r->part == 0 && c->n_parts > 1 && !cell_is_of_hosts(c);
    uint64_t jobs = r->jobs * (devices ? c->n_parts : 1);
    const char *each = "";
    char buf[NUMFMT_MAX];
    double iops = cell_key_rate_iops(key, r->dir == DIR_READ);
    if (iops > 0) {
        each = iops_words(a, iops);
    } else {
        double bw = cell_key_rate_bw(key, r->dir == DIR_READ);
        each = fmod(bw, 1048576) == 0 ? arena_printf(a, "%.0f MiB/s", bw / 1048576)
                                      : arena_printf(a, "%s MiB/s", fmt_mib(buf, bw));
    }
    return jobs > 1 ? arena_printf(a, "%" PRIu64 " x %s", jobs, each) : each;
}

static const char *pause_words(struct arena *a, const struct row *r)
{
    char buf[NUMFMT_MAX];
    return plain(a, fmt_latency(buf, (double)r->cell->key.thinktime_ns));
}

/* Below its own rate: the device side holds it, whether by latency or a cap that is not listed. */
static bool is_behind(const struct region *r)
{
    const struct row_facts *f = r->finding->facts;
    return r->finding->binds == BINDS_UNEXPLAINED && f->offered > 0 && !f->rate_held;
}

static const char *behind_clause(struct arena *a, const struct region *r)
{
    char buf[NUMFMT_MAX];
    const struct row_facts *f = r->finding->facts;
    bool ios = cell_key_rate_iops(&f->row->cell->key, f->row->dir == DIR_READ) > 0;
    return arena_printf(
        a,
        "the device side held it (%s, %s of the job's own rate of %s)%s, and no known cap matches",
        ios ? iops_words(a, f->rate_now) : bw_words(a, f->rate_now * (double)f->row->bs),
        plain(a, fmt_share(buf, f->rate_now / f->offered)), rate_words(a, f->row),
        f->row->depth == 1 ? ", at QD 1 by its latency or a cap" : "");
}

static bool one_depth(const struct region *r)
{
    return r->finding->facts->saturated.state == SATURATION_UNKNOWN;
}

/* "3,500 IOPS at 4k, 64 MiB/s at 1M": at the ends of the range. */
static const char *figures_words(struct arena *a, const struct region *r)
{
    const struct row_facts *lo = spoken(r, r->first), *hi = spoken(r, r->last);
    const char *figures = measured_words(a, lo);
    return lo == hi ? figures : arena_printf(a, "%s, %s", figures, measured_words(a, hi));
}

static const char *one_depth_clause(struct arena *a, const struct region *r)
{
    return arena_printf(a,
                        "only %s was measured (%s), so latency and a cap cannot be "
                        "told apart: add a second depth",
                        qd_words(a, r->finding->row->depth), figures_words(a, r));
}

const char *one_depth_sentence(struct arena *a, const struct regions *all)
{
    uint64_t depth = 0;
    for (size_t i = 0; i < all->n; i++) {
        const struct region *r = &all->region[i];
        if (family_is_share(r->family))
            continue;
        if (r->finding->binds != BINDS_UNEXPLAINED || !one_depth(r) || is_behind(r) ||
            (depth && r->finding->row->depth != depth))
            return NULL;
        depth = r->finding->row->depth;
    }
    return !depth ? NULL
                  : arena_printf(a,
                                 "Only %s was measured, so latency and a cap cannot be "
                                 "told apart: add a second depth.",
                                 qd_words(a, depth));
}

static bool is_bent(const struct region *r)
{
    return r->level == LEVEL_BEND;
}

static const char *bend_clause(struct arena *a, const struct region *r)
{
    return arena_printf(a,
                        "rates still rise up to %s (%s), and so does latency: that or a "
                        "ceiling binds, and a deeper queue would tell",
                        qd_words(a, r->finding->row->depth), figures_words(a, r));
}

/* A tie is said as one: no rate tells caps at the same place apart. */
static const char *ties(struct arena *a, const struct run *run, const struct finding *f)
{
    const char *others = "";
    for (unsigned i = BINDS_DISK_IOPS; i <= BINDS_HOST_BW; i++) {
        struct finding other = {.binds = (enum binds)i};
        if (f->also >> i & 1)
            others = arena_printf(a, "%s or %s", others, cap_name(a, run, &other));
    }
    return others;
}

const char *region_clause(struct arena *a, const struct run *run, const struct region *r)
{
    const struct finding *f = r->finding;
    switch (f->binds) {
    case BINDS_RATE:
        return arena_printf(a, "the job's own rate limit (%s) holds it, not the device",
                            rate_words(a, f->row));
    case BINDS_PAUSE:
        return arena_printf(a, "the job's own pauses (%s after each I/O) hold it, not the device",
                            pause_words(a, f->row));
    case BINDS_CPU:
        return "the load generator's CPU was full";
    case BINDS_LATENCY:
        return arena_printf(a, "latency binds up to %s%s, deeper queues still help",
                            qd_words(a, f->row->depth), latency_words(a, f->row));
    case BINDS_MIX:
        return arena_printf(a, "the %ss of the mix pace the %ss", other_noun(f->row), noun(f->row));
    case BINDS_UNEXPLAINED:
        if (is_behind(r))
            return behind_clause(a, r);
        return one_depth(r) ? one_depth_clause(a, r)
               : is_bent(r) ? bend_clause(a, r)
                            : level_clause(a, r);
    case BINDS_UNKNOWN:
        return is_beside_others(f->row) ? "other jobs ran at the same time, so what limits them "
                                          "cannot be told from one of them"
                                        : "nothing can be said";
    default:
        if (!f->limit)
            return arena_printf(a, "%s binds, as the volume itself counts%s", cap_name(a, run, f),
                                fallen_words(a, r));
        return arena_printf(a, "%s (%s)%s binds%s%s", cap_name(a, run, f),
                            limit_short(a, f->limit, f->cap), ties(a, run, f),
                            f->also ? " (they are at the same place)" : "", fallen_words(a, r));
    }
}

/* The whole sentence where one thing holds every block size. */
static const char *single_sentence(struct arena *a, const struct run *run, const struct region *r)
{
    const struct finding *f = r->finding;
    const char *clause = region_clause(a, run, r);
    switch (f->binds) {
    case BINDS_RATE:
        return arena_printf(a, "Held by the job's own rate limit (%s), not by the device.",
                            rate_words(a, f->row));
    case BINDS_LATENCY:
        return arena_printf(a, "No cap binds up to %s: latency does%s, deeper queues still help.",
                            qd_words(a, f->row->depth), latency_words(a, f->row));
    case BINDS_UNEXPLAINED:
        if (!one_depth(r) && !is_behind(r) && !is_bent(r))
            return arena_printf(a, "%s and no known cap explains it.", capitalise(a, clause));
        return arena_printf(a, "%s.", capitalise(a, clause));
    case BINDS_CPU:
    case BINDS_PAUSE:
    case BINDS_MIX:
    case BINDS_UNKNOWN:
        return arena_printf(a, "%s.", capitalise(a, clause));
    default:
        return arena_printf(a, "%s %s.", capitalise(a, range_words(a, r)), clause);
    }
}

bool is_unclear(const struct region *r, size_t n)
{
    bool capped = false;
    for (size_t i = 0; i < n; i++)
        capped = capped || r[i].finding->limit;
    return n > MAX_REGIONS && !capped;
}

/* Every block size has a ceiling of its own. */
static const char *no_common_level(struct arena *a, const struct region *r)
{
    double least_ios = INFINITY, most_ios = 0, least_bytes = INFINITY, most_bytes = 0;
    for (size_t i = 0; i < r->family->n; i++) {
        const struct row_facts *f = spoken(r, i);
        double bytes = f->rate_now * (double)f->row->bs;
        least_ios = fmin(least_ios, f->rate_now);
        most_ios = fmax(most_ios, f->rate_now);
        least_bytes = fmin(least_bytes, bytes);
        most_bytes = fmax(most_bytes, bytes);
    }
    char low[NUMFMT_MAX], high[NUMFMT_MAX], slow[NUMFMT_MAX];
    return arena_printf(
        a,
        "No clear ceiling: deeper queues do not help, but block sizes level off neither at "
        "one number of IOPS (%s to %s) nor at one throughput (%s to %s); longer cells or "
        "repeats would tell.",
        fmt_iops(low, least_ios), fmt_iops(high, most_ios), fmt_mib(slow, least_bytes),
        bw_words(a, most_bytes));
}

static const char *unclear_sentence(struct arena *a, const struct region *r, size_t n)
{
    size_t level = 0, all = r->family->n, other = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = r[i].first; k <= r[i].last; k++)
            level += finding_at(&r[i], k)->binds == BINDS_UNEXPLAINED && !is_bent(&r[i]);
        other += r[i].finding->binds != BINDS_UNEXPLAINED || is_bent(&r[i]);
    }
    if (other == 0)
        return no_common_level(a, r);
    return arena_printf(a,
                        "No clear ceiling: %zu of %zu block sizes level off, the others still gain "
                        "from deeper queues; longer cells or repeats would tell.",
                        level, all);
}

const char *family_sentence(struct arena *a, const struct run *run, const struct region *r,
                            size_t n)
{
    if (n == 1)
        return single_sentence(a, run, r);
    if (is_unclear(r, n))
        return unclear_sentence(a, r, n);
    struct strbuf sb = STRBUF_INIT;
    size_t unexplained = 0;
    for (size_t i = 0; i < n; i++) {
        strbuf_addf(&sb, "%s%s %s", i ? "; " : "", range_words(a, &r[i]),
                    region_clause(a, run, &r[i]));
        if (r[i].finding->binds != BINDS_UNEXPLAINED || one_depth(&r[i]) || is_behind(&r[i]) ||
            is_bent(&r[i]))
            continue;
        unexplained++;
        bool more =
            i + 1 < n && r[i + 1].finding->binds == BINDS_UNEXPLAINED && !is_bent(&r[i + 1]);
        if (!more)
            strbuf_adds(&sb, unexplained == 1   ? " and no known cap explains it"
                             : unexplained == 2 ? ", and no known cap explains either"
                                                : ", and no known cap explains any of it");
    }
    const char *text = arena_printf(a, "%s.", capitalise(a, sb.text));
    strbuf_release(&sb);
    return text;
}

/* The base caps that hold regions once credits are gone, each once. */
struct bases {
    const struct limit *base[8];
    size_t n;
    size_t bursts; /* regions that have one */
    bool mixed;    /* of several owners */
};

static void add_base(struct bases *b, const struct limit *base)
{
    bool seen = b->n == sizeof b->base / sizeof *b->base;
    for (size_t i = 0; i < b->n; i++)
        seen = seen || b->base[i] == base;
    if (seen)
        return;
    b->mixed = b->mixed || (b->n > 0 && b->base[0]->owner != base->owner);
    b->base[b->n++] = base;
}

static struct bases find_bases(const struct region *r, size_t n)
{
    struct bases b = {0};
    for (size_t i = 0; i < n; i++) {
        bool any = false;
        for (size_t k = r[i].first; k <= r[i].last; k++) {
            const struct limit *base = finding_at(&r[i], k)->base;
            if (base)
                add_base(&b, base);
            any = any || base;
        }
        b.bursts += any;
    }
    return b;
}

/* "240 IOPS and 50 MB/s (the disk's base figures)" */
static const char *bases_words(struct arena *a, const struct bases *b)
{
    static const char *const owner[OWNER_COUNT] = {"disk", "VM", "host"};
    const char *words = "";
    for (size_t i = 0; i < b->n; i++) {
        const struct limit *base = b->base[i];
        words =
            arena_printf(a, "%s%s%s", words, i ? " and " : "", limit_value(a, base, base->value));
        if (b->mixed)
            words = arena_printf(a, "%s (%s)", words, owner[base->owner]);
    }
    return b->mixed ? words
                    : arena_printf(a, "%s (the %s's base figure%s)", words,
                                   owner[b->base[0]->owner], b->n > 1 ? "s" : "");
}

const char *burst_sentence(struct arena *a, const struct region *r, size_t n)
{
    struct bases b = find_bases(r, n);
    size_t caps = 0;
    for (size_t i = 0; i < n; i++)
        caps += r[i].finding->limit != NULL;
    const char *who = b.bursts < caps ? "That needs burst credit"
                      : b.bursts == 1 ? "It is a burst figure"
                      : b.bursts == 2 ? "Both are burst figures"
                                      : "All are burst figures";
    if (b.bursts == 0)
        return NULL;
    return arena_printf(a, "%s; once the credit is gone it is %s.", who, bases_words(a, &b));
}
