/* The methods applied to every row of a run: families, ladders, saturation, phases, plateaus. */
#include "report/analysis/analysis.h"

#include <math.h>

#include "core/base/arena.h"
#include "core/base/xalloc.h"

#define RATE_HELD 0.99
#define CPU_BUSY  0.90
/* Of so many samples the median is the level, where the mean is farther (ln) from it. */
#define LEVEL_SAMPLES 10
#define UNEVEN        0.05

/* Median of a normal sample has 1.2533 times the error of its mean; 2 allows for correlation. */
#define SE_FACTOR (2 * 1.2533)

struct owned {
    struct analysis pub; /* first: what callers see */
    struct arena *arena;
};

/* Rates that the job was told to keep, in I/Os per second of this row; NaN when it was free. */
static double offered_rate(const struct row *r)
{
    const struct cell_key *key = &r->cell->key;
    const struct direction *d = &r->cell->dir[r->dir];
    if (!cell_is_rate_limited(r->cell))
        return NAN;
    if (IS_KNOWN(d, DIRECTION, offered_iops))
        return d->offered_iops;
    if (r->part > 0 && r->jobs == 0)
        return NAN;
    double jobs = r->jobs ? (double)r->jobs : 1;
    double iops = cell_key_rate_iops(key, r->dir == DIR_READ);
    double bw = cell_key_rate_bw(key, r->dir == DIR_READ);
    if (iops > 0)
        return iops * jobs;
    return bw > 0 && r->bs > 0 ? bw * jobs / (double)r->bs : NAN;
}

static const struct series *series_of(const struct row *r)
{
    if (r->n_repeats == 0)
        return NULL;
    return r->part ? r->cell->part[r->part - 1].dir[r->dir].series : r->cell->dir[r->dir].series;
}

static bool differ(double a, double b)
{
    return !(fabs(log(a / b)) <= UNEVEN);
}

/* One phase whose mean is not its level: stalls, or a rest of credits too short for a phase. */
static bool is_uneven(const struct row_facts *f)
{
    double level = f->timeline.phase[0].iops;
    return f->timeline.n_samples >= LEVEL_SAMPLES && level > 0 && differ(level, f->row->iops);
}

/* Single slow seconds lower a mean and do not move the median: where there is one rate, it is the level. */
static double level_of(const struct row_facts *f)
{
    double level = f->timeline.phase[0].iops;
    bool one = f->timeline.n == 1 && f->row->n_repeats == 1;
    return one && f->timeline.n_samples >= LEVEL_SAMPLES && !differ(level, f->rate_now)
               ? level
               : f->rate_now;
}

#define FEW_IOPS   1000  /* whole numbers up to here are rounded by a part of what matters */
#define BW_ROUNDS  0.001 /* and rates of bytes by so much */
#define SMALL_SIZE 32768 /* above it bytes are what is looked at, and what caps are about */
#define DISAGREE   0.1   /* more than that is no rounding: one of the two is wrong */

/*
 * I/Os per second. Sources for people cut slow rates to whole numbers ("IOPS=63, BW=64.0MiB/s"): where the
 * rate of bytes agrees within that, it is the finer figure of the two. fio with a ramp may count I/Os and bytes
 * over different times: where the two cannot both be true, large blocks are judged by their bytes.
 */
static double stated_rate(const struct row *r)
{
    double by_bytes = r->bs > 0 ? r->bw / (double)r->bs : NAN;
    bool is_cut = r->iops < FEW_IOPS && r->iops == floor(r->iops) &&
                  fabs(by_bytes - r->iops) <= 1 + BW_ROUNDS * r->iops;
    bool is_odd =
        r->bs > SMALL_SIZE && fabs(by_bytes - r->iops) > DISAGREE * fmax(by_bytes, r->iops);
    return (is_cut || is_odd) && by_bytes > 0 ? by_bytes : r->iops;
}

static void fill_facts(struct row_facts *f, const struct row *r)
{
    *f = (struct row_facts){
        .row = r, .cpu = NAN, .cv = NAN, .se = NAN, .little = NAN, .deeper = NAN, .offered = NAN};
    f->rate_now = f->level = stated_rate(r);
    f->saturated.latency_weight = NAN;
    if (r->n_repeats == 0)
        return;
    f->little = little_ratio(r->cell);
    if (IS_KNOWN(r->cell, CELL, cpu_util_max))
        f->cpu = r->cell->cpu_util_max;
    f->offered = offered_rate(r);
    f->rate_held = isfinite(f->offered) && f->rate_now >= RATE_HELD * f->offered;
    if (!timeline_find(series_of(r), &f->timeline))
        return;
    const struct time_phase *last = &f->timeline.phase[f->timeline.n - 1];
    if (f->timeline.n > 1 || is_uneven(f))
        f->rate_now = last->iops;
    f->level = level_of(f);
    f->cv = last->cv;
    double samples = (last->end_s - last->start_s) / f->timeline.step_s;
    f->se = SE_FACTOR * f->cv / sqrt(samples);
}

static bool is_on_ladder(const struct row_facts *f)
{
    return f->row->bs > 0 && f->row->depth > 0 && f->rate_now > 0 && !f->row->maximum;
}

static int by_bs_and_depth(const void *a, const void *b)
{
    const struct row *x = (*(struct row_facts *const *)a)->row;
    const struct row *y = (*(struct row_facts *const *)b)->row;
    if (x->bs != y->bs)
        return x->bs < y->bs ? -1 : 1;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    return (x > y) - (x < y);
}

static void climb(struct ladder *l)
{
    struct rung *r = xcalloc(l->n, sizeof *r);
    struct saturated *s = xcalloc(l->n, sizeof *s);
    for (size_t i = 0; i < l->n; i++) {
        const struct row_facts *f = l->rung[i];
        r[i] = (struct rung){(double)f->row->depth, f->rate_now, isfinite(f->se) ? f->se : 0};
    }
    l->knee = knee_find(r, l->n);
    saturation_find(r, l->n, s);
    double most = NAN;
    for (size_t i = l->n; i-- > 0;) {
        l->rung[i]->saturated = s[i];
        l->rung[i]->deeper = most / r[i].iops;
        most = fmax(most, r[i].iops); /* fmax passes over the NaN */
    }
    l->top = level_rung(r, l->n);
    free(s);
    free(r);
}

/* The deepest rung of each block size that shows its level, where something other than latency or the CPU holds it. */
static void fit_plateau(struct family *f)
{
    struct plateau_column *c = xcalloc(f->n ? f->n : 1, sizeof *c);
    size_t n = 0;
    for (size_t i = 0; i < f->n; i++) {
        const struct row_facts *top = f->ladder[i].rung[f->ladder[i].top];
        if (top->saturated.latency_weight > 0.5 || top->cpu > CPU_BUSY ||
            depth_was_missed(top->row->cell) || cell_is_rate_limited(top->row->cell))
            continue;
        c[n++] = (struct plateau_column){(double)top->row->bs, top->rate_now,
                                         isfinite(top->se) ? top->se : 0};
    }
    plateau_fit(c, n, &f->plateau);
    free(c);
}

/* rung holds the n facts of one group, sorted; cut into ladders. */
static void fill_family(struct owned *a, struct family *f, struct row_facts **rung, size_t n)
{
    f->ladder = arena_array(a->arena, n ? n : 1, sizeof *f->ladder);
    struct row_facts **kept = arena_array(a->arena, n ? n : 1, sizeof(struct row_facts *));
    size_t n_kept = 0;
    for (size_t i = 0; i < n; i++) {
        const struct row *r = rung[i]->row;
        struct ladder *l = f->n ? &f->ladder[f->n - 1] : NULL;
        if (!l || l->bs != r->bs) {
            l = &f->ladder[f->n++];
            *l = (struct ladder){.bs = r->bs, .rung = kept + n_kept};
        } else if (l->rung[l->n - 1]->row->depth == r->depth) {
            continue; /* differs in the block size of the other direction only */
        }
        kept[n_kept++] = rung[i];
        l->n++;
    }
    for (size_t i = 0; i < f->n; i++)
        climb(&f->ladder[i]);
    fit_plateau(f);
}

static bool is_new_group(const struct analysis *a, const char *group)
{
    for (size_t i = 0; i < a->n_families; i++) {
        if (a->family[i].group == group)
            return false;
    }
    return true;
}

static void make_families(struct owned *a)
{
    struct analysis *pub = &a->pub;
    struct row_facts **rung = xcalloc(pub->n_facts ? pub->n_facts : 1, sizeof *rung);
    pub->family = arena_array(a->arena, pub->n_facts ? pub->n_facts : 1, sizeof *pub->family);
    for (size_t i = 0; i < pub->n_facts; i++) {
        const char *group = pub->facts[i].row->group;
        if (pub->facts[i].row->maximum || !is_new_group(pub, group))
            continue;
        size_t n = 0;
        for (size_t k = i; k < pub->n_facts; k++) {
            if (pub->facts[k].row->group == group && is_on_ladder(&pub->facts[k]))
                rung[n++] = &pub->facts[k];
        }
        qsort(rung, n, sizeof *rung, by_bs_and_depth);
        struct family *f = &pub->family[pub->n_families++];
        *f = (struct family){.group = group};
        fill_family(a, f, rung, n);
    }
    free(rung);
}

struct analysis *analysis_create(struct dataset *d, size_t run)
{
    struct owned *a = xcalloc(1, sizeof *a);
    a->arena = arena_create();
    size_t n;
    const struct row *row = dataset_rows(d, &n);
    a->pub.facts = arena_array(a->arena, n ? n : 1, sizeof *a->pub.facts);
    for (size_t i = 0; i < n; i++) {
        if (row[i].run_index == run)
            fill_facts(&a->pub.facts[a->pub.n_facts++], &row[i]);
    }
    make_families(a);
    return &a->pub;
}

void analysis_destroy(struct analysis *pub)
{
    struct owned *a = (struct owned *)pub;
    if (!a)
        return;
    for (size_t i = 0; i < a->pub.n_facts; i++)
        timeline_release(&a->pub.facts[i].timeline);
    arena_destroy(a->arena);
    free(a);
}
