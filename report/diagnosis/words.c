#include "report/diagnosis/words_internal.h"

#include <ctype.h>
#include <math.h>

#include "core/base/numfmt.h"
#include "core/base/xalloc.h"

#define NBSP "\xC2\xA0"
#define MiB  1048576.0

const char *plain(struct arena *a, const char *text)
{
    char *copy = arena_strdup(a, text), *out = copy;
    for (const char *p = copy; *p;) {
        bool is_nbsp = strncmp(p, NBSP, 2) == 0;
        *out++ = is_nbsp ? ' ' : *p;
        p += is_nbsp ? 2 : 1;
    }
    *out = '\0';
    return copy;
}

const char *qd_words(struct arena *a, uint64_t depth)
{
    char buf[NUMFMT_MAX];
    return arena_printf(a, "QD %s", fmt_count(buf, depth));
}

const char *iops_words(struct arena *a, double iops)
{
    char buf[NUMFMT_MAX];
    return arena_printf(a, "%s IOPS", fmt_iops(buf, iops));
}

const char *bw_words(struct arena *a, double bytes_per_s)
{
    char buf[NUMFMT_MAX];
    return arena_printf(a, "%s MiB/s", fmt_mib(buf, bytes_per_s));
}

/* A cap is a round number in one of the two units. */
static const char *round_bw(struct arena *a, double bytes_per_s)
{
    if (fmod(bytes_per_s, MiB) == 0)
        return arena_printf(a, "%.0f MiB/s", bytes_per_s / MiB);
    if (fmod(bytes_per_s, 1e6) == 0)
        return arena_printf(a, "%.0f MB/s", bytes_per_s / 1e6);
    return bw_words(a, bytes_per_s);
}

const char *limit_value(struct arena *a, const struct limit *l, double total)
{
    if (l->kind == CAP_IOPS)
        return iops_words(a, total);
    bool formula = l->published && strstr(l->published, " per ");
    if (l->published && !formula && total == l->value && strpbrk(l->published, "bB"))
        return plain(a, l->published);
    return round_bw(a, total);
}

const char *limit_short(struct arena *a, const struct limit *l, double total)
{
    char buf[NUMFMT_MAX];
    if (l->kind == CAP_IOPS)
        return arena_strdup(a, fmt_iops(buf, total));
    return limit_value(a, l, total);
}

static bool has_other_phase(const struct run *run, const struct limit *l)
{
    for (size_t i = 0; i < run->n_limits; i++) {
        const struct limit *o = &run->limit[i];
        if (o->owner == l->owner && o->kind == l->kind && o->phase != l->phase)
            return true;
    }
    return false;
}

const char *limit_name(struct arena *a, const struct run *run, const struct limit *l)
{
    static const char *const owner[OWNER_COUNT] = {"disk", "VM", "host"};
    static const char *const path[PATH_COUNT] = {"", "cached ", "uncached "};
    const char *phase = "";
    if (l->phase == PHASE_BURST)
        phase = "burst ";
    else if (has_other_phase(run, l))
        phase = "base ";
    return arena_printf(a, "the %s's %s%s%s cap", owner[l->owner], path[l->path], phase,
                        l->kind == CAP_IOPS ? "IOPS" : "throughput");
}

const char *cap_name(struct arena *a, const struct run *run, const struct finding *f)
{
    static const char *const owner[] = {"disk", "VM", "host"};
    if (f->limit)
        return limit_name(a, run, f->limit);
    unsigned i = f->binds - BINDS_DISK_IOPS; /* in pairs: IOPS, throughput */
    return arena_printf(a, "the %s's %s cap", owner[i / 2], i % 2 ? "throughput" : "IOPS");
}

const char *tied_name(struct arena *a, const struct run *run, const struct finding *f)
{
    const char *words = cap_name(a, run, f);
    for (unsigned i = BINDS_DISK_IOPS; i <= BINDS_HOST_BW; i++) {
        struct finding other = {.binds = (enum binds)i};
        if (f->also >> i & 1)
            words = arena_printf(a, "%s or %s", words, cap_name(a, run, &other));
    }
    return words;
}

const char *owners_words(struct arena *a, const struct finding *f)
{
    static const char *const owner[OWNER_COUNT] = {"disk", "VM", "host"};
    const char *words = owner[f->limit->owner];
    for (unsigned o = 0; o < OWNER_COUNT; o++) {
        unsigned caps =
            1u << (BINDS_DISK_IOPS + o * CAP_COUNT) | 1u << (BINDS_DISK_BW + o * CAP_COUNT);
        if ((f->also & caps) && o != f->limit->owner)
            words = arena_printf(a, "%s or %s", words, owner[o]);
    }
    return words;
}

const char *noun(const struct row *r)
{
    static const char *const words[DIR_COUNT] = {"read", "write", "trim", "I/O", "sync"};
    return words[r->dir];
}

const char *other_noun(const struct row *r)
{
    return r->dir == DIR_READ ? "write" : "read";
}

const char *subjects(struct arena *a, const struct row *r)
{
    const char *comma = strchr(r->pattern, ',');
    if (comma)
        return arena_printf(a, "%ss of the %.*s", noun(r), (int)(comma - r->pattern), r->pattern);
    return arena_printf(a, "%ss", r->pattern);
}

const char *capitalise(struct arena *a, const char *text)
{
    char *copy = arena_strdup(a, text);
    copy[0] = (char)toupper((unsigned char)copy[0]);
    return copy;
}

const char *range_words(struct arena *a, const struct region *r)
{
    char from[NUMFMT_MAX], to[NUMFMT_MAX];
    fmt_bs(from, r->family->ladder[r->first].bs);
    fmt_bs(to, r->family->ladder[r->last].bs);
    size_t n = r->family->n;
    if (r->first == r->last)
        return arena_printf(a, "at %s", from);
    if (r->first == 0 && r->last == n - 1)
        return "at every block size";
    if (r->last == n - 1)
        return arena_printf(a, "from %s up", from);
    return arena_printf(a, "at %s to %s", from, to);
}

const struct row_facts *deepest(const struct family *f, size_t i)
{
    return f->ladder[i].rung[f->ladder[i].n - 1];
}

const struct finding *finding_at(const struct region *r, size_t ladder)
{
    return &r->all[spoken(r, ladder) - r->facts];
}

const struct row_facts *spoken(const struct region *r, size_t ladder)
{
    const struct ladder *l = &r->family->ladder[ladder];
    const struct row_facts *last = l->rung[l->n - 1];
    bool open = r->all[last - r->facts].binds == BINDS_UNEXPLAINED && !(last->offered > 0);
    return open ? l->rung[l->top] : last;
}

bool is_fallen(const struct region *r, size_t ladder)
{
    return spoken(r, ladder) != deepest(r->family, ladder);
}

const char *measured_words(struct arena *a, const struct row_facts *f)
{
    char bs[NUMFMT_MAX];
    bool small = f->row->bs <= 32768;
    return arena_printf(a, "%s at %s",
                        small ? iops_words(a, f->rate_now)
                              : bw_words(a, f->rate_now * (double)f->row->bs),
                        fmt_bs(bs, f->row->bs));
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double region_median(const struct region *r, bool bytes)
{
    size_t n = r->last - r->first + 1;
    double *v = xmalloc(n * sizeof *v);
    for (size_t i = 0; i < n; i++) {
        const struct row_facts *f = spoken(r, r->first + i);
        v[i] = f->rate_now * (bytes ? (double)f->row->bs : 1);
    }
    qsort(v, n, sizeof *v, ascending);
    double median = n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
    free(v);
    return median;
}

double region_iops(const struct region *r)
{
    return region_median(r, false);
}

double region_bw(const struct region *r)
{
    return region_median(r, true);
}
