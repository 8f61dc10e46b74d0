/* How to make it again, and how to know that it is the same. */
#include <inttypes.h>

#include "report/page/page_internal.h"

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
