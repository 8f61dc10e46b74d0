/* Load against latency: hockey stick, depth scaling, and the tails of the cells that matter. */
#include "report/page/page_internal.h"

#define MAX_TAILS 3

static size_t most_depths(const struct family *f)
{
    size_t n = 0;
    for (size_t i = 0; i < f->n; i++)
        n = f->ladder[i].n > n ? f->ladder[i].n : n;
    return n;
}

/* QD 1 at the smallest block, its knee, its deepest queue: each once. */
static size_t cells_that_matter(const struct family *f, uint64_t depth[MAX_TAILS])
{
    const struct ladder *l = &f->ladder[0];
    size_t wanted[MAX_TAILS] = {0, l->knee < l->n ? l->knee : 0, l->n - 1};
    size_t n = 0;
    for (size_t i = 0; i < MAX_TAILS; i++) {
        bool seen = false;
        for (size_t k = 0; k < i; k++)
            seen = seen || wanted[k] == wanted[i];
        if (!seen)
            depth[n++] = l->rung[wanted[i]]->row->depth;
    }
    return n;
}

static bool has_response(const struct page *p, const char *group)
{
    for (size_t i = 0; i < p->analysis->n_facts; i++) {
        const struct row *maximum = p->analysis->facts[i].row->maximum;
        if (maximum && maximum->group == group)
            return true;
    }
    return false;
}

static void build(struct page *p, struct section *s)
{
    const struct family *f = analysis_main_family(p->analysis);
    if (!f || f->n == 0)
        return;
    struct kind_query all = {.group = f->group};
    struct kind_query smallest = {.group = f->group, .bs = &f->ladder[0].bs, .n_bs = 1};
    if (most_depths(f) > 1 || has_response(p, f->group))
        page_add_chart(p, s, "hockey", "hockey", &all);
    if (most_depths(f) > 1)
        page_add_chart(p, s, "qd", "qd", &smallest);
    uint64_t depth[MAX_TAILS];
    struct kind_query tails = smallest;
    tails.depth = depth;
    tails.n_depth = cells_that_matter(f, depth);
    page_add_chart(p, s, "percentile", "percentile", &tails);
}

const struct page_section section_load = {"load", "Load against latency", build};
