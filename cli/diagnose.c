/* `blkmatrix diagnose`: which cap binds where, with the evidence and how sure that is. */
#include "cli/diagnose_internal.h"
#include "cli/diagnosis_kept.h"
#include "cli/run_args.h"
#include "core/base/json.h"

static const struct opt diagnose_opts[] = {OPT_END};

static void print_json(const struct diagnosis *d, const struct run *run)
{
    cJSON *root = diagnosis_to_json(d, run);
    char *text = json_print(root, true);
    puts(text);
    free(text);
    cJSON_Delete(root);
}

static int print_kept(struct store *store, int64_t run_id, struct error *err)
{
    char *document = NULL;
    int rc = diagnosis_document(&document, store, run_id, err);
    if (rc == 0)
        puts(document);
    free(document);
    return rc;
}

static int diagnose_runs(const struct cmd_ctx *ctx, const struct run_ids *runs, struct error *err)
{
    if (runs->n == 1 && ctx->format == OUT_JSON)
        return print_kept(ctx->store, runs->id[0], err);
    struct dataset *data = NULL;
    int rc = dataset_load(&data, ctx->store, runs->id, runs->n, LOAD_HIST | LOAD_SERIES, err);
    size_t at = 0;
    if (rc == 0 && runs->n > 1)
        rc = dataset_merge_runs(&at, data, err);
    if (rc == 0) {
        const struct run *run = dataset_run(data, at);
        struct analysis *a = analysis_create(data, at);
        struct diagnosis *d = diagnosis_create(a, run);
        diagnosis_keep(ctx->store, d, run);
        if (ctx->format == OUT_JSON)
            print_json(d, run);
        else if (ctx->format == OUT_CSV)
            diagnose_print_csv(d);
        else
            diagnose_print(ctx, d, run);
        diagnosis_destroy(d);
        analysis_destroy(a);
    }
    dataset_destroy(data);
    return rc;
}

static int diagnose_run(struct cmd_ctx *ctx, void *config, const char **rest, size_t n_rest,
                        struct error *err)
{
    (void)config;
    static const char *latest[] = {"@latest"};
    struct run_ids runs = {0};
    int rc = run_args_select(ctx->store, n_rest ? rest : latest, n_rest ? n_rest : 1, &runs, err);
    if (rc == 0)
        rc = diagnose_runs(ctx, &runs, err);
    run_ids_release(&runs);
    return rc;
}

const struct cmd cmd_diagnose = {
    .name = "diagnose",
    .summary = "says what limits the storage: which cap binds where, and how sure that is",
    .group = "Results",
    .usage = "[RUN...]",
    .description =
        "Says for every load and range of block sizes what held the rate: the IOPS or throughput "
        "cap "
        "of the disk, the VM or the host, in a burst or for ever; the job's own rate; the load "
        "generator's CPU; latency (a deeper queue would give more); or a ceiling that no known cap "
        "explains. Caps that fit as well are named as ties. Then what would show that it is "
        "wrong.\n\n"
        "The caps are those stored with the run (sweep --vm --disk --cap, import --vm ..., limits "
        "set). The diagnosis is kept with the run, and made again when its limits or cells "
        "change.\n\n"
        "Devices that were loaded alone and together (sweep --together --alone) show without any "
        "list whether they share a cap.\n\n"
        "Without RUN it is the latest run. Several runs are judged as one "
        "matrix.\n\n" RUN_ARGS_HELP,
    .examples = "blkmatrix diagnose\n"
                "    the latest run\n"
                "blkmatrix diagnose 17 --format json\n"
                "    for programs\n"
                "blkmatrix diagnose alone together\n"
                "    two runs by name, as one: do the devices share a cap?\n"
                "blkmatrix diagnose release=6.9 --format md\n"
                "    for a wiki or a merge request\n",
    .opts = diagnose_opts,
    .needs = NEED_STORE_READ,
    .run = diagnose_run,
};
