/*
 * Of a load with a rate: how many I/Os are due, whether or not the job gets to issue them. A clone
 * of the workload runs ahead to the present and counts; the difference to what was issued is the
 * backlog.
 */
#ifndef RUNNER_JOB_ARRIVALS_INTERNAL_H
#define RUNNER_JOB_ARRIVALS_INTERNAL_H

#include "runner/workload/workload.h"

struct arrivals {
    struct workload *schedule; /* NULL in a closed loop */
    uint64_t due[WORKLOAD_DIRS];
    uint64_t issued[WORKLOAD_DIRS];
    uint64_t offered[WORKLOAD_DIRS]; /* due before the window; after arrivals_end: in it */
    uint64_t backlog_max[WORKLOAD_DIRS];
};

void arrivals_init(struct arrivals *a, const struct workload *load);
void arrivals_release(struct arrivals *a);
/* The window begins, or ends, so long after the start of the load. */
void arrivals_begin(struct arrivals *a, uint64_t since_start_ns);
void arrivals_end(struct arrivals *a, uint64_t since_start_ns);
/* I/Os that were due at the last look and are not issued yet. */
uint64_t arrivals_waiting(const struct arrivals *a);
/* Brings due and backlog_max up to the present. */
void arrivals_update(struct arrivals *a, uint64_t since_start_ns);

#endif
