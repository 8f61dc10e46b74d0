/* `blkmatrix delete RUN...`: removes runs from the store, after asking. */
#include <inttypes.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/run_args.h"
#include "core/base/json.h"

#define AT(member) offsetof(struct delete_config, member)

struct delete_config {
    bool yes;
};

/* clang-format off */
static const struct opt delete_opts[] = {
    {.name = "yes", .letter = 'y', .type = OPT_FLAG, .offset = AT(yes),
     .help = "do not ask"},
    OPT_END};
/* clang-format on */

/* "  17  nightly  2026-05-01T12:00:00Z  24 cells" */
static int describe(struct strbuf *out, struct store *store, int64_t id, struct error *err)
{
    struct run *run = NULL;
    uint64_t cells = 0;
    int rc = store_load_run(store, id, &run, err);
    if (rc == 0)
        rc = store_count_cells(store, id, &cells, err);
    if (rc == 0) {
        struct strbuf started = STRBUF_INIT;
        field_format(&started, &run_fields, run, RUN_started_ns);
        strbuf_addf(out, "  %" PRId64 "  ", id);
        utf8_clean(out, run->name ? run->name : "–");
        const char *when = started.len ? started.text : "–";
        size_t whole = strcspn(when, "."); /* to the second */
        strbuf_addf(out, "  %.*s%s  %" PRIu64 " cell%s\n", (int)whole, when, when[whole] ? "Z" : "",
                    cells, cells == 1 ? "" : "s");
        strbuf_release(&started);
    }
    run_destroy(run);
    return rc;
}

/* Asks on a terminal; without one nobody could answer, and nothing is deleted. */
static int confirm(const char *what, size_t n, struct error *err)
{
    if (!isatty(STDIN_FILENO))
        return error_set(err, ERR_REFUSED,
                         "not deleted, as nobody can be asked here:\n%sSay --yes to delete %s.",
                         what, n == 1 ? "it" : "them");
    fprintf(stderr, "%sDelete %s for good? [y/N] ", what, n == 1 ? "this run" : "these runs");
    char answer[16] = "";
    if (!fgets(answer, sizeof answer, stdin) || (answer[0] != 'y' && answer[0] != 'Y'))
        return error_set(err, ERR_REFUSED, "nothing was deleted");
    return 0;
}

static int delete_cmd(struct cmd_ctx *ctx, void *config, const char **rest, size_t n_rest,
                      struct error *err)
{
    const struct delete_config *c = config;
    struct run_ids ids = {0};
    if (n_rest == 0)
        return error_set(err, ERR_USAGE, "which runs? `blkmatrix list` shows them");
    int rc = run_args_select(ctx->store, rest, n_rest, &ids, err);
    struct strbuf what = STRBUF_INIT;
    for (size_t i = 0; i < ids.n && rc == 0; i++)
        rc = describe(&what, ctx->store, ids.id[i], err);
    if (rc == 0 && !c->yes)
        rc = confirm(what.text, ids.n, err);
    if (rc == 0)
        rc = store_delete_runs(ctx->store, &ids, err);
    if (rc == 0 && !ctx->quiet)
        fprintf(stderr, "deleted:\n%s", what.text);
    strbuf_release(&what);
    run_ids_release(&ids);
    return rc;
}

const struct cmd cmd_delete = {
    .name = "delete",
    .summary = "removes runs from the store",
    .group = "Store",
    .usage = "RUN...",
    .description = RUN_ARGS_HELP
    "\n"
    "Says what will be deleted and asks. Without a terminal nothing is deleted unless --yes is "
    "given (exit status 3). All the runs go, or none.\n",
    .examples = "blkmatrix delete 17\n"
                "    one run, after asking\n"
                "blkmatrix delete release=6.7 --yes\n"
                "    all runs with that label, in a script\n",
    .opts = delete_opts,
    .config_size = sizeof(struct delete_config),
    .needs = NEED_STORE_EDIT,
    .run = delete_cmd,
};
