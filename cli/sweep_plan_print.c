/* What a sweep would do, for --dry-run and before it starts. */
#include "cli/sweep_internal.h"
#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/numfmt.h"
#include "core/base/text_table.h"

/* Cells that are shown one by one; of longer plans the beginning. */
#define ROWS_SHOWN 24

static size_t matrix_cells(const struct plan *p)
{
    return p->n / (size_t)p->axes.repeats;
}

/* "36 cells of 63 s", "9 cells of 63 s and 1 of 20 min 3 s" */
static void add_cells_left(struct strbuf *out, const struct plan *plan)
{
    char number[NUMFMT_MAX], each[NUMFMT_MAX];
    const struct plan_axes *a = &plan->axes;
    size_t long_ones = 0;
    for (size_t i = 0; i < plan->n; i++)
        long_ones += plan->cell[i].histogram && !plan->cell[i].done;
    size_t n = plan_left(plan) - long_ones;
    if (n || !long_ones)
        strbuf_addf(out, "%s cell%s of %s%s", fmt_count(number, n), n == 1 ? "" : "s",
                    a->until > 0 || a->drain ? "at most " : "",
                    fmt_duration(each, plan_cell_ns(plan)));
    if (long_ones)
        strbuf_addf(out, "%s%s of %s", n ? " and " : "", fmt_count(number, long_ones),
                    fmt_duration(each, a->ramp_ns + a->histogram_rounds * a->runtime_ns));
}

void sweep_forecast(const struct plan *plan, struct strbuf *out)
{
    char whole[NUMFMT_MAX], least[NUMFMT_MAX];
    uint64_t ns = plan_left_ns(plan), least_ns = plan_left_least_ns(plan);
    time_t end = (time_t)(clock_wall_ns() / (int64_t)NS_PER_S) + (time_t)(ns / NS_PER_S);
    struct tm tm;
    char when[32] = "";
    if (localtime_r(&end, &tm))
        strftime(when, sizeof when, ns < UINT64_C(72000) * NS_PER_S ? "%H:%M" : "%Y-%m-%d %H:%M",
                 &tm);
    bool open = least_ns < ns;
    add_cells_left(out, plan);
    strbuf_addf(out, ": %s%s%s, until %s%s\n", open ? fmt_duration(least, least_ns) : "",
                open ? " to " : "", fmt_duration(whole, ns), when, open ? " at the latest" : "");
}

void sweep_print_devices(const struct session *s, struct strbuf *out)
{
    char size[NUMFMT_MAX];
    for (size_t i = 0; i < s->n_targets; i++) {
        const struct device_info *d = &s->target[i].info;
        strbuf_addf(out, "%-10s ", i ? "" : "device");
        utf8_clean(out, s->target[i].path);
        strbuf_addf(out, " (%s%s", d->type ? d->type : "?", d->model ? " " : "");
        utf8_clean(out, d->model ? d->model : "");
        strbuf_addf(out, ", %s)\n", fmt_bytes(size, s->target[i].size));
    }
}

void sweep_print_writes(const struct session *s, struct strbuf *out)
{
    for (size_t i = 0; i < s->n_targets; i++) {
        struct plan_writes writes;
        plan_writes(&writes, s->plan, i);
        session_print_writes(s, i, &writes, out);
    }
}

static void add_axis(struct strbuf *out, const char *name, const struct range *r,
                     enum range_unit unit)
{
    strbuf_addf(out, "%-10s ", name);
    range_format(out, r, unit);
    strbuf_addc(out, '\n');
}

/* What is special about the load, if anything. */
static void add_load(struct strbuf *out, const struct cell_key *base)
{
    struct strbuf load = STRBUF_INIT;
    cell_key_load(&load, base);
    if (load.len)
        strbuf_addf(out, "%-10s %s\n", "load", load.text);
    strbuf_release(&load);
    if (base->options)
        strbuf_addf(out, "%-10s %s\n", "options", base->options);
}

static void add_axes(const struct plan_axes *a, struct strbuf *out)
{
    bool mixed = false;
    strbuf_addf(out, "%-10s ", "rw");
    for (size_t i = 0; i < a->n_rw; i++) {
        strbuf_addf(out, "%s%s", i ? "," : "", rw_names[a->rw[i]]);
        mixed = mixed || rw_is_mixed(a->rw[i]);
    }
    strbuf_addc(out, '\n');
    if (mixed)
        add_axis(out, "rwmixread", &a->rwmixread, RANGE_COUNT);
    if (a->base.bs_text)
        strbuf_addf(out, "%-10s %s\n", "bs", a->base.bs_text);
    else
        add_axis(out, "bs", &a->bs, RANGE_SIZE);
    if (IS_KNOWN(&a->base, CELL_KEY, bs_write))
        strbuf_addf(out, "%-10s %s\n", "bs-write", fmt_bs((char[NUMFMT_MAX]){0}, a->base.bs_write));
    add_axis(out, "iodepth", &a->iodepth, RANGE_COUNT);
    add_axis(out, "numjobs", &a->numjobs, RANGE_COUNT);
    if (a->curve.n) {
        strbuf_addf(out, "%-10s at ", "curve");
        range_format(out, &a->curve, RANGE_COUNT);
        strbuf_adds(out, " % of the maximum that each cell finds before\n");
    }
    add_load(out, &a->base);
    char run[NUMFMT_MAX], ramp[NUMFMT_MAX];
    strbuf_addf(out, "%-10s %s after a ramp of %s\n", "time", fmt_duration(run, a->runtime_ns),
                fmt_duration(ramp, a->ramp_ns));
}

/* Pattern and block sizes. */
static void add_key_cells(struct text_table *t, const struct plan *p, const struct plan_cell *c)
{
    struct cell_key key = {0};
    struct strbuf text = STRBUF_INIT;
    plan_key(&key, p, c);
    cell_key_pattern(&text, &key);
    if (c->histogram)
        strbuf_adds(&text, ", histogram");
    text_table_cell(t, text.text);
    strbuf_reset(&text);
    cell_key_sizes(&text, &key);
    text_table_cell(t, text.text);
    strbuf_release(&text);
    fields_release(&cell_key_fields, &key);
}

static void add_table(const struct session *s, struct strbuf *out)
{
    const struct plan *p = s->plan;
    bool jobs = p->axes.numjobs.n > 1, repeats = p->axes.repeats > 1;
    bool devices = p->axes.n_devices > 1 && (p->axes.alone || !p->axes.together);
    struct text_table *t = text_table_create();
    text_table_column(t, "cell", COL_RIGHT);
    if (devices)
        text_table_column(t, "device", COL_TRUNC);
    text_table_column(t, "pattern", 0);
    text_table_column(t, "bs", COL_RIGHT);
    text_table_column(t, "QD", COL_RIGHT);
    if (jobs)
        text_table_column(t, "jobs", COL_RIGHT);
    if (p->axes.curve.n)
        text_table_column(t, "rate", COL_RIGHT);
    if (repeats)
        text_table_column(t, "repeat", COL_RIGHT);
    size_t shown = 0;
    for (size_t i = 0; i < p->n && shown < ROWS_SHOWN; i++) {
        const struct plan_cell *c = &p->cell[i];
        if (c->done)
            continue;
        shown++;
        text_table_row(t);
        text_table_cellf(t, "%zu", i + 1);
        if (devices)
            text_table_cell(t, c->device < s->n_targets ? s->target[c->device].path : "all");
        add_key_cells(t, p, c);
        text_table_cellf(t, "%llu", (unsigned long long)c->iodepth);
        if (jobs)
            text_table_cellf(t, "%llu", (unsigned long long)c->numjobs);
        if (c->percent)
            text_table_cellf(t, "%llu %%", (unsigned long long)c->percent);
        else if (p->axes.curve.n)
            text_table_cell(t, "maximum");
        if (repeats)
            text_table_cellf(t, "%llu", (unsigned long long)c->repeat);
    }
    text_table_print(t, out, s->ctx->width, s->ctx->colour);
    text_table_destroy(t);
    if (plan_left(p) > shown)
        strbuf_addf(out, "... and %zu more; --format json lists all\n", plan_left(p) - shown);
}

static void add_cells_json(const struct plan *p, cJSON *list)
{
    for (size_t i = 0; i < p->n; i++) {
        const struct plan_cell *c = &p->cell[i];
        if (c->done)
            continue;
        cJSON *o = json_add_object(list, NULL);
        json_add_u64(o, "ordinal", c->ordinal);
        json_add_u64(o, "repeat", c->repeat);
        if (c->device == p->axes.n_devices)
            json_add_null(o, "device");
        else
            json_add_u64(o, "device", c->device);
        json_add_text(o, "rw", rw_names[c->rw]);
        if (rw_is_mixed(c->rw))
            json_add_u64(o, "rwmixread", c->rwmixread);
        else
            json_add_null(o, "rwmixread");
        json_add_u64(o, "bs", c->bs);
        json_add_u64(o, "iodepth", c->iodepth);
        json_add_u64(o, "numjobs", c->numjobs);
        if (c->percent)
            json_add_u64(o, "percent", c->percent);
        else
            json_add_null(o, "percent");
        if (c->histogram)
            json_add_text(o, "stage", STAGE_HISTOGRAM);
    }
}

static void print_json(const struct session *s, struct strbuf *out)
{
    struct plan_writes writes;
    cJSON *o = cJSON_CreateObject();
    json_add_u64(o, "cells", s->plan->n);
    json_add_u64(o, "left", plan_left(s->plan));
    json_add_u64(o, "cell_ns", plan_cell_ns(s->plan));
    json_add_u64(o, "left_ns", plan_left_ns(s->plan));
    ends_print_json(s, o);
    cJSON *devices = json_add_array(o, "devices");
    for (size_t i = 0; i < s->n_targets; i++)
        fields_to_json(json_add_object(devices, NULL), &device_fields, &s->target[i].info);
    cJSON *list = json_add_array(o, "writes");
    for (size_t i = 0; i < s->n_targets; i++) {
        plan_writes(&writes, s->plan, i);
        session_writes_json(s, i, &writes, list);
    }
    char *axes = plan_to_json(s->plan);
    json_add_raw(o, "axes", axes);
    free(axes);
    add_cells_json(s->plan, json_add_array(o, "plan"));
    char *text = json_print(o, true);
    strbuf_addf(out, "%s\n", text);
    free(text);
    cJSON_Delete(o);
}

void sweep_print_plan(const struct session *s, struct strbuf *out)
{
    if (s->ctx->format == OUT_JSON) {
        print_json(s, out);
        return;
    }
    const struct plan_axes *a = &s->plan->axes;
    sweep_print_devices(s, out);
    add_axes(a, out);
    ends_print(s, out);
    sweep_print_writes(s, out);
    strbuf_addf(out, "%-10s %zu of the matrix", "cells", matrix_cells(s->plan));
    if (a->repeats > 1)
        strbuf_addf(out, ", %llu times", (unsigned long long)a->repeats);
    if (plan_left(s->plan) < s->plan->n)
        strbuf_addf(out, "; %zu are done", s->plan->n - plan_left(s->plan));
    strbuf_addc(out, '\n');
    if (s->warning.len)
        strbuf_adds(out, s->warning.text);
    strbuf_addc(out, '\n');
    add_table(s, out);
    strbuf_addc(out, '\n');
    sweep_forecast(s->plan, out);
}
