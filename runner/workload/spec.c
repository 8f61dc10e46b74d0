#include "core/base/rng.h"
#include "core/base/units.h"
#include "runner/workload/workload.h"

static int cannot(struct error *err, const char *what)
{
    return error_set(err, ERR_USAGE, "the runner cannot do this load yet: %s", what);
}

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
                         "offset %llu and size %llu reach behind the end (%llu "
                         "bytes)",
                         (unsigned long long)w->offset, (unsigned long long)w->size,
                         (unsigned long long)device_size);
    return 0;
}

int workload_spec_from_key(struct workload_spec *out, const struct cell_key *key,
                           uint64_t device_size, struct error *err)
{
    struct workload_spec w = {.rw = key->rw, .read_percent = 50};
    if (!IS_KNOWN(key, CELL_KEY, rw) || !IS_KNOWN(key, CELL_KEY, bs))
        return error_set(err, ERR_USAGE, "a cell needs a pattern (rw) and a block size (bs)");
    if (IS_KNOWN(key, CELL_KEY, rwmixread))
        w.read_percent = (unsigned)key->rwmixread;
    uint64_t bs_write = IS_KNOWN(key, CELL_KEY, bs_write) ? key->bs_write : key->bs;
    if (key->bs == 0 || bs_write == 0 || key->bs > INT32_MAX || bs_write > INT32_MAX)
        return error_set(err, ERR_USAGE, "a block size must be from 1 byte to 2 GiB");
    if (w.read_percent > 100)
        return error_set(err, ERR_USAGE, "rwmixread is a percentage, not %u", w.read_percent);
    w.bs[DIR_READ] = (uint32_t)key->bs;
    w.bs[DIR_WRITE] = w.bs[DIR_TRIM] = (uint32_t)bs_write;
    if (w.rw == RW_TRIMWRITE || w.rw == RW_RANDTRIMWRITE)
        return cannot(err, rw_names[w.rw]);
    int rc = set_extent(&w, key, device_size, err);
    if (rc)
        return rc;
    if (workload_max_bs(&w) > w.size)
        return error_set(err, ERR_USAGE, "a block of %u bytes does not fit in %llu bytes",
                         workload_max_bs(&w), (unsigned long long)w.size);
    *out = w;
    return 0;
}

uint32_t workload_max_bs(const struct workload_spec *spec)
{
    uint32_t max = 0;
    for (enum dir d = DIR_READ; d <= DIR_TRIM; d++) {
        if (workload_uses(spec, d) && spec->bs[d] > max)
            max = spec->bs[d];
    }
    return max;
}

bool workload_uses(const struct workload_spec *spec, enum dir dir)
{
    switch (dir) {
    case DIR_READ:
        return rw_reads(spec->rw);
    case DIR_WRITE:
        return rw_writes(spec->rw) && spec->rw != RW_TRIM && spec->rw != RW_RANDTRIM;
    case DIR_TRIM:
        return rw_trims(spec->rw);
    default:
        return false;
    }
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
