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

/* Loads of which the number of jobs is a step of depth; in the dataset's arena, ascending. */
struct job_ladders {
    const char **load;
    size_t n;
};
void job_ladders_find(struct job_ladders *out, const struct dataset *d);
bool is_on_job_ladder(const struct job_ladders *l, struct arena *arena, const struct cell *c);

/*
 * Jobs of a row; 0 unknown. numjobs of a sweep are on each of its devices; of an import with several hosts
 * they are those of all hosts, and each one's share is known where all did the same.
 */
uint64_t row_jobs(const struct row *r);

/* Texts of rows, made in the arena. Group: `varies` has a bit for each key field to name. */
const char *row_device_words(struct arena *arena, const struct run *run, const struct cell *c,
                             size_t part);
const char *row_pattern_words(struct arena *arena, const struct cell_key *key, enum dir dir);
const char *row_group_words(struct arena *arena, const struct row *r, uint64_t varies,
                            bool many_devices, bool jobs_are_depth);
/* Fields of the key that are an axis of a chart, or said by the pattern: not part of a group. */
bool row_is_axis(size_t field);

/* Fills row, n_rows, group, n_groups. */
void dataset_make_rows(struct dataset *d);
/* Finds the rows that are steps of a response curve. */
void dataset_find_steps(struct dataset *d);

#endif
