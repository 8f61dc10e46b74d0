/*
 * The text that diskspd prints: settings of each timespan and target, then for each timespan totals of all, read and
 * written I/Os and a table of latency percentiles. Versions differ in units ("4096", "4KiB"), in the order of the ratio of a mix
 * and in columns; tables are read by their headings. Source: microsoft/diskspd ResultParser.cpp, Common.cpp.
 */
#ifndef STORE_IMPORT_DISKSPD_TEXT_H
#define STORE_IMPORT_DISKSPD_TEXT_H

#include "core/model/cell.h"

enum { SPD_TARGETS_MAX = 256, SPD_SPANS_MAX = 256 };

/* Settings of one target; what is not stated is 0 or -1. */
struct spd_target {
    char *path;
    uint64_t bs, iodepth, threads;
    int random;    /* 0 sequential, 1 random */
    int write_pct; /* 0..100 */
    int direct;
    bool completion_ports;
};

struct spd_span {
    uint64_t number; /* as printed, from 1; 0: not printed */
    struct spd_target *target;
    size_t n_targets, room_targets;
    uint64_t warmup_ns;
    struct direction dir[DIR_COUNT]; /* read, write, and all together as mixed */
    uint64_t runtime_ns;             /* 0 unknown */
    size_t line;                     /* where its results begin; 0: it has none */
};

/* What one call of diskspd printed. */
struct spd_run {
    char *command, *host;
    int64_t started_ns; /* 0 unknown */
    struct spd_span *span;
    size_t n, room;
};

struct spd_reader {
    const char *at, *end;
    size_t line; /* of the last line read */
    char *next_command;
};

void spd_reader_init(struct spd_reader *r, const char *text, size_t n);
void spd_reader_release(struct spd_reader *r);
/* The next run that has results; false at the end. */
bool spd_read(struct spd_reader *r, struct spd_run *out);
void spd_run_release(struct spd_run *run);

#endif
