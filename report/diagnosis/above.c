/* Results above a listed cap: what is not held by it, and why that may be. */
#include <math.h>

#include "core/base/numfmt.h"
#include "core/base/xalloc.h"
#include "report/diagnosis/passed.h"
#include "report/diagnosis/words_internal.h"

#define ABOVE      1.06  /* of a cap as published as much is delivered */
#define SMALL_SIZE 32768 /* up to it IOPS are what people look at */

/* A cap that a row is above; of several that of the kind that people look at, then the most. */
struct above {
    const struct row_facts *facts;
    struct passed_cap cap;
};

static bool is_better(const struct above *x, const struct above *y)
{
    enum limit_kind kind = x->facts->row->bs <= SMALL_SIZE ? CAP_IOPS : CAP_BW;
    bool mine = x->cap.limit->kind == kind, other = y->cap.limit->kind == kind;
    if (x->facts == y->facts && mine != other)
        return mine;
    return x->cap.over > y->cap.over;
}

/* What holds the row is left to its clause, unless it is above that too: short cells may be. */
static void look(struct above *best, const struct finding *f, struct passed_cap *cap)
{
    const struct row_facts *facts = f->facts;
    double most = passed_factor(facts->se);
    size_t n = caps_passed(f->row, facts->rate_now, f->limit ? most : ABOVE, cap);
    if (f->limit && f->share > most)
        cap[n++] = (struct passed_cap){f->limit, f->cap, f->share - 1};
    for (size_t i = 0; i < n; i++) {
        struct above found = {facts, cap[i]};
        if (!best->facts || is_better(&found, best))
            *best = found;
    }
}

/* Beyond double a share says less than a factor. */
static const char *how_far(struct arena *a, double over)
{
    char buf[NUMFMT_MAX];
    return over > 1 ? arena_strdup(a, fmt_times(buf, 1 + over))
                    : arena_printf(a, "%.0f %% above", over * 100);
}

static bool is_cache_hit(const struct row *r, const struct limit *l)
{
    return l->owner == OWNER_DISK && r->dir == DIR_READ && is_host_cached(r->run);
}

const char *above_sentence(struct arena *a, const struct run *run, const struct region *r, size_t n)
{
    struct above best = {0};
    struct passed_cap *cap = xcalloc(run->n_limits + 2, sizeof *cap);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = r[i].first; k <= r[i].last; k++)
            look(&best, finding_at(&r[i], k), cap);
    }
    free(cap);
    if (!best.facts)
        return NULL;
    const struct row *row = best.facts->row;
    const struct limit *l = best.cap.limit;
    char bs[NUMFMT_MAX];
    const char *why = saved_up(row) >= SAVED_UP_SHORT
                          ? "the cells are too short to tell, as a cap lets through at once what "
                            "it saved up before"
                      : is_cache_hit(row, l) ? "the host's cache serves them"
                                             : "cache hits, another tier, or a wrong limit";
    const char *comma =
        row_share_of_budget(row, l) < WHOLE_BUDGET ? strchr(row->pattern, ',') : NULL;
    const char *who = comma ? arena_printf(a, "the %.*s", (int)(comma - row->pattern), row->pattern)
                            : subjects(a, row);
    return arena_printf(a, "%s at %s %s %s %s (%s): %s.", capitalise(a, who), fmt_bs(bs, row->bs),
                        comma ? "is" : "are", how_far(a, best.cap.over), limit_name(a, run, l),
                        limit_short(a, l, best.cap.total), why);
}
