/* `blkmatrix list`: which runs are stored. */
#include <inttypes.h>

#include "cli/cmd.h"
#include "cli/run_args.h"
#include "cli/table_out.h"
#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/text_table.h"
#include "core/base/xalloc.h"
#include "core/model/run_json.h"

static const struct opt list_opts[] = {OPT_END};

struct entry {
    struct run *run;
    uint64_t cells;
};

static void add_labels(struct strbuf *out, const struct run *run)
{
    for (size_t i = 0; i < run->n_labels; i++)
        strbuf_addf(out, "%s%s=%s", i ? "," : "", run->label[i].key, run->label[i].value);
}

static const char *status_of(const struct run *run)
{
    return IS_KNOWN(run, RUN, status) ? status_names[run->status] : NULL;
}

static const char *started_at(char buf[CLOCK_TEXT_MAX], const struct run *run)
{
    return IS_KNOWN(run, RUN, started_ns) ? clock_rfc3339(buf, run->started_ns, false) : NULL;
}

/* For people: what tells runs apart, within 80 columns. */
static struct text_table *short_table(const struct entry *entry, size_t n)
{
    struct text_table *t = text_table_create();
    text_table_column(t, "id", COL_RIGHT);
    text_table_column(t, "name", COL_TRUNC);
    text_table_column(t, "labels", COL_TRUNC | COL_YIELD);
    text_table_column(t, "started (UTC)", 0);
    text_table_column(t, "tool", COL_SPARE);
    text_table_column(t, "cells", COL_RIGHT | COL_YIELD);
    text_table_column(t, "status", COL_YIELD);
    for (size_t i = 0; i < n; i++) {
        const struct run *run = entry[i].run;
        struct strbuf labels = STRBUF_INIT;
        char started[CLOCK_TEXT_MAX];
        add_labels(&labels, run);
        text_table_row(t);
        text_table_cellf(t, "%" PRId64, run->id);
        text_table_cell(t, run->name);
        text_table_cell(t, labels.len ? labels.text : NULL);
        if (started_at(started, run)) /* to the minute, "2026-05-01 12:00" */
            text_table_cellf(t, "%.10s %.5s", started, started + 11);
        else
            text_table_cell(t, NULL);
        text_table_cell(t, run->tool);
        text_table_cellf(t, "%" PRIu64, entry[i].cells);
        text_table_cell(t, status_of(run));
        strbuf_release(&labels);
    }
    return t;
}

/* For programs: plain values, "" for unknown. */
static struct text_table *full_table(const struct entry *entry, size_t n)
{
    static const char *const column[] = {"id",   "uuid",  "name",   "labels",     "started",
                                         "tool", "cells", "status", "source_path"};
    struct text_table *t = text_table_create();
    for (size_t i = 0; i < sizeof column / sizeof *column; i++)
        text_table_column(t, column[i], 0);
    for (size_t i = 0; i < n; i++) {
        const struct run *run = entry[i].run;
        struct strbuf labels = STRBUF_INIT;
        char buf[CLOCK_TEXT_MAX];
        const char *started = started_at(buf, run), *status = status_of(run);
        add_labels(&labels, run);
        text_table_row(t);
        text_table_cellf(t, "%" PRId64, run->id);
        text_table_cell(t, run->uuid ? run->uuid : "");
        text_table_cell(t, run->name ? run->name : "");
        text_table_cell(t, labels.text);
        text_table_cell(t, started ? started : "");
        text_table_cell(t, run->tool ? run->tool : "");
        text_table_cellf(t, "%" PRIu64, entry[i].cells);
        text_table_cell(t, status ? status : "");
        text_table_cell(t, run->source_path ? run->source_path : "");
        strbuf_release(&labels);
    }
    return t;
}

static void add_json(struct strbuf *out, const struct entry *entry, size_t n)
{
    cJSON *list = json_add_array(NULL, NULL);
    for (size_t i = 0; i < n; i++) {
        cJSON *obj = json_add_object(list, NULL);
        run_to_json(obj, entry[i].run);
        json_add_u64(obj, "cells", entry[i].cells);
    }
    char *text = json_print(list, true);
    strbuf_addf(out, "%s\n", text);
    free(text);
    cJSON_Delete(list);
}

static void print_entries(const struct cmd_ctx *ctx, const struct entry *entry, size_t n)
{
    struct strbuf out = STRBUF_INIT;
    struct text_table *t = ctx->format == OUT_CSV ? full_table(entry, n) : short_table(entry, n);
    if (ctx->format == OUT_JSON)
        add_json(&out, entry, n);
    else
        table_out(&out, ctx, t);
    text_table_destroy(t);
    fputs(out.text, stdout);
    strbuf_release(&out);
}

static int list_run(struct cmd_ctx *ctx, void *config, const char **rest, size_t n_rest,
                    struct error *err)
{
    (void)config;
    struct run_ids ids = {0};
    int rc = n_rest ? run_args_select(ctx->store, rest, n_rest, &ids, err)
                    : store_all_runs(ctx->store, &ids, err);
    if (rc < 0)
        return rc;
    struct entry *entry = xcalloc(ids.n, sizeof *entry);
    for (size_t i = 0; i < ids.n && rc == 0; i++) {
        rc = store_load_run(ctx->store, ids.id[i], &entry[i].run, err);
        if (rc == 0)
            rc = store_count_cells(ctx->store, ids.id[i], &entry[i].cells, err);
    }
    if (rc == 0 && ids.n == 0 && ctx->format == OUT_TABLE && !ctx->quiet)
        fprintf(stderr, "no runs in %s yet: `blkmatrix sweep` and `blkmatrix import` bring some\n",
                store_path(ctx->store));
    if (rc == 0)
        print_entries(ctx, entry, ids.n);
    for (size_t i = 0; i < ids.n; i++)
        run_destroy(entry[i].run);
    free(entry);
    run_ids_release(&ids);
    return rc;
}

const struct cmd cmd_list = {
    .name = "list",
    .summary = "lists the stored runs",
    .group = "Results",
    .usage = "[RUN...]",
    .description = RUN_ARGS_HELP
    "\n"
    "Oldest first. --format json has every field of each run; --format csv and md are tables.\n",
    .examples = "blkmatrix list\n"
                "    all runs in the store\n"
                "blkmatrix list release=6.8\n"
                "    those with that label\n"
                "blkmatrix list --format json\n"
                "    for programs\n",
    .opts = list_opts,
    .needs = NEED_STORE_READ,
    .run = list_run,
};
