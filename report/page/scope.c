/* The scope line: on what, how much. */
#include <inttypes.h>

#include "core/base/numfmt.h"
#include "report/page/page_internal.h"

static void add(struct strbuf *sb, const char *text)
{
    if (text && *text)
        strbuf_addf(sb, "%s%s", sb->len ? ", " : "", text);
}

static void add_devices(struct page *p, struct strbuf *sb)
{
    const struct run *r = p->run;
    char buf[NUMFMT_MAX];
    if (r->n_devices > 2) {
        add(sb, arena_printf(p->arena, "%zu devices", r->n_devices));
        return;
    }
    for (size_t i = 0; i < r->n_devices; i++) {
        const struct device_info *d = &r->device[i];
        const char *size = IS_KNOWN(d, DEVICE, size)
                               ? arena_printf(p->arena, " (%s)", fmt_bytes(buf, d->size))
                               : "";
        add(sb, arena_printf(p->arena, "%s%s", d->path ? d->path : "a device", size));
    }
}

void page_repeats(const struct page *p, size_t *fewest, size_t *most)
{
    *most = 0;
    *fewest = SIZE_MAX;
    for (size_t i = 0; i < p->analysis->n_facts; i++) {
        size_t n = p->analysis->facts[i].row->n_repeats;
        *most = n > *most ? n : *most;
        *fewest = n < *fewest ? n : *fewest;
    }
}

const char *page_scope(struct page *p)
{
    const struct run *r = p->run;
    struct strbuf sb = STRBUF_INIT;
    add_devices(p, &sb);
    add(&sb, r->host.instance_type);
    if (r->host.hostname)
        add(&sb, arena_printf(p->arena, "host %s", r->host.hostname));
    size_t cells = dataset_n_cells(p->dataset, p->run_index);
    size_t sets = 0, most, fewest;
    page_repeats(p, &fewest, &most);
    for (size_t i = 0; i < p->analysis->n_facts; i++) {
        const struct row *row = p->analysis->facts[i].row;
        bool is_first = i == 0 || p->analysis->facts[i - 1].row->cell != row->cell;
        sets += is_first;
    }
    add(&sb, arena_printf(p->arena, "%zu cell%s", sets, sets == 1 ? "" : "s"));
    if (most > 1)
        add(&sb, arena_printf(p->arena, "%s%zu runs of each", fewest < most ? "up to " : "", most));
    else if (cells > 0)
        add(&sb, "one run of each");
    if (r->name)
        add(&sb, arena_printf(p->arena, "run \"%s\"", r->name));
    const char *text = arena_strndup(p->arena, sb.text, sb.len);
    strbuf_release(&sb);
    return text;
}
