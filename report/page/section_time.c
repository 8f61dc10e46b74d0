/* Over time: cells in which something happened, and the phases that were found in them. */
#include <math.h>

#include "core/base/numfmt.h"
#include "report/page/page_internal.h"

#define MAX_PICTURES 3

static bool is_eventful(const struct row_facts *f)
{
    return f->row->part == 0 && f->row->n_repeats > 0 && f->timeline.n > 1;
}

static void add_phases(struct page *p, struct page_table *t, const struct row_facts *f)
{
    char buf[NUMFMT_MAX];
    for (size_t i = 0; i < f->timeline.n; i++) {
        const struct time_phase *ph = &f->timeline.phase[i];
        page_table_text(p, t, page_short_words(p, f->row));
        const char *name = "level";
        if (f->timeline.has_burst)
            name = i == 0 ? "burst" : "sustained";
        page_table_text(p, t, name);
        page_table_value(p, t, fmt_duration(buf, (uint64_t)llround(ph->start_s * 1e9)),
                         ph->start_s);
        page_table_value(p, t,
                         fmt_duration(buf, (uint64_t)llround((ph->end_s - ph->start_s) * 1e9)),
                         ph->end_s - ph->start_s);
        page_table_value(p, t, fmt_iops(buf, ph->iops), ph->iops);
        page_table_value(p, t, fmt_mib(buf, ph->bw), ph->bw);
        page_table_value(p, t, fmt_share(buf, ph->cv), ph->cv);
    }
}

static const char *credit_words(struct page *p, const struct row_facts *f)
{
    char ios[NUMFMT_MAX], bytes[NUMFMT_MAX], rate[NUMFMT_MAX];
    const struct burst *b = &f->timeline.burst;
    const char *size =
        isfinite(f->timeline.burst_bytes)
            ? arena_printf(p->arena, " (%s)", fmt_bytes(bytes, (uint64_t)f->timeline.burst_bytes))
            : "";
    return arena_printf(p->arena,
                        "%s: at least %s I/Os%s of credit were spent before the rate fell to %s "
                        "IOPS%s.",
                        page_row_words(p, f->row), fmt_count(ios, (uint64_t)b->credits), size,
                        fmt_iops(rate, b->sustained),
                        b->throttle
                            ? ", as a token bucket does"
                            : "; the slow phase is uneven, as in a device whose cache is full");
}

static void build(struct page *p, struct section *s)
{
    struct page_table *t =
        page_table_create(p, "phases", page_load_caption(p, "Phases found in the samples"));
    page_table_column(p, t, "Cell", false);
    page_table_column(p, t, "Phase", false);
    page_table_column(p, t, "From", true);
    page_table_column(p, t, "For", true);
    page_table_column(p, t, "IOPS", true);
    page_table_column(p, t, "MiB/s", true);
    page_table_column(p, t, "Variation", true);
    size_t shown = 0;
    for (size_t i = 0; i < p->analysis->n_facts; i++) {
        const struct row_facts *f = &p->analysis->facts[i];
        if (!is_eventful(f))
            continue;
        if (shown < MAX_PICTURES) {
            struct kind_query q = {.group = f->row->group, .bs = &f->row->bs, .n_bs = 1};
            q.depth = &f->row->depth;
            q.n_depth = 1;
            shown += page_add_chart(p, s, "time", arena_printf(p->arena, "time-%zu", shown), &q);
        }
        add_phases(p, t, f);
    }
    if (t->n_rows == 0)
        return;
    page_add_table(p, s, t);
    for (size_t i = 0; i < p->analysis->n_facts; i++) {
        const struct row_facts *f = &p->analysis->facts[i];
        if (is_eventful(f) && f->timeline.has_burst)
            page_add_text(p, s, credit_words(p, f));
    }
}

const struct page_section section_time = {"time", "Over time", build};
