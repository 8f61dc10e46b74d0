/* From the key of a cell to what its jobs do. */
#include <math.h>

#include "core/base/rng.h"
#include "core/base/units.h"
#include "runner/workload/block_sizes_internal.h"

static int set_extent(struct workload_spec *w, const struct cell_key *key, uint64_t device_size,
                      struct error *err)
{
    w->offset = IS_KNOWN(key, CELL_KEY, offset) ? key->offset : 0;
    if (w->offset >= device_size)
        return error_set(err, ERR_USAGE, "offset %llu lies behind the end (%llu bytes)",
                         (unsigned long long)w->offset, (unsigned long long)device_size);
    uint64_t room = device_size - w->offset;
    w->size = IS_KNOWN(key, CELL_KEY, size) ? key->size : room;
    if (w->size > room)
        return error_set(err, ERR_USAGE,
                         "offset %llu and size %llu reach behind the end (%llu bytes)",
                         (unsigned long long)w->offset, (unsigned long long)w->size,
                         (unsigned long long)device_size);
    if (workload_max_bs(w) > w->size)
        return error_set(err, ERR_USAGE, "a block of %u bytes does not fit in %llu bytes",
                         workload_max_bs(w), (unsigned long long)w->size);
    return 0;
}

static int set_sizes(struct workload_spec *w, const struct cell_key *key, struct error *err)
{
    if (key->bs_text)
        return block_sizes_parse(w->bs, key->bs_text, err);
    if (!IS_KNOWN(key, CELL_KEY, bs))
        return error_set(err, ERR_USAGE, "a cell needs a block size (bs)");
    uint64_t bs_write = IS_KNOWN(key, CELL_KEY, bs_write) ? key->bs_write : key->bs;
    if (key->bs == 0 || bs_write == 0 || key->bs > INT32_MAX || bs_write > INT32_MAX)
        return error_set(err, ERR_USAGE, "a block size must be from 1 byte to 2 GiB");
    block_sizes_fixed(&w->bs[DIR_READ], (uint32_t)key->bs);
    block_sizes_fixed(&w->bs[DIR_WRITE], (uint32_t)bs_write);
    block_sizes_fixed(&w->bs[DIR_TRIM], (uint32_t)bs_write);
    return 0;
}

static int set_pattern(struct workload_spec *w, const struct cell_key *key, struct error *err)
{
    if (!IS_KNOWN(key, CELL_KEY, rw))
        return error_set(err, ERR_USAGE, "a cell needs a pattern (rw)");
    if (key->rw == RW_TRIMWRITE || key->rw == RW_RANDTRIMWRITE)
        return error_set(err, ERR_USAGE,
                         "pattern %s: trims and writes in one job cannot be run; use %s and %s one "
                         "after the other",
                         rw_names[key->rw], rw_names[RW_TRIM], rw_names[RW_WRITE]);
    w->rw = key->rw;
    w->read_percent = 50;
    if (IS_KNOWN(key, CELL_KEY, rwmixread)) {
        if (key->rwmixread > 100)
            return error_set(err, ERR_USAGE, "rwmixread is a percentage, not %llu",
                             (unsigned long long)key->rwmixread);
        w->read_percent = (unsigned)key->rwmixread;
    }
    return 0;
}

static int set_offsets(struct workload_spec *w, const struct cell_key *key, struct error *err)
{
    const char *text = key->distribution ? key->distribution : "uniform";
    if (!rw_is_random(w->rw)) {
        w->offsets = OFFSETS_SEQUENTIAL;
        return 0;
    }
    if (strcmp(text, "uniform") == 0) {
        w->offsets = OFFSETS_UNIFORM;
        return 0;
    }
    if (strncmp(text, "zipf:", 5) == 0) {
        w->offsets = OFFSETS_ZIPF;
        int rc = parse_f64(text + 5, 0.001, 10, &w->theta, err);
        return rc ? error_prefix(err, ERR_USAGE, "random distribution %s", text) : 0;
    }
    if (strcmp(text, "cover") != 0)
        return error_set(err, ERR_USAGE,
                         "random distribution \"%s\" is not known; there are uniform, cover and "
                         "zipf:THETA",
                         text);
    w->offsets = OFFSETS_COVER;
    for (enum dir d = DIR_READ; d < WORKLOAD_DIRS; d++) {
        if (workload_uses(w, d) && w->bs[d].n > 1)
            return error_set(err, ERR_USAGE,
                             "random distribution cover needs one block size a direction");
    }
    return 0;
}

static int set_sync(struct workload_spec *w, const struct cell_key *key, struct error *err)
{
    const char *text = key->sync ? key->sync : "";
    const char *number = strncmp(text, "fsync=", 6) == 0        ? text + 6
                         : strncmp(text, "fdatasync=", 10) == 0 ? text + 10
                                                                : NULL;
    if (!number) {
        if (*text && strcmp(text, "sync") != 0 && strcmp(text, "dsync") != 0)
            return error_set(err, ERR_USAGE,
                             "sync \"%s\" is not known; there are sync, dsync, fsync=N and "
                             "fdatasync=N",
                             text);
        return 0; /* sync and dsync are how the target is opened */
    }
    w->datasync = text[1] == 'd';
    return parse_u64(number, 0, UINT64_MAX, &w->sync_every, err);
}

static int set_buffers(struct workload_spec *w, const struct cell_key *key, struct error *err)
{
    uint64_t compress = IS_KNOWN(key, CELL_KEY, compress) ? key->compress : 0;
    uint64_t dedupe = IS_KNOWN(key, CELL_KEY, dedupe) ? key->dedupe : 0;
    if (compress > 100 || dedupe > 100)
        return error_set(err, ERR_USAGE, "compress and dedupe are percentages, not %llu and %llu",
                         (unsigned long long)compress, (unsigned long long)dedupe);
    w->compress = (unsigned)compress;
    w->dedupe = (unsigned)dedupe;
    return 0;
}

static int set_arrival(struct workload_spec *w, const struct cell_key *key, struct error *err)
{
    const char *arrival = key->arrival ? key->arrival : "constant";
    w->poisson = strcmp(arrival, "poisson") == 0;
    if (w->poisson || strcmp(arrival, "constant") == 0)
        return 0;
    return error_set(err, ERR_USAGE,
                     "arrivals \"%s\" are not known; there are constant and poisson", arrival);
}

static bool has_rate(const struct workload_spec *spec, int i)
{
    return spec->rate_iops[i] > 0 || spec->rate_bw[i] > 0;
}

/* What is ahead of its rate gives its place to the other direction, which must have a share. */
static int check_held(const struct workload_spec *w, struct error *err)
{
    bool reads = has_rate(w, 0);
    if (!workload_is_held(w) || w->read_percent != (reads ? 100 : 0))
        return 0;
    int rc = error_set(err, ERR_USAGE,
                       "a mix of %u %% reads has no %s to go on with while the %s are ahead of "
                       "their rate",
                       w->read_percent, reads ? "writes" : "reads", reads ? "reads" : "writes");
    error_hint(err, "Take a pattern that does not mix, as %s.",
               rw_names[reads ? RW_RANDREAD : RW_RANDWRITE]);
    return rc;
}

static int set_rate(struct workload_spec *w, const struct cell_key *key, struct error *err)
{
    bool mixed = rw_is_mixed(w->rw);
    for (int i = 0; i < (mixed ? 2 : 1); i++) { /* of reads or all, of writes */
        bool reads = i == 0 && rw_reads(w->rw);
        w->rate_iops[i] = cell_key_rate_iops(key, reads);
        w->rate_bw[i] = cell_key_rate_bw(key, reads);
        if (!(w->rate_iops[i] >= 0) || !(w->rate_bw[i] >= 0))
            return error_set(err, ERR_USAGE, "a rate must not be negative");
    }
    w->thinktime_ns = IS_KNOWN(key, CELL_KEY, thinktime_ns) ? key->thinktime_ns : 0;
    if ((w->rate_iops[0] > 0 || w->rate_iops[1] > 0) && (w->rate_bw[0] > 0 || w->rate_bw[1] > 0))
        return error_set(err, ERR_USAGE, "a load has one rate: I/Os or bytes per second, not both");
    int rc = check_held(w, err);
    if (rc < 0)
        return rc;
    if (w->thinktime_ns && (has_rate(w, 0) || has_rate(w, 1)))
        return error_set(err, ERR_USAGE, "a load has a rate or a think time, not both");
    return set_arrival(w, key, err);
}

int workload_spec_from_key(struct workload_spec *out, const struct cell_key *key,
                           uint64_t device_size, struct error *err)
{
    struct workload_spec w = {0};
    int rc = set_pattern(&w, key, err);
    if (rc == 0)
        rc = set_sizes(&w, key, err);
    if (rc == 0)
        rc = set_extent(&w, key, device_size, err);
    if (rc == 0)
        rc = set_offsets(&w, key, err);
    if (rc == 0)
        rc = set_sync(&w, key, err);
    if (rc == 0)
        rc = set_buffers(&w, key, err);
    if (rc == 0)
        rc = set_rate(&w, key, err);
    if (rc) {
        workload_spec_release(&w);
        return rc;
    }
    *out = w;
    return 0;
}

void workload_spec_release(struct workload_spec *spec)
{
    for (int d = 0; d < WORKLOAD_DIRS; d++)
        block_sizes_release(&spec->bs[d]);
}

uint32_t workload_max_bs(const struct workload_spec *spec)
{
    uint32_t max = 0;
    for (enum dir d = DIR_READ; d < WORKLOAD_DIRS; d++) {
        if (workload_uses(spec, d) && spec->bs[d].max > max)
            max = spec->bs[d].max;
    }
    return max;
}

bool workload_uses(const struct workload_spec *spec, enum dir dir)
{
    switch (dir) {
    case DIR_READ:
        return rw_reads(spec->rw);
    case DIR_WRITE:
        return rw_writes(spec->rw) && !rw_trims(spec->rw);
    case DIR_TRIM:
        return rw_trims(spec->rw);
    case DIR_SYNC:
        return spec->sync_every > 0 && workload_uses(spec, DIR_WRITE);
    default:
        return false;
    }
}

bool workload_is_open(const struct workload_spec *spec)
{
    return has_rate(spec, 0) && (!rw_is_mixed(spec->rw) || has_rate(spec, 1));
}

bool workload_is_held(const struct workload_spec *spec)
{
    return rw_is_mixed(spec->rw) && has_rate(spec, 0) != has_rate(spec, 1);
}

/* Bytes of a typical I/O of a direction. */
static double mean_bytes(const struct block_sizes *s)
{
    double sum = 0;
    uint64_t before = 0;
    for (size_t i = 0; i < s->n; i++) {
        sum += s->size[i].bytes * (double)(s->size[i].below - before);
        before = s->size[i].below;
    }
    return sum / 0x1p32;
}

uint64_t workload_gap_ns(const struct workload_spec *spec, enum dir dir)
{
    if (!workload_is_open(spec) || dir >= WORKLOAD_DIRS)
        return 0;
    size_t which = rw_is_mixed(spec->rw) && dir != DIR_READ;
    if (spec->rate_iops[which] > 0)
        return (uint64_t)(1e9 / spec->rate_iops[which]);
    return (uint64_t)(mean_bytes(&spec->bs[dir]) * 1e9 / spec->rate_bw[which]);
}

uint64_t workload_seed(uint64_t run_seed, uint64_t cell, uint64_t repeat, uint64_t job)
{
    uint64_t part[] = {cell, repeat, job}, state = run_seed, seed = splitmix64(&state);
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
        state = seed ^ part[i];
        seed = splitmix64(&state);
    }
    return seed;
}
