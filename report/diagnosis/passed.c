#include "report/diagnosis/passed.h"

#include <math.h>

#include "core/base/xalloc.h"

/* Of a cap as published up to 1.06 is delivered. */
#define PASSED    1.10
#define PASSED_SE 0.10 /* the most that noise adds to that */

#define NOISY_CV      0.25
#define NOISY_SAMPLES 5

/* When other rows went past a limit. */
struct passes {
    bool any, untimed;
    int64_t last;
};

struct passed {
    const struct run *run;
    struct passes *of; /* one for each limit of the run */
};

double passed_factor(double se)
{
    return PASSED + (isfinite(se) ? fmin(3 * se, PASSED_SE) : 0);
}

#define SLICE_NS 1e8

double saved_up(const struct row *r)
{
    const struct cell *c = r->cell;
    bool ramp = IS_KNOWN(c, CELL, ramp_ns) && c->ramp_ns > 0;
    if (ramp || !IS_KNOWN(c, CELL, runtime_ns) || c->runtime_ns == 0)
        return 0;
    return SLICE_NS / (double)c->runtime_ns;
}

bool is_like(const struct limit *a, const struct limit *b)
{
    return a->owner == b->owner && a->kind == b->kind && a->side == b->side &&
           (a->path == b->path || a->path == PATH_ANY || b->path == PATH_ANY);
}

/* I/Os that follow each other are merged on the way: what was sent is not what the cap counts. */
static bool cap_is_of_merged(const struct row *r, const struct limit *l)
{
    const struct cell_key *key = &r->cell->key;
    return l->kind == CAP_IOPS && IS_KNOWN(key, CELL_KEY, rw) && !rw_is_random(key->rw);
}

size_t caps_passed(const struct row *r, double rate, double factor, struct passed_cap *out)
{
    struct row_cap *cap = xcalloc(r->run->n_limits + 1, sizeof *cap);
    size_t all = row_caps_at_most(r, cap), n = 0;
    for (size_t i = 0; i < all; i++) {
        bool highest = true;
        for (size_t k = 0; k < all; k++) {
            bool above =
                cap[k].iops_max > cap[i].iops_max || (k < i && cap[k].iops_max == cap[i].iops_max);
            highest = highest && !(above && is_like(cap[k].limit, cap[i].limit));
        }
        double over = cap_is_of_merged(r, cap[i].limit) ? 0 : rate / cap[i].iops_max;
        if (highest && over > factor + saved_up(r))
            out[n++] = (struct passed_cap){cap[i].limit, cap[i].total_max, over - 1};
    }
    free(cap);
    return n;
}

bool is_host_cached(const struct run *run)
{
    for (size_t i = 0; i < run->n_devices; i++) {
        const char *mode = run->device[i].cache_mode;
        if (mode && strcmp(mode, "none") == 0)
            return false;
    }
    for (size_t i = 0; i < run->n_limits; i++) {
        if (run->limit[i].path == PATH_CACHED)
            return true;
    }
    return false;
}

/* The page cache of the guest, noise, and one device's share prove nothing about a cap. */
static bool is_evidence(const struct row_facts *f)
{
    const struct cell *c = f->row->cell;
    return f->row->part == 0 && f->row->n_repeats > 0 && f->rate_now > 0 &&
           !(IS_KNOWN(&c->key, CELL_KEY, direct) && !c->key.direct) &&
           !(f->cv > NOISY_CV && f->timeline.n_samples >= NOISY_SAMPLES);
}

static void add_passes(struct passed *p, const struct row_facts *f, struct passed_cap *cap)
{
    const struct cell *c = f->row->cell;
    size_t n = caps_passed(f->row, f->rate_now, passed_factor(f->se), cap);
    for (size_t i = 0; i < n; i++) {
        if (cap[i].limit->owner == OWNER_DISK && is_host_cached(p->run))
            continue;
        for (size_t k = 0; k < p->run->n_limits; k++) {
            const struct limit *l = &p->run->limit[k];
            if (!is_like(l, cap[i].limit))
                continue;
            struct passes *at = &p->of[k];
            bool timed = IS_KNOWN(c, CELL, started_ns);
            at->untimed = at->untimed || !timed;
            if (timed && (!at->any || c->started_ns > at->last))
                at->last = c->started_ns;
            at->any = true;
        }
    }
}

struct passed *passed_create(const struct analysis *a, const struct run *run)
{
    struct passed *p = xcalloc(1, sizeof *p);
    p->run = run;
    p->of = xcalloc(run->n_limits + 1, sizeof *p->of);
    struct passed_cap *cap = xcalloc(run->n_limits + 1, sizeof *cap);
    for (size_t i = 0; i < a->n_facts; i++) {
        if (is_evidence(&a->facts[i]))
            add_passes(p, &a->facts[i], cap);
    }
    free(cap);
    return p;
}

void passed_destroy(struct passed *p)
{
    if (!p)
        return;
    free(p->of);
    free(p);
}

enum doubt passed_doubt(const struct passed *p, const struct limit *l, const struct row *r)
{
    const struct passes *at = p ? &p->of[l - p->run->limit] : NULL;
    if (!at || !at->any)
        return DOUBT_NONE;
    bool before =
        !at->untimed && IS_KNOWN(r->cell, CELL, started_ns) && at->last < r->cell->started_ns;
    return before ? DOUBT_BEFORE : DOUBT_REFUTED;
}
