/*
 * What charts, analysis and pages look at: runs and their cells in memory, and rows of typed values
 * over them. Filled from a store (dataset_load) or by hand (tests). Lives in one arena of its own
 * plus the histograms and series of its cells; freed whole.
 */
#ifndef REPORT_DATASET_DATASET_H
#define REPORT_DATASET_DATASET_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/model/run.h"

struct store;
struct dataset;

struct dataset *dataset_create(void);
void dataset_destroy(struct dataset *d);
/* Takes the run over (dataset_destroy frees it); returns its index. */
size_t dataset_add_run(struct dataset *d, struct run *run);
/* Takes the content of *cell over (it is {0} after). */
void dataset_add_cell(struct dataset *d, size_t run, struct cell *cell);
/* Reads runs with their cells; flags are store.h's enum load_flag. */
int dataset_load(struct dataset **out, struct store *s, const int64_t *run_id, size_t n,
                 unsigned flags, struct error *err);

size_t dataset_n_runs(const struct dataset *d);
const struct run *dataset_run(const struct dataset *d, size_t run);
size_t dataset_n_cells(const struct dataset *d, size_t run);
const struct cell *dataset_cell(const struct dataset *d, size_t run, size_t i);

/*
 * A row: one direction of one cell key on one device set in one run, repeats together. Values are
 * the median over the repeats; latency comes from the merged histogram (or the one repeat's
 * reported percentiles). Rows are made once, in plan order.
 */
struct row {
    const struct run *run;
    size_t run_index;
    const struct cell *cell;          /* the first repeat */
    const struct cell *const *repeat; /* all usable repeats (complete, or partial with I/Os) */
    size_t n_repeats;
    enum dir dir;
    size_t part;             /* index into cell->part + 1; 0 = whole cell */
    const char *device;      /* "/dev/sdc", or "/dev/sdc + /dev/sdd" when together */
    const char *pattern;     /* words: "random read"; in a mix "random mix 70/30, reads" */
    const char *group;       /* everything but bs and iodepth, as text: equal = same curve family */
    double iops, bw;         /* medians; NaN unknown */
    double iops_lo, iops_hi; /* smallest and largest repeat */
    uint64_t bs;             /* of this direction; 0 when not one number */
    uint64_t depth;          /* iodepth * numjobs */
    struct lat lat;          /* main latency (direction_main_lat); known == 0 when none */
    enum lat_kind lat_kind;
};

/* Rows of all runs; the array belongs to the dataset. */
const struct row *dataset_rows(struct dataset *d, size_t *n);
/* Latency percentile of a row in ns; NaN when unknown or (histogram) supported by under 10 samples.
 */
double row_percentile(const struct row *r, double p);

/* Distinct groups among the rows in order of appearance: for "one chart a group". */
const char *const *dataset_groups(struct dataset *d, size_t *n);

#endif
