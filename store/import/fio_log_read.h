/*
 * The logs of one cell (all its jobs, all kinds) put together: a series and, where every I/O was logged or counted,
 * histograms.
 */
#ifndef STORE_IMPORT_FIO_LOG_READ_H
#define STORE_IMPORT_FIO_LOG_READ_H

#include "core/base/strbuf.h"
#include "store/import/fio_log_ios.h"
#include "store/import/fio_log_name.h"

/* Of latencies: before fio 2.99 they are us. */
enum fio_log_unit { FIO_LOG_UNIT_UNKNOWN, FIO_LOG_UNIT_NS, FIO_LOG_UNIT_US };

struct fio_log_file {
    const char *path;
    enum fio_log_kind kind;
    uint64_t job;
    size_t section; /* of several sections each may have a log of all its jobs, job 0 */
    void *user;     /* for the caller's problem() */
};

/* Where the bytes of a log come from, and who is told of its bad lines. */
struct fio_log_input {
    void *self;
    /* The bytes stay until the next call. False: it cannot be read (the caller knows why). */
    bool (*load)(void *self, const struct fio_log_file *file, const char **bytes, size_t *n);
    void (*problem)(void *self, const struct fio_log_file *file, size_t line, const char *why);
};

/* Sampled rates, as fio states them beside its results; of several jobs only the mean is their sum. */
struct fio_log_rate {
    uint64_t n;
    double mean, min, max, stddev;
};

struct fio_log_direction {
    bool used;
    struct series series;              /* without points: too short, or nothing to make it of */
    struct hist *hist[LAT_KIND_COUNT]; /* of every I/O (or all that clat_hist has), else NULL */
    uint64_t ios, bytes;               /* counted: per_io only */
    uint64_t bs;                       /* of all I/Os; 0: they differ or are not known */
    struct fio_log_rate iops, bw;      /* of windows only; bw in bytes/s */
};

struct fio_logs {
    struct fio_log_direction dir[LOG_DIRECTIONS];
    bool per_io;        /* a line an I/O */
    size_t jobs;        /* logs of so many jobs */
    uint64_t origin_ms; /* log_unix_epoch: start, ms since 1970; else 0 */
    uint64_t end_ms;    /* of the last line, since the start */
    int series_lat;     /* enum lat_kind of the series; -1: it has none */
    bool unweighted;    /* latencies of several jobs, and nothing to weigh them with: left out */
    bool assumed_ns;    /* nothing but the number of columns says that latencies are in ns */
    struct strbuf note; /* what was left out, "a; b" */
};

#define FIO_LOG_ALL_JOBS SIZE_MAX

/*
 * `file` is sorted by section, job and kind (fio_log_files_sort). only: all jobs together, or of windows just the one with this
 * number, from 0.
 */
void fio_logs_read(struct fio_logs *out, const struct fio_log_file *file, size_t n, size_t only,
                   enum fio_log_unit unit, const struct fio_log_input *in);
void fio_logs_release(struct fio_logs *l);
void fio_log_files_sort(struct fio_log_file *file, size_t n);

#endif
