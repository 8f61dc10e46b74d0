/*
 * The simulated storage behind the sim engine, and its clock.
 *
 * Model: an I/O arrives, passes the caps of the VM, then those of its disk (each in order of
 * arrival), is served for the base latency, and is finished. A cap is a token bucket:
 *   an I/O passes when the level is not negative and takes its cost (1 I/O or more, or its bytes);
 *   the level grows by `rate` a second up to `room`.
 * So a cap without burst lets N = rate x T + 1 I/Os pass in T seconds, evenly spaced; with burst
 * it holds two buckets: `base` with room for the credits, `peak` for the burst rate. Credits last
 * credits / (burst - base) seconds. A closed loop of depth D then does min(caps, D / latency) I/Os
 * a second, and its mean latency is D over that.
 */
#ifndef RUNNER_ENGINE_SIM_INTERNAL_H
#define RUNNER_ENGINE_SIM_INTERNAL_H

#include <pthread.h>

#include "core/base/rng.h"
#include "runner/engine/engine.h"

#define SIM_DISKS_MAX 64
#define SIM_NEVER     UINT64_MAX

/* Caps of one scope (each disk, or the VM); 0 is no cap. */
struct sim_caps {
    double iops, bw;
    double burst_iops, burst_bw;
    double credits;        /* I/Os */
    uint64_t byte_credits; /* bytes */
};

struct sim_config {
    struct sim_caps disk, vm;
    uint64_t io_size;        /* an I/O above it counts as several; 0: never */
    bool spent;              /* burst credits start empty */
    uint64_t slice;          /* what the caps let through in it passes at its start; 0: evenly */
    uint64_t lat, write_lat; /* write_lat 0: as lat */
    double xfer;             /* bytes/s at which one I/O's data move; 0: at once */
    uint64_t jitter;         /* latency is uniform within +- this percent */
    uint64_t drift;          /* added to the latency for each second since the first I/O */
    uint64_t slow_every, slow_by;
    uint64_t stall_at, stall_for, stall_every;
    uint64_t eio_every, short_every;
    uint64_t enospc_from;
    uint64_t hang_at, vanish_at;
    uint64_t room; /* I/Os of a job that fit in the device; 0: iodepth */
    bool virtual_time;
};

extern const struct engine_option sim_options[];

struct sim_bucket {
    double rate; /* a second; 0: does not limit */
    double room;
    double level; /* at `at` */
    double at;    /* ns */
};

struct sim_scope {
    struct sim_bucket iops_base, iops_peak, bytes_base, bytes_peak;
};

/* An engine's place in the order of turns of a virtual clock. */
struct sim_turn {
    struct sim_turn *next;
    pthread_cond_t cond;
    uint64_t wake;
    unsigned job;
    bool waiting;
    bool holds;
};

/*
 * Virtual time: one engine runs at a time, and time moves only when all of them wait, to the
 * earliest instant one of them waits for (ties: the lowest job). So a run is repeatable to the
 * last I/O however the threads are scheduled.
 */
struct sim_clock {
    pthread_mutex_t lock;
    uint64_t now;
    struct sim_turn *turns;
    struct sim_turn *holder;
};

struct engine_shared {
    struct sim_config config;
    pthread_mutex_t lock; /* of all below but clock */
    struct sim_scope vm;
    struct sim_scope disk[SIM_DISKS_MAX];
    struct rng rng;
    uint64_t first; /* arrival of the first I/O, the origin of the fault times */
    uint64_t n_ios;
    struct sim_clock clock;
};

int sim_share_create(struct engine_shared **out, const char *options, uint64_t seed,
                     struct error *err);
void sim_share_destroy(struct engine_shared *s);
/*
 * Takes in one I/O that arrives at `now`: sets its result and returns the instant it is finished,
 * SIM_NEVER when it never is. `size` is that of the disk, 0 without end. Call with s->lock held.
 */
uint64_t sim_arrive(struct engine_shared *s, struct io *io, uint64_t size, uint64_t now);

void sim_clock_init(struct sim_clock *c);
void sim_clock_release(struct sim_clock *c);
void sim_clock_join(struct sim_clock *c, struct sim_turn *t, unsigned job);
void sim_clock_leave(struct sim_clock *c, struct sim_turn *t);
/* Waits for the turn if t does not have it; returns the time. */
uint64_t sim_clock_now(struct sim_clock *c, struct sim_turn *t);
/* Gives the turn away until the instant. */
void sim_clock_wait(struct sim_clock *c, struct sim_turn *t, uint64_t until);

#endif
