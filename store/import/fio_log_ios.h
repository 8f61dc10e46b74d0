/*
 * Logs in which every line is an I/O (no log_avg_msec): exact histograms, counts, and a series over intervals that grow
 * with the length of the log.
 */
#ifndef STORE_IMPORT_FIO_LOG_IOS_H
#define STORE_IMPORT_FIO_LOG_IOS_H

#include "core/model/direction.h"
#include "store/import/fio_log_row.h"

#define LOG_DIRECTIONS 3 /* read, write, trim */

struct log_ios_direction {
    struct log_ios_bin {
        uint64_t ios, bytes, lat_sum, lat_max;
    } * bin;
    size_t n, room;
    uint32_t *hist; /* n * SERIES_HIST_BUCKETS, or NULL: no latencies */
    uint64_t ios, bytes;
    uint64_t bs; /* of all I/Os; 0: they differ */
    struct hist *lat[LAT_KIND_COUNT];
};

struct log_ios {
    uint64_t interval_ms;
    uint64_t end_ms; /* of the last I/O */
    bool too_large;  /* sums do not fit */
    struct log_ios_direction dir[LOG_DIRECTIONS];
};

void log_ios_init(struct log_ios *s);
void log_ios_release(struct log_ios *s);

/* Counts one I/O that completed at ms; ns: its latency, 0 unknown. For the one log of a job that is counted. */
void log_ios_count(struct log_ios *s, const struct fio_log_row *row, uint64_t ms, uint64_t ns);
/* Adds a latency to the histogram of its kind. */
void log_ios_latency(struct log_ios *s, unsigned dir, enum lat_kind kind, uint64_t ns);

/* Chooses the interval (1 s, less for short logs), then gives the series; it has no points when there is nothing. */
void log_ios_settle(struct log_ios *s);
void log_ios_series(const struct log_ios *s, unsigned dir, struct series *out);

#endif
