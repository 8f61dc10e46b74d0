/*
 * The roof over a curve: known caps that apply to it, which of them are in effect, and which one
 * binds at a block size. Only figures are compared here; how sure a verdict is, the diagnosis says.
 */
#include <math.h>

#include "core/base/numfmt.h"
#include "report/chart/kinds/kind_internal.h"

/* A cap that was exceeded by more than this was not in effect (as the diagnosis has it). */
#define EXCEEDED     1.03
#define FAR_EXCEEDED 1.25

/* Roofs are followed in steps this fine, whatever sizes were measured. */
#define POINTS_OCTAVE 64

/* The latency weight above which a rung is not held by a cap (as the analysis has it). */
#define LATENCY_BOUND 0.5

static bool path_applies(const struct row *r, enum limit_path path)
{
    if (path == PATH_ANY || r->cell->n_devices == 0)
        return true;
    size_t index = r->cell->device[0];
    const char *mode = index < r->run->n_devices ? r->run->device[index].cache_mode : NULL;
    if (!mode)
        return true;
    if (strcmp(mode, "none") == 0)
        return path == PATH_UNCACHED;
    /* with a read-only cache it is not documented which figure writes count against */
    if (strcmp(mode, "ro") == 0 && r->dir != DIR_READ)
        return true;
    return path == PATH_CACHED;
}

static void collect_caps(struct chart *c, const struct row *r, struct roof *roof)
{
    struct row_cap *found = arena_array(c->arena, r->run->n_limits + 1, sizeof *found);
    size_t n = row_caps(r, found), devices = r->part ? 1 : r->cell->n_devices;
    for (size_t i = 0; i < n; i++) {
        const struct limit *l = found[i].limit;
        if (!path_applies(r, l->path))
            continue;
        *CHART_ADD(c, roof->cap, roof->n) = (struct roof_cap){
            .owner = l->owner,
            .kind = l->kind,
            .phase = l->phase,
            .path = l->path,
            .value = found[i].total,
            .value_max = found[i].total * found[i].iops_max / found[i].iops,
            .io_size = IS_KNOWN(l, LIMIT, io_size) ? (double)l->io_size : 0,
            .devices = l->owner == OWNER_DISK ? devices : 1,
        };
    }
}

double roof_cap_bw(const struct roof_cap *cap, double bs)
{
    if (cap->kind == CAP_BW)
        return cap->value_max;
    return cap->value_max * (cap->io_size > 0 ? fmin(bs, cap->io_size) : bs);
}

static double measured_bw(const struct row *r)
{
    return isfinite(r->bw) ? r->bw : r->iops * (double)r->bs;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/*
 * Was the cap exceeded? One value a little above it is noise; the middle of those that came near it
 * is not, nor is one far above.
 */
static bool is_refuted(struct chart *c, const struct curve *v, const struct roof_cap *cap)
{
    double *near = arena_array(c->arena, v->n, sizeof *near);
    size_t n = 0;
    for (size_t i = 0; i < v->n; i++) {
        const struct row *r = v->row[i];
        double ratio = r->bs ? measured_bw(r) / roof_cap_bw(cap, (double)r->bs) : 0;
        if (ratio > FAR_EXCEEDED)
            return true;
        if (ratio >= ROOF_REACHED)
            near[n++] = ratio;
    }
    qsort(near, n, sizeof *near, by_value);
    return n > 0 && near[n / 2] > EXCEEDED;
}

static void find_effective(struct roof *roof)
{
    for (size_t i = 0; i < roof->n; i++) {
        struct roof_cap *a = &roof->cap[i];
        a->effective = !a->refuted;
        for (size_t j = 0; j < roof->n; j++) {
            const struct roof_cap *b = &roof->cap[j];
            if (b->owner != a->owner || b->kind != a->kind)
                continue;
            if (b->phase == PHASE_BURST && b->path == a->path)
                a->bursts = true;
            if (!b->refuted && (b->value < a->value || (b->value <= a->value && j < i)))
                a->effective = false;
        }
    }
}

/* False where more depth still brings more: then latency holds it, and no cap. One depth: may be. */
static bool is_saturated(struct chart *c, const struct rung *rung, size_t n, size_t at)
{
    if (n == 0)
        return false;
    struct saturated *s = arena_array(c->arena, n, sizeof *s);
    saturation_find(rung, n, s);
    return s[at].latency_weight <= LATENCY_BOUND;
}

/* By the deepest queue, unless that fell below a shallower one which is at a cap. */
static struct roof_column judge_size(struct chart *c, const struct curve *v,
                                     const struct roof *roof, uint64_t bs)
{
    struct rung *rung;
    size_t n = curve_rungs(c, v, bs, &rung), last = n > 0 ? n - 1 : 0;
    const struct row *deepest = curve_deepest(v, bs);
    struct roof_column column = {bs, deepest,
                                 roof_judge(roof, deepest, is_saturated(c, rung, n, last))};
    size_t top = n > 0 ? level_rung(rung, n) : last;
    if (top == last || column.verdict.reached)
        return column;
    const struct row *row = curve_row(v, bs, (uint64_t)rung[top].depth);
    struct roof_verdict verdict = roof_judge(roof, row, is_saturated(c, rung, n, top));
    return verdict.reached ? (struct roof_column){bs, row, verdict} : column;
}

/* Directions of a mix share most caps: one alone cannot be held against them. */
static bool is_mixed(const struct row *r)
{
    return IS_KNOWN(&r->cell->key, CELL_KEY, rw) && rw_is_mixed(r->cell->key.rw);
}

const char *no_roof_words(const struct curve *v)
{
    if (v->run->n_limits == 0)
        return "No limits are known for this host";
    if (cell_has_caveat(v->row[0]->cell, "beside-others"))
        return "Other jobs ran at the same time, so the known caps saw more than these cells";
    if (is_mixed(v->row[0]))
        return "The directions of a mix share the known caps, and none is drawn over one of them";
    return "None of the known caps applies to these cells";
}

void roof_find(struct chart *c, const struct curve *v, struct roof *out)
{
    *out = (struct roof){0};
    const struct row *any = v->row[0];
    if (!is_mixed(any))
        collect_caps(c, any, out);
    for (size_t i = 0; i < out->n; i++)
        out->cap[i].refuted = is_refuted(c, v, &out->cap[i]);
    find_effective(out);
    uint64_t *bs;
    size_t n = sizes_of(c, v, 1, &bs);
    for (size_t i = 0; i < n; i++) {
        struct roof_column column = judge_size(c, v, out, bs[i]);
        *CHART_ADD(c, out->column, out->n_columns) = column;
    }
}

const struct roof_cap *roof_at(const struct roof *r, double bs, double *bw)
{
    const struct roof_cap *found = NULL;
    *bw = INFINITY;
    for (size_t i = 0; i < r->n; i++) {
        const struct roof_cap *cap = &r->cap[i];
        if (!cap->effective || roof_cap_bw(cap, bs) >= *bw)
            continue;
        *bw = roof_cap_bw(cap, bs);
        found = cap;
    }
    return found;
}

/* On the path of the cap in effect, where that is known. */
static bool is_same_path(const struct roof *r, const struct roof_cap *cap)
{
    for (size_t i = 0; i < r->n; i++) {
        const struct roof_cap *e = &r->cap[i];
        if (e->effective && e->owner == cap->owner && e->kind == cap->kind)
            return e->path == cap->path;
    }
    return true;
}

static const struct roof_cap *sustained_at(const struct roof *r, double bs)
{
    const struct roof_cap *found = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < r->n; i++) {
        const struct roof_cap *cap = &r->cap[i];
        if (cap->phase != PHASE_BASE || !is_same_path(r, cap) || roof_cap_bw(cap, bs) >= least)
            continue;
        least = roof_cap_bw(cap, bs);
        found = cap;
    }
    return found;
}

/* Measured against a cap; within the band of an unsure unit it is 1. */
static double share_of(const struct roof_cap *cap, const struct row *r)
{
    double most = roof_cap_bw(cap, (double)r->bs), least = most * cap->value / cap->value_max;
    double got = measured_bw(r);
    return got < least ? got / least : fmax(1, got / most);
}

struct roof_verdict roof_judge(const struct roof *roof, const struct row *r, bool saturated)
{
    double bw;
    const struct roof_cap *now = roof_at(roof, (double)r->bs, &bw);
    if (!now)
        return (struct roof_verdict){NULL, 0, false};
    struct roof_verdict v = {now, share_of(now, r), false};
    v.reached = v.share >= ROOF_REACHED;
    /* credits of I/Os and of bytes run out apart: each base figure may hold alone */
    for (size_t i = 0; i < roof->n && saturated; i++) {
        const struct roof_cap *base = &roof->cap[i];
        if (base == now || base->phase != PHASE_BASE || !base->bursts || !is_same_path(roof, base))
            continue;
        double share = share_of(base, r);
        bool fits = share >= ROOF_REACHED && share <= EXCEEDED;
        if (fits && (!v.reached || fabs(log(share)) < fabs(log(v.share))))
            v = (struct roof_verdict){base, share, true};
    }
    return v;
}

static const struct roof_cap *lowest_at(const struct roof *r, double bs, bool sustained)
{
    double bw;
    return sustained ? sustained_at(r, bs) : roof_at(r, bs, &bw);
}

/* The block size between lo and hi from which on the cap of lo is not the lowest any more. */
static double crossing(const struct roof *r, double lo, double hi, bool sustained)
{
    const struct roof_cap *first = lowest_at(r, lo, sustained);
    for (int i = 0; i < 50; i++) {
        double mid = sqrt(lo * hi);
        if (lowest_at(r, mid, sustained) == first)
            lo = mid;
        else
            hi = mid;
    }
    return hi;
}

size_t roof_pieces(struct chart *c, const struct roof *r, double from, double to, bool sustained,
                   struct roof_piece **out)
{
    const double step = exp2(1.0 / POINTS_OCTAVE);
    size_t n = 0;
    *out = NULL;
    const struct roof_cap *cap = lowest_at(r, from, sustained);
    for (double x = from; cap && from < to; x = fmin(x * step, to)) {
        const struct roof_cap *next = lowest_at(r, x, sustained);
        if (next == cap && x < to)
            continue;
        double end = next == cap ? to : crossing(r, x / step, x, sustained);
        *CHART_ADD(c, *out, n) = (struct roof_piece){cap, from, end};
        from = next == cap ? to : end;
        cap = next;
    }
    return n;
}

const char *owner_word(enum limit_owner o)
{
    static const char *const words[OWNER_COUNT] = {"Disk", "VM", "Host"};
    return words[o];
}

enum colour owner_colour(enum limit_owner o)
{
    return o == OWNER_DISK ? COLOUR_DISK : o == OWNER_VM ? COLOUR_VM : COLOUR_INK2;
}

enum colour owner_text_colour(enum limit_owner o)
{
    return o == OWNER_DISK ? COLOUR_DISK_TEXT : o == OWNER_VM ? COLOUR_VM_TEXT : COLOUR_INK2;
}

const char *roof_cap_words(struct chart *c, const struct roof_cap *cap)
{
    const char *phase = cap->phase == PHASE_BURST ? "burst " : cap->bursts ? "base " : "";
    const char *path = cap->path == PATH_CACHED     ? "cached "
                       : cap->path == PATH_UNCACHED ? "uncached "
                                                    : "";
    return arena_printf(c->arena, "%s%s%s", phase, path,
                        cap->kind == CAP_IOPS ? "IOPS" : "throughput");
}

/* Whole MB or MiB as they are published, else measured units. */
static const char *say_bytes_cap(struct chart *c, double v)
{
    char buf[NUMFMT_MAX];
    double mb = v / 1e6, mib = v / 1048576;
    if (fabs(mib - round(mib)) < 1e-6 * mib && fabs(mb - round(mb)) > 1e-6 * mb)
        return arena_printf(c->arena, "%s MiB/s", fmt_count(buf, (uint64_t)llround(mib)));
    if (fabs(mb - round(mb)) < 1e-6 * mb)
        return arena_printf(c->arena, "%s MB/s", fmt_count(buf, (uint64_t)llround(mb)));
    return arena_printf(c->arena, "%s MiB/s", fmt_mib(buf, v));
}

const char *roof_cap_label(struct chart *c, const struct roof_cap *cap)
{
    const char *phase = cap->phase == PHASE_BURST ? " burst" : cap->bursts ? " base" : "";
    const char *path = cap->path == PATH_CACHED     ? " cached"
                       : cap->path == PATH_UNCACHED ? " uncached"
                                                    : "";
    const char *owner = cap->devices > 1 ? arena_printf(c->arena, "%zu disks", cap->devices)
                                         : owner_word(cap->owner);
    const char *value = cap->kind == CAP_IOPS
                            ? arena_printf(c->arena, "%s IOPS", say_iops(c, cap->value))
                            : say_bytes_cap(c, cap->value);
    return arena_printf(c->arena, "%s%s%s %s", owner, phase, path, value);
}

void observed_plateau(struct chart *c, const struct curve *v, struct plateau *out)
{
    uint64_t *bs;
    size_t n = sizes_of(c, v, 1, &bs), n_columns = 0;
    struct plateau_column *column = NULL;
    for (size_t i = 0; i < n; i++) {
        struct rung *rung;
        size_t n_rungs = curve_rungs(c, v, bs[i], &rung);
        size_t top = n_rungs > 0 ? level_rung(rung, n_rungs) : 0;
        if (!is_saturated(c, rung, n_rungs, top))
            continue;
        *CHART_ADD(c, column, n_columns) =
            (struct plateau_column){(double)bs[i], rung[top].iops, 0};
    }
    *out = (struct plateau){.model = PLATEAU_NONE};
    plateau_fit(column, n_columns, out);
}
