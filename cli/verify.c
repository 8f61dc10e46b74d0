/* `blkmatrix verify`: is the store sound? */
#include <inttypes.h>

#include "cli/cmd.h"
#include "core/base/json.h"

static int verify_cmd(struct cmd_ctx *ctx, void *config, const char **rest, size_t n_rest,
                      struct error *err)
{
    (void)config;
    if (n_rest)
        return error_set(err, ERR_USAGE, "\"%s\": another store is named with --db FILE", rest[0]);
    struct run_ids ids = {0};
    int rc = store_verify(ctx->store, err);
    if (rc == 0)
        rc = store_all_runs(ctx->store, &ids, err);
    uint64_t cells = 0;
    for (size_t i = 0; i < ids.n && rc == 0; i++) {
        uint64_t n = 0;
        rc = store_count_cells(ctx->store, ids.id[i], &n, err);
        cells += n;
    }
    if (rc == 0 && ctx->format == OUT_JSON)
        printf("{\"ok\":true,\"runs\":%zu,\"cells\":%" PRIu64 "}\n", ids.n, cells);
    else if (rc == 0 && !ctx->quiet)
        printf("%s is sound: %zu run%s, %" PRIu64 " cell%s\n", store_path(ctx->store), ids.n,
               ids.n == 1 ? "" : "s", cells, cells == 1 ? "" : "s");
    run_ids_release(&ids);
    return rc;
}

const struct cmd cmd_verify = {
    .name = "verify",
    .summary = "checks that the store is sound",
    .group = "Store",
    .usage = "",
    .description =
        "Reads the whole store: the structures of the database, the references between its tables, "
        "every record, and every histogram and series. Exit status 6 and the first thing that is "
        "wrong when it is damaged.\n",
    .examples = "blkmatrix verify\n"
                "    the usual store\n"
                "blkmatrix verify --db old.db\n"
                "    another one\n",
    .needs = NEED_STORE_READ,
    .run = verify_cmd,
};
