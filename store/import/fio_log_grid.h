/*
 * Windows of averaged logs on one time axis. The axis is that of one log (its rows end where its windows do, so its
 * values come out as they are); rows of other logs, whose instants differ by some ms, are moved to an edge near by, else
 * shared out over the windows they reach into. Rates of jobs add up, latencies are weighted with the I/Os of their job.
 */
#ifndef STORE_IMPORT_FIO_LOG_GRID_H
#define STORE_IMPORT_FIO_LOG_GRID_H

#include "core/model/series.h"
#include "store/import/fio_log_row.h"

/* The rows of one log in one direction, windows only, in the order of their ends; ms since the start of the logs. */
struct log_stream {
    uint32_t *ms; /* ends of windows; n of each */
    uint64_t *value;
    uint64_t *max; /* NULL: not stated */
    size_t n, room, room_value, room_max;
};

void log_stream_add(struct log_stream *s, uint32_t ms, uint64_t value, uint64_t max);
void log_stream_release(struct log_stream *s);

/* What the value of a row adds to. */
enum grid_value { GRID_IOPS, GRID_KIB_PER_S, GRID_LATENCY, GRID_VALUES };

struct grid_bin {
    uint64_t end_ms;
    double job[GRID_VALUES]; /* value x ms of the current job */
    double lat_ms;           /* of which its latency is known */
    double iops, kib;        /* sums over jobs, a second */
    double lat, weight;      /* sum of weight x mean */
    uint64_t lat_max;
    uint64_t hist_n;
};

struct grid {
    uint64_t interval_ms;
    uint64_t slack_ms;            /* half of a window of the log that made it */
    uint64_t end_ms[GRID_VALUES]; /* as far as logs of it reach */
    struct grid_bin *bin;
    size_t n, room;
    uint32_t *hist; /* hist_n * SERIES_HIST_BUCKETS, or NULL */
    size_t hist_n;
};

/* The usual length of a window: the median distance of rows. */
uint64_t log_stream_interval(const struct log_stream *s);

/*
 * Makes the axis of a log. Windows that are missing in it become one without I/O; of more than GRID_WINDOWS, several
 * become one.
 */
#define GRID_WINDOWS 65536
void grid_make(struct grid *g, const struct log_stream *s);
void grid_release(struct grid *g);

/* Adds a log of the current job. */
void grid_add(struct grid *g, const struct log_stream *s, enum grid_value value);
/* Adds counts of one line of a histogram log to the window that ends nearest. */
void grid_add_hist(struct grid *g, uint64_t ms, const struct fio_log_reader *r,
                   const uint64_t *count);
/* Adds what the current job did to the sums. */
void grid_end_job(struct grid *g);

/* Where no log states I/Os, those of the histograms are them. */
void grid_take_counts(struct grid *g);

/*
 * The windows as a series, as far as all its rates are logged. `missing` says what no log states; without I/Os the latency of a single job is a mean over
 * an unknown number. Histograms are moved out of the grid. False when numbers are too large to be true.
 */
bool grid_series(struct grid *g, unsigned missing, struct series *out);

#endif
