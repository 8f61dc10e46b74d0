#include "runner/plan/plan.h"

#include <inttypes.h>

#include "core/base/numfmt.h"
#include "core/base/rng.h"
#include "core/base/xalloc.h"
#include "core/stats/steady.h"

const char *const plan_order_names[] = {"plan", "shuffle", NULL};

#define DEFAULT_MIX 50

void plan_axes_release(struct plan_axes *axes)
{
    range_release(&axes->rwmixread);
    range_release(&axes->bs);
    range_release(&axes->iodepth);
    range_release(&axes->numjobs);
    range_release(&axes->curve);
    fields_release(&cell_key_fields, &axes->base);
    *axes = (struct plan_axes){0};
}

/* Values of the mix axis that a pattern has: one for those that do not mix. */
static size_t mixes(const struct plan_axes *a, enum rw rw)
{
    return rw_is_mixed(rw) && a->rwmixread.n ? a->rwmixread.n : 1;
}

/* a * b, at most UINT64_MAX. */
static uint64_t times(uint64_t a, uint64_t b)
{
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* Device sets: each has all cells. */
static size_t device_sets(const struct plan_axes *a)
{
    if (!a->together)
        return a->n_devices;
    return a->alone ? a->n_devices + 1 : 1;
}

static uint64_t count_cells(const struct plan_axes *a)
{
    uint64_t patterns = 0;
    for (size_t i = 0; i < a->n_rw; i++)
        patterns += mixes(a, a->rw[i]);
    uint64_t n = times(times(times(patterns, a->bs.n), a->iodepth.n), a->numjobs.n);
    n = times(n, 1 + a->curve.n);
    return times(times(n, a->repeats), device_sets(a));
}

/* Measurements of a cell, at most. */
static uint64_t rounds(const struct plan_axes *a)
{
    return a->steady || a->suite ? STEADY_ROUNDS_MAX : 1;
}

uint64_t plan_measurements(const struct plan_axes *axes)
{
    return times(count_cells(axes), rounds(axes));
}

/* A suite is judged by one of its cells. */
static int check_rounds(const struct plan_axes *a, struct error *err)
{
    if (a->curve.n && rounds(a) > 1)
        return error_set(err, ERR_USAGE, "a curve is not measured in rounds until it is steady");
    if (!a->suite)
        return 0;
    bool rw = false, bs = false;
    for (size_t i = 0; i < a->n_rw; i++)
        rw = rw || a->rw[i] == a->suite->followed_rw;
    for (size_t i = 0; i < a->bs.n; i++)
        bs = bs || a->bs.value[i] == a->suite->followed_bs;
    char size[NUMFMT_MAX];
    if (!rw || !bs)
        return error_set(
            err, ERR_USAGE, "%s is judged by the rounds of %s %s, and that is not among the cells",
            a->suite->name, rw_names[a->suite->followed_rw], fmt_bs(size, a->suite->followed_bs));
    if (a->iodepth.n != 1 || a->numjobs.n != 1)
        return error_set(err, ERR_USAGE, "%s has one iodepth and one numjobs for all its cells",
                         a->suite->name);
    return 0;
}

static int check(const struct plan_axes *a, struct error *err)
{
    const struct {
        uint64_t n;
        const char *what;
    } axis[] = {{a->n_rw, "pattern (rw)"},  {a->bs.n, "block size (bs)"},
                {a->iodepth.n, "iodepth"},  {a->numjobs.n, "numjobs"},
                {a->repeats, "repeat"},     {a->n_devices, "device"},
                {a->runtime_ns, "runtime"}, {a->interval_ns, "interval of the series"}};
    for (size_t i = 0; i < sizeof axis / sizeof axis[0]; i++)
        if (axis[i].n == 0)
            return error_set(err, ERR_USAGE, "the plan has no %s", axis[i].what);
    if (a->curve.n && a->order == PLAN_SHUFFLED)
        return error_set(err, ERR_USAGE,
                         "the steps of a curve follow their maximum: a plan with a "
                         "curve cannot be shuffled");
    if (a->base.bs_text && a->bs.n != 1)
        return error_set(err, ERR_USAGE, "block sizes \"%s\" are those of one cell",
                         a->base.bs_text);
    uint64_t n = count_cells(a);
    char cells[NUMFMT_MAX], most[NUMFMT_MAX];
    if (n > PLAN_MAX_CELLS) {
        int rc =
            error_set(err, ERR_USAGE,
                      "the plan has %s cells, more than %s: %zu patterns x %zu block sizes x "
                      "%zu iodepths x %zu numjobs x %zu rates x %" PRIu64 " repeats x %zu devices",
                      n == UINT64_MAX ? "countless" : fmt_count(cells, n),
                      fmt_count(most, PLAN_MAX_CELLS), a->n_rw, a->bs.n, a->iodepth.n, a->numjobs.n,
                      1 + a->curve.n, a->repeats, device_sets(a));
        error_hint(err, "Take fewer values, or wider steps: 4k..1M/x4, 1..64/x4.");
        return rc;
    }
    uint64_t each =
        a->runtime_ns > UINT64_MAX - a->ramp_ns ? UINT64_MAX : a->runtime_ns + a->ramp_ns;
    each = times(each, rounds(a));
    if (times(n, each) <= PLAN_MAX_NS)
        return check_rounds(a, err);
    int rc = error_set(err, ERR_USAGE, "the plan would take more than %s: %s cells of %s",
                       fmt_duration(most, PLAN_MAX_NS), fmt_count(cells, n),
                       fmt_duration((char[NUMFMT_MAX]){0}, each));
    error_hint(err, "Take fewer cells, or a shorter runtime.");
    return rc;
}

/* The cells of one pattern and share of reads, appended. */
static void add_pattern(struct plan *p, struct plan_cell like)
{
    const struct plan_axes *a = &p->axes;
    for (size_t b = 0; b < a->bs.n; b++) {
        for (size_t d = 0; d < a->iodepth.n; d++) {
            for (size_t j = 0; j < a->numjobs.n; j++) {
                like.bs = a->bs.value[b];
                like.iodepth = a->iodepth.value[d];
                like.numjobs = a->numjobs.value[j];
                like.percent = 0;
                p->cell[p->n++] = like;
                for (size_t c = 0; c < a->curve.n; c++) {
                    like.percent = a->curve.value[c];
                    p->cell[p->n++] = like;
                }
            }
        }
    }
}

/* The cells of one device in one repeat, appended. */
static void add_device(struct plan *p, uint64_t repeat, size_t device)
{
    const struct plan_axes *a = &p->axes;
    for (size_t r = 0; r < a->n_rw; r++) {
        for (size_t m = 0; m < mixes(a, a->rw[r]); m++) {
            uint64_t mix = a->rwmixread.n ? a->rwmixread.value[m] : DEFAULT_MIX;
            add_pattern(p,
                        (struct plan_cell){
                            .repeat = repeat, .device = device, .rw = a->rw[r], .rwmixread = mix});
        }
    }
}

/* Fisher-Yates. */
static void shuffle(struct plan_cell *cell, size_t n, uint64_t seed)
{
    struct rng rng;
    rng_seed(&rng, seed);
    for (size_t i = n; i > 1; i--) {
        size_t other = (size_t)rng_below(&rng, i);
        struct plan_cell swap = cell[i - 1];
        cell[i - 1] = cell[other];
        cell[other] = swap;
    }
}

int plan_create(struct plan **out, struct plan_axes *axes, struct error *err)
{
    int rc = check(axes, err);
    if (rc < 0) {
        plan_axes_release(axes);
        return rc;
    }
    struct plan *p = xcalloc(1, sizeof *p);
    p->axes = *axes;
    *axes = (struct plan_axes){0};
    p->cell = xcalloc((size_t)count_cells(&p->axes), sizeof *p->cell);
    for (uint64_t repeat = 1; repeat <= p->axes.repeats; repeat++) {
        size_t first = p->n;
        size_t alone = p->axes.together && !p->axes.alone ? 0 : p->axes.n_devices;
        for (size_t d = 0; d < alone; d++)
            add_device(p, repeat, d);
        if (p->axes.together)
            add_device(p, repeat, p->axes.n_devices);
        if (p->axes.order == PLAN_SHUFFLED)
            shuffle(p->cell + first, p->n - first, p->axes.seed ^ repeat << 53);
    }
    for (size_t i = 0; i < p->n; i++)
        p->cell[i].ordinal = i;
    *out = p;
    return 0;
}

void plan_destroy(struct plan *p)
{
    if (!p)
        return;
    plan_axes_release(&p->axes);
    free(p->cell);
    free(p);
}

static void forget(struct cell_key *key, const size_t *field, size_t n)
{
    for (size_t i = 0; i < n; i++)
        field_forget(&cell_key_fields, key, field[i]);
}

static void drop_what_says_nothing(struct cell_key *key)
{
    static const size_t random[] = {CELL_KEY_distribution};
    static const size_t written[] = {CELL_KEY_sync, CELL_KEY_compress, CELL_KEY_dedupe};
    static const size_t mixed[] = {CELL_KEY_bs_write, CELL_KEY_rate_iops_write,
                                   CELL_KEY_rate_bw_write};
    static const size_t arrival[] = {CELL_KEY_arrival};
    static const size_t rates[] = {CELL_KEY_rate_iops, CELL_KEY_rate_bw};
    bool writes = rw_writes(key->rw) && !rw_trims(key->rw);
    if (!rw_is_random(key->rw))
        forget(key, random, 1);
    if (!writes)
        forget(key, written, sizeof written / sizeof *written);
    const bool rated = cell_key_rate_iops(key, true) > 0 || cell_key_rate_bw(key, true) > 0 ||
                       cell_key_rate_iops(key, false) > 0 || cell_key_rate_bw(key, false) > 0;
    if (!rated)
        forget(key, arrival, 1);
    if (rw_is_mixed(key->rw))
        return;
    const double own[] = {cell_key_rate_iops(key, rw_reads(key->rw)),
                          cell_key_rate_bw(key, rw_reads(key->rw))};
    forget(key, mixed, sizeof mixed / sizeof *mixed);
    forget(key, rates, sizeof rates / sizeof *rates);
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        if (own[i] > 0)
            field_set_f64(&cell_key_fields, key, rates[i], own[i]);
    if (!(own[0] > 0) && !(own[1] > 0))
        forget(key, arrival, 1);
}

void plan_key(struct cell_key *out, const struct plan *p, const struct plan_cell *cell)
{
    fields_copy(&cell_key_fields, out, &p->axes.base);
    SET(out, CELL_KEY, rw, cell->rw);
    if (cell->rate[0] > 0)
        SET(out, CELL_KEY, rate_iops, cell->rate[0]);
    if (cell->rate[1] > 0 && cell->rate[1] != cell->rate[0])
        SET(out, CELL_KEY, rate_iops_write, cell->rate[1]);
    drop_what_says_nothing(out);
    if (!out->bs_text)
        SET(out, CELL_KEY, bs, cell->bs);
    SET(out, CELL_KEY, iodepth, cell->iodepth);
    SET(out, CELL_KEY, numjobs, cell->numjobs);
    if (rw_is_mixed(cell->rw))
        SET(out, CELL_KEY, rwmixread, cell->rwmixread);
}

uint64_t plan_cell_ns(const struct plan *p)
{
    return p->axes.runtime_ns + p->axes.ramp_ns;
}

size_t plan_left(const struct plan *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++)
        n += !p->cell[i].done;
    return n;
}

bool plan_has_rounds(const struct plan *p)
{
    return rounds(&p->axes) > 1;
}

uint64_t plan_left_ns(const struct plan *p)
{
    return plan_left(p) * rounds(&p->axes) * plan_cell_ns(p);
}

uint64_t plan_left_least_ns(const struct plan *p)
{
    const struct plan_axes *a = &p->axes;
    uint64_t runtime = a->until > 0 || a->drain ? a->min_runtime_ns : a->runtime_ns;
    return plan_left(p) * (plan_has_rounds(p) ? STEADY_WINDOW : 1) * (a->ramp_ns + runtime);
}

size_t plan_cell_devices(const struct plan *p, const struct plan_cell *cell, size_t *first)
{
    bool all = cell->device == p->axes.n_devices;
    *first = all ? 0 : cell->device;
    return all ? p->axes.n_devices : 1;
}

static bool same_devices(const struct plan *p, const struct plan_cell *cell,
                         const struct cell *stored)
{
    size_t first;
    if (stored->n_devices != plan_cell_devices(p, cell, &first))
        return false;
    for (size_t i = 0; i < stored->n_devices; i++)
        if (stored->device[i] != first + i)
            return false;
    return true;
}

bool plan_mark(struct plan *p, const struct cell *stored)
{
    if (!IS_KNOWN(stored, CELL, ordinal) || stored->ordinal >= p->n)
        return false;
    struct plan_cell *cell = &p->cell[stored->ordinal];
    if (!IS_KNOWN(stored, CELL, repeat) || stored->repeat != cell->repeat ||
        !same_devices(p, cell, stored))
        return false;
    struct cell_key key = {0};
    plan_take_rate(cell, stored);
    plan_key(&key, p, cell);
    struct strbuf mine = STRBUF_INIT, theirs = STRBUF_INIT;
    cell_key_text(&mine, &key);
    cell_key_text(&theirs, &stored->key);
    bool same = strcmp(mine.text, theirs.text) == 0;
    strbuf_release(&mine);
    strbuf_release(&theirs);
    fields_release(&cell_key_fields, &key);
    if (same && IS_KNOWN(stored, CELL, status) && stored->status == STATUS_COMPLETE) {
        cell->done = true;
        plan_set_maximum(p, cell->ordinal, stored);
    }
    return same;
}
