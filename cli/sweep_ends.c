#include "cli/sweep_ends.h"

#include "cli/sweep_internal.h"
#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "runner/device/purge.h"
#include "runner/plan/budget.h"

static bool given(const struct session *s, const char *name)
{
    return opt_given(sweep_opts, s->ctx->given, name);
}

static const struct suite *suite_of(const struct session *s)
{
    int i = s->config->ends.suite;
    return i > 0 ? &suites[i - 1] : NULL;
}

static int preset(struct range *r, const struct session *s, const char *option, const char *text,
                  enum range_unit unit, struct error *err)
{
    if (given(s, option))
        return 0;
    range_release(r);
    return range_parse(r, text, unit, 0, UINT64_MAX, err);
}

static void preset_patterns(struct plan_axes *a, const struct suite *suite)
{
    a->n_rw = 0;
    for (const char *p = suite->rw; *p && a->n_rw < RW_COUNT;) {
        size_t n = strcspn(p, ",");
        char *name = xstrndup(p, n);
        a->rw[a->n_rw++] = (enum rw)rw_parse(name);
        free(name);
        p += n + (p[n] == ',');
    }
}

/* The smallest block that every target can do; 512 where that is not known yet. */
static uint64_t smallest_block(const struct session *s)
{
    uint64_t block = 512;
    for (size_t i = 0; i < s->n_targets && !(s->engine->flags & ENGINE_NO_DEVICE); i++) {
        struct device_info info = {0};
        if (device_describe(&info, &sysroot_system, s->target[i].path, 0, NULL) == 0) {
            if (IS_KNOWN(&info, DEVICE, logical_block) && info.logical_block > block)
                block = info.logical_block;
            if (IS_KNOWN(&info, DEVICE, dio_align) && s->config->direct && info.dio_align > block)
                block = info.dio_align;
        }
        fields_release(&device_fields, &info);
    }
    return block;
}

/* Blocks that the device cannot do are left out, and that is said. */
static void drop_small_blocks(struct plan_axes *a, struct session *s)
{
    uint64_t least = smallest_block(s);
    size_t kept = 0;
    for (size_t i = 0; i < a->bs.n; i++)
        if (a->bs.value[i] >= least)
            a->bs.value[kept++] = a->bs.value[i];
    if (kept < a->bs.n)
        strbuf_addf(&s->warning, "%s: no cells below %llu bytes, the device's smallest block\n",
                    a->suite->name, (unsigned long long)least);
    a->bs.n = kept;
}

int ends_preset(struct plan_axes *a, struct session *s, struct error *err)
{
    const struct suite *suite = a->suite = suite_of(s);
    a->steady = s->config->ends.steady || suite;
    if (!suite)
        return 0;
    a->histogram_rounds = suite->histogram_rounds;
    if (!given(s, "rw"))
        preset_patterns(a, suite);
    int rc = preset(&a->rwmixread, s, "rwmixread", suite->rwmixread, RANGE_COUNT, err);
    if (rc == 0)
        rc = preset(&a->bs, s, "bs", suite->bs, RANGE_SIZE, err);
    if (rc == 0 && !(s->engine->flags & ENGINE_SYNC))
        rc = preset(&a->iodepth, s, "iodepth", suite->iodepth, RANGE_COUNT, err);
    if (rc == 0 && !given(s, "bs"))
        drop_small_blocks(a, s);
    return rc;
}

/* ---- times ---- */

/* The runtime is open, between --min-runtime and --max-runtime. */
static bool ends_early(const struct end_options *o)
{
    return o->until.given || o->drain;
}

static int check_options(const struct session *s, const struct plan_axes *a, struct error *err)
{
    const struct end_options *o = &s->config->ends;
    bool bounds = given(s, "min-runtime") || given(s, "max-runtime");
    if (o->until.given && !(o->until.percent > 0 && o->until.percent <= 50))
        return error_set(err, ERR_USAGE,
                         "--until is a percentage of the mean, as 2%%; at most 50%%");
    const char *early = o->drain ? "--drain" : "--until";
    if (o->until.given && o->drain)
        return error_set(err, ERR_USAGE, "only one of --until and --drain can be");
    if (ends_early(o) && given(s, "runtime")) {
        int rc = error_set(err, ERR_USAGE,
                           "%s ends a cell when %s, and --runtime after a time: only one of them "
                           "can be",
                           early, o->drain ? "its burst has run out" : "it is known well enough");
        error_hint(err, "With %s the time is between --min-runtime and --max-runtime.", early);
        return rc;
    }
    if (bounds && !ends_early(o))
        return error_set(err, ERR_USAGE,
                         "--min-runtime and --max-runtime are for --until and --drain");
    if (ends_early(o) && a->steady)
        return error_set(err, ERR_USAGE,
                         "only one of %s and --steady (or a suite) can be: the rounds that are "
                         "compared are of the same length",
                         early);
    if (o->time_budget && (given(s, "runtime") || given(s, "max-runtime")))
        return error_set(err, ERR_USAGE,
                         "--time-budget chooses the runtime: only one of them can be");
    return 0;
}

#define DRAIN_MAX_NS (3600 * NS_PER_S)

/* Between them --until or --drain ends the cell. */
static int set_bounds(struct plan_axes *a, const struct session *s, struct error *err)
{
    const struct end_options *o = &s->config->ends;
    a->until = o->until.given ? o->until.percent / 100 : 0;
    a->drain = o->drain;
    a->min_runtime_ns = o->min_runtime;
    a->runtime_ns = o->drain && !given(s, "max-runtime") ? DRAIN_MAX_NS : o->max_runtime;
    if (a->min_runtime_ns <= a->runtime_ns)
        return 0;
    if (given(s, "min-runtime") && given(s, "max-runtime"))
        return error_set(err, ERR_USAGE, "--min-runtime is longer than --max-runtime");
    if (given(s, "max-runtime"))
        a->min_runtime_ns = a->runtime_ns;
    else
        a->runtime_ns = a->min_runtime_ns;
    return 0;
}

static int set_interval(struct plan_axes *a, const struct session *s, struct error *err)
{
    bool early = ends_early(&s->config->ends);
    uint64_t least = early ? a->min_runtime_ns : a->runtime_ns;
    a->interval_ns = s->config->interval;
    if (!given(s, "interval"))
        a->interval_ns = least / 10 < NS_PER_S ? least / 10 : NS_PER_S;
    if (a->interval_ns <= least)
        return 0;
    int rc = error_set(err, ERR_USAGE, "--interval is longer than %s: no sample would be kept",
                       early ? "--min-runtime" : "--runtime");
    error_hint(err, "Take an interval of at most a tenth of the runtime.");
    return rc;
}

int ends_set_times(struct plan_axes *a, struct session *s, struct error *err)
{
    const struct sweep_config *c = s->config;
    int rc = check_options(s, a, err);
    a->runtime_ns = c->runtime;
    if (rc == 0 && ends_early(&c->ends))
        rc = set_bounds(a, s, err);
    if (rc < 0)
        return rc;
    bool early = ends_early(&s->config->ends);
    uint64_t least = early ? a->min_runtime_ns : a->runtime_ns;
    a->ramp_ns = c->ramp;
    if (!given(s, "ramp") && c->ends.drain)
        a->ramp_ns = 0; /* it would spend credits that nobody counts */
    else if (!given(s, "ramp"))
        a->ramp_ns = least / 20 > 2 * NS_PER_S ? least / 20 : 2 * NS_PER_S;
    if (c->ends.time_budget) {
        a->budget_ns = c->ends.time_budget;
        rc = plan_fit_budget(a, a->budget_ns, given(s, "ramp"), err);
        if (rc < 0)
            return error_prefix(err, ERR_USAGE, "--time-budget");
        if (a->min_runtime_ns > a->runtime_ns)
            a->min_runtime_ns = a->runtime_ns;
        plan_budget_gives_up(&s->warning, a);
    }
    return set_interval(a, s, err);
}

/* ---- before the first cell ---- */

/* The run's record knows more than the target: what the cloud's metadata says. */
bool ends_is_cloud_volume(const struct session *s, size_t target)
{
    bool recorded = s->run && target < s->run->n_devices;
    return device_is_cloud_volume(recorded ? &s->run->device[target] : &s->target[target].info);
}

enum precondition ends_precondition(const struct session *s)
{
    if (!s->config || s->config->resume || !suite_of(s) || given(s, "precondition"))
        return s->config && !s->config->resume ? (enum precondition)s->config->ends.precondition
                                               : PRECONDITION_NONE;
    for (size_t i = 0; i < s->n_targets; i++)
        if (!ends_is_cloud_volume(s, i))
            return PRECONDITION_SEQ2X;
    /* twice the size is for flash; behind a volume once is all there is to reach */
    return PRECONDITION_FILL;
}

/* ---- rounds in the store ---- */

static int each_round(void *arg, uint64_t ordinal, uint64_t first, bool whole,
                      int (*fn)(struct cell *cell, void *fn_arg), void *fn_arg, struct error *err)
{
    const struct session *s = arg;
    return store_each_round(s->store, s->run->id, ordinal, first, whole ? LOAD_ALL : 0, fn, fn_arg,
                            err);
}

struct sweep_rounds ends_rounds(struct session *s)
{
    return (struct sweep_rounds){each_round, s};
}
