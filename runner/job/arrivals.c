#include "runner/job/arrivals_internal.h"

void arrivals_init(struct arrivals *a, const struct workload *load)
{
    *a = (struct arrivals){.schedule = workload_clone(load)};
}

void arrivals_release(struct arrivals *a)
{
    workload_destroy(a->schedule);
    a->schedule = NULL;
}

static void advance(struct arrivals *a, uint64_t since_start_ns)
{
    while (workload_due(a->schedule) <= since_start_ns) {
        struct workload_op op = workload_next(a->schedule);
        if (op.dir < WORKLOAD_DIRS)
            a->due[op.dir]++;
    }
}

void arrivals_begin(struct arrivals *a, uint64_t since_start_ns)
{
    advance(a, since_start_ns);
    for (int d = 0; d < WORKLOAD_DIRS; d++) {
        a->offered[d] = a->due[d];
        a->backlog_max[d] = 0;
    }
}

void arrivals_end(struct arrivals *a, uint64_t since_start_ns)
{
    advance(a, since_start_ns);
    for (int d = 0; d < WORKLOAD_DIRS; d++)
        a->offered[d] = a->due[d] - a->offered[d];
}

uint64_t arrivals_waiting(const struct arrivals *a)
{
    uint64_t n = 0;
    for (int d = 0; d < WORKLOAD_DIRS; d++)
        n += a->due[d] - a->issued[d];
    return n;
}

void arrivals_update(struct arrivals *a, uint64_t since_start_ns)
{
    advance(a, since_start_ns);
    for (int d = 0; d < WORKLOAD_DIRS; d++) {
        uint64_t backlog = a->due[d] - a->issued[d];
        if (backlog > a->backlog_max[d])
            a->backlog_max[d] = backlog;
    }
}
