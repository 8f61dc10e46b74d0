#include "core/base/clock.h"

#include <errno.h>

int64_t clock_wall_ns(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_REALTIME, &ts);
    return (int64_t)ts.tv_sec * (int64_t)NS_PER_S + ts.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* A single read is near the clock's resolution, so each sample times ten of them. */
double clock_read_cost_ns(void)
{
    enum { SAMPLES = 1000, READS = 10 };
    uint64_t sample[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
        uint64_t t0 = clock_now_ns(), t = t0;
        for (int k = 0; k < READS; k++)
            t = clock_now_ns();
        sample[i] = t - t0;
    }
    qsort(sample, SAMPLES, sizeof sample[0], by_value);
    uint64_t median = sample[SAMPLES / 2];
    return (double)median / READS;
}

void clock_sleep_until(uint64_t monotonic_ns)
{
    struct timespec ts = {.tv_sec = (time_t)(monotonic_ns / NS_PER_S),
                          .tv_nsec = (long)(monotonic_ns % NS_PER_S)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

char *clock_rfc3339(char buf[CLOCK_TEXT_MAX], int64_t wall_ns, bool fraction)
{
    int64_t s = wall_ns / (int64_t)NS_PER_S, ns = wall_ns % (int64_t)NS_PER_S;
    if (ns < 0) {
        ns += (int64_t)NS_PER_S;
        s--;
    }
    struct tm tm;
    time_t t = (time_t)s;
    gmtime_r(&t, &tm);
    size_t n = strftime(buf, CLOCK_TEXT_MAX, "%Y-%m-%dT%H:%M:%S", &tm);
    if (fraction)
        n += (size_t)snprintf(buf + n, CLOCK_TEXT_MAX - n, ".%09d", (int)ns);
    snprintf(buf + n, CLOCK_TEXT_MAX - n, "Z");
    return buf;
}

/* n digits at *p as a number; false when one is none. Moves *p behind them. */
static bool digits(const char **p, int n, int *v)
{
    *v = 0;
    for (int i = 0; i < n; i++, (*p)++) {
        if (**p < '0' || **p > '9')
            return false;
        *v = *v * 10 + (**p - '0');
    }
    return true;
}

/* True for a day that the month has. Sets the time of day aside: a leap second is 23:59:60. */
static bool is_date(struct tm tm)
{
    int day = tm.tm_mday;
    tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
    timegm(&tm);
    return tm.tm_mday == day;
}

/* An optional fraction of a second at *p, 1 to 9 digits. */
static bool fraction_ns(const char **p, int64_t *ns)
{
    *ns = 0;
    if (**p != '.')
        return true;
    int64_t scale = (int64_t)NS_PER_S / 10;
    const char *first = ++*p;
    for (; **p >= '0' && **p <= '9'; (*p)++, scale /= 10)
        *ns += (**p - '0') * scale;
    return *p > first && *p - first <= 9;
}

bool clock_parse_rfc3339(const char *text, int64_t *wall_ns)
{
    struct tm tm = {0};
    const struct {
        int n; /* digits */
        int lo, hi;
        char after;
        int *into;
    } parts[] = {
        {4, 1970, 2200, '-', &tm.tm_year}, {2, 1, 12, '-', &tm.tm_mon},
        {2, 1, 31, 'T', &tm.tm_mday},      {2, 0, 23, ':', &tm.tm_hour},
        {2, 0, 59, ':', &tm.tm_min},       {2, 0, 60, '\0', &tm.tm_sec},
    };
    const char *p = text;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        int v;
        if (!digits(&p, parts[i].n, &v) || v < parts[i].lo || v > parts[i].hi)
            return false;
        *parts[i].into = v;
        if (parts[i].after && *p++ != parts[i].after)
            return false;
    }
    tm.tm_year -= 1900;
    tm.tm_mon--;
    int64_t ns;
    if (!is_date(tm) || !fraction_ns(&p, &ns) || *p != 'Z' || p[1])
        return false;
    *wall_ns = (int64_t)timegm(&tm) * (int64_t)NS_PER_S + ns;
    return true;
}
