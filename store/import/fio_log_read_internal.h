/* Shared by fio_log_read.c, fio_log_unit.c and fio_log_window.c; not for others. */
#ifndef STORE_IMPORT_FIO_LOG_READ_INTERNAL_H
#define STORE_IMPORT_FIO_LOG_READ_INTERNAL_H

#include "store/import/fio_log_grid.h"
#include "store/import/fio_log_read.h"

struct log_reading {
    struct fio_logs *out;
    const struct fio_log_file *file;
    size_t n;
    const struct fio_log_input *in;
    size_t only; /* job, FIO_LOG_ALL_JOBS */
    enum fio_log_unit unit;
    unsigned kinds; /* bits of enum fio_log_kind: those that count */
    const struct fio_log_file *current;
};

/* Opens a file; false: it cannot be read. Bad lines are told when `tell`. */
bool log_open(struct log_reading *r, const struct fio_log_file *file, struct fio_log_reader *reader,
              bool tell);
/* A time of a line since the start of the logs; false (told as a problem): it is out of reach. */
bool log_time(struct log_reading *r, const struct fio_log_reader *reader, uint64_t ms,
              uint32_t *since);
void log_note(struct log_reading *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Two files are logs of the same jobs. */
bool log_is_one_job(const struct fio_log_file *a, const struct fio_log_file *b);
bool log_is_latency(enum fio_log_kind kind);
enum lat_kind log_lat_kind(enum fio_log_kind kind);
/* ns of a value; false: too large. */
bool log_ns(const struct log_reading *r, uint64_t value, uint64_t *ns);

/* What the logs themselves tell of their unit. */
void log_find_unit(struct log_reading *r);

/* Logs of windows (log_avg_msec), and clat_hist: fills series, histograms and rates. */
void log_read_windows(struct log_reading *r);

#endif
