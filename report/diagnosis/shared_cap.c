/* Do the devices of a joint load share a cap? Their rate together against the sum of each alone. */
#include <math.h>

#include "core/base/numfmt.h"
#include "core/base/strbuf.h"
#include "report/diagnosis/words_internal.h"

#define SHARED     0.95 /* simulated: shared caps found 95 %, false 0.6 % */
#define MIN_ERRORS 2.0

static bool is_plateau(const struct finding *f)
{
    return f->row->part == 0 && f->row->n_repeats > 0 && f->facts->rate_now > 0 &&
           isnan(f->facts->deeper) && f->facts->saturated.state != SATURATION_NO &&
           !f->facts->rate_held;
}

static bool same_load(const struct row *a, const struct row *b)
{
    struct strbuf x = STRBUF_INIT, y = STRBUF_INIT;
    bool same = a->dir == b->dir;
    if (same) {
        cell_key_text(&x, &a->cell->key);
        cell_key_text(&y, &b->cell->key);
        same = strcmp(x.text, y.text) == 0;
    }
    strbuf_release(&x);
    strbuf_release(&y);
    return same;
}

/* A burst figure and a base figure are not compared. */
static bool same_phase(const struct finding *a, const struct finding *b)
{
    return !a->limit || !b->limit || a->limit->phase == b->limit->phase;
}

static const struct finding *find_alone(const struct diagnosis *d, const struct finding *all,
                                        size_t device)
{
    for (size_t i = 0; i < d->n_findings; i++) {
        const struct finding *f = &d->finding[i];
        if (f->row->cell->n_devices == 1 && f->row->cell->device[0] == device && is_plateau(f) &&
            same_phase(f, all) && same_load(f->row, all->row))
            return f;
    }
    return NULL;
}

static double variance(const struct finding *f)
{
    double error = isfinite(f->facts->se) ? f->facts->se * f->facts->rate_now : 0;
    return error * error;
}

static enum sharing judge(double ratio, double error)
{
    if (ratio >= SHARED)
        return SHARING_NO;
    return 1 - ratio > MIN_ERRORS * error ? SHARING_YES : SHARING_UNKNOWN;
}

/* False when a device was not measured alone. */
static bool compare(const struct diagnosis *d, const struct finding *all, struct shared_cap *out)
{
    const struct cell *c = all->row->cell;
    double alone = 0, spread = 0;
    for (size_t i = 0; i < c->n_devices; i++) {
        const struct finding *f = find_alone(d, all, c->device[i]);
        if (!f)
            return false;
        alone += f->facts->rate_now;
        spread += variance(f);
    }
    double ratio = all->facts->rate_now / alone;
    double error = hypot(sqrt(variance(all)) / alone, ratio * sqrt(spread) / alone);
    *out = (struct shared_cap){
        .together = all,
        .ratio = ratio,
        .sharing = judge(ratio, error),
    };
    return true;
}

/* What shows a cap says more than what leaves it open, and that more than a load without one. */
static bool says_more(const struct shared_cap *a, const struct shared_cap *b)
{
    static const int weight[] = {[SHARING_NO] = 0, [SHARING_UNKNOWN] = 1, [SHARING_YES] = 2};
    if (a->sharing != b->sharing)
        return weight[a->sharing] > weight[b->sharing];
    return a->ratio < b->ratio;
}

void shared_cap_find(const struct diagnosis *d, struct shared_cap *out)
{
    *out = (struct shared_cap){.ratio = NAN};
    for (size_t i = 0; i < d->n_findings; i++) {
        const struct finding *f = &d->finding[i];
        struct shared_cap one;
        if (f->row->cell->n_devices < 2 || !is_plateau(f) || !compare(d, f, &one))
            continue;
        if (!out->together || says_more(&one, out))
            *out = one;
    }
}

const char *shared_cap_sentence(struct arena *a, const struct shared_cap *s)
{
    char bs[NUMFMT_MAX], share[NUMFMT_MAX];
    if (!s->together)
        return NULL;
    const struct row *r = s->together->row;
    size_t n = r->cell->n_devices;
    const char *at = r->bs ? arena_printf(a, " at %s", fmt_bs(bs, r->bs)) : "";
    const char *percent = plain(a, fmt_share(share, s->ratio));
    if (s->sharing == SHARING_YES)
        return arena_printf(a,
                            "Together the %zu devices reach %s%s of what they do one by one: they "
                            "share a cap (of the VM, a controller or the host).",
                            n, percent, at);
    if (s->sharing == SHARING_UNKNOWN)
        return arena_printf(
            a,
            "Together the %zu devices reach %s%s of what they do one by one, but the "
            "results vary too much to tell whether they share a cap: measure longer, "
            "or repeat.",
            n, percent, at);
    return arena_printf(a,
                        "Together the %zu devices reach %s%s of what they do one by one: no cap "
                        "that they share is in the way.",
                        n, percent, at);
}
