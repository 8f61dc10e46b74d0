/* What a sweep with --drain says at its end: of each cell the burst and what lasts; its IOPS are the mean of both. */
#include "cli/sweep_internal.h"
#include "core/base/numfmt.h"
#include "report/analysis/analysis.h"

static void add_load(struct strbuf *out, const struct cell *cell, enum dir dir)
{
    const struct cell_key *key = &cell->key;
    cell_key_pattern(out, key);
    strbuf_adds(out, ", ");
    cell_key_sizes(out, key);
    char depth[NUMFMT_MAX];
    strbuf_addf(out, ", QD %s", fmt_count(depth, key->iodepth));
    if (rw_is_mixed(key->rw))
        strbuf_addf(out, ", %s", dir_names[dir]);
}

/* The lines so far, and how many cells they are of. */
struct drained {
    struct strbuf *out;
    size_t n;
};

static void add_end(struct strbuf *out, const struct cell *cell, enum dir dir, bool first)
{
    char burst[NUMFMT_MAX], after[NUMFMT_MAX], lasts[NUMFMT_MAX];
    struct timeline t;
    if (!timeline_find(cell->dir[dir].series, &t))
        return;
    add_load(out, cell, dir);
    if (t.has_burst)
        strbuf_addf(
            out,
            ": a burst of %s IOPS ran out after %s, then %s IOPS; the figures above are of both\n",
            fmt_iops(burst, t.burst.rate), fmt_duration(after, (uint64_t)(t.exhausted_s * 1e9)),
            fmt_iops(lasts, t.burst.sustained));
    else
        strbuf_addf(out, ": no burst ran out in %s%s\n", fmt_duration(after, cell->runtime_ns),
                    first ? "" : "; cells before it may have spent the credits");
    timeline_release(&t);
}

static int add_cell(struct cell *cell, void *arg)
{
    struct drained *d = arg;
    for (enum dir dir = DIR_READ; dir < DIR_SYNC; dir++)
        if (direction_is_used(&cell->dir[dir]))
            add_end(d->out, cell, dir, d->n == 0);
    d->n++;
    return 0;
}

int sweep_add_drained(struct strbuf *out, const struct session *s, struct error *err)
{
    struct drained drained = {.out = out};
    return store_each_cell(s->store, s->run->id, LOAD_SERIES, add_cell, &drained, err);
}
