/* What a job file would do, and how far it is. */
#include <math.h>

#include "cli/run_internal.h"
#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/numfmt.h"
#include "core/base/text_table.h"
#include "core/base/xalloc.h"
#include "runner/workload/workload.h"

void run_forecast(const struct job_run *r, struct strbuf *out)
{
    char buf[NUMFMT_MAX];
    const struct jobfile *f = r->file;
    strbuf_addf(out, "%zu job%s", f->n, f->n == 1 ? "" : "s");
    if (f->n_groups > 1)
        strbuf_addf(out, " in %zu groups, one after another", f->n_groups);
    else if (f->n > 1)
        strbuf_adds(out, " at the same time");
    strbuf_addf(out, ": %s\n", fmt_duration(buf, loads_ns(f)));
}

static void add_files(struct text_table *t, const struct jobfile_job *job)
{
    if (job->n_files == 1)
        text_table_cell(t, job->file[0]);
    else
        text_table_cellf(t, "%s and %zu more", job->file[0], job->n_files - 1);
}

static void add_table(const struct job_run *r, struct strbuf *out)
{
    char buf[NUMFMT_MAX];
    struct text_table *t = text_table_create();
    text_table_column(t, "group", COL_RIGHT);
    text_table_column(t, "job", COL_TRUNC);
    text_table_column(t, "on", COL_TRUNC);
    text_table_column(t, "load", 0);
    text_table_column(t, "from", COL_RIGHT);
    text_table_column(t, "ramp", COL_RIGHT);
    text_table_column(t, "time", COL_RIGHT);
    for (size_t i = 0; i < r->file->n; i++) {
        const struct jobfile_job *job = &r->file->job[i];
        struct strbuf words = STRBUF_INIT;
        cell_key_words(&words, &job->key);
        text_table_row(t);
        text_table_cellf(t, "%zu", job->group + 1);
        text_table_cell(t, job->name);
        add_files(t, job);
        text_table_cell(t, words.text);
        text_table_cell(t, fmt_duration(buf, job->delay_ns));
        text_table_cell(t, fmt_duration(buf, job->ramp_ns));
        text_table_cell(t, fmt_duration(buf, job->runtime_ns));
        strbuf_release(&words);
    }
    text_table_print(t, out, r->s.ctx->width, r->s.ctx->colour);
    text_table_destroy(t);
}

static void add_plan_json(const struct job_run *r, cJSON *list)
{
    for (size_t i = 0; i < r->file->n; i++) {
        const struct jobfile_job *job = &r->file->job[i];
        cJSON *j = json_add_object(list, NULL);
        json_add_u64(j, "ordinal", i);
        json_add_u64(j, "group", job->group);
        json_add_text(j, "name", job->name);
        cJSON *on = json_add_array(j, "devices");
        for (size_t k = 0; k < job->n_files; k++)
            json_add_u64(on, NULL, r->used[i][k]);
        fields_to_json(json_add_object(j, "key"), &cell_key_fields, &job->key);
        json_add_u64(j, "startdelay_ns", job->delay_ns);
        json_add_u64(j, "ramp_ns", job->ramp_ns);
        json_add_u64(j, "runtime_ns", job->runtime_ns);
    }
}

/* As a sweep tells it, where the same can be told. */
static void print_json(const struct job_run *r, const struct loads_spec *spec, struct strbuf *out)
{
    const struct jobfile *f = r->file;
    struct plan_writes writes;
    cJSON *o = cJSON_CreateObject();
    json_add_u64(o, "cells", f->n);
    json_add_u64(o, "left", f->n);
    json_add_u64(o, "groups", f->n_groups);
    json_add_u64(o, "left_ns", loads_ns(f));
    cJSON *devices = json_add_array(o, "devices");
    for (size_t i = 0; i < r->s.n_targets; i++)
        fields_to_json(json_add_object(devices, NULL), &device_fields, &r->s.target[i].info);
    cJSON *list = json_add_array(o, "writes");
    for (size_t i = 0; i < r->s.n_targets; i++) {
        loads_writes(&writes, spec, i);
        session_writes_json(&r->s, i, &writes, list);
    }
    add_plan_json(r, json_add_array(o, "plan"));
    char *text = json_print(o, true);
    strbuf_addf(out, "%s\n", text);
    free(text);
    cJSON_Delete(o);
}

void run_print_plan(struct job_run *r, struct strbuf *out)
{
    const struct loads_spec spec = run_spec(r);
    if (r->s.ctx->format == OUT_JSON) {
        print_json(r, &spec, out);
        return;
    }
    sweep_print_devices(&r->s, out);
    for (size_t i = 0; i < r->s.n_targets; i++) {
        struct plan_writes writes;
        loads_writes(&writes, &spec, i);
        session_print_writes(&r->s, i, &writes, out);
    }
    strbuf_adds(out, r->file->note.text);
    strbuf_adds(out, r->s.warning.text);
    strbuf_addc(out, '\n');
    add_table(r, out);
    strbuf_addc(out, '\n');
    run_forecast(r, out);
}

/* ---- while it runs ---- */

static uint64_t largest_block(const struct cell_key *key)
{
    struct workload_spec load;
    if (workload_spec_from_key(&load, key, INT64_MAX, NULL) < 0)
        return 0;
    uint64_t bs = workload_max_bs(&load);
    workload_spec_release(&load);
    return bs;
}

static void print_event(struct job_run *r, const struct loads_state *st, const struct cell *cell)
{
    cJSON *o = cJSON_CreateObject();
    json_add_text(o, "event", "cell");
    json_add_u64(o, "number", cell->ordinal + 1);
    json_add_u64(o, "planned", r->file->n);
    json_add_u64(o, "ordinal", cell->ordinal);
    json_add_u64(o, "repeat", cell->repeat);
    json_add_u64(o, "device", cell->device[0]);
    json_add_text(o, "rw", rw_names[cell->key.rw]);
    json_add_u64(o, "bs", largest_block(&cell->key));
    json_add_u64(o, "iodepth", cell->key.iodepth);
    json_add_u64(o, "numjobs", cell->key.numjobs);
    json_add_u64(o, "left_ns", st->left_ns);
    json_add_text(o, "status", status_names[cell->status]);
    json_add_text(o, "error", cell->error);
    sweep_print_json(&r->s, o, cell_iops(cell), cell_bw(cell), sweep_cell_p99(cell));
}

static void on_cell_end(void *arg, const struct loads_state *st, const struct cell *cell)
{
    struct job_run *r = arg;
    enum progress_mode mode = progress_mode(r->s.progress);
    interrupt_poll(&r->s.interrupt);
    if (mode == PROGRESS_JSON) {
        print_event(r, st, cell);
        return;
    }
    if (mode == PROGRESS_LIVE && cell->status == STATUS_COMPLETE)
        return;
    struct strbuf out = STRBUF_INIT;
    strbuf_addf(&out, "[%zu/%zu] ", (size_t)cell->ordinal + 1, r->file->n);
    utf8_clean(&out, cell->name);
    strbuf_adds(&out, ", ");
    cell_key_words(&out, &cell->key);
    strbuf_adds(&out, ": ");
    sweep_add_outcome(&out, cell);
    progress_line(r->s.progress, out.text);
    strbuf_release(&out);
}

static void on_tick(void *arg, const struct loads_state *st, const struct job_progress *p)
{
    struct job_run *r = arg;
    interrupt_poll(&r->s.interrupt);
    if (progress_mode(r->s.progress) != PROGRESS_LIVE)
        return;
    char buf[NUMFMT_MAX];
    struct strbuf out = STRBUF_INIT;
    uint64_t all = st->elapsed_ns + st->left_ns;
    uint64_t seconds = (st->left_ns + NS_PER_S - 1) / NS_PER_S;
    if (st->n_groups > 1)
        strbuf_addf(&out, "%zu/%zu  ", st->group, st->n_groups);
    strbuf_addf(&out, "%.0f %%  %s left  ",
                all ? floor(100 * (double)st->elapsed_ns / (double)all) : 0,
                fmt_duration(buf, seconds * NS_PER_S));
    if (st->n == 1)
        utf8_clean(&out, r->file->job[st->first].name);
    else
        strbuf_addf(&out, "%zu jobs", st->n);
    strbuf_adds(&out, p->ramping ? "  ramp: " : "  ");
    sweep_add_rates(&out, p->iops, p->bw, p->lat_p99_ns);
    progress_live(r->s.progress, out.text);
    strbuf_release(&out);
}

struct loads_watch run_watch(struct job_run *r)
{
    return (struct loads_watch){.tick = on_tick, .cell_ends = on_cell_end, .arg = r};
}
