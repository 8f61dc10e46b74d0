/* `blkmatrix export`: data out, for other programs. */
#include <errno.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/export_runs.h"
#include "cli/out_file.h"
#include "cli/run_args.h"
#include "core/base/xalloc.h"

#define AT(member) offsetof(struct export_config, member)

struct export_config {
    const char *output;
    bool brief;
};

/* clang-format off */
static const struct opt export_opts[] = {
    {.name = "output", .letter = 'o', .type = OPT_TEXT, .offset = AT(output), .arg = "FILE",
     .help = "write to this file instead of the standard output; it is replaced when the export "
             "is whole"},
    {.name = "brief", .type = OPT_FLAG, .offset = AT(brief),
     .help = "leave out the histograms and the samples over time"},
    OPT_END};
/* clang-format on */

/* Writes beside a file first, so that a failed export leaves the old one. */
static int export_to_file(const struct exporter *e, struct store *store,
                          const struct export_request *request, const char *path, struct error *err)
{
    bool replaced;
    int checked = out_file_check(&replaced, path, "export", err);
    if (checked < 0)
        return checked;
    char *beside = replaced ? xasprintf("%s.part", path) : xstrdup(path);
    FILE *f = fopen(beside, "we");
    int rc = f ? 0 : error_errno(err, ERR_USAGE, errno, "cannot write %s", beside);
    if (rc == 0)
        rc = export_runs(e, store, request, f, err);
    if (f && fclose(f) != 0 && rc == 0)
        rc = error_errno(err, ERR_DEVICE, errno, "cannot write %s", beside);
    if (rc == 0 && replaced && rename(beside, path) != 0)
        rc = error_errno(err, ERR_DEVICE, errno, "cannot replace %s", path);
    if (rc < 0 && replaced && f)
        unlink(beside);
    free(beside);
    return rc;
}

static int export_cmd(struct cmd_ctx *ctx, void *config, const char **rest, size_t n_rest,
                      struct error *err)
{
    static const char *const name[] = {
        [OUT_TABLE] = "json", [OUT_JSON] = "json", [OUT_CSV] = "csv", [OUT_MD] = "md"};
    const struct export_config *c = config;
    const struct exporter *e = exporter_find(name[ctx->format]);
    if (!e || (ctx->format_given && ctx->format == OUT_TABLE))
        return error_set(err, ERR_USAGE,
                         "export writes json or csv; tables for people are made by show and list");
    struct run_ids ids = {0};
    int rc = n_rest ? run_args_select(ctx->store, rest, n_rest, &ids, err)
                    : store_all_runs(ctx->store, &ids, err);
    if (rc < 0)
        return rc;
    struct export_request request = {
        .ids = &ids, .flags = c->brief ? 0 : EXPORT_SERIES | EXPORT_BINS, .array = true};
    if (c->output && strcmp(c->output, "-") != 0)
        rc = export_to_file(e, ctx->store, &request, c->output, err);
    else
        rc = export_runs(e, ctx->store, &request, stdout, err);
    run_ids_release(&ids);
    return rc;
}

const struct cmd cmd_export = {
    .name = "export",
    .summary = "writes stored runs for other programs",
    .group = "Store",
    .usage = "[RUN...]",
    .description = RUN_ARGS_HELP
    "\n"
    "Without RUN, all runs. --format json (the default) is an array with one document a run, "
    "each as `show RUN --format json` prints it, with histograms and samples; --format csv has "
    "a row for each cell and direction, every field a column. All figures are in bytes, "
    "bytes/s, I/Os per second and ns.\n",
    .examples = "blkmatrix export -o results.json\n"
                "    everything\n"
                "blkmatrix export release=6.9 --format csv -o release-6.9.csv\n"
                "    for a spreadsheet\n",
    .opts = export_opts,
    .config_size = sizeof(struct export_config),
    .needs = NEED_STORE_READ,
    .run = export_cmd,
};
