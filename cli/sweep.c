/* `blkmatrix sweep`: plans a matrix, measures it cell by cell, keeps every cell. */
#include <inttypes.h>
#include <unistd.h>

#include "cli/confirm.h"
#include "cli/fio_figures.h"
#include "cli/session_args.h"
#include "cli/shell.h"
#include "cli/sweep_internal.h"
#include "core/base/xalloc.h"

#define AT(member)  offsetof(struct sweep_config, member)
#define SIZE_LIMIT  (UINT64_C(1) << 30)
#define DEPTH_LIMIT 65536
#define JOB_LIMIT   1024

static const char *const patterns[] = {"read",     "write", "trim",   "randread",  "randwrite",
                                       "randtrim", "rw",    "randrw", "readwrite", NULL};
static const char *const error_choices[] = {"continue", "stop", NULL};

/* clang-format off */
const struct opt sweep_opts[] = {
    {.group = "What to measure", .name = "dev", .letter = 'd', .alias = "filename",
     .type = OPT_LIST, .offset = AT(dev), .arg = "PATH",
     .help = "block device, or file (with --size it is made when missing); may be given several "
             "times"},
    {.name = "together", .type = OPT_FLAG, .offset = AT(together),
     .help = "load all devices at once in every cell, to see a limit they share; else one after "
             "another"},
    {.name = "alone", .type = OPT_FLAG, .offset = AT(alone),
     .help = "like --together, and each device by itself, too, before all at once; then a cap "
             "that they share is found without any list of limits"},
    {.name = "size", .type = OPT_SIZE, .offset = AT(size), .arg = "SIZE",
     .def = "(the whole device)",
     .help = "use only so much of it; the size of a file that is made"},
    {.name = "offset", .type = OPT_SIZE, .offset = AT(offset), .arg = "SIZE", .def = "0",
     .help = "where that extent begins; a percentage is one of the device, as in --size"},
    {.name = "direct", .type = OPT_BOOL, .offset = AT(direct), .arg = "0|1", .def = "1",
     .help = "1 passes by the page cache (O_DIRECT); 0 is buffered, and is marked so everywhere"},

    {.group = "The matrix", .name = "rw", .alias = "readwrite", .type = OPT_CHOICES,
     .offset = AT(rw), .arg = "LIST", .def = "randread", .choices = patterns,
     .help = "access patterns; those that write or trim destroy what is on the device"},
    {.name = "rwmixread", .type = OPT_COUNTS, .offset = AT(rwmixread), .arg = "RANGE",
     .def = "50", .min = 0, .max = 100, .help = "percentage of reads in rw and randrw"},
    {.name = "bs", .letter = 'b', .alias = "blocksize", .type = OPT_SIZES, .offset = AT(bs),
     .arg = "RANGE", .def = "4k..1M", .min = 512, .max = SIZE_LIMIT,
     .help = "block sizes; a comma makes a list of cells, not fio's read,write pair"},
    {.name = "bs-write", .type = OPT_SIZE, .offset = AT(load.bs_write), .arg = "SIZE",
     .def = "(that of the reads)", .help = "block size of the writes in rw and randrw"},
    {.name = "bssplit", .type = OPT_TEXT, .offset = AT(load.bssplit), .arg = "SIZE/PERCENT:...",
     .help = "in place of --bs: several block sizes in one cell, as fio has them, 4k/60:64k/40; "
             "R,W for reads and writes"},
    {.name = "iodepth", .type = OPT_COUNTS, .offset = AT(iodepth), .arg = "RANGE",
     .def = "1..64/x4", .min = 1, .max = DEPTH_LIMIT, .help = "I/Os in flight, per job"},
    {.name = "numjobs", .type = OPT_COUNTS, .offset = AT(numjobs), .arg = "RANGE", .def = "1",
     .min = 1, .max = JOB_LIMIT, .help = "threads with this same load, per device"},
    {.name = "repeat", .type = OPT_U64, .offset = AT(repeat), .arg = "N",
     .def = "1", .min = 1, .max = 1000,
     .help = "measure everything N times; the repeats are interleaved"},
    {.name = "order", .type = OPT_CHOICE, .offset = AT(order), .arg = "ORDER", .def = "plan",
     .choices = plan_order_names,
     .help = "order of the cells: as planned, or shuffled by the seed in each repeat"},
    {.name = "seed", .alias = "randseed", .type = OPT_U64, .offset = AT(seed), .arg = "N",
     .def = "(chosen, and kept with the run)", .max = PLAN_MAX_SEED,
     .help = "seed of all random choices"},

    {.group = "The load", .name = "random", .alias = "random-distribution", .type = OPT_TEXT,
     .offset = AT(load.random), .arg = "HOW", .def = "uniform",
     .help = "offsets of random patterns: uniform, cover (each block once, then again), or "
             "zipf:THETA (few blocks are popular)"},
    {.name = "rate-iops", .type = OPT_TEXT, .offset = AT(load.rate_iops), .arg = "N[,N]",
     .help = "open loop: so many I/Os per second in each job, as fio has it: 500 of reads and 500 of "
             "writes, or 700,300; the shares of a mix are then those of the rates, and latency "
             "counts from when an I/O was due; 700, or ,300 leaves the other direction free"},
    {.name = "rate", .type = OPT_TEXT, .offset = AT(load.rate), .arg = "SIZE[,SIZE]",
     .help = "the same in bytes per second: 16M, or 16M,5M for reads and writes"},
    {.name = "curve", .type = OPT_COUNTS, .offset = AT(load.curve), .arg = "[RANGE]",
     .alone = "10..100/+10", .min = 1, .max = 100,
     .help = "response curve: after each cell, which finds the maximum at its depth, the same at "
             "these percentages of it in an open loop; 10..100/+10 when no RANGE is given"},
    {.name = "arrival", .alias = "rate-process", .type = OPT_CHOICE, .offset = AT(load.arrival),
     .arg = "HOW", .def = "constant", .choices = load_arrival_names,
     .help = "when the I/Os of a rate are due: evenly, or at random as from many clients"},
    {.name = "thinktime", .type = OPT_TIME, .offset = AT(load.thinktime), .arg = "TIME",
     .def = "0", .max = UINT64_C(3600) * 1000000000,
     .help = "pause of a job after each I/O; a plain number is seconds, not fio's microseconds"},
    {.name = "fsync", .type = OPT_U64, .offset = AT(load.fsync), .arg = "N", .def = "0",
     .max = UINT32_MAX, .help = "an fsync after every N writes of a job; 0 is none"},
    {.name = "fdatasync", .type = OPT_U64, .offset = AT(load.fdatasync), .arg = "N", .def = "0",
     .max = UINT32_MAX, .help = "the same with fdatasync"},
    {.name = "sync", .type = OPT_CHOICE, .offset = AT(load.sync), .arg = "HOW", .def = "none",
     .choices = load_sync_names,
     .help = "each write is on the medium before it counts as done: opened with O_SYNC or O_DSYNC"},
    {.name = "compress", .alias = "buffer-compress-percentage", .type = OPT_U64,
     .offset = AT(load.compress), .arg = "PERCENT", .def = "0", .max = 100,
     .help = "compressible share of what is written; the rest is random"},
    {.name = "dedupe", .alias = "dedupe-percentage", .type = OPT_U64, .offset = AT(load.dedupe),
     .arg = "PERCENT", .def = "0", .max = 100,
     .help = "share of writes that repeat an earlier one"},
    {.name = "cpus", .alias = "cpus-allowed", .type = OPT_TEXT, .offset = AT(load.cpus),
     .arg = "LIST", .help = "bind the jobs to these CPUs, one after another: 0-3,6"},

    {.group = "Time", .name = "runtime", .letter = 't', .type = OPT_TIME, .offset = AT(runtime),
     .arg = "TIME", .def = "60s", .min = 10000000, .max = UINT64_C(30) * 86400 * 1000000000,
     .help = "measured time of a cell; below 30 s no confidence is claimed"},
    {.name = "until", .type = OPT_PERCENT, .offset = AT(ends.until), .arg = "PERCENT",
     .help = "in place of --runtime: a cell ends as soon as the 95 % interval of its mean IOPS is "
             "within so many percent of it"},
    {.name = "drain", .type = OPT_FLAG, .offset = AT(ends.drain),
     .help = "in place of --runtime: a cell ends when its burst credits have run out and 30 samples of what lasts "
             "are there; nothing is left to a ramp"},
    {.name = "min-runtime", .type = OPT_TIME, .offset = AT(ends.min_runtime), .arg = "TIME",
     .def = "30s", .min = 10000000, .max = UINT64_C(86400) * 1000000000,
     .help = "with --until or --drain: not before; fewer than 30 samples make poor intervals"},
    {.name = "max-runtime", .type = OPT_TIME, .offset = AT(ends.max_runtime), .arg = "TIME",
     .def = "10m", .min = 10000000, .max = UINT64_C(86400) * 1000000000,
     .help = "with --until or --drain: then it ends all the same, and is marked; with --drain 1h when it is not "
             "given"},
    {.name = "steady", .type = OPT_FLAG, .offset = AT(ends.steady),
     .help = "measure each cell in rounds of --runtime until 5 in a row are steady (SNIA's rule: "
             "range 20 %, slope 10 %), at most 25; these 5 are the result"},
    {.name = "time-budget", .type = OPT_TIME, .offset = AT(ends.time_budget), .arg = "TIME",
     .def = "(none)", .min = 1000000000, .max = UINT64_C(366) * 86400 * 1000000000,
     .help = "choose the runtime so that the whole plan takes no longer, and say what that gives "
             "up"},
    {.name = "ramp", .alias = "ramp-time", .type = OPT_TIME, .offset = AT(ramp), .arg = "TIME",
     .def = "(2s, or 5 % of the runtime if that is more)",
     .max = UINT64_C(86400) * 1000000000,
     .help = "same load before it, not measured"},
    {.name = "interval", .type = OPT_TIME, .offset = AT(interval), .arg = "TIME",
     .def = "(1s, or a tenth of the runtime if that is less)",
     .min = 1000000, .max = UINT64_C(3600) * 1000000000,
     .help = "a sample of IOPS, bandwidth and latency is kept for each interval"},
    {.name = "time-based", .type = OPT_FLAG, .offset = AT(time_based),
     .help = "nothing: the runtime always counts; accepted for those who know fio"},

    {.group = "Tests after a standard", .name = "suite", .type = OPT_CHOICE,
     .offset = AT(ends.suite), .arg = "NAME", .def = "none", .choices = suite_names,
     .help = "cells, rounds and preconditioning as in a test of SNIA's PTS (PTS-style, not "
             "certified): IOPS in 7 mixes and 8 block sizes, or latency at depth 1, with a long run "
             "for its histogram; writes, and takes 5 to 25 rounds"},
    {.name = "precondition", .type = OPT_CHOICE, .offset = AT(ends.precondition), .arg = "HOW",
     .def = "(none; of a suite seq2x, of a cloud volume in it fill)", .choices = precondition_names,
     .help = "write before measuring: fill (everything once), seq2x (twice), rand (once, then each "
             "4 KiB block in random order); what is on the device is lost"},

    {.group = "How", .name = "engine", .alias = "ioengine", .type = OPT_TEXT,
     .offset = AT(engine), .arg = "ENGINE", .def = "libaio",
     .help = "how I/Os reach the kernel; \"help\" lists the engines, their options, and what "
             "works here"},
    {.name = "engine-options", .type = OPT_TEXT, .offset = AT(engine_options),
     .arg = "NAME=VALUE,...", .help = "options of the engine"},
    {.name = "hipri", .type = OPT_FLAG, .offset = AT(hipri),
     .help = "io_uring polls for completions; the device must have queues for it"},
    {.name = "sqthread-poll", .type = OPT_FLAG, .offset = AT(sqthread_poll),
     .help = "io_uring hands I/Os to a thread of the kernel, which needs a CPU of its own"},
    {.name = "on-error", .type = OPT_CHOICE, .offset = AT(on_error), .arg = "WHAT",
     .def = "continue", .choices = error_choices,
     .help = "after a cell that fails: continue with the next one, or stop"},

    SESSION_RUN_ROWS,
    {.name = "resume", .type = OPT_TEXT, .offset = AT(resume), .arg = "RUN",
     .help = "go on with a run that was stopped: measure the cells it lacks"},

    LIMIT_ARGS_ROWS(limits),
    SESSION_DETECT_ROW,

    SESSION_SAFETY_ROWS,
    OPT_END};
/* clang-format on */

static const struct sweep_config sweep_init = {.engine = "libaio", .size = {.percent = -1}};

static void add_engine_options(struct strbuf *out, const struct engine_ops *e)
{
    struct strbuf lines = STRBUF_INIT;
    engine_options_help(e, &lines);
    for (const char *p = lines.text; *p;) {
        size_t n = strcspn(p, "\n");
        strbuf_addf(out, "    %.*s\n", (int)n, p);
        p += n + (p[n] == '\n');
    }
    strbuf_release(&lines);
}

static void list_engines(const struct cmd_ctx *ctx)
{
    struct strbuf out = STRBUF_INIT;
    for (size_t i = 0; engine_registry[i]; i++) {
        const struct engine_ops *e = engine_registry[i];
        char why[256] = "";
        strbuf_addf(&out, "%s%-9s%s %s\n", ctx->colour ? "\033[1m" : "", e->name,
                    ctx->colour ? "\033[0m" : "", e->summary);
        if (!e->supported(why, sizeof why))
            strbuf_addf(&out, "          does not work here: %s\n", why);
        add_engine_options(&out, e);
    }
    fputs(out.text, stdout);
    strbuf_release(&out);
}

/* With --resume the plan is the old one; what would change it is refused, not ignored. Nothing is detected again. */
static int check_resume(const struct cmd_ctx *ctx, struct error *err)
{
    static const char *const allowed[] = {"dev",       "dry-run",     "resume",       "on-error",
                                          "yes",       "allow-write", "destroy-data", "time-based",
                                          "no-detect", NULL};
    for (size_t i = 0; sweep_opts[i].name; i++) {
        if (!(ctx->given >> i & 1))
            continue;
        bool fine = false;
        for (size_t k = 0; allowed[k]; k++)
            fine = fine || strcmp(sweep_opts[i].name, allowed[k]) == 0;
        if (!fine)
            return error_set(err, ERR_USAGE,
                             "--%s cannot change when a run is resumed: it goes on as planned",
                             sweep_opts[i].name);
    }
    return 0;
}

static int open_store(struct session *s, struct error *err)
{
    const struct sweep_config *c = s->config;
    /* there is nothing to go on with in a store that does not exist: it is not made for that */
    bool read = c->dry_run || (c->resume && access(s->ctx->db_path, F_OK) != 0);
    return store_open(&s->store, s->ctx->db_path, read ? STORE_READ : STORE_WRITE, err);
}

/* Everything is open and checked, and nothing is written yet. */
static int ask_before_loss(struct session *s, struct error *err)
{
    if (s->config->yes || !confirm_possible())
        return 0;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < s->n_targets; i++) {
        struct plan_writes writes;
        plan_writes(&writes, s->plan, i);
        if (writes.ns + writes.trim_ns > 0 || ends_precondition(s) != PRECONDITION_NONE)
            rc = session_confirm(s, i, err);
    }
    return rc;
}

/* Plan, store, targets: what costs nothing to find wrong is found first. */
static int prepare(struct session *s, struct error *err)
{
    const struct sweep_config *c = s->config;
    int rc = c->resume ? 0 : sweep_plan_new(s, err);
    if (rc == 0 && !c->resume)
        rc = sweep_check_plan(s->plan, &sysroot_system, err);
    if (rc == 0 && !c->resume)
        rc = limit_args_open(&s->limits, &c->limits, s->n_targets, err);
    if (rc == 0 && (c->resume || !c->dry_run))
        rc = open_store(s, err);
    if (rc == 0 && c->resume)
        rc = sweep_plan_resume(s, err);
    if (rc < 0 || plan_left(s->plan) == 0)
        return rc;
    rc = sweep_open_targets(s, err);
    if (rc == 0)
        rc = sweep_check_targets(s->plan, s->target, &s->warning, err);
    return rc;
}

static void print_dry_run(const struct session *s)
{
    struct strbuf out = STRBUF_INIT;
    sweep_print_plan(s, &out);
    fputs(out.text, stdout);
    strbuf_release(&out);
}

static void announce(struct session *s)
{
    if (s->ctx->quiet)
        return;
    struct strbuf out = STRBUF_INIT;
    if (plan_has_rounds(s->plan) || ends_precondition(s) != PRECONDITION_NONE)
        ends_print(s, &out);
    sweep_print_writes(s, &out);
    sweep_forecast(s->plan, &out);
    sweep_tell(s, s->warning.text);
    sweep_tell(s, out.text);
    strbuf_release(&out);
}

/* Says where the results are, and that an interrupted run can go on. */
static void finish_error(const struct session *s, const struct sweep_outcome *outcome,
                         struct error *err)
{
    if (!outcome->begun)
        return;
    sweep_say_kept(s, err);
    if (outcome->left == 0)
        return;
    struct strbuf program = STRBUF_INIT;
    shell_program(&program, s->ctx);
    error_hint(err, "Go on with: %s sweep --resume %" PRId64, program.text, s->run->id);
    strbuf_release(&program);
}

static int measure(struct session *s, struct error *err)
{
    struct sink sink = store_sink(s->store, SINK_DURABLE);
    const struct sweep_spec spec = {.plan = s->plan,
                                    .run = s->run,
                                    .target = s->target,
                                    .sink = &sink,
                                    .sysroot = &sysroot_system,
                                    .rounds = ends_rounds(s),
                                    .precondition = ends_precondition(s),
                                    .purge = s->plan->axes.suite != NULL,
                                    .read_fio = fio_figures_read,
                                    .stop_on_error = s->config->on_error == 1,
                                    .stop = &s->interrupt.count,
                                    .watch = sweep_watch_progress(s)};
    struct sweep_outcome outcome;
    int rc = sweep_run(&outcome, &spec, err);
    progress_destroy(s->progress);
    s->progress = NULL;
    if (rc < 0)
        finish_error(s, &outcome, err);
    /* results also of a sweep that failed or was stopped, when there are any */
    bool some = outcome.complete + outcome.partial > 0;
    if (rc == 0 || ((rc == -ERR_DEVICE || rc == -ERR_INTERRUPTED) && some)) {
        int printed = sweep_print_result(s, rc < 0 ? NULL : err);
        rc = rc < 0 ? rc : printed;
    }
    return rc;
}

static int go(struct session *s, struct error *err)
{
    int rc = prepare(s, err);
    if (rc < 0)
        return rc;
    if (s->config->dry_run) {
        print_dry_run(s);
        return session_would_be_refused(s, err);
    }
    if (plan_left(s->plan) == 0) {
        char *text =
            xasprintf("run %" PRId64 " is complete: nothing is left to measure\n", s->run->id);
        sweep_tell(s, text);
        free(text);
        return sweep_print_result(s, err);
    }
    announce(s);
    rc = ask_before_loss(s, err);
    return rc < 0 ? rc : measure(s, err);
}

static int sweep_cmd(struct cmd_ctx *ctx, void *config, const char **rest, size_t n_rest,
                     struct error *err)
{
    const struct sweep_config *c = config;
    if (strcmp(c->engine, "help") == 0) {
        list_engines(ctx);
        return 0;
    }
    if (n_rest)
        return error_set(err, ERR_USAGE, "\"%s\" is no option; did you mean --dev %s?", rest[0],
                         rest[0]);
    int rc = c->resume ? check_resume(ctx, err) : 0;
    if (rc == 0 && c->dry_run)
        rc = session_check_plan_format(ctx, err);
    if (rc < 0)
        return rc;
    struct session s;
    rc = session_begin(&s, ctx, err);
    if (rc < 0)
        return rc;
    s.config = c;
    rc = go(&s, err);
    session_end(&s);
    return rc;
}

const struct cmd cmd_sweep = {
    .name = "sweep",
    .summary = "measures a matrix of block sizes, queue depths and patterns",
    .group = "Measure",
    .usage = "--dev PATH...",
    .description =
        "Plans a matrix of cells (pattern x block size x queue depth x jobs x device), measures "
        "one "
        "after another, and keeps each in the result store as soon as it is finished. Reading is "
        "the default; nothing is written to without being asked for, and never to what is in use.\n"
        "\n"
        "RANGE is a value, a list 4k,16k,1M, or a range: 4k..1M doubles, 4k..1M/x4 multiplies by "
        "4, 16..64/+16 adds 16; they mix. SIZE is in powers of 1024 (k, M, G), or a percentage of "
        "the device. TIME is 60, 60s, 500ms, 10m, 2h.\n"
        "\n"
        "Ctrl-C once ends the running cell with its second and keeps it as partial; twice at once. "
        "Finished "
        "cells are safe in any case, also from a crash, and --resume goes on with the rest.\n",
    .examples = "blkmatrix sweep --dev /dev/sdc\n"
                "    random reads, 4k to 1M, 1 to 64 in flight, 60 s each\n"
                "blkmatrix sweep --dev /dev/sdc --dry-run\n"
                "    what that would do and how long it takes\n"
                "blkmatrix sweep --dev /dev/sdc --rw randread,randwrite --bs 4k,64k --iodepth 32 "
                "--allow-write\n"
                "    also writes: what is on the device is lost\n"
                "blkmatrix sweep --dev scratch.dat --size 4G --rw randrw --rwmixread 70,30\n"
                "    a file, made when it is missing\n"
                "blkmatrix sweep --dev /dev/sdc --bs 8k --iodepth 32 --curve\n"
                "    the maximum, and the latency at 10 % to 100 % of it\n"
                "blkmatrix sweep --dev /dev/sdc --dev /dev/sdd --together --bs 1M\n"
                "    both at once: do they share a limit?\n"
                "blkmatrix sweep --dev /dev/sdc --vm Standard_DS2_v2 --disk Premium_LRS,cache=ro\n"
                "    with the limits that hold, so that reports say which one binds\n"
                "blkmatrix sweep --resume @latest\n"
                "    goes on where the last run stopped\n",
    .opts = sweep_opts,
    .config_size = sizeof(struct sweep_config),
    .config_init = &sweep_init,
    .needs = NEED_NOTHING, /* opens the store itself: a dry run must not make one */
    .run = sweep_cmd,
};
