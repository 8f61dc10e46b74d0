/* `blkmatrix run`: executes a job file of fio, keeps every job as a cell. */
#include <inttypes.h>

#include "cli/run_internal.h"
#include "cli/session_args.h"

#define AT(member) offsetof(struct run_config, member)

static const char *const error_choices[] = {"continue", "stop", NULL};

/* clang-format off */
static const struct opt run_opts[] = {
    {.group = "How", .name = "engine", .alias = "ioengine", .type = OPT_TEXT,
     .offset = AT(engine), .arg = "ENGINE", .def = "(as the file says)",
     .help = "how I/Os reach the kernel, for all jobs (`blkmatrix sweep --engine help` lists them); "
             "fio: an installed fio runs the file as it is"},
    {.name = "engine-options", .type = OPT_TEXT, .offset = AT(engine_options),
     .arg = "NAME=VALUE,...", .help = "options of the engine"},
    {.name = "runtime", .letter = 't', .type = OPT_TIME, .offset = AT(runtime), .arg = "TIME",
     .def = "(as the file says)", .min = 10000000, .max = UINT64_C(30) * 86400 * 1000000000,
     .help = "measured time of the jobs that state none"},
    {.name = "on-error", .type = OPT_CHOICE, .offset = AT(on_error), .arg = "WHAT",
     .def = "continue", .choices = error_choices,
     .help = "after a group with a job that fails: continue with the next one, or stop"},

    SESSION_RUN_ROWS,

    LIMIT_ARGS_ROWS(limits),
    SESSION_DETECT_ROW,

    SESSION_SAFETY_ROWS,
    OPT_END};
/* clang-format on */

static void announce(struct job_run *r)
{
    if (r->s.ctx->quiet)
        return;
    struct strbuf out = STRBUF_INIT;
    run_forecast(r, &out);
    sweep_tell(&r->s, r->file->note.text);
    sweep_tell(&r->s, r->s.warning.text);
    sweep_tell(&r->s, out.text);
    strbuf_release(&out);
}

static int measure(struct job_run *r, struct error *err)
{
    announce(r);
    struct sink sink = store_sink(r->s.store, SINK_DURABLE);
    struct loads_spec spec = run_spec(r);
    spec.sink = &sink;
    struct sweep_outcome outcome;
    int rc = loads_run(&outcome, &spec, err);
    progress_destroy(r->s.progress);
    r->s.progress = NULL;
    if (rc < 0 && outcome.begun)
        sweep_say_kept(&r->s, err);
    bool some = outcome.complete + outcome.partial > 0;
    if (rc == 0 || ((rc == -ERR_DEVICE || rc == -ERR_INTERRUPTED) && some)) {
        int printed = sweep_print_result(&r->s, rc < 0 ? NULL : err);
        rc = rc < 0 ? rc : printed;
    }
    return rc;
}

/* File, store, targets: what costs nothing to find wrong is found first. */
static int go(struct job_run *r, struct error *err)
{
    int rc = run_read_file(r, err);
    if (rc == 0)
        rc = limit_args_open(&r->s.limits, &r->config->limits, r->s.n_targets, err);
    if (rc == 0 && !r->config->dry_run)
        rc = store_open(&r->s.store, r->s.ctx->db_path, STORE_WRITE, err);
    if (rc == 0)
        rc = run_open_targets(r, err);
    if (rc == 0)
        rc = run_confirm(r, err);
    if (rc < 0)
        return rc;
    if (!r->config->dry_run)
        return measure(r, err);
    struct strbuf out = STRBUF_INIT;
    run_print_plan(r, &out);
    fputs(out.text, stdout);
    strbuf_release(&out);
    return session_would_be_refused(&r->s, err);
}

static int run_cmd(struct cmd_ctx *ctx, void *config, const char **rest, size_t n_rest,
                   struct error *err)
{
    if (n_rest != 1) {
        int rc = error_set(err, ERR_USAGE, "%s",
                           n_rest ? "run takes one job file" : "which job file? Give its path");
        error_hint(err, "`blkmatrix help run` shows examples.");
        return rc;
    }
    struct job_run r = {.config = config, .path = rest[0]};
    int rc = r.config->dry_run ? session_check_plan_format(ctx, err) : 0;
    if (rc == 0)
        rc = session_begin(&r.s, ctx, err);
    if (rc < 0)
        return rc;
    bool fio = r.config->engine && strcmp(r.config->engine, "fio") == 0;
    rc = fio ? run_with_fio(&r, err) : go(&r, err);
    run_release(&r);
    return rc;
}

const struct cmd cmd_run = {
    .name = "run",
    .summary = "executes a job file of fio",
    .group = "Measure",
    .usage = "FILE",
    .description =
        "Measures what a job file of fio describes, with the engines, the safety and the store of "
        "`sweep`. Jobs run at the same time, each with its own startdelay, ramp_time and runtime, "
        "until a stonewall; each section becomes one cell of the run, with all its numjobs, as fio "
        "shows it with group_reporting.\n"
        "\n"
        "${NAME} in the file is a variable of the environment. Options of fio that are not run "
        "here "
        "are listed in one error, with their lines; what is run, and how, is in "
        "docs/job-files.md. Jobs are measured for their time, never until a size is done.\n",
    .examples = "blkmatrix run mixed.fio\n"
                "    what the file says; jobs that write need --allow-write on a block device\n"
                "blkmatrix run mixed.fio --dry-run\n"
                "    what that is, and how long it takes\n"
                "NUM_JOBS=16 IO_DEPTH=64 blkmatrix run nvme1.fio --label volume=io2\n"
                "    with the variables that the file uses\n"
                "blkmatrix run verify.fio --engine fio --allow-write\n"
                "    options that only fio has: it runs, its results are kept\n"
                "blkmatrix show 17 --as-fio >again.fio\n"
                "    a run as a job file\n",
    .opts = run_opts,
    .config_size = sizeof(struct run_config),
    .needs = NEED_NOTHING, /* opens the store itself: a dry run must not make one */
    .run = run_cmd,
};
