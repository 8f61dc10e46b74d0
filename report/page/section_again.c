/* How to make it again, and how to know that it is the same. */
#include <inttypes.h>

#include "report/page/page_internal.h"

#define MAX_SOURCES 20

/* The runs that were put together, when this is several. */
static void add_sources(struct page *p, struct page_table *t)
{
    size_t n = dataset_n_runs(p->dataset), shown = 0;
    for (size_t i = 0; i < n; i++) {
        const struct run *r = dataset_run(p->dataset, i);
        if (i == p->run_index || r->id == 0)
            continue;
        if (shown++ == MAX_SOURCES) {
            page_table_text(p, t, "and");
            page_table_text(p, t, arena_printf(p->arena, "%zu more runs", n - 1 - MAX_SOURCES));
            return;
        }
        page_table_text(p, t, arena_printf(p->arena, "Run %" PRId64, r->id));
        page_table_text(p, t,
                        arena_printf(p->arena, "%s%s%s%s%s", r->name ? r->name : "",
                                     r->name && r->uuid ? ", " : "", r->uuid ? r->uuid : "",
                                     r->source_path ? ", from " : "",
                                     r->source_path ? r->source_path : ""));
    }
}

static void build(struct page *p, struct section *s)
{
    const struct run *r = p->run;
    s->title = "Make it again";
    if (r->command) {
        page_add_text(p, s, "The measurement:");
        page_add_command(p, s, r->command);
    }
    if (p->report_command && *p->report_command) {
        page_add_text(p, s, "This report:");
        page_add_command(p, s, p->report_command);
    }
    struct page_table *t = page_table_create(p, "identity", NULL);
    t->is_wrapping = true;
    page_table_column(p, t, "Identity", false);
    page_table_column(p, t, "Value", false);
    if (r->id > 0) {
        page_table_text(p, t, "Run");
        page_table_text(p, t,
                        arena_printf(p->arena, "%" PRId64 "%s%s", r->id, r->name ? ", " : "",
                                     r->name ? r->name : ""));
    }
    add_sources(p, t);
    if (r->uuid) {
        page_table_text(p, t, "UUID");
        page_table_text(p, t, r->uuid);
    }
    if (r->source_path) {
        page_table_text(p, t, "Imported from");
        page_table_text(p, t, r->source_path);
    }
    if (r->source_sha256) {
        page_table_text(p, t, "SHA-256 of that file");
        page_table_text(p, t, r->source_sha256);
    }
    page_table_text(p, t, "SHA-256 of the results");
    page_table_text(p, t, p->content_hash);
    page_add_table(p, s, t);
}

const struct page_section section_again = {"again", "How to make it again", build};
