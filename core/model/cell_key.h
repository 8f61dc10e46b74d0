/*
 * What makes one cell of the matrix comparable with another: the settings of the I/O, not the
 * device. Two cells with the same canonical text are repeats of each other, in one run or in
 * several.
 */
#ifndef CORE_MODEL_CELL_KEY_H
#define CORE_MODEL_CELL_KEY_H

#include "core/base/strbuf.h"
#include "core/model/field.h"

/* Access pattern, in fio's words. */
enum rw {
    RW_READ,
    RW_WRITE,
    RW_TRIM,
    RW_RANDREAD,
    RW_RANDWRITE,
    RW_RANDTRIM,
    RW_RW,     /* sequential reads and writes mixed ("rw", "readwrite") */
    RW_RANDRW, /* random reads and writes mixed */
    RW_TRIMWRITE,
    RW_RANDTRIMWRITE,
    RW_COUNT,
};
extern const char *const rw_names[RW_COUNT + 1];

/* From fio's text, aliases ("readwrite") and suffixes (":8", "randrw:2") included; -1 when unknown.
 */
int rw_parse(const char *text);
bool rw_is_random(enum rw rw);
bool rw_is_mixed(enum rw rw); /* reads and writes in one job */
bool rw_reads(enum rw rw);
bool rw_writes(enum rw rw); /* writes or trims: destroys data */
bool rw_trims(enum rw rw);
const char *
rw_words(enum rw rw); /* "random read", "sequential write", "random mix" ... for people */

/* clang-format off */
#define CELL_KEY_FIELDS(X) \
    X(RW,   rw,             NONE,        "access pattern, as fio's rw") \
    X(U64,  rwmixread,      PERCENT,     "share of reads in a mixed pattern") \
    X(U64,  bs,             BYTES,       "block size (of reads, when writes differ)") \
    X(U64,  bs_write,       BYTES,       "block size of writes, where it differs from bs") \
    X(TEXT, bs_text,        NONE,        "block sizes that are not one number: bssplit, bsrange, r,w,t") \
    X(U64,  iodepth,        COUNT,       "I/Os in flight asked for, per job") \
    X(U64,  numjobs,        COUNT,       "jobs (threads) with this same load") \
    X(TEXT, engine,         NONE,        "I/O interface: libaio, io_uring, psync ...") \
    X(TEXT, engine_options, NONE,        "options of the engine, name=value, sorted") \
    X(BOOL, direct,         NONE,        "O_DIRECT; false is buffered") \
    X(TEXT, sync,           NONE,        "sync, dsync, fsync=N, fdatasync=N; unknown when none") \
    X(U64,  size,           BYTES,       "extent of the device or file that is used") \
    X(U64,  offset,         BYTES,       "start of that extent") \
    X(TEXT, distribution,   NONE,        "random offsets: uniform, cover, zipf:THETA") \
    X(F64,  rate_iops,      IOPS,        "own limit of I/Os per second, per job and direction (of reads, when writes differ)") \
    X(F64,  rate_iops_write, IOPS,       "own limit of writes per second, per job, where it differs; 0: none") \
    X(F64,  rate_bw,        BYTES_PER_S, "own limit of bytes per second, per job and direction (of reads, when writes differ)") \
    X(F64,  rate_bw_write,  BYTES_PER_S, "own limit of written bytes per second, per job, where it differs; 0: none") \
    X(TEXT, arrival,        NONE,        "arrivals of a rate-limited load: constant, poisson") \
    X(U64,  thinktime_ns,   NS,          "pause between I/Os of a job") \
    X(U64,  compress,       PERCENT,     "compressible share of the written buffers") \
    X(U64,  dedupe,         PERCENT,     "duplicate share of the written buffers") \
    X(JSON, options,        NONE,        "further options that change the load, name to text")
/* clang-format on */

FIELD_RECORD(cell_key, CELL_KEY_FIELDS);

#define CELL_KEY_ENUM(type, name, unit, help) CELL_KEY_##name,
enum { CELL_KEY_FIELDS(CELL_KEY_ENUM) CELL_KEY_FIELD_COUNT };
extern const struct field_set cell_key_fields;

/*
 * The canonical text, "rw=randread bs=4096 iodepth=32 numjobs=1 engine=libaio direct=1": every
 * known field in table order, values as field_format writes them.
 */
void cell_key_text(struct strbuf *out, const struct cell_key *key);
/* For people: "random read, 4k, QD 32" and, only where they say something, jobs, mix, and what
 * cell_key_load says. */
void cell_key_words(struct strbuf *out, const struct cell_key *key);
/* The own limit of reads, or of what is not a read, per job and second; 0: none. */
double cell_key_rate_iops(const struct cell_key *key, bool reads);
double cell_key_rate_bw(const struct cell_key *key, bool reads);
/*
 * True when every direction of the pattern has a rate: an open loop, whose I/Os are due at instants of
 * their own. A mix with a rate for one direction only is a closed loop that draws the other one in
 * its place as long as it is ahead of its rate (as in fio).
 */
bool cell_key_is_open(const struct cell_key *key);
/*
 * Share of reads among the I/Os of a mix, in percent: rwmixread, or that of the rates where both directions
 * have one, as they make the shares then (in fio, too). False: no mix of reads and writes, or rwmixread is
 * not known; a job that did not reach its rates had other shares, so they alone tell none.
 */
bool cell_key_read_percent(const struct cell_key *key, double *percent);
/* "70/30", "66.7/33.3" */
void cell_key_mix(struct strbuf *out, double reads);
/* The pattern in fio's words, a mix with its shares: "randread", "randrw 70/30"; nothing when
 * unknown. */
void cell_key_pattern(struct strbuf *out, const struct cell_key *key);
/* The block size or sizes: "4k", "4k (writes 64k)", "4k/60:64k/40"; nothing when unknown. */
void cell_key_sizes(struct strbuf *out, const struct cell_key *key);
/* What else is special about the load: "zipf:1.2, fsync=8, limited to 500 IOPS a job, buffered". */
void cell_key_load(struct strbuf *out, const struct cell_key *key);

#endif
