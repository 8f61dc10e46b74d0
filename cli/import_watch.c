#include "cli/import_watch.h"

#include "cli/import_job.h"
#include "store/import/figures.h"

/* Both runs are kept: only the user knows whether the earlier one still counts. */
static int find_earlier(struct import_watch *w, const struct run *run, struct error *err)
{
    const char *path = w->row->path;
    bool first = w->row->first_run == 0 && w->row->earlier == 0;
    bool piped = strcmp(path, "-") == 0 || strncmp(path, "-!", 2) == 0;
    if (!w->store || !first || !run->source_sha256 || piped)
        return 0;
    return store_find_changed(w->store, path, run->source_sha256, &w->row->earlier, err);
}

static int watch_begin(void *self, struct run *run, struct error *err)
{
    struct import_watch *w = self;
    int64_t there = 0;
    int rc = w->store ? store_find_uuid(w->store, run->uuid, &there, err) : 0;
    if (rc == 0 && !there)
        rc = find_earlier(w, run, err);
    w->over = there != 0;
    w->runs_over += w->over;
    if (w->over && !w->row->first_run)
        w->row->first_run = w->row->last_run = there;
    if (rc < 0 || w->over)
        return rc;
    w->run = run;
    if (w->job)
        import_job_add_device(w->job, run);
    rc = limit_args_given(w->limits) ? limit_args_apply(w->limits, w->catalogue, run, err) : 0;
    if (rc < 0 || w->dry)
        return rc;
    rc = w->into.begin(w->into.self, run, err);
    if (rc == 0) {
        w->row->first_run = w->row->first_run ? w->row->first_run : run->id;
        w->row->last_run = run->id;
    }
    return rc;
}

struct doubted {
    struct import_row *row;
    const struct cell *cell;
};

static void note_doubt(void *self, const char *words)
{
    struct doubted *d = self;
    struct strbuf *out = &d->row->doubts;
    if (d->row->n_doubts++ >= IMPORT_DOUBTS_SAID)
        return;
    strbuf_adds(out, out->len ? "; " : "");
    if (d->cell->name)
        strbuf_addf(out, "%.40s: ", d->cell->name);
    strbuf_adds(out, words);
}

static int watch_cell(void *self, struct cell *cell, struct error *err)
{
    struct import_watch *w = self;
    w->cells_over += w->over;
    if (w->job && !w->over)
        import_job_add_settings(w->job, w->run, cell);
    if (!w->over) {
        struct doubted doubted = {w->row, cell};
        figures_drop_impossible(cell, note_doubt, &doubted);
        figures_check(cell, note_doubt, &doubted);
    }
    return w->dry || w->over ? 0 : w->into.cell(w->into.self, cell, err);
}

static void watch_skip(void *self, const char *place, const char *reason)
{
    struct import_watch *w = self;
    strbuf_addf(&w->row->skipped, "%s: %s\n", place, reason);
}

static int watch_end(void *self, struct run *run, struct error *err)
{
    struct import_watch *w = self;
    return w->dry || w->over ? 0 : w->into.end(w->into.self, run, err);
}

struct import_watch import_watch_start(struct import_session *s, struct import_row *row,
                                       enum store_sink_mode mode)
{
    struct import_watch w = {.row = row,
                             .store = s->store,
                             .dry = s->report.dry_run,
                             .limits = s->limits,
                             .catalogue = s->catalogue,
                             .job = s->job};
    if (!w.dry)
        w.into = store_sink(s->store, mode);
    return w;
}

struct sink import_watch_sink(struct import_watch *w)
{
    return (struct sink){w, watch_begin, watch_cell, watch_skip, watch_end};
}

int import_watch_finish(struct import_watch *w, int rc, struct error *err)
{
    struct import_row *row = w->row;
    bool nothing_new = w->runs_over > 0 && w->runs_over == row->outcome.runs;
    row->outcome.runs -= w->runs_over;
    row->outcome.cells -= w->cells_over;
    if (rc == 0 && nothing_new)
        row->result = IMPORT_PRESENT;
    if (rc == -ERR_INPUT) {
        import_row_fail(row, row->outcome.runs > 0 ? IMPORT_PARTLY : IMPORT_FAILED, err);
        error_clear(err);
        rc = 0;
    }
    return rc;
}
