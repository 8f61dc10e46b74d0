#include "runner/engine/sim_internal.h"

#include <errno.h>
#include <math.h>

#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "runner/engine/options_internal.h"

#define AT(member) offsetof(struct sim_config, member)

const struct engine_option sim_options[] = {
    {"iops", ENGINE_OPT_COUNT, AT(disk.iops), "cap of each disk, I/Os per second"},
    {"bw", ENGINE_OPT_BW, AT(disk.bw), "cap of each disk, bytes per second"},
    {"burst_iops", ENGINE_OPT_COUNT, AT(disk.burst_iops), "cap while credits last"},
    {"burst_bw", ENGINE_OPT_BW, AT(disk.burst_bw), "cap while byte_credits last"},
    {"credits", ENGINE_OPT_COUNT, AT(disk.credits), "burst bucket of each disk, I/Os"},
    {"byte_credits", ENGINE_OPT_SIZE, AT(disk.byte_credits), "burst bucket of each disk, bytes"},
    {"vm_iops", ENGINE_OPT_COUNT, AT(vm.iops), "cap over all disks, I/Os per second"},
    {"vm_bw", ENGINE_OPT_BW, AT(vm.bw), "cap over all disks, bytes per second"},
    {"vm_burst_iops", ENGINE_OPT_COUNT, AT(vm.burst_iops), "cap while vm_credits last"},
    {"vm_burst_bw", ENGINE_OPT_BW, AT(vm.burst_bw), "cap while vm_byte_credits last"},
    {"vm_credits", ENGINE_OPT_COUNT, AT(vm.credits), "burst bucket over all disks, I/Os"},
    {"vm_byte_credits", ENGINE_OPT_SIZE, AT(vm.byte_credits), "the same in bytes"},
    {"spent", ENGINE_OPT_BOOL, AT(spent), "1: all burst credits are used up at the start"},
    {"slice", ENGINE_OPT_TIME, AT(slice),
     "caps let I/Os through in bursts, one a slice, as the kernel's throttle does (evenly)"},
    {"io_size", ENGINE_OPT_SIZE, AT(io_size), "a larger I/O counts as several of this size"},
    {"lat", ENGINE_OPT_TIME, AT(lat), "time an I/O takes when no cap holds it (100us)"},
    {"write_lat", ENGINE_OPT_TIME, AT(write_lat), "the same for writes (lat)"},
    {"xfer", ENGINE_OPT_BW, AT(xfer), "adds size / xfer to the time of an I/O"},
    {"jitter", ENGINE_OPT_U64, AT(jitter), "latency is uniform within +- N percent"},
    {"drift", ENGINE_OPT_TIME, AT(drift), "latency grows by this in every second (0)"},
    {"slow_every", ENGINE_OPT_U64, AT(slow_every), "every Nth I/O takes slow_by longer"},
    {"slow_by", ENGINE_OPT_TIME, AT(slow_by), "how much longer (10ms)"},
    {"stall_at", ENGINE_OPT_TIME, AT(stall_at), "a stall begins this long after the first I/O"},
    {"stall_for", ENGINE_OPT_TIME, AT(stall_for), "length of a stall: no I/O is started in it"},
    {"stall_every", ENGINE_OPT_TIME, AT(stall_every), "the stall comes again (once)"},
    {"eio_every", ENGINE_OPT_U64, AT(eio_every), "every Nth I/O fails with EIO"},
    {"short_every", ENGINE_OPT_U64, AT(short_every), "every Nth I/O moves half of its bytes"},
    {"enospc_from", ENGINE_OPT_SIZE, AT(enospc_from), "writes from this offset on get ENOSPC"},
    {"hang_at", ENGINE_OPT_TIME, AT(hang_at), "from then on nothing comes back"},
    {"vanish_at", ENGINE_OPT_TIME, AT(vanish_at), "from then on all fails with ENODEV"},
    {"room", ENGINE_OPT_U64, AT(room), "I/Os of a job that fit in the device (iodepth)"},
    {"virtual", ENGINE_OPT_BOOL, AT(virtual_time), "1: simulated clock, hours pass in seconds"},
    {NULL, ENGINE_OPT_BOOL, 0, NULL},
};

static int check_caps(const struct sim_caps *c, const char *vm, struct error *err)
{
    if ((c->burst_iops > 0) != (c->credits > 0) || (c->burst_bw > 0) != (c->byte_credits > 0))
        return error_set(err, ERR_USAGE,
                         "engine sim: a burst needs its rate and its bucket: %sburst_iops with "
                         "%scredits, %sburst_bw with %sbyte_credits",
                         vm, vm, vm, vm);
    if ((c->burst_iops > 0 && c->burst_iops <= c->iops) ||
        (c->burst_bw > 0 && c->burst_bw <= c->bw))
        return error_set(err, ERR_USAGE, "engine sim: the %sburst rate must be above the base rate",
                         vm);
    return 0;
}

static int check_config(const struct sim_config *c, struct error *err)
{
    int rc = check_caps(&c->disk, "", err);
    if (rc == 0)
        rc = check_caps(&c->vm, "vm_", err);
    if (rc)
        return rc;
    /* in virtual time an I/O that takes no time would keep the clock still for ever */
    if (c->lat < NS_PER_US || (c->write_lat && c->write_lat < NS_PER_US))
        return error_set(err, ERR_USAGE, "engine sim: latency must be at least 1us");
    if (c->jitter > 99)
        return error_set(err, ERR_USAGE, "engine sim: jitter is a percentage from 0 to 99");
    if (c->stall_every && c->stall_every <= c->stall_for)
        return error_set(err, ERR_USAGE,
                         "engine sim: stall_every must be longer than stall_for, else the device "
                         "never works");
    return 0;
}

static void bucket_init(struct sim_bucket *b, double rate, double room, bool spent)
{
    *b = (struct sim_bucket){.rate = rate, .room = room, .level = spent ? 0 : room};
}

static void scope_init(struct sim_scope *s, const struct sim_caps *c, bool spent)
{
    bucket_init(&s->iops_base, c->iops, c->credits, spent);
    bucket_init(&s->iops_peak, c->burst_iops, 0, spent);
    bucket_init(&s->bytes_base, c->bw, (double)c->byte_credits, spent);
    bucket_init(&s->bytes_peak, c->burst_bw, 0, spent);
}

int sim_share_create(struct engine_shared **out, const char *options, uint64_t seed,
                     struct error *err)
{
    struct sim_config config = {.lat = 100 * NS_PER_US,
                                .slow_by = 10 * NS_PER_MS,
                                .enospc_from = UINT64_MAX,
                                .hang_at = SIM_NEVER,
                                .vanish_at = SIM_NEVER};
    int rc = engine_parse_options(&engine_sim, options, &config, err);
    if (rc == 0)
        rc = check_config(&config, err);
    if (rc)
        return rc;
    struct engine_shared *s = xcalloc(1, sizeof *s);
    s->config = config;
    s->first = SIM_NEVER;
    pthread_mutex_init(&s->lock, NULL);
    sim_clock_init(&s->clock);
    rng_seed(&s->rng, seed);
    scope_init(&s->vm, &config.vm, config.spent);
    for (unsigned i = 0; i < SIM_DISKS_MAX; i++)
        scope_init(&s->disk[i], &config.disk, config.spent);
    *out = s;
    return 0;
}

void sim_share_destroy(struct engine_shared *s)
{
    if (!s)
        return;
    sim_clock_release(&s->clock);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

static double level_at(const struct sim_bucket *b, double t)
{
    double level = b->level + b->rate * (t - b->at) / 1e9;
    return level < b->room ? level : b->room;
}

/* The earliest instant from t on at which the bucket lets something pass. */
static double opens_at(const struct sim_bucket *b, double t)
{
    if (b->rate <= 0)
        return t;
    if (t < b->at)
        t = b->at; /* in order: not before the one ahead of it */
    double level = level_at(b, t);
    return level >= 0 ? t : t - level * 1e9 / b->rate;
}

static void take(struct sim_bucket *b, double t, double cost)
{
    if (b->rate <= 0)
        return;
    double level = level_at(b, t);
    /* what opens_at computed as 0 may be -1e-17 here */
    b->level = (level < 0 ? 0 : level) - cost;
    b->at = t;
}

/* Passes one I/O through the caps of a scope; returns when it is through. */
static double pass(struct sim_scope *s, double t, double ios, double bytes)
{
    t = opens_at(&s->iops_base, t);
    t = opens_at(&s->iops_peak, t);
    if (bytes > 0) {
        t = opens_at(&s->bytes_base, t);
        t = opens_at(&s->bytes_peak, t);
    }
    take(&s->iops_base, t, ios);
    take(&s->iops_peak, t, ios);
    if (bytes > 0) {
        take(&s->bytes_base, t, bytes);
        take(&s->bytes_peak, t, bytes);
    }
    return t;
}

/* The end of the stall that t (since the first I/O) lies in, else t. */
static double after_stall(const struct sim_config *c, double t)
{
    double at = (double)c->stall_at, len = (double)c->stall_for, every = (double)c->stall_every;
    if (c->stall_for == 0 || t < at)
        return t;
    double into = every > 0 ? fmod(t - at, every) : t - at;
    return into < len ? t - into + len : t;
}

/* A stall keeps the buckets still: what waits goes on at the capped rate after it. */
static void hold_bucket(struct sim_bucket *b, double t)
{
    if (b->at < t)
        b->at = t;
}

static void hold(struct sim_scope *s, double t)
{
    hold_bucket(&s->iops_base, t);
    hold_bucket(&s->iops_peak, t);
    hold_bucket(&s->bytes_base, t);
    hold_bucket(&s->bytes_peak, t);
}

/* Of an I/O that is served `age` ns after the first one. */
static double latency(struct engine_shared *s, const struct io *io, double age)
{
    const struct sim_config *c = &s->config;
    double lat = (double)(io->dir != DIR_READ && c->write_lat ? c->write_lat : c->lat);
    lat += (double)c->drift * age / 1e9;
    if (c->jitter)
        lat *= 1 + (double)c->jitter / 100 * (2 * rng_unit(&s->rng) - 1);
    if (c->xfer > 0 && io->dir != DIR_TRIM)
        lat += (double)io->len * 1e9 / c->xfer;
    if (c->slow_every && s->n_ios % c->slow_every == 0)
        lat += (double)c->slow_by;
    return lat;
}

static int32_t outcome(const struct engine_shared *s, const struct io *io, uint64_t size)
{
    const struct sim_config *c = &s->config;
    if (c->eio_every && s->n_ios % c->eio_every == 0)
        return -EIO;
    if (io->dir != DIR_READ && io->offset >= c->enospc_from)
        return -ENOSPC;
    uint32_t len = io->len;
    if (c->short_every && s->n_ios % c->short_every == 0)
        len = len / 2 & ~511u;
    if (size && io->offset >= size)
        return io->dir == DIR_READ || io->len == 0 ? 0 : -ENOSPC;
    if (size && size - io->offset < len)
        len = (uint32_t)(size - io->offset);
    return (int32_t)len;
}

uint64_t sim_arrive(struct engine_shared *s, struct io *io, uint64_t size, uint64_t now)
{
    const struct sim_config *c = &s->config;
    if (s->first == SIM_NEVER)
        s->first = now;
    s->n_ios++;
    double ios = io->dir == DIR_SYNC ? 0 : 1;
    if (c->io_size && io->len > c->io_size) {
        uint64_t parts = (io->len + c->io_size - 1) / c->io_size;
        ios = (double)parts;
    }
    double bytes = io->dir == DIR_TRIM ? 0 : (double)io->len;

    struct sim_scope *disk = &s->disk[io->file % SIM_DISKS_MAX];
    double origin = (double)s->first;
    double t = origin + after_stall(c, (double)now - origin);
    t = pass(disk, pass(&s->vm, t, ios, bytes), ios, bytes);
    if (c->slice) {
        double slice = (double)c->slice, start = origin + floor((t - origin) / slice) * slice;
        t = start > (double)now ? start : (double)now;
    }
    double late = origin + after_stall(c, t - origin);
    if (late > t) {
        t = late;
        hold(&s->vm, t);
        hold(disk, t);
    }
    if (t - origin >= (double)c->hang_at)
        return SIM_NEVER;
    io->result = t - origin >= (double)c->vanish_at ? -ENODEV : outcome(s, io, size);
    return (uint64_t)ceil(t + latency(s, io, t - origin));
}
