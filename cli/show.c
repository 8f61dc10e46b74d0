/* `blkmatrix show RUN`: everything about one run. */
#include "cli/cell_filter.h"
#include "cli/cells_table.h"
#include "cli/export_runs.h"
#include "cli/run_args.h"
#include "cli/show_internal.h"
#include "cli/suite_tables.h"

#define AT(member) offsetof(struct show_config, member)

struct show_config {
    uint64_t slower_than; /* ns, 0: not asked */
    bool series;
    bool bins;
    bool as_fio;
};

/* clang-format off */
static const struct opt show_opts[] = {
    {.name = "slower-than", .type = OPT_TIME, .offset = AT(slower_than), .arg = "TIME",
     .def = "(no such column)", .min = 1, .max = INT64_MAX,
     .help = "also the share of I/Os that took longer than this; a range where the histogram "
             "cannot tell exactly"},
    {.name = "series", .type = OPT_FLAG, .offset = AT(series),
     .help = "with --format json: also the samples over time"},
    {.name = "bins", .type = OPT_FLAG, .offset = AT(bins),
     .help = "with --format json: also the whole latency histograms, as [from, width, count]"},
    {.name = "as-fio", .type = OPT_FLAG, .offset = AT(as_fio),
     .help = "the cells as a job file of fio, for `run` or for fio itself"},
    OPT_END};
/* clang-format on */

struct collector {
    struct cells_table *table;
    const struct cell_filter *filter;
    const struct run *run;
    struct suite_results suite;
    struct cell *only; /* the first chosen cell, for its detail */
};

static int collect_cell(struct cell *cell, void *arg)
{
    struct collector *c = arg;
    if (!cell_filter_matches(c->filter, cell, c->run))
        return 0;
    cells_table_add(c->table, cell);
    suite_results_add(&c->suite, cell);
    if (!c->only) {
        c->only = cell_create();
        struct cell empty = *c->only;
        *c->only = *cell;
        *cell = empty;
    }
    return 0;
}

static int no_cells(const struct run *run, const struct cell_filter *filter, struct error *err)
{
    if (filter->id && filter->n == 0)
        return error_set(err, ERR_USAGE, "run %lld has no cell %lld", (long long)run->id,
                         (long long)filter->id);
    return error_set(err, ERR_USAGE,
                     "no cell of run %lld is chosen by that\n`blkmatrix show %lld` lists them.",
                     (long long)run->id, (long long)run->id);
}

/* Rounds of a test that was stopped: they are no cells, and would be thought lost. */
static int show_rounds_kept(struct view *v, struct store *store, const struct run *run,
                            size_t cells, struct error *err)
{
    uint64_t n = 0;
    int rc = store_count_rounds(store, run->id, &n, err);
    bool open = IS_KNOWN(run, RUN, planned_cells) && cells < run->planned_cells;
    if (rc < 0 || n == 0 || !open)
        return rc;
    view_linef(v, "rounds", "%llu are kept; `blkmatrix sweep --resume %lld` goes on with the next",
               (unsigned long long)n, (long long)run->id);
    return 0;
}

/* For people: the whole run, or of chosen cells only the table, or one cell in detail. */
static int print_for_people(struct cmd_ctx *ctx, const struct show_config *config,
                            const struct run *run, const struct cell_filter *filter,
                            struct error *err)
{
    struct collector c = {.table = cells_table_create(run, filter, config->slower_than),
                          .filter = filter,
                          .run = run};
    suite_results_begin(&c.suite, run);
    unsigned load = LOAD_HIST | (filter->id ? LOAD_SERIES : 0);
    int rc = store_each_cell(ctx->store, run->id, load, collect_cell, &c, err);
    bool chosen = filter->id || filter->n;
    if (rc == 0 && chosen && cells_table_cells(c.table) == 0)
        rc = no_cells(run, filter, err);
    if (rc == 0) {
        struct view v;
        view_init(&v, ctx);
        if (chosen && cells_table_cells(c.table) == 1 && !config->slower_than) {
            show_cell(&v, run, c.only);
        } else {
            if (!chosen)
                show_run(&v, run);
            suite_results_end(&c.suite);
            show_cells(&v, run, c.table, chosen);
            if (!chosen)
                suite_tables_show(&v, run, &c.suite);
            if (!chosen)
                rc = show_rounds_kept(&v, ctx->store, run, cells_table_cells(c.table), err);
        }
        view_print(&v);
    }
    cell_destroy(c.only);
    suite_results_release(&c.suite);
    cells_table_destroy(c.table);
    return rc;
}

static int print_for_programs(struct cmd_ctx *ctx, const struct show_config *config, int64_t id,
                              const struct cell_filter *filter, struct error *err)
{
    struct run_ids ids = {&id, 1};
    unsigned flags = (config->series ? EXPORT_SERIES : 0) | (config->bins ? EXPORT_BINS : 0);
    const struct exporter *e = ctx->format == OUT_CSV ? &exporter_csv : &exporter_json;
    const struct export_request request = {
        .ids = &ids, .flags = flags, .slower_than = config->slower_than, .filter = filter};
    return export_runs(e, ctx->store, &request, stdout, err);
}

static int show_cmd(struct cmd_ctx *ctx, void *config, const char **rest, size_t n_rest,
                    struct error *err)
{
    if (n_rest == 0)
        return error_set(err, ERR_USAGE, "which run? `blkmatrix show @latest` shows the last one");
    int64_t id = 0;
    int rc = store_select_one(ctx->store, rest[0], &id, err);
    if (rc < 0)
        return rc;
    struct cell_filter filter = {0};
    rc = cell_filter_parse(&filter, rest + 1, n_rest - 1, err);
    if (rc < 0)
        return rc;
    const struct show_config *c = config;
    if (!c->as_fio && (ctx->format == OUT_JSON || ctx->format == OUT_CSV)) {
        rc = print_for_programs(ctx, config, id, &filter, err);
    } else {
        struct run *run = NULL;
        rc = store_load_run(ctx->store, id, &run, err);
        if (rc == 0)
            rc = c->as_fio ? show_as_fio(ctx->store, run, &filter, err)
                           : print_for_people(ctx, c, run, &filter, err);
        run_destroy(run);
    }
    cell_filter_release(&filter);
    return rc;
}

const struct cmd cmd_show = {
    .name = "show",
    .summary = "shows everything about one run",
    .group = "Results",
    .usage = "RUN [CELL | NAME=VALUE...]",
    .description = RUN_ARGS_HELP
    "\n"
    "After the run comes which cells to show: the id of one, or what they measured: bs=4k, "
    "rw=randread, iodepth=1,4, direction=write, device=/dev/sdc, status=partial. One cell is "
    "shown in detail.\n"
    "\n"
    "--format json has all figures in bytes, bytes/s and ns; csv has a row for each cell and "
    "direction with every field.\n",
    .examples = "blkmatrix show @latest\n"
                "    the last run\n"
                "blkmatrix show 17 bs=4k iodepth=32\n"
                "    some of its cells\n"
                "blkmatrix show 17 402\n"
                "    one cell, by its id, in detail\n"
                "blkmatrix show 17 --slower-than 10ms\n"
                "    with the share of I/Os that took longer\n"
                "blkmatrix show release=6.9 --format json\n"
                "    for programs\n"
                "blkmatrix show 17 --as-fio >again.fio\n"
                "    as a job file of fio\n",
    .opts = show_opts,
    .config_size = sizeof(struct show_config),
    .needs = NEED_STORE_READ,
    .run = show_cmd,
};
