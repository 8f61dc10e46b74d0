/* `blkmatrix label RUN`: marks of stored runs. */
#include <inttypes.h>

#include "cli/cmd.h"
#include "cli/run_args.h"
#include "core/base/json.h"
#include "core/base/xalloc.h"

#define AT(member) offsetof(struct label_config, member)

struct label_config {
    struct opt_list remove;
};

/* clang-format off */
static const struct opt label_opts[] = {
    {.name = "remove", .type = OPT_LIST, .offset = AT(remove), .arg = "KEY",
     .help = "take a label away; may be given several times"},
    OPT_END};
/* clang-format on */

static int set_one(struct store *store, int64_t run, const char *word, struct error *err)
{
    const char *equals = strchr(word, '=');
    if (!equals)
        return error_set(err, ERR_USAGE, "\"%s\" is no label: write KEY=VALUE, as in release=6.9",
                         word);
    char *key = xstrndup(word, (size_t)(equals - word));
    int rc = store_set_label(store, run, key, equals + 1, err);
    free(key);
    return rc;
}

static int change(struct store *store, int64_t run, const struct label_config *config,
                  const char **word, size_t n, struct error *err)
{
    int rc = 0;
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = set_one(store, run, word[i], err);
    for (size_t i = 0; i < config->remove.n && rc == 0; i++)
        rc = store_set_label(store, run, config->remove.item[i], NULL, err);
    return rc;
}

static int print_labels(const struct cmd_ctx *ctx, int64_t id, struct error *err)
{
    struct run *run = NULL;
    int rc = store_load_run(ctx->store, id, &run, err);
    if (rc < 0)
        return rc;
    struct strbuf line = STRBUF_INIT, clean = STRBUF_INIT;
    strbuf_addf(&line, "run %" PRId64 ":", id);
    for (size_t i = 0; i < run->n_labels; i++)
        strbuf_addf(&line, "%s %s=%s", i ? "," : "", run->label[i].key, run->label[i].value);
    if (run->n_labels == 0)
        strbuf_adds(&line, " no labels");
    utf8_clean(&clean, line.text);
    puts(clean.text);
    strbuf_release(&line);
    strbuf_release(&clean);
    run_destroy(run);
    return 0;
}

static int label_cmd(struct cmd_ctx *ctx, void *config, const char **rest, size_t n_rest,
                     struct error *err)
{
    if (n_rest == 0)
        return error_set(err, ERR_USAGE, "which run, and which label? blkmatrix label 17 disk=gp3");
    struct run_ids ids = {0};
    int rc = store_select(ctx->store, rest[0], &ids, err);
    if (rc == 0) /* all changes or, as closing the store takes an open group back, none */
        rc = store_group_begin(ctx->store, err);
    for (size_t i = 0; i < ids.n && rc == 0; i++)
        rc = change(ctx->store, ids.id[i], config, rest + 1, n_rest - 1, err);
    if (rc == 0)
        rc = store_group_end(ctx->store, err);
    for (size_t i = 0; i < ids.n && rc == 0 && !ctx->quiet; i++)
        rc = print_labels(ctx, ids.id[i], err);
    run_ids_release(&ids);
    return rc;
}

const struct cmd cmd_label = {
    .name = "label",
    .summary = "sets, changes and removes labels of stored runs",
    .group = "Store",
    .usage = "RUN [KEY=VALUE...]",
    .description = RUN_ARGS_HELP
    "\n"
    "Labels are for choosing runs again, and for telling them apart in comparisons and charts. "
    "The labels of the run after the change are printed.\n",
    .examples = "blkmatrix label @latest release=6.9 disk=gp3\n"
                "    sets two labels of the last run\n"
                "blkmatrix label release=6.9-rc8 --remove release\n"
                "    takes one away from all runs that have it\n",
    .opts = label_opts,
    .config_size = sizeof(struct label_config),
    .needs = NEED_STORE_EDIT,
    .run = label_cmd,
};
