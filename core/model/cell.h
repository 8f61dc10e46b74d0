/*
 * One cell of the matrix as it was measured (or imported): its key, the devices, one direction
 * record each, and what was found out about the measurement itself.
 */
#ifndef CORE_MODEL_CELL_H
#define CORE_MODEL_CELL_H

#include "core/model/cell_key.h"
#include "core/model/direction.h"
#include "core/model/disk_stat.h"
#include "core/model/volume_stat.h"

enum run_status {
    STATUS_RUNNING, /* of a run: cells are still to come (killed then, it loads as partial) */
    STATUS_COMPLETE,
    STATUS_PARTIAL, /* interrupted, or errors in some I/Os: figures cover what was done */
    STATUS_FAILED,
    STATUS_COUNT,
};
extern const char *const status_names[STATUS_COUNT + 1];

/* clang-format off */
#define CELL_FIELDS(X) \
    X(U64,    ordinal,       COUNT,   "place in the plan, from 0") \
    X(U64,    repeat,        COUNT,   "repeat of this key in the run, from 1") \
    X(TEXT,   name,          NONE,    "job name") \
    X(STATUS, status,        NONE,    "complete, partial or failed") \
    X(I64,    error_code,    NONE,    "errno of the first failure") \
    X(TEXT,   error,         NONE,    "what failed, in words") \
    X(I64,    started_ns,    INSTANT, "start of the measured part") \
    X(U64,    runtime_ns,    NS,      "length of the measured part") \
    X(U64,    ramp_ns,       NS,      "same load before it, not measured") \
    X(TEXT,   stage,         NONE,    "what else than a result of a suite's rounds it is: histogram, a long measurement after them") \
    X(U64,    round,         COUNT,   "round of a test for steady state, from 1; of a result: unknown") \
    X(U64,    rounds,        COUNT,   "rounds until that test ended; the result is of the last 5") \
    X(BOOL,   steady,        NONE,    "steady state was reached (SNIA's rule)") \
    X(F64,    steady_range,  RATIO,   "largest less smallest of the last 5 rounds over their mean; at most 0.2") \
    X(F64,    steady_slope,  RATIO,   "fitted change over the last 5 rounds over their mean; at most 0.1") \
    X(JSON,   round_values,  NONE,    "array: IOPS of this cell in each round; mean latency, ns, in snia-lat and under a rate") \
    X(F64,    ci_half,       RATIO,   "half width of the 95 % interval of the mean IOPS, over that mean") \
    X(F64,    n_eff,         COUNT,   "independent samples that interval stands on") \
    X(TEXT,   ended_by,      NONE,    "why the measured part ended: interval, drained, max-runtime") \
    X(U64,    user_ns,       NS,      "CPU time of the load generator in user mode") \
    X(U64,    system_ns,     NS,      "CPU time of the load generator in the kernel") \
    X(F64,    cpu_per_io_ns, NS,      "generator CPU time an I/O") \
    X(F64,    cpu_util_max,  RATIO,   "share of one CPU of the busiest job thread") \
    X(U64,    nvcsw,         COUNT,   "voluntary context switches") \
    X(U64,    nivcsw,        COUNT,   "involuntary context switches") \
    X(F64,    depth_reached, COUNT,   "I/Os in flight by Little's law: IOPS x mean lat") \
    X(F64,    little_ratio,  RATIO,   "depth_reached / (iodepth x numjobs); 1 in a closed loop") \
    X(F64,    steal,         RATIO,   "CPU time taken by the hypervisor, share of all CPUs") \
    X(BOOL,   together,      NONE,    "several devices loaded at once") \
    X(JSON,   caveats,       NONE,    "array of short names of doubts, e.g. [\"buffered\"]") \
    X(JSON,   assumed,       NONE,    "array of names of fields the source did not state") \
    X(JSON,   extra,         NONE,    "further facts of the source, name to value")
/* clang-format on */

/* Share of I/Os (all directions) in a latency range, as fio's tables give it: lo <= lat < hi. */
struct lat_bucket {
    uint64_t lo_ns;
    uint64_t hi_ns; /* UINT64_MAX: open end */
    double share;   /* 0..1 */
};

/* The share of one device when several are loaded together. */
struct cell_part {
    size_t device; /* index into run.device */
    struct direction dir[DIR_COUNT];
};

struct cell {
    uint64_t known;
    CELL_FIELDS(FIELD_MEMBER)
    int64_t id;     /* in the store; 0 before */
    int64_t run_id; /* likewise */
    struct cell_key key;
    struct direction dir[DIR_COUNT]; /* sums over jobs and devices */
    size_t *device;                  /* indexes into run.device */
    size_t n_devices;
    struct cell_part *part;
    size_t n_parts;
    struct lat_bucket *bucket;
    size_t n_buckets;
    struct disk_stat *disk; /* kernel counters of the devices over the cell */
    size_t n_disks;
    struct volume_stat *volume; /* what volumes of a cloud counted themselves */
    size_t n_volumes;
};

#define CELL_ENUM(type, name, unit, help) CELL_##name,
enum { CELL_FIELDS(CELL_ENUM) CELL_FIELD_COUNT };
extern const struct field_set cell_fields;

struct cell *cell_create(void);
void cell_destroy(struct cell *c);
/* Frees what the cell holds; the struct is as after = {0}. */
void cell_release(struct cell *c);

/* Adds a short name to caveats (once) or a field name to assumed. */
void cell_add_caveat(struct cell *c, const char *name);
void cell_add_assumed(struct cell *c, const char *field);
bool cell_has_caveat(const struct cell *c, const char *name);

/* IOPS and bytes/s of all directions but sync, NaN when none is known. */
double cell_iops(const struct cell *c);
double cell_bw(const struct cell *c);
/* True when an own rate limit is part of the key. */
bool cell_is_rate_limited(const struct cell *c);

#endif
