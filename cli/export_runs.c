#include "cli/export_runs.h"

#include <errno.h>

#include "cli/terminal.h"

struct job {
    const struct exporter *exporter;
    const struct cell_filter *filter;
    const struct run *run;
    struct export_state state;
    struct strbuf text;
    FILE *to;
    struct error *err;
};

/* Writes what has come together; 1 when the reader (a pager, head) went away: that is no failure. */
static int flush_text(struct job *job)
{
    bool written = terminal_write(job->to, &job->text);
    strbuf_reset(&job->text);
    if (written)
        return 0;
    return errno == EPIPE ? 1 : error_errno(job->err, ERR_DEVICE, errno, "cannot write the export");
}

static int one_cell(struct cell *cell, void *arg)
{
    struct job *job = arg;
    if (job->filter && !cell_filter_matches(job->filter, cell, job->run))
        return 0;
    job->exporter->cell(&job->text, &job->state, job->run, cell);
    job->state.n_cells++;
    return flush_text(job);
}

static int one_run(struct job *job, struct store *store, int64_t id)
{
    struct run *run = NULL;
    int rc = store_load_run(store, id, &run, job->err);
    if (rc < 0)
        return rc;
    job->run = run;
    job->state.n_cells = 0;
    unsigned load = LOAD_HIST | (job->state.flags & EXPORT_SERIES ? LOAD_SERIES : 0);
    job->exporter->begin(&job->text, &job->state, run);
    rc = store_each_cell(store, id, load, one_cell, job, job->err);
    if (rc == 0 && job->exporter->end)
        job->exporter->end(&job->text, &job->state);
    job->state.n_runs++;
    run_destroy(run);
    return rc == 0 ? flush_text(job) : rc;
}

int export_runs(const struct exporter *exporter, struct store *store,
                const struct export_request *request, FILE *to, struct error *err)
{
    struct job job = {.exporter = exporter,
                      .filter = request->filter,
                      .state = {.flags = request->flags,
                                .slower_than = request->slower_than,
                                .many = request->array || request->ids->n > 1},
                      .text = STRBUF_INIT,
                      .to = to,
                      .err = err};
    int rc = 0;
    for (size_t i = 0; i < request->ids->n && rc == 0; i++)
        rc = one_run(&job, store, request->ids->id[i]);
    if (rc == 0 && exporter->finish)
        exporter->finish(&job.text, &job.state);
    if (rc == 0)
        rc = flush_text(&job);
    strbuf_release(&job.text);
    return rc < 0 ? rc : 0;
}
