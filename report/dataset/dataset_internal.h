/* What dataset.c (keeping runs and cells) and rows.c (making rows of them) share. */
#ifndef REPORT_DATASET_DATASET_INTERNAL_H
#define REPORT_DATASET_DATASET_INTERNAL_H

#include "core/base/arena.h"
#include "report/dataset/dataset.h"

struct dataset_run {
    struct run *run;
    struct cell **cell; /* owned, in the order they came: plan order */
    size_t n, room;
};

struct dataset {
    struct arena *arena; /* rows, groups, merged histograms, texts */
    struct dataset_run *run;
    size_t n_runs, room;
    bool rows_made;
    struct row *row;
    size_t n_rows;
    const char **group;
    size_t n_groups;
};

/* Fills row, n_rows, group, n_groups. */
void dataset_make_rows(struct dataset *d);

#endif
