/* The sections of `show` about a run as a whole. */
#include <inttypes.h>

#include "cli/show_internal.h"
#include "cli/wrap.h"
#include "core/base/clock.h"
#include "core/base/numfmt.h"
#include "core/base/xalloc.h"

#define BIT(field) (UINT64_C(1) << (field))

static void show_labels(struct view *v, const struct run *run)
{
    struct strbuf text = STRBUF_INIT;
    for (size_t i = 0; i < run->n_labels; i++)
        strbuf_addf(&text, "%s%s=%s", i ? ", " : "", run->label[i].key, run->label[i].value);
    view_line(v, "labels", text.text);
    strbuf_release(&text);
}

static void show_time(struct view *v, const struct run *run)
{
    if (!IS_KNOWN(run, RUN, started_ns))
        return;
    char started[CLOCK_TEXT_MAX], took[NUMFMT_MAX];
    clock_rfc3339(started, run->started_ns, false);
    if (IS_KNOWN(run, RUN, finished_ns) && run->finished_ns > run->started_ns)
        view_linef(v, "started", "%s, took %s", started,
                   fmt_duration(took, (uint64_t)(run->finished_ns - run->started_ns)));
    else
        view_line(v, "started", started);
}

static void show_record(struct view *v, const struct run *run)
{
    view_heading(v, 1, "Run %" PRId64 "%s%s", run->id, run->name ? ": " : "",
                 run->name ? run->name : "");
    show_labels(v, run);
    show_time(v, run);
    show_suite(v, run);
    view_fields(v, &run_fields, run,
                BIT(RUN_name) | BIT(RUN_started_ns) | BIT(RUN_finished_ns) | BIT(RUN_plan));
}

static void show_devices(struct view *v, const struct run *run)
{
    for (size_t i = 0; i < run->n_devices; i++) {
        const struct device_info *d = &run->device[i];
        view_heading(v, 2, "Device %s", d->path ? d->path : "(unnamed)");
        view_fields(v, &device_fields, d, BIT(DEVICE_path));
    }
}

/* A cap with its unit, both words for a bandwidth. */
static void limit_value(struct strbuf *out, const struct limit *l)
{
    char a[NUMFMT_MAX], b[NUMFMT_MAX];
    if (!IS_KNOWN(l, LIMIT, value))
        strbuf_adds(out, "–");
    else if (l->kind == CAP_IOPS)
        strbuf_addf(out, "%s IOPS", fmt_iops(a, l->value));
    else
        strbuf_addf(out, "%s MiB/s (%s MB/s)", fmt_mib(a, l->value), fmt_mb(b, l->value));
    if (IS_KNOWN(l, LIMIT, value_max) && l->value_max > l->value)
        strbuf_addf(out, " or %s MiB/s", fmt_mib(a, l->value_max));
}

static const char *limit_device(const struct run *run, const struct limit *l)
{
    if (!IS_KNOWN(l, LIMIT, device) || l->device >= run->n_devices)
        return NULL;
    return run->device[l->device].path;
}

/* Each once: a source is a long text, and a disk or VM has most of its limits from one. */
static void show_sources(struct view *v, const struct run *run)
{
    bool first = true;
    for (size_t i = 0; i < run->n_limits; i++) {
        const struct limit *l = &run->limit[i];
        if (!limit_names_source(run->limit, i))
            continue;
        if (first && v->markdown) /* ends the table */
            strbuf_addc(&v->out, '\n');
        first = false;
        char *name = l->name ? xasprintf("source of %s", l->name) : xstrdup("source");
        view_line(v, name, l->source);
        free(name);
    }
}

void show_limits(struct view *v, const struct run *run)
{
    if (run->n_limits == 0)
        return;
    static const struct {
        const char *title;
        size_t field;
    } column[] = {
        {"side", LIMIT_side}, {"phase", LIMIT_phase}, {"path", LIMIT_path}, {"of", LIMIT_name}};
    size_t n = sizeof column / sizeof *column;
    view_heading(v, 2, "Limits");
    struct text_table *t = text_table_create();
    text_table_column(t, "owner", 0);
    text_table_column(t, "device", COL_TRUNC);
    text_table_column(t, "at most", COL_RIGHT);
    for (size_t k = 0; k < n; k++)
        text_table_column(t, column[k].title, COL_TRUNC);
    for (size_t i = 0; i < run->n_limits; i++) {
        const struct limit *l = &run->limit[i];
        struct strbuf value = STRBUF_INIT;
        limit_value(&value, l);
        text_table_row(t);
        text_table_cell(t, field_get_text(&limit_fields, l, LIMIT_owner));
        text_table_cell(t, limit_device(run, l));
        text_table_cell(t, value.text);
        for (size_t k = 0; k < n; k++)
            text_table_cell(t, field_get_text(&limit_fields, l, column[k].field));
        strbuf_release(&value);
    }
    view_table(v, t);
    show_sources(v, run);
}

void show_run(struct view *v, const struct run *run)
{
    show_record(v, run);
    if (run->host.known) {
        view_heading(v, 2, "Host");
        view_fields(v, &host_fields, &run->host, 0);
    }
    show_devices(v, run);
    show_limits(v, run);
}

void show_lines(struct view *v, const char *text)
{
    struct strbuf lines = STRBUF_INIT;
    wrap_text(&lines, text, 0, 0, v->width > 2 ? v->width - 2 : 0);
    for (char *line = lines.text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        view_text(v, line);
    }
    strbuf_release(&lines);
}

void show_cells(struct view *v, const struct run *run, const struct cells_table *cells, bool chosen)
{
    struct strbuf title = STRBUF_INIT, common = STRBUF_INIT, doubts = STRBUF_INIT;
    size_t n = cells_table_cells(cells);
    strbuf_addf(&title, "Cells: %zu", n);
    if (chosen)
        strbuf_adds(&title, " chosen");
    else if (IS_KNOWN(run, RUN, planned_cells) && run->planned_cells > n)
        strbuf_addf(&title, " of %" PRIu64 " planned", run->planned_cells);
    cells_table_common(&common, cells);
    view_heading(v, 2, "%s%s%s", title.text, common.len ? "; " : "", common.text);
    if (n)
        view_table(v, cells_table_make(cells, v->width));
    cells_table_steady(&doubts, cells);
    cells_table_doubts(&doubts, cells);
    if (doubts.len)
        show_lines(v, doubts.text);
    strbuf_release(&title);
    strbuf_release(&common);
    strbuf_release(&doubts);
}
