/* One document a run (schemas/json/show.schema.json); several runs are an array of them. */
#include "core/base/json.h"
#include "core/model/run_json.h"
#include "core/model/slower.h"
#include "store/export/exporter.h"

/* The object without its closing brace, so that "cells" can follow piece by piece. */
static void add_open_object(struct strbuf *out, const cJSON *obj)
{
    char *text = json_print(obj, true);
    size_t n = strlen(text);
    while (n > 0 && (text[n - 1] == '}' || text[n - 1] == '\n'))
        n--;
    strbuf_add(out, text, n);
    free(text);
}

static void json_begin(struct strbuf *out, struct export_state *state, const struct run *run)
{
    if (state->many)
        strbuf_adds(out, state->n_runs ? ",\n" : "[\n");
    cJSON *doc = json_add_object(NULL, NULL);
    run_to_json(json_add_object(doc, "run"), run);
    run_parts_to_json(doc, run);
    add_open_object(out, doc);
    strbuf_adds(out, ",\n  \"cells\": [");
    cJSON_Delete(doc);
}

/* {"ns":T,"lo":share,"hi":share}: the share is within lo..hi; null when it is unknown. */
static void add_slower_than(cJSON *obj, const struct cell *cell, uint64_t ns)
{
    struct share share;
    if (!cell_slower_than(&share, cell, ns)) {
        json_add_null(obj, "slower_than");
        return;
    }
    cJSON *o = json_add_object(obj, "slower_than");
    json_add_u64(o, "ns", ns);
    json_add_f64(o, "lo", share.lo);
    json_add_f64(o, "hi", share.hi);
}

static void json_cell(struct strbuf *out, struct export_state *state, const struct run *run,
                      const struct cell *cell)
{
    unsigned flags = (state->flags & EXPORT_SERIES ? CELL_JSON_SERIES : 0) |
                     (state->flags & EXPORT_BINS ? CELL_JSON_BINS : 0);
    cJSON *obj = json_add_object(NULL, NULL);
    cell_to_json(obj, cell, run, flags);
    if (state->slower_than)
        add_slower_than(obj, cell, state->slower_than);
    char *text = json_print(obj, false);
    strbuf_addf(out, "%s\n    ", state->n_cells ? "," : "");
    strbuf_adds(out, text);
    free(text);
    cJSON_Delete(obj);
}

static void json_end(struct strbuf *out, struct export_state *state)
{
    strbuf_adds(out, state->n_cells ? "\n  ]\n}" : "]\n}");
    if (!state->many)
        strbuf_addc(out, '\n');
}

static void json_finish(struct strbuf *out, struct export_state *state)
{
    if (state->many)
        strbuf_adds(out, state->n_runs ? "\n]\n" : "[]\n");
}

const struct exporter exporter_json = {
    .name = "json",
    .suffix = "json",
    .summary = "everything about a run and its cells, as `show --format json` prints it",
    .begin = json_begin,
    .cell = json_cell,
    .end = json_end,
    .finish = json_finish,
};
