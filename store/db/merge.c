/* Runs of another store. */
#include "store/db/store_internal.h"

struct copy {
    struct store *to;
    int64_t run_id;
    size_t cells;
    struct error *err;
};

static int copy_cell(struct cell *cell, void *arg)
{
    struct copy *c = arg;
    cell->run_id = c->run_id;
    c->cells += !IS_KNOWN(cell, CELL, round);
    return cell_insert(c->to, cell, c->err);
}

static int copy_run(struct store *s, struct store *from, struct run *run, size_t *cells,
                    struct error *err)
{
    int64_t from_id = run->id;
    bool began;
    int rc = transaction_begin(s, true, &began, err);
    if (rc < 0)
        return rc;
    rc = run_insert(s, run, err);
    struct copy c = {.to = s, .run_id = run->id, .err = err};
    if (rc == 0)
        rc = store_each_cell(from, from_id, LOAD_ALL | LOAD_ROUNDS, copy_cell, &c, err);
    *cells = c.cells;
    return transaction_end(s, began, rc, err);
}

static int merge_run(struct store *s, struct store *from, int64_t id, struct merge_outcome *out,
                     struct error *err)
{
    struct run *run = NULL;
    int64_t known = 0;
    size_t cells = 0;
    int rc = store_load_run(from, id, &run, err);
    if (rc < 0)
        return rc;
    if (run->uuid)
        rc = store_find_uuid(s, run->uuid, &known, err);
    if (rc == 0 && known) {
        out->known++;
    } else if (rc == 0) {
        rc = copy_run(s, from, run, &cells, err);
        if (rc == 0) {
            out->runs++;
            out->cells += cells;
        }
    }
    run_destroy(run);
    return rc < 0 ? error_prefix(err, ERR_STORE, "run %lld of %s", (long long)id, from->path) : 0;
}

int store_merge(struct store *s, struct store *from, struct merge_outcome *out, struct error *err)
{
    struct run_ids ids = {0};
    *out = (struct merge_outcome){0};
    int rc = store_all_runs(from, &ids, err);
    for (size_t i = 0; i < ids.n && rc == 0; i++)
        rc = merge_run(s, from, ids.id[i], out, err);
    run_ids_release(&ids);
    return rc;
}
