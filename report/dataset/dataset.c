#include "report/dataset/dataset_internal.h"

#include "core/base/xalloc.h"

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
