/* The page for programs: schemas/json/report.schema.json. SI base units, unknown is null. */
#include "core/base/json.h"

#include <math.h>

#include "core/base/clock.h"
#include "core/model/suite_result.h"
#include "report/format/format_internal.h"

static void add_run(cJSON *root, const struct page *p)
{
    const struct run *r = p->run;
    cJSON *run = json_add_object(root, "run");
    if (r->id > 0)
        json_add_i64(run, "id", r->id);
    else
        json_add_null(run, "id");
    json_add_text(run, "uuid", r->uuid);
    json_add_text(run, "name", r->name);
    json_add_text(run, "tool", r->tool);
    json_add_text(run, "command", r->command);
    char buf[CLOCK_TEXT_MAX];
    json_add_text(run, "started",
                  IS_KNOWN(r, RUN, started_ns) ? clock_rfc3339(buf, r->started_ns, false) : NULL);
    json_add_text(run, "status", IS_KNOWN(r, RUN, status) ? status_names[r->status] : NULL);
    cJSON *labels = json_add_object(run, "labels");
    for (size_t i = 0; i < r->n_labels; i++)
        json_add_text(labels, r->label[i].key, r->label[i].value);
    cJSON *devices = json_add_array(root, "devices");
    for (size_t i = 0; i < r->n_devices; i++)
        fields_to_json(json_add_object(devices, NULL), &device_fields, &r->device[i]);
    fields_to_json(json_add_object(root, "host"), &host_fields, &r->host);
    cJSON *limits = json_add_array(root, "limits");
    for (size_t i = 0; i < r->n_limits; i++)
        fields_to_json(json_add_object(limits, NULL), &limit_fields, &r->limit[i]);
}

static void add_words(cJSON *root, const struct page *p)
{
    json_add_text(root, "kind", p->kind);
    json_add_text(root, "headline", p->headline);
    json_add_text(root, "verdict", p->diagnosis->verdict);
    json_add_text(root, "second", p->diagnosis->second);
    json_add_text(root, "outlook", p->diagnosis->outlook);
    shared_cap_to_json(root, "shared_cap", &p->diagnosis->shared);
    json_add_text(root, "scope", p->scope);
    cJSON *facts = json_add_array(root, "facts");
    for (size_t i = 0; i < PAGE_FACTS; i++) {
        cJSON *f = json_add_object(facts, NULL);
        json_add_text(f, "number", p->fact[i].number);
        json_add_text(f, "word", p->fact[i].word);
        json_add_text(f, "detail", p->fact[i].detail);
        json_add_text(f, "small", p->fact[i].small);
    }
    cJSON *caveats = json_add_array(root, "caveats");
    for (size_t i = 0; i < p->n_caveats; i++)
        json_add_text(caveats, NULL, p->caveat[i]);
}

static void add_claims(cJSON *root, const struct page *p)
{
    cJSON *claims = json_add_array(root, "claims");
    for (size_t i = 0; i < p->diagnosis->n_claims; i++) {
        const struct claim *c = &p->diagnosis->claim[i];
        cJSON *o = json_add_object(claims, NULL);
        json_add_text(o, "load", c->group);
        json_add_text(o, "range", c->range);
        json_add_text(o, "finding", c->text);
        json_add_text(o, "binds", binds_names[c->finding->binds]);
        json_add_text(o, "measured", c->measured);
        json_add_text(o, "cap", c->cap);
        json_add_f64(o, "share", c->finding->share);
        json_add_text(o, "confidence", confidence_names[c->confidence]);
        json_add_text(o, "wrong_if", c->disproof);
    }
}

/* Columns of the data table: texts as text, everything else as the exact number it holds. */
static void add_cells(cJSON *root, const struct page *p)
{
    const struct page_table *t = p->data;
    cJSON *cells = json_add_array(root, "cells");
    for (size_t r = 0; r < t->n_rows; r++) {
        cJSON *o = json_add_object(cells, NULL);
        for (size_t i = 0; i < t->n_columns; i++) {
            const struct page_cell *c = &t->cell[r * t->n_columns + i];
            if (isfinite(c->value))
                json_add_raw(o, t->column[i].title, c->text);
            else
                json_add_text(o, t->column[i].title, *c->text ? c->text : NULL);
        }
    }
}

static void add_suite(cJSON *root, const struct page *p)
{
    struct suite_results results;
    suite_results_begin(&results, p->run);
    for (size_t i = 0; i < dataset_n_cells(p->dataset, p->run_index); i++)
        suite_results_add(&results, dataset_cell(p->dataset, p->run_index, i));
    suite_results_end(&results);
    suite_results_to_json(root, &results);
    suite_results_release(&results);
}

static int write(struct strbuf *out, const struct page *p, struct error *err)
{
    (void)err;
    cJSON *root = cJSON_CreateObject();
    add_words(root, p);
    add_run(root, p);
    add_claims(root, p);
    add_suite(root, p);
    add_cells(root, p);
    json_add_text(root, "content_sha256", p->content_hash);
    char *text = json_print(root, true);
    strbuf_addf(out, "%s\n", text);
    free(text);
    cJSON_Delete(root);
    return 0;
}

const struct format format_json = {"json", ".json", write};
