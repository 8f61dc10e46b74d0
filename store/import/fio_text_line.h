/*
 * The lines of fio's normal output (what it prints without --output-format), of 2.1 and later, one at
 * a time. Units change from line to line and stand in it; numbers are rounded to three or four digits
 * by fio. A line is recognised by its marks wherever it stands: it may be indented, quoted or have a
 * prompt or a time stamp in front.
 */
#ifndef STORE_IMPORT_FIO_TEXT_LINE_H
#define STORE_IMPORT_FIO_TEXT_LINE_H

#include "core/base/strbuf.h"
#include "core/model/cell.h"

/* "NAME: (g=0): rw=randread, bs=..., ioengine=libaio, iodepth=64": before the job starts. */
struct fio_text_setup {
    char *name;
    uint64_t group;
    char *rw, *engine;
    uint64_t iodepth; /* 0 unknown */
    uint64_t bs[3];   /* by enum dir; 0: a range or not a whole number */
    char *bs_text;    /* as printed */
    bool of_server;   /* passed on by a client: "<host> job: (g=0): ..." */
    size_t line;      /* where it stands, from 1; set by the caller */
};
void fio_text_setup_release(struct fio_text_setup *s);
bool fio_text_read_setup(const char *line, struct fio_text_setup *s);
/* Sets what it states in the key of a cell. */
void fio_text_setup_apply(const struct fio_text_setup *s, struct cell *cell);

/* Numbers that cannot be, in lines that say something: they stay unknown, and the table says so. */
#define FIO_TEXT_ODD_MAX 48
struct fio_text_odd {
    size_t n, line;               /* how many; where the first stands, from 1 */
    char first[FIO_TEXT_ODD_MAX]; /* "min=-491" */
};
/* Looks for numbers below 0, and for no jobs and no depth. */
void fio_text_find_odd(const char *line, size_t number, struct fio_text_odd *odd);
/* "1 impossible number left unknown: min=-491 in line 12"; nothing where there is none. */
void fio_text_say_odd(const struct fio_text_odd *odd, struct strbuf *note);

/* "Starting 3 processes", "Starting 2 threads and 1 process": how many jobs. */
bool fio_text_read_starting(const char *line, uint64_t *jobs);

/* "NAME: (groupid=0, jobs=8): err= 0: pid=1312326: Wed Dec 30 10:16:19 2020" */
struct fio_text_head {
    char *name;
    uint64_t group, jobs, pid; /* jobs: 0 unknown */
    int64_t error;
    char *error_words; /* NULL: none */
    char *time;        /* NULL: not there */
};
void fio_text_head_release(struct fio_text_head *h);
bool fio_text_read_head(const char *line, struct fio_text_head *h);

/* "write: IOPS=15.8k, BW=61.9MiB/s (64.9MB/s)(620MiB/10010msec)", or fio 2's "write: io=..., bw=..." */
bool fio_text_read_rates(const char *line, enum dir *dir, struct direction *d);

/* "fsync/fdatasync/sync_file_range:" begins the latencies of those calls. */
bool fio_text_is_sync(const char *line);

/* "slat (nsec): min=491, max=17362k, avg=2880.53, stdev=64680.49"; sync latency is LAT_LAT. */
bool fio_text_read_lat(const char *line, enum lat_kind *kind, struct lat *l);

/* "clat percentiles (usec):"; then "|  1.00th=[   22],  5.00th=[   47], ..." in that unit. */
bool fio_text_read_percentile_head(const char *line, enum lat_kind *kind, uint64_t *unit);
bool fio_text_read_percentiles(const char *line, uint64_t unit, struct lat *l);

/* "lat (usec)   : 20=0.78%, 50=5.38%": adds to cell->bucket. `with_ns`: fio 3, which has "nsec" too. */
bool fio_text_read_buckets(const char *line, bool with_ns, struct cell *cell);

/* "cpu : usr=0.94%, sys=0.70%, ctx=164610, ...": percent of one CPU. */
bool fio_text_read_cpu(const char *line, double *user, double *system);

/* "issued rwts: total=0,158604,0,0 short=0,0,0,0 ...", fio 2: "issued : total=r=1/w=0/d=0, ...". */
bool fio_text_read_issued(const char *line, uint64_t total[3], uint64_t shorts[3]);

/* "errors : total=3, first_error=5/<Input/output error>" */
bool fio_text_read_errors(const char *line, uint64_t *total);

/* "Run status group 0 (all jobs):" and the lines below it, "WRITE: bw=80.0MiB/s (83.9MB/s), ...". */
bool fio_text_read_group(const char *line, uint64_t *group);
bool fio_text_read_group_rates(const char *line, enum dir *dir, struct direction *d);

/* "Disk stats (read/write):" and "nvme1n1: ios=2663/38225, ..., util=62.19%". */
bool fio_text_is_disk_head(const char *line);
bool fio_text_read_disk(const char *line, struct disk_stat *disk);

/* "fio-3.16" alone on its line; free with free(). NULL when it is not that. */
char *fio_text_version(const char *line);

#endif
