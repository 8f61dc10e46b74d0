#include "runner/job/recorder_internal.h"

#include "core/base/xalloc.h"

struct series *shared_series_create(size_t n, uint64_t interval_ns)
{
    struct series *s = xcalloc(1, sizeof *s);
    s->interval_ns = interval_ns;
    s->n = s->room = n;
    s->point = xmalloc(n * sizeof *s->point);
    s->hist = xmalloc(n * SERIES_HIST_BUCKETS * sizeof *s->hist);
    /* written and not just reserved, so that no page fault falls into the window */
    memset(s->point, 0, n * sizeof *s->point);
    memset(s->hist, 0, n * SERIES_HIST_BUCKETS * sizeof *s->hist);
    return s;
}

void shared_series_destroy(struct series *s)
{
    if (s)
        series_release(s);
    free(s);
}

void recorder_init(struct recorder *r, struct series *const series[DIR_COUNT], bool sync)
{
    *r = (struct recorder){.sync = sync};
    for (enum dir i = DIR_READ; i < DIR_COUNT; i++) {
        if (!series[i])
            continue;
        struct dir_recorder *d = r->dir[i] = xcalloc(1, sizeof *d);
        r->used[r->n_used++] = i;
        for (int k = 0; k < LAT_KIND_COUNT; k++)
            hist_init(&d->lat[k]);
        hist_init(&d->mark);
        d->series = series[i];
        d->late_above = UINT64_MAX;
    }
}

void recorder_release(struct recorder *r)
{
    for (int i = 0; i < DIR_COUNT; i++) {
        free(r->dir[i]);
        r->dir[i] = NULL;
    }
}

void recorder_flush(struct recorder *r)
{
    for (unsigned i = 0; i < r->n_timed; i++) {
        const struct timed_io *t = &r->timed[i];
        struct dir_recorder *d = t->dir;
        uint64_t lat = t->slat + t->clat;
        if (!r->sync && !t->blocked)
            hist_add(&d->lat[LAT_SLAT], t->slat);
        hist_add(&d->lat[LAT_CLAT], t->clat);
        hist_add(&d->lat[LAT_LAT], lat);
        if (lat > d->interval_max)
            d->interval_max = lat;
        d->late_ios += t->slat > d->late_above;
    }
    r->n_timed = 0;
}

void recorder_begin(struct recorder *r)
{
    for (int i = 0; i < DIR_COUNT; i++) {
        struct dir_recorder *d = r->dir[i];
        if (!d)
            continue;
        d->window_ios = d->mark_ios = d->ios;
        d->window_bytes = d->mark_bytes = d->bytes;
    }
    r->recording = true;
}

void recorder_end(struct recorder *r)
{
    recorder_flush(r);
    for (int i = 0; i < DIR_COUNT; i++) {
        struct dir_recorder *d = r->dir[i];
        if (!d)
            continue;
        d->window_ios = r->recording ? d->ios - d->window_ios : 0;
        d->window_bytes = r->recording ? d->bytes - d->window_bytes : 0;
    }
    r->recording = false;
}

static void add_u64(uint64_t *to, uint64_t v)
{
    __atomic_fetch_add(to, v, __ATOMIC_RELAXED);
}

static void raise_u64(uint64_t *to, uint64_t v)
{
    uint64_t old = __atomic_load_n(to, __ATOMIC_RELAXED);
    while (v > old &&
           !__atomic_compare_exchange_n(to, &old, v, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

static void add_hist(uint32_t *coarse, const struct hist *now, const struct hist *before)
{
    for (unsigned b = 0; b < SERIES_HIST_BUCKETS; b++) {
        uint64_t n = 0;
        for (unsigned i = b * 8; i < b * 8 + 8; i++)
            n += now->count[i] - before->count[i];
        if (n)
            __atomic_fetch_add(&coarse[b], (uint32_t)n, __ATOMIC_RELAXED);
    }
}

static void close_dir(struct dir_recorder *d, size_t i, unsigned inflight)
{
    struct series_point *p = &d->series->point[i];
    const struct hist *now = &d->lat[LAT_LAT];
    add_u64(&p->ios, d->ios - d->mark_ios);
    add_u64(&p->bytes, d->bytes - d->mark_bytes);
    add_u64(&p->lat_sum_ns, now->sum - d->mark.sum);
    add_u64(&p->inflight, inflight);
    raise_u64(&p->lat_max_ns, d->interval_max);
    add_hist(d->series->hist + i * SERIES_HIST_BUCKETS, now, &d->mark);
    d->mark = *now;
    d->mark_ios = d->ios;
    d->mark_bytes = d->bytes;
    d->interval_max = 0;
}

void recorder_close_interval(struct recorder *r, unsigned inflight)
{
    recorder_flush(r);
    for (int i = 0; i < DIR_COUNT; i++) {
        struct dir_recorder *d = r->dir[i];
        if (d && r->closed < d->series->n)
            close_dir(d, r->closed, inflight);
    }
    atomic_store_explicit(&r->live.closed, ++r->closed, memory_order_release);
}
