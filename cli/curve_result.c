/* What a sweep with a curve says at its end: the maximum of each, and where its knee is. */
#include "cli/sweep_internal.h"
#include "core/base/arena.h"
#include "core/base/numfmt.h"
#include "core/base/utf8.h"
#include "report/analysis/analysis.h"

static void add_curve(struct strbuf *out, const struct response *r)
{
    char buf[NUMFMT_MAX];
    const struct row *m = r->maximum;
    utf8_clean(out, m->group);
    if (m->bs)
        strbuf_addf(out, ", %s", fmt_bs(buf, m->bs));
    strbuf_addf(out, ", QD %s: at most ", fmt_count(buf, m->depth));
    strbuf_addf(out, "%s IOPS", fmt_iops(buf, m->iops));
    if (r->knee < r->n) {
        const struct row *knee = r->step[r->knee];
        double p99 = row_percentile(knee, 99);
        strbuf_addf(out, "; the knee is at %.3g %% of it, %s IOPS", 100 * response_share(knee),
                    fmt_iops(buf, knee->iops));
        if (p99 > 0)
            strbuf_addf(out, " with a p99 of %s", fmt_latency(buf, p99));
    }
    strbuf_addc(out, '\n');
}

int sweep_add_curves(struct strbuf *out, const struct session *s, struct error *err)
{
    struct dataset *d;
    int rc = dataset_load(&d, s->store, &s->run->id, 1, LOAD_HIST, err);
    if (rc < 0)
        return rc;
    struct arena *arena = arena_create();
    size_t n;
    const struct row *row = dataset_rows(d, &n);
    for (size_t i = 0; i < n; i++) {
        struct response r;
        if (!row[i].maximum && row[i].part == 0 && response_find(&r, arena, row, n, &row[i]))
            add_curve(out, &r);
    }
    arena_destroy(arena);
    dataset_destroy(d);
    return 0;
}
