#include "report/dataset/dataset_internal.h"

#include "core/base/xalloc.h"
#include "store/db/store.h"

struct dataset *dataset_create(void)
{
    struct dataset *d = xcalloc(1, sizeof *d);
    d->arena = arena_create();
    return d;
}

void dataset_destroy(struct dataset *d)
{
    if (!d)
        return;
    for (size_t r = 0; r < d->n_runs; r++) {
        for (size_t i = 0; i < d->run[r].n; i++)
            cell_destroy(d->run[r].cell[i]);
        free(d->run[r].cell);
        run_destroy(d->run[r].run);
    }
    free(d->run);
    arena_destroy(d->arena);
    free(d);
}

size_t dataset_add_run(struct dataset *d, struct run *run)
{
    GROW(d->run, d->n_runs + 1, d->room);
    d->run[d->n_runs] = (struct dataset_run){.run = run};
    d->rows_made = false;
    return d->n_runs++;
}

void dataset_add_cell(struct dataset *d, size_t run, struct cell *cell)
{
    struct dataset_run *r = &d->run[run];
    struct cell *mine = cell_create();
    *mine = *cell;
    *cell = (struct cell){0};
    GROW(r->cell, r->n + 1, r->room);
    r->cell[r->n++] = mine;
    d->rows_made = false;
}

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

size_t dataset_n_runs(const struct dataset *d)
{
    return d->n_runs;
}

const struct run *dataset_run(const struct dataset *d, size_t run)
{
    return d->run[run].run;
}

size_t dataset_n_cells(const struct dataset *d, size_t run)
{
    return d->run[run].n;
}

const struct cell *dataset_cell(const struct dataset *d, size_t run, size_t i)
{
    return d->run[run].cell[i];
}

const struct row *dataset_rows(struct dataset *d, size_t *n)
{
    if (!d->rows_made)
        dataset_make_rows(d);
    *n = d->n_rows;
    return d->row;
}

const char *const *dataset_groups(struct dataset *d, size_t *n)
{
    if (!d->rows_made)
        dataset_make_rows(d);
    *n = d->n_groups;
    return d->group;
}
