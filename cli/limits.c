/* `blkmatrix limits`: what disks and VMs may do, and which limits a stored run had. */
#include <inttypes.h>
#include <math.h>
#include <unistd.h>

#include "cli/diagnosis_kept.h"
#include "cli/limits_internal.h"
#include "cli/run_args.h"
#include "cli/suggest.h"

#define AT(member) offsetof(struct limits_config, member)

/* clang-format off */
static const struct opt limits_opts[] = {
    LIMIT_ARGS_ROWS(limits),
    {.group = "This command", .name = "size", .type = OPT_SIZE, .offset = AT(size), .arg = "SIZE",
     .def = "(not known)", .help = "show: size of the disk"},
    {.name = "record", .type = OPT_TEXT, .offset = AT(record), .arg = "DIR",
     .help = "detect: make this folder with all that was read, to look at it elsewhere; it has "
             "serial numbers and ids of disks, and no credentials"},
    {.name = "replay", .type = OPT_TEXT, .offset = AT(replay), .arg = "DIR",
     .help = "detect: what such a folder says, in place of this machine"},
    {.name = "from", .type = OPT_TEXT, .offset = AT(from), .arg = "FILE",
     .help = "update: JSON of `aws ec2 describe-instance-types`, `az vm list-skus`, `gcloud compute "
             "machine-types list` or `disk-types list`"},
    {.name = "clear", .type = OPT_FLAG, .offset = AT(clear),
     .help = "set: take all limits of the run away first, also those of the host"},
    OPT_END};
/* clang-format on */

/* What the new limits say about it; kept with the run. */
static int tell_verdict(struct store *store, int64_t id, struct error *err)
{
    char *document = NULL;
    int rc = diagnosis_document(&document, store, id, err);
    if (rc == 0) {
        cJSON *root = cJSON_Parse(document);
        const char *verdict =
            cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, "verdict"));
        if (verdict)
            printf("%s\n", verdict);
        cJSON_Delete(root);
    }
    free(document);
    return rc;
}

static void drop_limits(struct run *run, bool of_disks_only)
{
    size_t kept = 0;
    for (size_t i = 0; i < run->n_limits; i++) {
        if (of_disks_only && run->limit[i].owner != OWNER_DISK)
            run->limit[kept++] = run->limit[i];
        else
            fields_release(&limit_fields, &run->limit[i]);
    }
    run->n_limits = kept;
}

/* Whether --cloud-json tells of a disk of the run. */
static bool has_told_disk(const struct run *run, const struct limit_catalogue *catalogue)
{
    for (size_t i = 0; i < run->n_devices; i++) {
        const char *id = run->device[i].cloud_volume_id;
        if (id && limit_find(catalogue, OWNER_DISK, id))
            return true;
    }
    return false;
}

static int set_one(struct store *store, int64_t id, const struct limits_config *c,
                   const struct limit_catalogue *catalogue, struct error *err)
{
    struct run *run = NULL;
    int rc = store_load_run(store, id, &run, err);
    if (rc == 0 && c->clear)
        drop_limits(run, false);
    /* what was found while measuring gives way to what is said now */
    if (rc == 0 && c->limits.cloud_json.n > 0 && has_told_disk(run, catalogue))
        drop_limits(run, true);
    if (rc == 0)
        rc = limit_args_apply(&c->limits, catalogue, run, err);
    if (rc == 0)
        rc = store_set_limits(store, id, run->limit, run->n_limits, err);
    if (rc == 0)
        printf("run %" PRId64 ": %zu limit%s\n", id, run->n_limits, run->n_limits == 1 ? "" : "s");
    if (rc == 0)
        rc = tell_verdict(store, id, err);
    run_destroy(run);
    return rc;
}

static int set_runs(struct cmd_ctx *ctx, const struct limits_config *c, const char **word, size_t n,
                    struct error *err)
{
    if (n == 0)
        return error_set(err, ERR_USAGE, "limits set: of which run? limits set @latest --vm ...");
    if (!limit_args_given(&c->limits) && !c->clear)
        return error_set(err, ERR_USAGE,
                         "limits set: to what? Give --vm, --disk, --cap or --cloud-json");
    /* what is wrong with the options is said before the store is touched */
    struct limit_catalogue *catalogue = NULL;
    int rc = limit_args_open(&catalogue, &c->limits, 0, err);
    struct store *store = NULL;
    struct run_ids ids = {0};
    if (rc == 0)
        rc = store_open(&store, ctx->db_path,
                        access(ctx->db_path, F_OK) == 0 ? STORE_WRITE : STORE_READ, err);
    if (rc == 0)
        rc = run_args_select(store, word, n, &ids, err);
    for (size_t i = 0; i < ids.n && rc == 0; i++)
        rc = set_one(store, ids.id[i], c, catalogue, err);
    run_ids_release(&ids);
    store_close(store);
    limit_catalogue_destroy(catalogue);
    return rc;
}

static int unknown_action(const char *word, struct error *err)
{
    static const char *const action[] = {"list", "show", "names", "detect", "set", "update"};
    struct suggest near;
    suggest_init(&near, word);
    for (size_t i = 0; i < sizeof action / sizeof action[0]; i++)
        suggest_offer(&near, action[i]);
    int rc = error_set(err, ERR_USAGE,
                       "limits: \"%s\" is none of list, show, names, detect, set, update", word);
    if (near.n > 0)
        error_hint(err, "Did you mean %s?", near.best[0]);
    return rc;
}

static int limits_cmd(struct cmd_ctx *ctx, void *config, const char **rest, size_t n_rest,
                      struct error *err)
{
    const struct limits_config *c = config;
    const char *action = n_rest ? rest[0] : "list";
    if (strcmp(action, "set") == 0)
        return set_runs(ctx, c, rest + 1, n_rest - 1, err);
    if (strcmp(action, "detect") == 0)
        return limits_detect(ctx, c, rest + 1, n_rest - 1, err);
    if (strcmp(action, "update") == 0 && n_rest == 1)
        return limits_update(ctx, c, err);
    if (n_rest > 2 || strcmp(action, "update") == 0)
        return error_set(err, ERR_USAGE, "limits %s: \"%s\" is one too many", action,
                         rest[n_rest - 1]);
    if (strcmp(action, "names") == 0)
        return limits_names(c, n_rest > 1 ? rest[1] : NULL, err);
    if (strcmp(action, "list") == 0)
        return limits_list(ctx, c, n_rest > 1 ? rest[1] : NULL, err);
    if (strcmp(action, "show") != 0)
        return unknown_action(action, err);
    if (n_rest < 2)
        return error_set(err, ERR_USAGE, "limits show: which disk or VM? limits show gp3");
    return limits_show(ctx, c, rest[1], err);
}

static const struct limits_config limits_init = {.size = {.percent = -1}};

const struct cmd cmd_limits = {
    .name = "limits",
    .summary = "what disks and virtual machines are allowed to do",
    .group = "Results",
    .usage = "list [PATTERN] | show NAME | names [disk|vm] | detect [PATH...] | set RUN... | "
             "update --from FILE",
    .description =
        "list names disks and VM sizes of the catalogue; PATTERN is a part of the name, the type "
        "or "
        "the cloud, or has * and ?. show tells the limits of one, for a disk with its size and "
        "what "
        "was set for it, for a VM those that hold for --disk. Where the unit of a bandwidth was "
        "published unclearly, both readings are shown. names prints names alone, one a line, as "
        "completion wants them.\n"
        "\n"
        "detect looks which cloud this is (by its firmware), asks that cloud's metadata service "
        "for "
        "VM size and disks, and says which limits hold for the disks of this machine, where each "
        "is from, and what could not be known. Outside of clouds nothing is asked on the network. "
        "sweep and run do the same by themselves, unless --no-detect is given.\n"
        "\n"
        "update takes newer figures from what a cloud's own tool printed into the user's file "
        "(--limits, else ~/.config/blkmatrix/limits.json), and says what changed.\n"
        "\n"
        "set gives a stored run its limits, for results that were measured elsewhere or without "
        "--vm and --disk; limits it had of the same owners (disk, vm, host) go. It tells what the "
        "run's "
        "results mean under them.\n"
        "\n" RUN_ARGS_HELP,
    .examples = "blkmatrix limits list 'Standard_D*s_v5'\n"
                "    VM sizes of a series\n"
                "blkmatrix limits show Premium_LRS --size 64G\n"
                "    the disk that 64 GiB of Premium SSD are\n"
                "blkmatrix limits show n2-standard-8 --disk pd-ssd,size=500G\n"
                "    a VM whose limits depend on the disk\n"
                "blkmatrix limits detect --cloud-json volumes.json\n"
                "    what holds here, with what `aws ec2 describe-volumes` says of the volumes\n"
                "blkmatrix limits update --from types.json\n"
                "    types.json: aws ec2 describe-instance-types >types.json\n"
                "blkmatrix limits set @latest --vm t4g.medium --disk gp3,size=100G,iops=6000\n"
                "    for the run that was imported last\n",
    .opts = limits_opts,
    .config_size = sizeof(struct limits_config),
    .config_init = &limits_init,
    .needs = NEED_NOTHING,
    .actions = "list show names detect set update",
    .of_limit = "show",
    .run = limits_cmd,
};
