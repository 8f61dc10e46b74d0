/*
 * Names of fio's log files: PREFIX_KIND.JOB.log, or PREFIX_KIND.log with per_job_logs=0. Nothing in a log says
 * what its values are, so its name must.
 */
#ifndef STORE_IMPORT_FIO_LOG_NAME_H
#define STORE_IMPORT_FIO_LOG_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fio_log_kind {
    FIO_LOG_BW, /* KiB/s */
    FIO_LOG_IOPS,
    FIO_LOG_SLAT, /* latencies: ns, us before fio 2.99 */
    FIO_LOG_CLAT,
    FIO_LOG_LAT,
    FIO_LOG_HIST, /* clat_hist: counts of completion latencies */
    FIO_LOG_KINDS,
};
extern const char *const fio_log_kind_names[FIO_LOG_KINDS + 1]; /* as in the names of files */

struct fio_log_name {
    size_t prefix_len; /* of the path, folders included */
    enum fio_log_kind kind;
    uint64_t job; /* from 1 over all jobs of the fio process; 0: all of them in one file */
};

/* False when the path is not named like a log of fio. */
bool fio_log_name_parse(struct fio_log_name *out, const char *path);

#endif
