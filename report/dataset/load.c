/* Datasets from a store. */
#include "report/dataset/dataset.h"
#include "store/db/store.h"

struct load_target {
    struct dataset *dataset;
    size_t run;
};

static void drop_hist(struct lat *l)
{
    free(l->hist);
    l->hist = NULL;
}

/* One histogram is 15 KB; of thousands of cells only the one that stands for the cell is kept. */
static void keep_main_hist(struct direction *dir, bool rate_limited)
{
    enum lat_kind kind = direction_main_lat(dir, rate_limited);
    for (enum lat_kind k = 0; k < LAT_KIND_COUNT; k++) {
        if (k != kind)
            drop_hist(&dir->lat[k]);
    }
}

static int load_cell(struct cell *cell, void *arg)
{
    const struct load_target *to = arg;
    bool rated = cell_is_rate_limited(cell);
    for (enum dir dir = 0; dir < DIR_COUNT; dir++) {
        keep_main_hist(&cell->dir[dir], rated);
        for (size_t p = 0; p < cell->n_parts; p++)
            keep_main_hist(&cell->part[p].dir[dir], rated);
    }
    dataset_add_cell(to->dataset, to->run, cell);
    return 0;
}

int dataset_load(struct dataset **out, struct store *s, const int64_t *run_id, size_t n,
                 unsigned flags, struct error *err)
{
    struct dataset *d = dataset_create();
    int rc = 0;
    for (size_t i = 0; i < n && rc == 0; i++) {
        struct run *run = NULL;
        rc = store_load_run(s, run_id[i], &run, err);
        if (rc)
            break;
        struct load_target to = {d, dataset_add_run(d, run)};
        rc = store_each_cell(s, run_id[i], flags, load_cell, &to, err);
    }
    if (rc) {
        dataset_destroy(d);
        return rc;
    }
    *out = d;
    return 0;
}
