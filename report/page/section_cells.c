/* All cells: one table for people here, one with exact figures for CSV, JSON and the hash. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "core/base/numfmt.h"
#include "core/base/xalloc.h"
#include "report/page/page_internal.h"

static const double percentile[] = {50, 99, 99.9};
enum { PERCENTILES = sizeof percentile / sizeof *percentile };

/* One unit for a column: that of its median value. */
struct unit {
    const char *name;
    double ns;
};

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static struct unit column_unit(const struct page *p, double at)
{
    double *v = xcalloc(p->analysis->n_facts + 1, sizeof *v);
    size_t n = 0;
    for (size_t i = 0; i < p->analysis->n_facts; i++) {
        double ns = row_percentile(p->analysis->facts[i].row, at);
        if (isfinite(ns))
            v[n++] = ns;
    }
    struct unit u = {"ms", 1e6};
    if (n > 0) {
        qsort(v, n, sizeof *v, ascending);
        u.name = latency_unit(v[n / 2], &u.ns);
    }
    free(v);
    return u;
}

static const char *held_by(struct page *p, const struct finding *f)
{
    const struct row *r = f->row;
    if (r->n_repeats == 0)
        return arena_printf(p->arena, "failed: %s",
                            r->cell->error ? r->cell->error : "no reason recorded");
    const char *words = binds_words[f->binds];
    for (int i = 0; i < BINDS_COUNT; i++) {
        if (f->also >> i & 1)
            words = arena_printf(p->arena, "%s or %s", words, binds_words[i]);
    }
    if (f->limit && f->limit->phase == PHASE_BURST)
        words = arena_printf(p->arena, "%s, burst", words);
    return words;
}

static bool any_repeats(const struct page *p)
{
    for (size_t i = 0; i < p->analysis->n_facts; i++) {
        if (p->analysis->facts[i].row->n_repeats > 1)
            return true;
    }
    return false;
}

static const char *caption(struct page *p, bool repeats)
{
    enum lat_kind kind = LAT_KIND_COUNT;
    bool mixed = false, from_due = true, rated = false;
    for (size_t i = 0; i < p->analysis->n_facts; i++) {
        enum lat_kind k = p->analysis->facts[i].row->lat_kind;
        mixed = mixed || (kind != LAT_KIND_COUNT && k != LAT_KIND_COUNT && k != kind);
        kind = k != LAT_KIND_COUNT ? k : kind;
        from_due = from_due && (k != LAT_LAT || row_is_from_due(p->analysis->facts[i].row));
        rated = rated || cell_is_rate_limited(p->analysis->facts[i].row->cell);
    }
    const char *const latency[] = {
        "Latency is submission latency",
        rated ? "Latency is completion latency"
              : "Latency is completion latency at saturation (closed loop)",
        from_due ? "Latency runs from the instant an I/O was due"
                 : "Latency is total latency, from the issue of an I/O to its completion",
        "No latency was recorded",
    };
    return arena_printf(p->arena, "1k = 1 KiB. %s. %s",
                        mixed ? "Latency kinds differ between rows" : latency[kind],
                        repeats ? "Rates are medians; repeats: lowest to highest IOPS."
                                : "Each cell ran once: no interval, differences are not tested.");
}

/* Which columns there are, and in what units. */
struct layout {
    bool loads, repeats;
    struct unit unit[PERCENTILES];
};

/* Cells of one load need not say which. */
static bool one_load(const struct page *p)
{
    for (size_t i = 1; i < p->analysis->n_facts; i++) {
        if (p->analysis->facts[i].row->group != p->analysis->facts[0].row->group)
            return false;
    }
    return true;
}

static void add_columns(struct page *p, struct page_table *t, struct layout *l)
{
    l->loads = !one_load(p);
    l->repeats = any_repeats(p);
    if (l->loads)
        page_table_column(p, t, "Load", false);
    page_table_column(p, t, "Block", true);
    page_table_column(p, t, "QD", true);
    page_table_column(p, t, "IOPS", true);
    if (l->repeats)
        page_table_column(p, t, "Repeats", true);
    page_table_column(p, t, "MiB/s", true);
    page_table_column(p, t, "MB/s", true);
    for (int i = 0; i < PERCENTILES; i++) {
        l->unit[i] = column_unit(p, percentile[i]);
        page_table_column(p, t, arena_printf(p->arena, "p%g %s", percentile[i], l->unit[i].name),
                          true);
    }
    page_table_column(p, t, "Limited by", false);
}

static void add_row(struct page *p, struct page_table *t, const struct layout *l,
                    const struct finding *f)
{
    const struct row *r = f->row;
    char buf[NUMFMT_MAX], other[NUMFMT_MAX];
    const char *split = r->cell->key.bs_text ? r->cell->key.bs_text : "–";
    if (l->loads)
        page_table_text(p, t, page_load_words(p, r->group));
    page_table_value(p, t, r->bs ? fmt_bs(buf, r->bs) : split, r->bs ? (double)r->bs : NAN);
    page_table_value(p, t, r->depth ? fmt_count(buf, r->depth) : "–",
                     r->depth ? (double)r->depth : NAN);
    page_table_value(p, t, fmt_iops(buf, r->iops), r->iops);
    if (l->repeats && r->n_repeats > 1)
        page_table_value(p, t,
                         arena_printf(p->arena, "%s to %s", fmt_iops(buf, r->iops_lo),
                                      fmt_iops(other, r->iops_hi)),
                         r->iops_hi / r->iops_lo);
    else if (l->repeats)
        page_table_text(p, t, NULL);
    page_table_value(p, t, fmt_mib(buf, r->bw), r->bw);
    page_table_value(p, t, fmt_mb(buf, r->bw), r->bw);
    for (int k = 0; k < PERCENTILES; k++) {
        double ns = row_percentile(r, percentile[k]);
        page_table_value(p, t, fmt_latency_in(buf, ns, l->unit[k].ns), ns);
    }
    page_table_tagged(p, t, held_by(p, f), page_tag(f->binds));
}

static void build(struct page *p, struct section *s)
{
    size_t n = p->analysis->n_facts;
    if (n == 0)
        return;
    struct layout l;
    struct page_table *t = page_table_create(p, "cells", NULL);
    t->sortable = true;
    add_columns(p, t, &l);
    t->caption = caption(p, l.repeats);
    if (l.loads)
        t->caption = page_load_caption(p, t->caption);
    for (size_t i = 0; i < n; i++)
        add_row(p, t, &l, &p->diagnosis->finding[i]);
    const char *group = one_load(p) ? p->analysis->facts[0].row->group : NULL;
    s->title = arena_printf(p->arena, "%s%zu result%s%s%s", n > 1 ? "All " : "", n,
                            n == 1 ? "" : "s", group ? ": " : "", group ? group : "");
    page_add_table(p, s, t);
}

const struct page_section section_cells = {"all", "All cells", build};
