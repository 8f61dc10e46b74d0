/*
 * Lines of fio's logs.
 *
 * bw, iops, slat, clat, lat: "time, value, direction, block size[, ...]", time in ms, direction 0 read, 1 write,
 * 2 trim. Block size 0: the value stands for a window of log_avg_msec that ends at that time. Otherwise the line is
 * one I/O. log_window_value=both (3.37) puts the largest value behind the mean. What follows (offset, priority, time of
 * issue) is not needed.
 *
 * clat_hist: "time, direction, block size, count, count, ..." for the time since the line before; buckets as in
 * core/model/hist.h, 1216 in us before fio 2.99, else 1856 in ns; log_hist_coarseness=K adds 2^K neighbours up.
 *
 * Source: axboe/fio iolog.c (flush_samples, flush_hist_samples), HOWTO.
 */
#ifndef STORE_IMPORT_FIO_LOG_ROW_H
#define STORE_IMPORT_FIO_LOG_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/model/hist.h"

/* Times and values above are no measurement: sums of any two still fit 64 bits, and a double holds each exactly. */
#define FIO_LOG_NUMBER_MAX (UINT64_C(1) << 53)

struct fio_log_row {
    uint64_t ms;
    uint64_t value;
    uint64_t max; /* 0: not stated */
    uint64_t bs;  /* 0: a window */
    unsigned dir; /* enum dir: read, write or trim */
};

struct fio_log_reader {
    const char *start, *at, *end;
    size_t line;    /* of the last row, from 1 */
    size_t columns; /* all lines have as many; 0: not known yet */
    bool hist;
    bool both;         /* the largest value behind the mean */
    size_t n_counts;   /* of a clat_hist line */
    unsigned coarse;   /* log_hist_coarseness */
    bool microseconds; /* of a clat_hist line */
    /* Told of each line that is not what fio writes; it is left out. */
    void (*problem)(void *arg, size_t line, const char *why);
    void *arg;
};

void fio_log_reader_init(struct fio_log_reader *r, const char *bytes, size_t n, bool hist);

/* The next good line; false at the end. `count` (HIST_BUCKETS of them) is filled for clat_hist only. */
bool fio_log_next(struct fio_log_reader *r, struct fio_log_row *row, uint64_t *count);

/* True when the first line is one of a log of either form. */
bool fio_log_looks_like(const char *bytes, size_t n);

#endif
