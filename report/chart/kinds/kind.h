/*
 * Kinds of chart. A kind picks rows of a dataset and builds a chart from them; it knows nothing of
 * drawing. To add one: a file beside this, a row in registry.c, a line in report/CMakeLists.txt and
 * a fixture in tests/data/golden/.
 */
#ifndef REPORT_CHART_KINDS_KIND_H
#define REPORT_CHART_KINDS_KIND_H

#include "report/chart/chart.h"
#include "report/dataset/dataset.h"

/* Which rows. What is NULL, 0 or empty does not restrict. */
struct kind_query {
    const char *group;     /* of dataset_groups() */
    const char *const *rw; /* fio's names: "randread" */
    size_t n_rw;
    const uint64_t *bs;
    size_t n_bs;
    const uint64_t *depth; /* iodepth x numjobs */
    size_t n_depth;
    const char *device; /* as in struct row, or one of several */
};

struct kind {
    const char *name;
    const char *title; /* what it shows, in a few words */
    const char *help;  /* what it is good for and what it takes */
    bool needs_series; /* samples over time must be loaded; histograms always */
    /*
     * Fills c. Never fails: without usable rows the chart is an empty figure that says why and which
     * command would fill it. The dataset must outlive the chart.
     */
    void (*build)(struct chart *c, struct dataset *d, const struct kind_query *q);
};

extern const struct kind *const kind_table[]; /* NULL-terminated */

/* NULL when there is none of that name. */
const struct kind *kind_find(const char *name);
/* chart_create() and build(). */
struct chart *kind_build(const struct kind *k, struct dataset *d, const struct kind_query *q);

#endif
