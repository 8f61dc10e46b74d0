/* The cells with exact figures, in SI base units: what CSV, JSON and the content hash are made of. */
#include <inttypes.h>
#include <math.h>

#include "core/base/json.h"
#include "report/page/page_internal.h"

static const double percentile[] = {50, 90, 95, 99, 99.9, 99.99};

static void number(struct page *p, struct page_table *t, double v)
{
    struct strbuf sb = STRBUF_INIT;
    if (isfinite(v))
        json_number(&sb, v);
    page_table_value(p, t, sb.text, v);
    strbuf_release(&sb);
}

static void whole(struct page *p, struct page_table *t, uint64_t v, bool known)
{
    page_table_value(p, t, known ? arena_printf(p->arena, "%" PRIu64, v) : "",
                     known ? (double)v : NAN);
}

/* As page_table_text, but what is unknown is empty: this table is for machines. */
static void text(struct page *p, struct page_table *t, const char *s)
{
    page_table_value(p, t, s ? s : "", NAN);
}

static void add_columns(struct page *p, struct page_table *t)
{
    static const char *const first[] = {
        "load",     "devices",  "direction", "rw",       "rwmixread", "bs",
        "iodepth",  "numjobs",  "engine",    "repeats",  "status",    "iops",
        "iops_min", "iops_max", "bw",        "lat_kind", "lat_n",     "lat_mean_ns"};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        page_table_column(p, t, first[i], false);
    for (size_t i = 0; i < sizeof percentile / sizeof *percentile; i++)
        page_table_column(p, t, arena_printf(p->arena, "lat_p%g_ns", percentile[i]), true);
    static const char *const last[] = {"lat_max_ns", "binds", "cap", "share", "confidence"};
    for (size_t i = 0; i < sizeof last / sizeof *last; i++)
        page_table_column(p, t, last[i], false);
}

static void add_row(struct page *p, struct page_table *t, const struct row *r,
                    const struct finding *f)
{
    const struct cell_key *key = &r->cell->key;
    text(p, t, r->group);
    text(p, t, r->device);
    text(p, t, dir_names[r->dir]);
    text(p, t, field_get_text(&cell_key_fields, key, CELL_KEY_rw));
    whole(p, t, key->rwmixread, IS_KNOWN(key, CELL_KEY, rwmixread));
    whole(p, t, r->bs, r->bs > 0);
    whole(p, t, key->iodepth, IS_KNOWN(key, CELL_KEY, iodepth));
    whole(p, t, r->jobs, r->jobs > 0);
    text(p, t, key->engine);
    whole(p, t, r->n_repeats, true);
    text(p, t, status_names[r->cell->status]);
    number(p, t, r->iops);
    number(p, t, r->iops_lo);
    number(p, t, r->iops_hi);
    number(p, t, r->bw);
    text(p, t, r->lat_kind < LAT_KIND_COUNT ? lat_kind_names[r->lat_kind] : NULL);
    whole(p, t, r->lat.n, IS_KNOWN(&r->lat, LAT_F, n));
    number(p, t, IS_KNOWN(&r->lat, LAT_F, mean) ? r->lat.mean : NAN);
    for (size_t i = 0; i < sizeof percentile / sizeof *percentile; i++)
        number(p, t, row_percentile(r, percentile[i]));
    number(p, t, row_percentile(r, 100));
    text(p, t, f->binds == BINDS_UNKNOWN ? NULL : binds_names[f->binds]);
    number(p, t, f->cap);
    number(p, t, f->share);
    text(p, t, f->binds == BINDS_UNKNOWN ? NULL : confidence_names[f->confidence]);
}

struct page_table *page_data_table(struct page *p)
{
    struct page_table *t = page_table_create(p, "data", NULL);
    add_columns(p, t);
    for (size_t i = 0; i < p->analysis->n_facts; i++)
        add_row(p, t, p->analysis->facts[i].row, &p->diagnosis->finding[i]);
    return t;
}
