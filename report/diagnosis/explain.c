#include "report/diagnosis/explain_internal.h"

#include <math.h>

#include "core/base/xalloc.h"
#include "report/diagnosis/exceeded.h"

#define KiB           1024.0
#define NOISY_CV      0.25
#define NOISY_SAMPLES 5 /* fewer do not tell */
/* Median of a normal sample against its mean, and 2 for what is correlated (as in the analysis). */
#define SE_FACTOR    (2 * 1.2533)
#define NOT_OBSERVED SIZE_MAX

/* One phase of one row. */
struct seen {
    const struct row *row;
    size_t fact, order;
    int64_t started; /* instant, or place in the plan where that is not known */
    struct observation o;
    const struct row_cap *cap; /* the listed caps, path and units open */
    size_t n_caps;
    double exceeded[CAP_SLOTS]; /* what its volumes counted, over all its phases */
    bool is_counted;
};

struct explanation {
    struct seen *seen;
    size_t n, room;
    struct row_cap *cap;
    size_t *last; /* of fact i: its last observation */
    size_t n_facts;
    struct attribution attribution;
};

static bool is_usable(const struct row_facts *f)
{
    return f->row->part == 0 && f->row->n_repeats > 0 && f->rate_now > 0 && !f->rate_held &&
           !(f->cv > NOISY_CV && f->timeline.n_samples >= NOISY_SAMPLES) &&
           !depth_was_missed(f->row->cell) && !is_beside_others(f->row);
}

static void add_observation(struct explanation *e, const struct row_facts *f, size_t fact,
                            double iops, double se)
{
    const struct cell *c = f->row->cell;
    GROW(e->seen, e->n + 1, e->room);
    e->seen[e->n] = (struct seen){
        .row = f->row,
        .fact = fact,
        .order = e->n,
        .started = IS_KNOWN(c, CELL, started_ns) ? c->started_ns : (int64_t)fact,
        .o = {.iops = iops,
              .se = isfinite(se) ? se : 0,
              .latency_weight =
                  isfinite(f->saturated.latency_weight) ? f->saturated.latency_weight : 0.3,
              .knee = f->saturated.state == SATURATION_KNEE,
              .cpu = f->cpu,
              .devices = c->n_devices ? c->n_devices : 1},
    };
    e->seen[e->n].is_counted = exceeded_find(e->seen[e->n].exceeded, f->row);
    e->n++;
}

static void observe(struct explanation *e, const struct row_facts *f, size_t fact)
{
    if (f->timeline.n < 2) {
        add_observation(e, f, fact, f->level, f->se);
        return;
    }
    for (size_t i = 0; i < f->timeline.n; i++) {
        const struct time_phase *p = &f->timeline.phase[i];
        double samples = (p->end_s - p->start_s) / f->timeline.step_s;
        if (p->iops > 0)
            add_observation(e, f, fact, p->iops, SE_FACTOR * p->cv / sqrt(samples));
    }
}

/* In order of time; what began together stays in the order it was added. */
static int by_time(const void *a, const void *b)
{
    const struct seen *x = a, *y = b;
    if (x->started != y->started)
        return x->started < y->started ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static double bytes_of(const struct row *r)
{
    return r->bs ? (double)r->bs : r->bw / r->iops;
}

static bool on_path(const struct limit *l, enum limit_path path)
{
    return l->path == PATH_ANY || path == PATH_ANY || l->path == path;
}

/* The cap in a world: which reading of its unit, and whether large I/Os count as several. */
static double in_world(const struct row_cap *cap, const struct row *r, const struct world *w)
{
    const struct limit *l = cap->limit;
    double iops = w->upper[l->owner] ? cap->iops_max : cap->iops;
    double counted = w->counted[l->owner];
    if (l->kind == CAP_IOPS && counted > 0 && !IS_KNOWN(l, LIMIT, io_size))
        iops /= fmax(1, ceil(bytes_of(r) / counted));
    return iops;
}

static void predict(void *arg, size_t i, const struct world *w, struct predicted *out)
{
    const struct seen *s = &((const struct explanation *)arg)->seen[i];
    for (size_t slot = 0; slot < CAP_SLOTS; slot++)
        out->cap[slot][PHASE_BASE] = out->cap[slot][PHASE_BURST] = INFINITY;
    for (size_t k = 0; k < s->n_caps; k++) {
        const struct limit *l = s->cap[k].limit;
        double *cap = &out->cap[CAP_SLOT(l->owner, l->kind)][l->phase];
        if (on_path(l, w->path))
            *cap = fmin(*cap, in_world(&s->cap[k], s->row, w));
    }
}

/* The cache path as the devices say, else whatever is listed. */
static void find_paths(struct worlds *w, const struct run *run)
{
    bool listed[PATH_COUNT] = {false};
    for (size_t i = 0; i < run->n_limits; i++)
        listed[run->limit[i].path] = true;
    const char *mode = run->n_devices ? run->device[0].cache_mode : NULL;
    if (mode && strcmp(mode, "none") == 0)
        listed[PATH_CACHED] = listed[PATH_CACHED] && !listed[PATH_UNCACHED];
    for (enum limit_path p = PATH_CACHED; p < PATH_COUNT; p++) {
        if (listed[p])
            w->path[w->n_paths++] = p;
    }
    if (w->n_paths == 0)
        w->path[w->n_paths++] = PATH_ANY;
}

/*
 * How I/Os are counted where the list does not say. Clouds count each as one or by 256 KiB; a disk that is not one of
 * theirs may also count by 16 KiB, which is rare.
 */
static const struct counting as_one[] = {{0, 1}};
static const struct counting of_cloud[] = {{0, 0.5}, {256 * KiB, 0.5}};
static const struct counting of_any_disk[] = {{0, 0.45}, {16 * KiB, 0.10}, {256 * KiB, 0.45}};

static void set_countings(struct worlds *w, enum limit_owner owner, const struct counting *counting,
                          size_t n)
{
    if (n <= w->n_countings[owner])
        return;
    w->counting[owner] = counting;
    w->n_countings[owner] = n;
}

static void find_countings(struct worlds *w, const struct run *run)
{
    for (enum limit_owner o = 0; o < OWNER_COUNT; o++)
        set_countings(w, o, as_one, 1);
    for (size_t i = 0; i < run->n_limits; i++) {
        const struct limit *l = &run->limit[i];
        if (l->kind != CAP_IOPS || IS_KNOWN(l, LIMIT, io_size) || l->owner == OWNER_HOST)
            continue;
        if (l->owner == OWNER_DISK && !IS_KNOWN(l, LIMIT, name))
            set_countings(w, l->owner, of_any_disk, sizeof of_any_disk / sizeof *of_any_disk);
        else
            set_countings(w, l->owner, of_cloud, sizeof of_cloud / sizeof *of_cloud);
    }
}

static struct worlds worlds_of(const struct run *run, bool *one_side_missing)
{
    struct worlds w = {0};
    bool listed[OWNER_COUNT] = {false};
    find_paths(&w, run);
    for (size_t i = 0; i < run->n_limits; i++) {
        const struct limit *l = &run->limit[i];
        listed[l->owner] = true;
        if (IS_KNOWN(l, LIMIT, value_max) && l->value_max > l->value)
            w.unsure_unit[l->owner] = true;
    }
    find_countings(&w, run);
    *one_side_missing = !listed[OWNER_DISK] || !(listed[OWNER_VM] || listed[OWNER_HOST]);
    return w;
}

/* What cannot hold a rate is left out: caps that it passed itself, or that another row did. */
static size_t drop_passed(struct row_cap *cap, size_t n, const struct row *r, double rate,
                          double se, const struct passed *passed)
{
    struct passed_cap *own = xcalloc(r->run->n_limits + 1, sizeof *own);
    size_t n_own = caps_passed(r, rate, passed_factor(se), own), kept = 0;
    for (size_t i = 0; i < n; i++) {
        bool drop = passed_doubt(passed, cap[i].limit, r) == DOUBT_REFUTED;
        for (size_t k = 0; k < n_own; k++)
            drop = drop || is_like(cap[i].limit, own[k].limit);
        if (!drop)
            cap[kept++] = cap[i];
    }
    free(own);
    return kept;
}

static void find_caps(struct explanation *e, const struct run *run, const struct passed *passed)
{
    e->cap = xcalloc(e->n * run->n_limits + 1, sizeof *e->cap);
    size_t at = 0;
    for (size_t i = 0; i < e->n; i++) {
        e->seen[i].cap = e->cap + at;
        size_t n = row_caps(e->seen[i].row, e->cap + at);
        e->seen[i].n_caps =
            drop_passed(e->cap + at, n, e->seen[i].row, e->seen[i].o.iops, e->seen[i].o.se, passed);
        at += e->seen[i].n_caps;
    }
}

static void run_model(struct explanation *e, const struct run *run)
{
    struct observation *o = xcalloc(e->n + 1, sizeof *o);
    for (size_t i = 0; i < e->n; i++) {
        o[i] = e->seen[i].o;
        o[i].exceeded = e->seen[i].is_counted ? e->seen[i].exceeded : NULL;
        e->last[e->seen[i].fact] = i;
    }
    bool missing;
    struct worlds w = worlds_of(run, &missing);
    attribute(&e->attribution, o, e->n, &w, missing, predict, e);
    free(o);
}

struct explanation *explanation_create(const struct analysis *a, const struct run *run,
                                       const struct passed *passed)
{
    if (run->n_limits == 0)
        return NULL;
    struct explanation *e = xcalloc(1, sizeof *e);
    e->n_facts = a->n_facts;
    e->last = xcalloc(a->n_facts + 1, sizeof *e->last);
    for (size_t i = 0; i < a->n_facts; i++) {
        e->last[i] = NOT_OBSERVED;
        if (is_usable(&a->facts[i]))
            observe(e, &a->facts[i], i);
    }
    if (e->n > 0)
        qsort(e->seen, e->n, sizeof *e->seen, by_time);
    find_caps(e, run, passed);
    run_model(e, run);
    return e;
}

void explanation_destroy(struct explanation *e)
{
    if (!e)
        return;
    attribution_release(&e->attribution);
    free(e->cap);
    free(e->last);
    free(e->seen);
    free(e);
}

const double *explanation_posterior(const struct explanation *e, size_t fact)
{
    size_t at = e->last[fact];
    return at == NOT_OBSERVED ? NULL : e->attribution.posterior[at];
}

const double *explanation_posterior_before(const struct explanation *e, size_t fact)
{
    size_t at = e->last[fact]; /* phases of one row are neighbours */
    bool has_before = at != NOT_OBSERVED && at > 0 && e->seen[at - 1].fact == fact;
    return has_before ? e->attribution.posterior[at - 1] : NULL;
}

const struct world *explanation_world(const struct explanation *e)
{
    return &e->attribution.best;
}

size_t world_caps(const struct row_facts *f, const struct world *w, const struct passed *passed,
                  struct world_cap *out)
{
    const struct row *r = f->row;
    struct row_cap *cap = xcalloc(r->run->n_limits + 1, sizeof *cap);
    size_t all = row_caps(r, cap), n = 0;
    if (passed)
        all = drop_passed(cap, all, r, f->rate_now, f->se, passed);
    for (size_t i = 0; i < all; i++) {
        const struct limit *l = cap[i].limit;
        if (!on_path(l, w->path))
            continue;
        struct world_cap c = {l, CAP_SLOT(l->owner, l->kind), in_world(&cap[i], r, w),
                              w->upper[l->owner] ? cap[i].total_max : cap[i].total};
        size_t at = n++;
        for (; at > 0 && out[at - 1].iops > c.iops; at--)
            out[at] = out[at - 1];
        out[at] = c;
    }
    free(cap);
    return n;
}
