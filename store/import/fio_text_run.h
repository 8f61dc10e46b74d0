/* fio's normal output line by line into runs: what belongs to which job, group and run. */
#ifndef STORE_IMPORT_FIO_TEXT_RUN_H
#define STORE_IMPORT_FIO_TEXT_RUN_H

#include "store/import/fio_text_line.h"

/* A block of a job, or what a text without blocks says about a group. */
struct fio_text_job {
    struct cell cell;          /* directions, buckets, CPU, error; settings come at the end */
    uint64_t group, jobs, pid; /* jobs: 0 unknown */
    uint64_t issued[3], shorts[3];
    bool has_issued;
    double user, system; /* percent of one CPU, the mean of the jobs; NaN unknown */
    uint64_t errors;     /* I/Os that failed */
    size_t line;         /* where it begins, from 1 */
    char *time;          /* when it ended, in the local time of that machine; NULL unknown */
};

struct fio_text_run {
    char *label;   /* the heading it stands under ("nvme1:"); NULL: none */
    char *version; /* NULL unknown */
    size_t line;   /* where it begins, from 1 */
    bool client;   /* of servers, one of which may begin again after the run status of another */
    struct fio_text_setup *setup;
    size_t n_setups, room_setups;
    uint64_t starting;        /* jobs that fio said it starts; 0 unknown */
    struct fio_text_job *job; /* blocks */
    size_t n_jobs, room_jobs;
    struct fio_text_job *group; /* "Run status group" entries */
    size_t n_groups, room_groups;
    struct cell loose; /* latency tables outside of any block, and the disks */
    char **message;
    size_t n_messages, room_messages;
};

struct fio_text_runs {
    struct fio_text_run *run;
    size_t n, room;
    struct fio_text_odd odd;
};

/*
 * Reads a whole text. Runs are in order; of running totals (--status-interval) the last is kept, and
 * fragments under the same heading are one run.
 */
void fio_text_runs_read(struct fio_text_runs *runs, const char *text, size_t n);
void fio_text_runs_release(struct fio_text_runs *runs);

#endif
