/*
 * Made-up cells and runs for tests of what judges and shows results. The figures of a cell follow
 * from a rate and a latency; nothing is random.
 */
#ifndef TESTS_SUPPORT_MADE_H
#define TESTS_SUPPORT_MADE_H

#include "core/model/run.h"

/* What a cell of a test is; 0 and NULL stand for the usual: random reads, QD 1, 1 job, 60 s. */
struct made {
    enum rw rw; /* RW_READ is 0: name it where it matters */
    uint64_t bs;
    uint64_t depth;
    uint64_t jobs;
    uint64_t repeat;     /* from 1 */
    double iops;         /* of each direction of the pattern */
    double iops_after;   /* from second 30 on; 0: the same rate throughout */
    double lat_ns;       /* median; 0: depth / iops, as a closed loop has it */
    double rate_bw;      /* own limit, bytes/s a job */
    uint64_t pause_ns;   /* think time */
    double cpu;          /* busiest thread; 0: 0.2 */
    unsigned seconds;    /* of the series; 0: 60 */
    uint64_t runtime_ns; /* of the cell; 0: its seconds */
    bool no_hist;        /* reported percentiles only, as in an import */
    bool no_series;
    bool beside; /* other jobs ran at the same time */
    /* what a volume of its own counted, shares of 60 s: disk IOPS, disk bw, VM IOPS, VM bw; NULL: none */
    const double *exceeded;
};

/* Fills *c (must be {0}); device 0 of the run. Free with cell_release(). */
void made_cell(struct cell *c, const struct made *m);
/* Makes it one of devices 0 and 1 of the run together; what each did in a direction becomes its share. */
void made_parts(struct cell *c, enum dir dir, const double iops[2]);
/* A complete run of "blkmatrix" on one device /dev/sdc, started 2026-05-12T09:00:00Z. */
struct run *made_run(void);
/* Adds a limit with published text; value in I/Os or bytes per second. */
struct limit *made_limit(struct run *r, enum limit_owner owner, enum limit_kind kind,
                         enum limit_phase phase, enum limit_path path, double value,
                         const char *published);

#endif
