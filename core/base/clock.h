/*
 * Time. Durations and intervals come from CLOCK_MONOTONIC in ns; instants for people from
 * CLOCK_REALTIME in ns since the epoch, and leave the program as RFC 3339 UTC text.
 */
#ifndef CORE_BASE_CLOCK_H
#define CORE_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define NS_PER_S  UINT64_C(1000000000)
#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_US UINT64_C(1000)

/* Monotonic now, ns. Through the vDSO where the clock source allows it. */
static inline uint64_t clock_now_ns(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

/* Wall clock now, ns since 1970-01-01T00:00:00Z. */
int64_t clock_wall_ns(void);

/* Median cost of one clock_now_ns() in ns, over 10,000 reads (methods: clock). */
double clock_read_cost_ns(void);

/* Sleeps until the monotonic instant; returns at once when it is past, early on a signal. */
void clock_sleep_until(uint64_t monotonic_ns);

#define CLOCK_TEXT_MAX 40

/*
 * "2026-05-01T12:00:00Z"; with fraction "2026-05-01T12:00:00.123456789Z" (always nine digits).
 * Returns buf.
 */
char *clock_rfc3339(char buf[CLOCK_TEXT_MAX], int64_t wall_ns, bool fraction);

/*
 * Reads what clock_rfc3339 writes, from 1970 to 2200 (a fraction of 1 to 9 digits or none, Z only).
 * False, *wall_ns untouched, when it is not that.
 */
bool clock_parse_rfc3339(const char *text, int64_t *wall_ns);

#endif
