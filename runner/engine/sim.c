/*
 * A simulated device as an engine: the whole program runs on it without root, on storage whose
 * caps, latency and faults are known. In real time by default; with virtual=1 on its own clock,
 * as fast as the CPU allows and repeatable to the last I/O.
 */
#include <errno.h>

#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "runner/engine/sim_internal.h"

struct pending {
    uint64_t at; /* when it is finished */
    uint64_t order;
    struct io *io;
};

struct engine {
    struct engine_shared *shared;
    const uint64_t *size;
    unsigned n_files;
    struct pending *heap; /* the earliest first */
    unsigned n, room;
    uint64_t n_taken;
    bool virtual_time;
    struct sim_turn turn;
};

static bool sim_supported(char *why, size_t n)
{
    (void)why, (void)n;
    return true;
}

static int sim_create(struct engine **out, const struct engine_env *env, struct error *err)
{
    struct engine_shared *s = env->shared;
    if (!s)
        return error_set(err, ERR_USAGE, "engine sim: no simulated device to work on");
    if (env->n_files > SIM_DISKS_MAX)
        return error_set(err, ERR_USAGE, "engine sim: at most %d disks, not %u", SIM_DISKS_MAX,
                         env->n_files);
    struct engine *e = xcalloc(1, sizeof *e);
    e->shared = s;
    e->size = env->size;
    e->n_files = env->n_files;
    e->room = env->iodepth;
    if (s->config.room && s->config.room < e->room)
        e->room = (unsigned)s->config.room;
    e->heap = xcalloc(e->room, sizeof *e->heap);
    e->virtual_time = s->config.virtual_time;
    if (e->virtual_time)
        sim_clock_join(&s->clock, &e->turn, env->job);
    *out = e;
    return 0;
}

static uint64_t sim_now(struct engine *e)
{
    return e->virtual_time ? sim_clock_now(&e->shared->clock, &e->turn) : clock_now_ns();
}

static bool earlier(const struct pending *a, const struct pending *b)
{
    return a->at != b->at ? a->at < b->at : a->order < b->order;
}

static void heap_push(struct engine *e, struct pending p)
{
    unsigned i = e->n++;
    while (i > 0 && earlier(&p, &e->heap[(i - 1) / 2])) {
        e->heap[i] = e->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    e->heap[i] = p;
}

static struct io *heap_pop(struct engine *e)
{
    struct io *top = e->heap[0].io;
    struct pending last = e->heap[--e->n];
    unsigned i = 0;
    for (unsigned k = 1; k < e->n; k = 2 * i + 1) {
        if (k + 1 < e->n && earlier(&e->heap[k + 1], &e->heap[k]))
            k++;
        if (!earlier(&e->heap[k], &last))
            break;
        e->heap[i] = e->heap[k];
        i = k;
    }
    e->heap[i] = last;
    return top;
}

static int sim_submit(struct engine *e, struct io **io, unsigned n)
{
    unsigned k = 0;
    uint64_t now = sim_now(e);
    pthread_mutex_lock(&e->shared->lock);
    for (; k < n && e->n < e->room; k++) {
        uint64_t size = io[k]->file < e->n_files ? e->size[io[k]->file] : 0;
        uint64_t at = sim_arrive(e->shared, io[k], size, now);
        heap_push(e, (struct pending){.at = at, .order = e->n_taken++, .io = io[k]});
    }
    pthread_mutex_unlock(&e->shared->lock);
    return (int)k;
}

static unsigned take_finished(struct engine *e, struct io **done, unsigned max, uint64_t now)
{
    unsigned n = 0;
    while (n < max && e->n > 0 && e->heap[0].at <= now && e->heap[0].at != SIM_NEVER)
        done[n++] = heap_pop(e);
    return n;
}

/* False when a signal came first, or nothing can ever happen. */
static bool wait_until(struct engine *e, uint64_t t)
{
    if (e->virtual_time) {
        if (t != SIM_NEVER)
            sim_clock_wait(&e->shared->clock, &e->turn, t);
        return t != SIM_NEVER;
    }
    clock_sleep_until(t < INT64_MAX ? t : INT64_MAX);
    return clock_now_ns() >= t;
}

static int sim_reap(struct engine *e, struct io **done, unsigned min, unsigned max,
                    uint64_t timeout_ns)
{
    uint64_t now = sim_now(e), end = now + timeout_ns < now ? SIM_NEVER : now + timeout_ns;
    unsigned n = take_finished(e, done, max, now);
    while (n < min && n < max && now < end) {
        uint64_t next = e->n && e->heap[0].at < end ? e->heap[0].at : end;
        if (!wait_until(e, next))
            return n ? (int)n : -EINTR;
        now = sim_now(e);
        n += take_finished(e, done + n, max - n, now);
    }
    return (int)n;
}

static void sim_destroy(struct engine *e)
{
    if (!e)
        return;
    if (e->virtual_time)
        sim_clock_leave(&e->shared->clock, &e->turn);
    free(e->heap);
    free(e);
}

const struct engine_ops engine_sim = {
    .name = "sim",
    .summary = "a simulated device with the caps, latency and faults you give it; no root needed",
    .option = sim_options,
    .flags = ENGINE_NO_DEVICE,
    .supported = sim_supported,
    .create = sim_create,
    .submit = sim_submit,
    .reap = sim_reap,
    .destroy = sim_destroy,
    .share_create = sim_share_create,
    .share_destroy = sim_share_destroy,
    .now = sim_now,
};
