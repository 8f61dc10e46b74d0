/* Shared by the files that read fio's JSON entries; not for others. */
#ifndef STORE_IMPORT_FIO_READ_INTERNAL_H
#define STORE_IMPORT_FIO_READ_INTERNAL_H

#include "core/model/cell.h"
#include "store/import/fio_options.h"
#include "store/import/fio_version.h"
#include "store/import/json_reader.h"

/* What was met while reading an entry and must be said with its cell. */
struct fio_doubts {
    bool overflow;   /* a count does not fit 64 bits: fio prints those as negative */
    bool no_counts;  /* fio 2.1 does not count I/Os: they are rate x time */
    bool no_samples; /* latencies are merged by the count of I/Os: samples are not stated */
    bool us_bins;    /* histogram steps of fio 2.x, whole microseconds */
};

#define FIO_BAD_VALUE_MAX 24

/* Figures that cannot be (-5 I/Os, 1e999, nan): they stay unknown, and the table says so once a file. */
struct fio_bad_numbers {
    size_t n;
    char first[32 + 3 + FIO_BAD_VALUE_MAX + 1]; /* "total_ios = -5" */
    size_t at;                                  /* its place in the text */
};

struct fio_reader {
    const struct json_doc *d;
    struct fio_version version;
    struct fio_doubts doubts;
    struct fio_bad_numbers *bad; /* NULL: nobody asks */
};

/* Counts a figure that is there and cannot be; a missing one and null are just unknown. */
void fio_say_bad(struct fio_reader *r, json_id id);
/* A count: false (and a doubt) for negative ones, and those the store cannot keep (2^63 and above). */
bool fio_read_u64(struct fio_reader *r, json_id obj, const char *name, uint64_t *v);
/* A rate or a mean: finite and not negative. */
bool fio_read_f64(struct fio_reader *r, json_id obj, const char *name, double *v);

/*
 * Fills one latency ("slat", "clat" or "lat" of a direction, in either unit); all stays unknown where
 * fio did not measure. Bins become the histogram; without them the percentiles are kept.
 */
void fio_read_lat(struct fio_reader *r, json_id direction, enum lat_kind kind, struct lat *out);

/* Fills a direction from its object. Of one that did nothing only that is known. */
void fio_read_direction(struct fio_reader *r, json_id obj, struct direction *out);
/* The same for "sync": fsync and its like. */
void fio_read_sync(struct fio_reader *r, json_id obj, struct direction *out);

/* Fills bucket from latency_ns, latency_us, latency_ms of an entry. */
void fio_read_buckets(struct fio_reader *r, json_id entry, struct cell *cell);

/* Fills what one entry states into an empty cell: name, directions, buckets, CPU, error, start. */
void fio_read_entry(struct fio_reader *r, json_id entry, struct cell *cell);

/* Percentiles that cannot be merged: the smallest and the largest of the members. */
struct fio_bound {
    enum dir dir;
    enum lat_kind kind;
    double p;
    uint64_t lo, hi;
};
struct fio_bounds {
    struct fio_bound *bound;
    size_t n, room;
};
void fio_bounds_release(struct fio_bounds *b);

/*
 * Adds what a member did (one of several jobs with the same load that ran together) to the sum: counts
 * add up, runtime is the longest, latencies merge with their counts, histograms by bucket, rates are
 * those of the sums. Percentiles without histogram go to the bounds and are forgotten. The member's
 * directions are used up.
 */
void fio_merge(struct fio_reader *r, struct cell *sum, struct cell *member,
               struct fio_bounds *bounds);

/* True when the pattern does I/O of that direction. */
bool fio_rw_uses(enum rw rw, enum dir dir);

/*
 * For a cell whose settings are not stated: its name becomes an option ("job"), so that loads of which
 * little is known are not taken for repeats of each other.
 */
void fio_key_by_name(struct cell *cell);

/* The block size from what was moved, where that is certain; assumed. */
void fio_infer_bs(struct cell *cell);
/* What the names of job and file say about settings that are still unknown; assumed. */
void fio_infer_names(struct cell *cell, const char *path);

/* What else is known about an entry when its options are read. */
struct fio_key_facts {
    uint64_t jobs;             /* entries that the cell was made of */
    uint64_t job_runtime_ns;   /* time of all its jobs added up; 0 unknown */
    const char *path;          /* of the file, NULL unknown */
    struct fio_reader *reader; /* is told of options that cannot be */
};

/*
 * Fills the key from the options and what fio assumes where none is given (said in cell->assumed),
 * and checks it against what the cell did: name and directions are filled already. Options that are
 * not those of all jobs of the cell are dropped from *o.
 */
void fio_key_read(struct cell *cell, struct fio_options *o, struct fio_version version,
                  const struct fio_key_facts *facts);

#endif
