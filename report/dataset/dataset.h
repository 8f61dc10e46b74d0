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
/* Takes the content of *cell over (it is {0} after). Rows asked for earlier are made again. */
void dataset_add_cell(struct dataset *d, size_t run, struct cell *cell);
/*
 * Reads runs with their cells; flags are store.h's enum load_flag. Of the three latencies only the
 * main one keeps its histogram.
 */
int dataset_load(struct dataset **out, struct store *s, const int64_t *run_id, size_t n,
                 unsigned flags, struct error *err);

/*
 * Puts the cells of all runs into one more run, *at: the same key on the same device becomes repeats.
 * The other runs stay, without cells; the new one has their devices and limits, and those facts of run,
 * host and labels in which all agree. ERR_USAGE: their limits of one device or machine differ.
 */
int dataset_merge_runs(size_t *at, struct dataset *d, struct error *err);

size_t dataset_n_runs(const struct dataset *d);
const struct run *dataset_run(const struct dataset *d, size_t run);
size_t dataset_n_cells(const struct dataset *d, size_t run);
const struct cell *dataset_cell(const struct dataset *d, size_t run, size_t i);

/*
 * A row: one direction of one cell key on one device set in one run, repeats together. Values are
 * the median over the repeats; latency comes from the merged histogram (or the one repeat's
 * reported percentiles; those of several repeats without histograms are never averaged: counts,
 * min, max and mean only). Rows are made once, in plan order. Cells loaded together on several
 * devices also have a row for each device's share. fsync calls (DIR_SYNC) have no row: read them in
 * the cell.
 *
 * A cell that failed in every repeat still has a row for each direction of its pattern: n_repeats
 * is 0, all values are unknown, and cell tells the status and the error.
 */
struct row {
    const struct run *run;
    size_t run_index;
    const struct cell *cell;          /* the first usable repeat, or the first that failed */
    const struct cell *const *repeat; /* all usable repeats (complete, or partial with I/Os) */
    size_t n_repeats;
    enum dir dir;
    size_t part;             /* index into cell->part + 1; 0 = whole cell */
    const char *device;      /* "/dev/sdc", or "/dev/sdc + /dev/sdd" when together; "" unknown */
    const char *pattern;     /* words: "random read"; in a mix "random mix 70/30, reads" */
    const char *group;       /* below; one pointer for equal texts of one dataset */
    double iops, bw;         /* medians; NaN unknown */
    double iops_lo, iops_hi; /* smallest and largest repeat */
    uint64_t bs;             /* of this direction; 0 when not one number */
    uint64_t jobs;           /* that did its I/Os (of a sweep on each device); 0 unknown */
    uint64_t depth;          /* iodepth * jobs; 0 unknown */
    struct lat lat;          /* main latency (direction_main_lat); known == 0 when none */
    enum lat_kind lat_kind;  /* LAT_KIND_COUNT when none */
    /*
     * Of a step of a response curve (two or more rates of a load that the run has in a closed loop
     * too): the row of that closed loop, the maximum; else NULL.
     */
    const struct row *maximum;
};
/*
 * group: everything but block size and depth, for people: equal text = same curve family. It is the
 * pattern, and only what must be said beside it: settings that differ between cells of the dataset,
 * several jobs, buffered, the own rate of its direction, and the device when a run has several. Examples: "random read";
 * "sequential write, 4 jobs, io_uring, /dev/sdc". The steps of a response curve are a group of their
 * own whatever their rates: "random read, response curve".
 */

/* Rows of all runs; the array belongs to the dataset. */
const struct row *dataset_rows(struct dataset *d, size_t *n);
/*
 * Latency percentile (0..100) of a row in ns; 100 is the maximum. NaN when unknown, or when a
 * histogram has under 10 samples beyond it.
 */
double row_percentile(const struct row *r, double p);
/*
 * True when its latencies count from when I/Os were due: a rate of its own that this program kept. What
 * others keep at a rate, they measure from the issue.
 */
bool row_is_from_due(const struct row *r);

/* Distinct groups among the rows in order of appearance: for "one chart a group". */
const char *const *dataset_groups(struct dataset *d, size_t *n);

/* The parts of the cell are hosts of a client/server run, as its importer names them: settings are those of all. */
bool cell_is_of_hosts(const struct cell *c);

#endif
