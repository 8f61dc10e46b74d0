/*
 * One row a cell and direction. The columns are the field tables: run_*, cell_*, the settings under
 * their own names, the direction's figures, and slat_*, clat_*, lat_* with their percentiles.
 */
#include "core/base/csv_text.h"
#include "core/base/json.h"
#include "core/model/run_json.h"
#include "core/model/slower.h"
#include "store/export/exporter.h"

static void add_value(struct strbuf *out, const char *text)
{
    if (out->len > 0 && out->text[out->len - 1] != '\n')
        strbuf_addc(out, ',');
    csv_text_add(out, text);
}

static void add_id(struct strbuf *out, int64_t id)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)id);
    add_value(out, text);
}

/* JSON about a whole run (its plan, messages) has no place in every row. */
static bool is_column(const struct field_set *set, size_t i)
{
    return set != &run_fields || set->field[i].type != FIELD_JSON;
}

static void add_names(struct strbuf *out, const char *prefix, const struct field_set *set)
{
    for (size_t i = 0; i < set->n; i++) {
        if (!is_column(set, i))
            continue;
        char name[128];
        snprintf(name, sizeof name, "%s%s", prefix, set->field[i].name);
        add_value(out, name);
    }
}

static void add_fields(struct strbuf *out, const struct field_set *set, const void *rec)
{
    struct strbuf text = STRBUF_INIT;
    for (size_t i = 0; i < set->n; i++) {
        if (!is_column(set, i))
            continue;
        strbuf_reset(&text);
        field_format(&text, set, rec, i);
        add_value(out, text.text);
    }
    strbuf_release(&text);
}

static void add_heading(struct strbuf *out, const struct export_state *state)
{
    char name[64], p[32];
    add_value(out, "run_id");
    add_names(out, "run_", &run_fields);
    add_value(out, "run_labels");
    add_value(out, "cell_id");
    add_names(out, "cell_", &cell_fields);
    add_value(out, "devices");
    add_names(out, "", &cell_key_fields);
    add_value(out, "direction");
    add_names(out, "", &direction_fields);
    for (int k = 0; k < LAT_KIND_COUNT; k++) {
        snprintf(name, sizeof name, "%s_", lat_kind_names[k]);
        add_names(out, name, &lat_fields);
        for (size_t i = 0; i < SHOWN_PERCENTILES; i++) {
            snprintf(name, sizeof name, "%s_p%s", lat_kind_names[k],
                     percentile_name(p, shown_percentiles[i]));
            add_value(out, name);
        }
    }
    if (state->slower_than) {
        add_value(out, "slower_than_ns");
        add_value(out, "cell_slower_lo");
        add_value(out, "cell_slower_hi");
    }
    strbuf_addc(out, '\n');
}

static void add_number(struct strbuf *out, double v)
{
    struct strbuf text = STRBUF_INIT;
    json_number(&text, v);
    add_value(out, text.text);
    strbuf_release(&text);
}

/* Share of the whole cell's I/Os that took longer; within lo..hi. */
static void add_slower_than(struct strbuf *out, const struct cell *cell, uint64_t ns)
{
    struct share share;
    add_id(out, (int64_t)ns);
    if (cell_slower_than(&share, cell, ns)) {
        add_number(out, share.lo);
        add_number(out, share.hi);
    } else {
        add_value(out, "");
        add_value(out, "");
    }
}

static void add_latency(struct strbuf *out, const struct lat *l)
{
    add_fields(out, &lat_fields, l);
    for (size_t i = 0; i < SHOWN_PERCENTILES; i++) {
        char text[32] = "";
        uint64_t ns;
        if (lat_percentile(l, shown_percentiles[i], &ns) &&
            (!l->hist || hist_supports(l->hist, shown_percentiles[i])))
            snprintf(text, sizeof text, "%llu", (unsigned long long)ns);
        add_value(out, text);
    }
}

static void add_labels(struct strbuf *out, const struct run *run)
{
    struct strbuf text = STRBUF_INIT;
    for (size_t i = 0; i < run->n_labels; i++)
        strbuf_addf(&text, "%s%s=%s", i ? "," : "", run->label[i].key, run->label[i].value);
    add_value(out, text.text);
    strbuf_release(&text);
}

static void add_devices(struct strbuf *out, const struct run *run, const struct cell *cell)
{
    struct strbuf text = STRBUF_INIT;
    for (size_t i = 0; i < cell->n_devices; i++) {
        const char *path =
            cell->device[i] < run->n_devices ? run->device[cell->device[i]].path : NULL;
        strbuf_addf(&text, "%s%s", i ? " + " : "", path ? path : "");
    }
    add_value(out, text.text);
    strbuf_release(&text);
}

static void csv_begin(struct strbuf *out, struct export_state *state, const struct run *run)
{
    (void)run;
    if (state->n_runs == 0)
        add_heading(out, state);
}

static void add_row(struct strbuf *out, const struct export_state *state, const struct run *run,
                    const struct cell *cell, const char *name, const struct direction *d)
{
    add_id(out, run->id);
    add_fields(out, &run_fields, run);
    add_labels(out, run);
    add_id(out, cell->id);
    add_fields(out, &cell_fields, cell);
    add_devices(out, run, cell);
    add_fields(out, &cell_key_fields, &cell->key);
    add_value(out, name);
    add_fields(out, &direction_fields, d);
    for (int k = 0; k < LAT_KIND_COUNT; k++)
        add_latency(out, &d->lat[k]);
    if (state->slower_than)
        add_slower_than(out, cell, state->slower_than);
    strbuf_addc(out, '\n');
}

/* A cell that did nothing has one row, with no direction. */
static void csv_cell(struct strbuf *out, struct export_state *state, const struct run *run,
                     const struct cell *cell)
{
    static const struct direction none;
    size_t rows = 0;
    for (int i = 0; i < DIR_COUNT; i++) {
        if (!direction_is_used(&cell->dir[i]))
            continue;
        add_row(out, state, run, cell, dir_names[i], &cell->dir[i]);
        rows++;
    }
    if (rows == 0)
        add_row(out, state, run, cell, "", &none);
}

const struct exporter exporter_csv = {
    .name = "csv",
    .suffix = "csv",
    .summary = "one row a cell and direction, every field a column",
    .begin = csv_begin,
    .cell = csv_cell,
};
