/* `blkmatrix merge FILE...`: takes in the runs of other stores. */
#include "cli/cmd.h"

static int merge_one(struct cmd_ctx *ctx, const char *path, struct error *err)
{
    struct store *from = NULL;
    struct merge_outcome outcome = {0};
    int rc = store_open(&from, path, STORE_READ, err);
    if (rc == 0)
        rc = store_merge(ctx->store, from, &outcome, err);
    if (from && !ctx->quiet)
        printf("%s: %zu run%s with %zu cell%s added, %zu there already\n", path, outcome.runs,
               outcome.runs == 1 ? "" : "s", outcome.cells, outcome.cells == 1 ? "" : "s",
               outcome.known);
    store_close(from);
    return rc;
}

static int merge_cmd(struct cmd_ctx *ctx, void *config, const char **rest, size_t n_rest,
                     struct error *err)
{
    (void)config;
    if (n_rest == 0)
        return error_set(err, ERR_USAGE, "which store? blkmatrix merge other.db");
    int rc = 0;
    for (size_t i = 0; i < n_rest && rc == 0; i++)
        rc = merge_one(ctx, rest[i], err);
    return rc;
}

const struct cmd cmd_merge = {
    .name = "merge",
    .summary = "takes in the runs of other stores",
    .group = "Store",
    .usage = "FILE...",
    .description =
        "Copies every run that is not here yet, known by its UUID, with all its cells, labels and "
        "limits; it gets a new id. The other store stays as it is. A run is copied whole or not at "
        "all, so a merge that was stopped can be done again.\n",
    .examples = "blkmatrix merge /mnt/usb/results.db\n"
                "    results of another machine\n",
    .needs = NEED_STORE_WRITE,
    .run = merge_cmd,
};
