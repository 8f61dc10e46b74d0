#include <inttypes.h>
#include <math.h>

#include "cli/diagnose_internal.h"
#include "cli/terminal.h"
#include "cli/view.h"
#include "core/base/json.h"
#include "core/base/numfmt.h"

/* Adds the other caps at the same place: of the same kind ("VM or "), or of the other one. */
static void add_ties(struct strbuf *out, const struct finding *f, bool same_kind)
{
    const char *kind = strchr(binds_words[f->binds], ' ');
    for (unsigned i = 0; i < BINDS_COUNT && kind; i++) {
        const char *other = f->also >> i & 1 ? strchr(binds_words[i], ' ') : NULL;
        if (!other || (strcmp(other, kind) == 0) != same_kind)
            continue;
        if (same_kind)
            strbuf_addf(out, "%.*s or ", (int)(other - binds_words[i]), binds_words[i]);
        else
            strbuf_addf(out, " or %s", binds_words[i]);
    }
}

/* "VM or disk IOPS, burst" */
static void add_limiter(struct strbuf *out, const struct finding *f)
{
    add_ties(out, f, true);
    strbuf_adds(out, binds_words[f->binds]);
    add_ties(out, f, false);
    if (f->limit && f->limit->path != PATH_ANY)
        strbuf_addf(out, ", %s", path_names[f->limit->path]);
    if (f->limit && f->limit->phase == PHASE_BURST)
        strbuf_adds(out, ", burst");
}

/* "at 4k to 16k" is "4k to 16k" in a column of block sizes. */
static const char *sizes_of(const struct claim *c)
{
    return strncmp(c->range, "at ", 3) == 0     ? c->range + 3
           : strncmp(c->range, "from ", 5) == 0 ? c->range + 5
                                                : c->range;
}

static struct text_table *new_table(const char *const *title, const unsigned *flags, size_t n)
{
    struct text_table *t = text_table_create();
    for (size_t i = 0; i < n; i++)
        text_table_column(t, title[i], flags ? flags[i] : 0);
    return t;
}

/* The claims of one load, from claim `at` on; returns the index behind them. */
static size_t print_load(struct view *v, const struct diagnosis *d, size_t at)
{
    static const char *const title[] = {"block size", "held by", "measured",
                                        "cap",        "share",   "how sure"};
    static const unsigned flags[] = {0, COL_WRAP, COL_RIGHT, COL_RIGHT, COL_RIGHT, 0};
    const char *group = d->claim[at].group;
    struct text_table *t = new_table(title, flags, sizeof title / sizeof *title);
    size_t end = at;
    for (; end < d->n_claims && d->claim[end].group == group; end++) {
        const struct claim *c = &d->claim[end];
        struct strbuf limiter = STRBUF_INIT;
        add_limiter(&limiter, c->finding);
        text_table_row(t);
        text_table_cell(t, sizes_of(c));
        text_table_cell(t, limiter.text);
        text_table_cell(t, c->measured);
        text_table_cell(t, c->cap);
        text_table_cell(t, c->share);
        text_table_cell(t, confidence_names[c->confidence]);
        strbuf_release(&limiter);
    }
    view_heading(v, 2, "%s", group);
    view_table(v, t);
    for (size_t i = at; i < end; i++)
        view_linef(v, i == at || v->markdown ? "wrong if" : "", "%s: %s", sizes_of(&d->claim[i]),
                   d->claim[i].disproof);
    return end;
}

static void print_bursts(struct view *v, const struct diagnosis *d)
{
    static const char *const title[] = {"load", "burst", "for", "then", "I/Os of credit"};
    static const unsigned flags[] = {COL_TRUNC, COL_RIGHT, COL_RIGHT, COL_RIGHT, COL_RIGHT};
    struct text_table *t = new_table(title, flags, sizeof title / sizeof *title);
    char a[NUMFMT_MAX], b[NUMFMT_MAX];
    for (size_t i = 0; i < d->n_findings; i++) {
        const struct row_facts *f = d->finding[i].facts;
        const struct burst *burst = &f->timeline.burst;
        if (f->row->part > 0 || !f->timeline.has_burst)
            continue;
        text_table_row(t);
        text_table_cellf(t, "%s, %s, QD %s", f->row->group, fmt_bs(a, f->row->bs),
                         fmt_count(b, f->row->depth));
        text_table_cellf(t, "%s IOPS", fmt_iops(a, burst->rate));
        text_table_cell(t, fmt_duration(a, (uint64_t)(f->timeline.exhausted_s * 1e9)));
        text_table_cellf(t, "%s IOPS", fmt_iops(a, burst->sustained));
        text_table_cell(t, fmt_count(b, (uint64_t)fmax(burst->credits, 0)));
    }
    if (text_table_rows(t) == 0) {
        text_table_destroy(t);
        return;
    }
    view_heading(v, 2, "Bursts that ran out (a bucket may have held more than was in it)");
    view_table(v, t);
}

void diagnose_print(const struct cmd_ctx *ctx, const struct diagnosis *d, const struct run *run)
{
    struct view v;
    view_init(&v, ctx);
    if (run->id > 0)
        view_heading(&v, 1, "Run %" PRId64 "%s%s: %s", run->id, run->name ? " " : "",
                     run->name ? run->name : "", d->headline);
    else
        view_heading(&v, 1, "%s", d->headline);
    const char *const line[] = {d->verdict, d->second, d->outlook, d->together, d->counted};
    for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
        if (line[i])
            view_paragraph(&v, line[i]);
    }
    if (run->n_limits == 0)
        view_paragraph(&v, "No limits known for this host: give --vm and --disk (blkmatrix limits "
                           "set RUN --vm NAME --disk NAME).");
    for (size_t i = 0; i < d->n_claims;)
        i = print_load(&v, d, i);
    print_bursts(&v, d);
    view_print(&v);
}

static void add_number(struct text_table *t, double v)
{
    struct strbuf sb = STRBUF_INIT;
    if (isfinite(v))
        json_number(&sb, v);
    text_table_cell(t, sb.text);
    strbuf_release(&sb);
}

static void add_csv_row(struct text_table *t, const struct finding *f)
{
    const struct row *r = f->row;
    struct strbuf also = STRBUF_INIT;
    for (unsigned i = 0; i < BINDS_COUNT; i++) {
        if (f->also >> i & 1)
            strbuf_addf(&also, "%s%s", also.len ? " " : "", binds_names[i]);
    }
    text_table_row(t);
    text_table_cell(t, r->device);
    text_table_cell(t, r->pattern);
    text_table_cell(t, dir_names[r->dir]);
    add_number(t, r->bs ? (double)r->bs : NAN);
    add_number(t, r->depth ? (double)r->depth : NAN);
    add_number(t, f->facts->rate_now);
    text_table_cell(t, f->binds == BINDS_UNKNOWN ? "" : binds_names[f->binds]);
    text_table_cell(t, also.text);
    text_table_cell(t, f->limit ? phase_names[f->limit->phase] : "unknown");
    add_number(t, f->cap);
    add_number(t, f->share);
    text_table_cell(t, confidence_names[f->confidence]);
    add_number(t, f->sustained);
    add_number(t, burst_seconds(f));
    strbuf_release(&also);
}

void diagnose_print_csv(const struct diagnosis *d)
{
    static const char *const title[] = {
        "devices", "load",  "direction", "bs",    "depth",      "iops",           "binds",
        "also",    "phase", "cap",       "share", "confidence", "sustained_iops", "burst_s"};
    struct text_table *t = new_table(title, NULL, sizeof title / sizeof *title);
    for (size_t i = 0; i < d->n_findings; i++) {
        if (d->finding[i].row->part == 0)
            add_csv_row(t, &d->finding[i]);
    }
    struct strbuf out = STRBUF_INIT;
    terminal_csv(&out, t);
    fputs(out.text, stdout);
    strbuf_release(&out);
    text_table_destroy(t);
}
