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

/* a + b, at most UINT64_MAX. */
static uint64_t plus(uint64_t a, uint64_t b)
{
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static uint64_t count_long_ones(const struct plan_axes *a)
{
    return a->suite && a->histogram_rounds ? times(a->repeats, device_sets(a)) : 0;
}

/* Each with its shares of reads. */
static uint64_t count_patterns(const struct plan_axes *a)
{
    uint64_t patterns = 0;
    for (size_t i = 0; i < a->n_rw; i++)
        patterns += mixes(a, a->rw[i]);
    return patterns;
}

/* Without the long ones. */
static uint64_t count_matrix(const struct plan_axes *a)
{
    uint64_t n = times(times(times(count_patterns(a), a->bs.n), a->iodepth.n), a->numjobs.n);
    n = times(n, 1 + a->curve.n);
    return times(times(n, a->repeats), device_sets(a));
}

static uint64_t count_cells(const struct plan_axes *a)
{
    return plus(count_matrix(a), count_long_ones(a));
}

/* Measurements of a cell, at most. */
static uint64_t rounds(const struct plan_axes *a)
{
    return a->steady || a->suite ? STEADY_ROUNDS_MAX : 1;
}

uint64_t plan_measurements(const struct plan_axes *axes)
{
    return plus(times(count_matrix(axes), rounds(axes)),
                times(count_long_ones(axes), axes->histogram_rounds));
}

/* A suite is judged by one of its cells. */
static int check_rounds(const struct plan_axes *a, struct error *err)
{
    if (a->suite && a->curve.n)
        return error_set(
            err, ERR_USAGE,
            "%s has cells of its own, each in a closed loop, and one of them is judged "
            "for all: the rates of a curve are not among them",
            a->suite->name);
    if (!a->suite)
        return 0;
    bool followed = false;
    for (size_t i = 0; i < a->n_rw * a->bs.n && !followed; i++)
        followed = suite_follows(a->suite, a->rw[i / a->bs.n], a->bs.value[i % a->bs.n]);
    char size[NUMFMT_MAX];
    if (!followed)
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
    if (a->base.bs_text && a->bs.n != 1)
        return error_set(err, ERR_USAGE, "block sizes \"%s\" are those of one cell",
                         a->base.bs_text);
    uint64_t n = count_cells(a);
    char cells[NUMFMT_MAX], most[NUMFMT_MAX];
    if (n > PLAN_MAX_CELLS) {
        int rc =
            error_set(err, ERR_USAGE,
                      "the plan has %s cells, more than %s: %" PRIu64
                      " patterns and mixes x %zu block sizes x "
                      "%zu iodepths x %zu numjobs x %zu rates x %" PRIu64 " repeats x %zu devices",
                      n == UINT64_MAX ? "countless" : fmt_count(cells, n),
                      fmt_count(most, PLAN_MAX_CELLS), count_patterns(a), a->bs.n, a->iodepth.n,
                      a->numjobs.n, 1 + a->curve.n, a->repeats, device_sets(a));
        error_hint(err, "Take fewer values, or wider steps: 4k..1M/x4, 1..64/x4.");
        return rc;
    }
    uint64_t each = times(plus(a->runtime_ns, a->ramp_ns), rounds(a));
    if (times(plan_measurements(a), plus(a->runtime_ns, a->ramp_ns)) <= PLAN_MAX_NS)
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

/* Fisher-Yates, over units of cells that stay together: a curve. */
static void shuffle(struct plan_cell *cell, size_t n, size_t unit, uint64_t seed)
{
    struct rng rng;
    rng_seed(&rng, seed);
    for (size_t i = n / unit; i > 1; i--) {
        struct plan_cell *last = cell + (i - 1) * unit;
        struct plan_cell *other = cell + rng_below(&rng, i) * unit;
        for (size_t k = 0; k < unit; k++) {
            struct plan_cell swap = last[k];
            last[k] = other[k];
            other[k] = swap;
        }
    }
}

/* The cells since `first`, where the order is left to chance. */
static void shuffle_since(struct plan *p, size_t first, uint64_t repeat)
{
    if (p->axes.order == PLAN_SHUFFLED)
        shuffle(p->cell + first, p->n - first, 1 + p->axes.curve.n, p->axes.seed ^ repeat << 53);
}

static void add_histogram(struct plan *p, uint64_t repeat, size_t device)
{
    const struct plan_axes *a = &p->axes;
    p->cell[p->n++] = (struct plan_cell){.repeat = repeat,
                                         .device = device,
                                         .rw = a->suite->followed_rw,
                                         .bs = a->suite->followed_bs,
                                         .iodepth = a->iodepth.value[0],
                                         .numjobs = a->numjobs.value[0],
                                         .histogram = true};
}

/* The cells of one device in one repeat, appended. */
static void add_device(struct plan *p, uint64_t repeat, size_t device)
{
    const struct plan_axes *a = &p->axes;
    size_t first = p->n;
    for (size_t r = 0; r < a->n_rw; r++) {
        for (size_t m = 0; m < mixes(a, a->rw[r]); m++) {
            uint64_t mix = a->rwmixread.n ? a->rwmixread.value[m] : DEFAULT_MIX;
            add_pattern(p,
                        (struct plan_cell){
                            .repeat = repeat, .device = device, .rw = a->rw[r], .rwmixread = mix});
        }
    }
    if (!a->suite)
        return;
    shuffle_since(p, first, repeat);
    if (a->histogram_rounds)
        add_histogram(p, repeat, device);
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
        if (!p->axes.suite)
            shuffle_since(p, first, repeat);
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

uint64_t plan_rounds(const struct plan *p, const struct plan_cell *cell)
{
    return cell->histogram ? 1 : rounds(&p->axes);
}

uint64_t plan_runtime_ns(const struct plan *p, const struct plan_cell *cell)
{
    return p->axes.runtime_ns * (cell->histogram ? p->axes.histogram_rounds : 1);
}

uint64_t plan_left_ns(const struct plan *p)
{
    uint64_t ns = 0;
    for (size_t i = 0; i < p->n; i++) {
        const struct plan_cell *c = &p->cell[i];
        if (!c->done)
            ns += plan_rounds(p, c) * (p->axes.ramp_ns + plan_runtime_ns(p, c));
    }
    return ns;
}

uint64_t plan_left_least_ns(const struct plan *p)
{
    const struct plan_axes *a = &p->axes;
    bool early = a->until > 0 || a->drain;
    uint64_t ns = 0;
    for (size_t i = 0; i < p->n; i++) {
        const struct plan_cell *c = &p->cell[i];
        uint64_t runtime = early ? a->min_runtime_ns : plan_runtime_ns(p, c);
        if (!c->done)
            ns += (plan_rounds(p, c) > 1 ? STEADY_WINDOW : 1) * (a->ramp_ns + runtime);
    }
    return ns;
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
