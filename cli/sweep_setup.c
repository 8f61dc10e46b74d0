/* From options, or from a stored run, to a plan, open targets and the run's record. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>

#include "cli/shell.h"
#include "cli/suggest.h"
#include "cli/sweep_internal.h"
#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "runner/host/host.h"

#define MIB (UINT64_C(1) << 20)

int sweep_find_engine(struct session *s, const char *name, struct error *err)
{
    struct suggest near;
    struct strbuf names = STRBUF_INIT;
    suggest_init(&near, name);
    for (size_t i = 0; engine_registry[i]; i++) {
        suggest_offer(&near, engine_registry[i]->name);
        strbuf_addf(&names, "%s%s", i ? ", " : "", engine_registry[i]->name);
    }
    int rc = 0;
    s->engine = engine_find(name);
    if (!s->engine) {
        rc = error_set(err, ERR_USAGE, "--engine: there is no engine \"%s\"; there are %s", name,
                       names.text);
        if (near.n)
            error_hint(err, "Did you mean %s?", near.best[0]);
    }
    strbuf_release(&names);
    return rc;
}

static struct range move_range(struct range *from)
{
    struct range r = *from;
    *from = (struct range)RANGE_INIT;
    return r;
}

/* A part of the engine's options, complained about under the name it was given with. */
static int add_engine_options(const struct session *s, struct strbuf *all, const char *option,
                              const char *text, struct error *err)
{
    int rc = engine_check_options(s->engine, text, NULL, err);
    if (rc < 0)
        return error_prefix(err, ERR_USAGE, "%s", option);
    strbuf_addf(all, "%s%s", all->len ? "," : "", text);
    return 0;
}

static int all_engine_options(const struct session *s, struct strbuf *all, struct error *err)
{
    const struct sweep_config *c = s->config;
    int rc = 0;
    if (c->engine_options)
        rc = add_engine_options(s, all, "--engine-options", c->engine_options, err);
    if (rc == 0 && c->hipri)
        rc = add_engine_options(s, all, "--hipri", "hipri=1", err);
    if (rc == 0 && c->sqthread_poll)
        rc = add_engine_options(s, all, "--sqthread-poll", "sqthread_poll=1", err);
    return rc;
}

static int fill_base(struct session *s, struct cell_key *base, struct error *err)
{
    const struct sweep_config *c = s->config;
    struct strbuf asked = STRBUF_INIT, options = STRBUF_INIT;
    int rc = all_engine_options(s, &asked, err);
    if (rc == 0)
        rc = engine_check_options(s->engine, asked.text, &options, err);
    strbuf_release(&asked);
    if (rc == 0) {
        field_set_text(&cell_key_fields, base, CELL_KEY_engine, s->engine->name);
        if (options.len)
            field_set_text(&cell_key_fields, base, CELL_KEY_engine_options, options.text);
        SET(base, CELL_KEY, direct, c->direct);
    }
    strbuf_release(&options);
    return rc < 0 ? rc : load_to_key(base, &c->load, err);
}

/* The ranges move out of the config, which is read no more after this. */
static void fill_axes(struct plan_axes *a, const struct session *s)
{
    struct sweep_config *c = (struct sweep_config *)s->config;
    bool sync = (s->engine->flags & ENGINE_SYNC) != 0;
    for (size_t i = 0; i < c->rw.n; i++) {
        enum rw rw = (enum rw)rw_parse(c->rw.item[i]);
        bool there = false;
        for (size_t k = 0; k < a->n_rw; k++)
            there = there || a->rw[k] == rw; /* rw and readwrite are the same */
        if (!there)
            a->rw[a->n_rw++] = rw;
    }
    a->rwmixread = move_range(&c->rwmixread);
    a->bs = move_range(&c->bs);
    a->iodepth = move_range(&c->iodepth);
    a->numjobs = move_range(&c->numjobs);
    a->curve = move_range(&c->load.curve);
    if (sync && !opt_given(sweep_opts, s->ctx->given, "iodepth"))
        a->iodepth.n = 1; /* the default range begins with 1 */
    a->repeats = c->repeat;
    a->n_devices = s->n_targets;
    a->together = (c->together || c->alone) && s->n_targets > 1;
    a->alone = c->alone && s->n_targets > 1;
    a->order = (enum plan_order)c->order;
    a->seed = opt_given(sweep_opts, s->ctx->given, "seed") ? c->seed : session_seed();
}

/* Block sizes of a split are those of one cell; those of the writes need a pattern with both. */
static int fit_sizes(struct plan_axes *a, struct session *s, struct error *err)
{
    bool mixed = false;
    for (size_t i = 0; i < a->n_rw; i++)
        mixed = mixed || rw_is_mixed(a->rw[i]);
    if (s->config->load.bs_write.given && !mixed)
        return error_set(err, ERR_USAGE,
                         "--bs-write is for rw and randrw; a pattern that only writes has --bs");
    struct cell_key mix = a->base;
    SET(&mix, CELL_KEY, rw, RW_RANDRW);
    if (mixed && cell_key_is_open(&mix) && opt_given(sweep_opts, s->ctx->given, "rwmixread"))
        strbuf_adds(&s->warning,
                    "The rates make the shares of a mix, whatever --rwmixread says.\n");
    if (!a->base.bs_text)
        return 0;
    if (opt_given(sweep_opts, s->ctx->given, "bs"))
        return error_set(err, ERR_USAGE, "only one of --bs and --bssplit can be");
    a->bs.n = 1;
    return load_largest_block(&a->bs.value[0], &a->base, err);
}

/* The paths to measure: as given, or the simulated disk. */
static int take_paths(struct session *s, const struct opt_list *dev, struct error *err)
{
    static const char *const simulated[] = {"sim"};
    const char *const *path = dev->n ? dev->item : simulated;
    size_t n = dev->n ? dev->n : 1;
    if (dev->n == 0 && !(s->engine->flags & ENGINE_NO_DEVICE)) {
        int rc = error_set(err, ERR_USAGE, "what is to be measured? Give --dev PATH");
        error_hint(err, "\"blkmatrix devices\" lists what is there; a file needs --size too.");
        return rc;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(path[i], path[k]) == 0)
                return error_set(err, ERR_USAGE, "--dev %s is given twice", path[i]);
    if (n < 2 && s->config->alone)
        return error_set(err, ERR_USAGE,
                         "--alone: what one device does beside others needs several; give --dev "
                         "more than once");
    s->target = xcalloc(n, sizeof *s->target);
    s->n_targets = n;
    for (size_t i = 0; i < n; i++)
        s->target[i].path = xstrdup(path[i]);
    return 0;
}

int sweep_plan_new(struct session *s, struct error *err)
{
    int rc = sweep_find_engine(s, s->config->engine, err);
    if (rc == 0)
        rc = take_paths(s, &s->config->dev, err);
    struct plan_axes axes = {0};
    if (rc == 0)
        rc = fill_base(s, &axes.base, err);
    if (rc == 0) {
        fill_axes(&axes, s);
        rc = ends_preset(&axes, s, err);
    }
    if (rc == 0)
        rc = fit_sizes(&axes, s, err);
    if (rc == 0)
        rc = ends_set_times(&axes, s, err);
    if (rc == 0)
        rc = plan_create(&s->plan, &axes, err);
    else
        plan_axes_release(&axes);
    if (rc < 0)
        return rc;
    const struct session_run run = {s->config->name, &s->config->label, s->plan->axes.seed,
                                    s->plan->n};
    return session_new_run(s, &run, err);
}

/* ---- resume ---- */

static int mark_cell(struct cell *cell, void *plan)
{
    plan_mark(plan, cell);
    return 0;
}

static int old_paths(struct session *s, struct error *err)
{
    struct opt_list old = {0};
    const struct opt_list *given = &s->config->dev;
    if (given->n && given->n != s->run->n_devices)
        return error_set(err, ERR_USAGE, "run %" PRId64 " has %zu devices, and --dev names %zu",
                         s->run->id, s->run->n_devices, given->n);
    old.item = xcalloc(s->run->n_devices + 1, sizeof *old.item);
    for (size_t i = 0; i < s->run->n_devices; i++)
        old.item[old.n++] = s->run->device[i].path ? s->run->device[i].path : "";
    int rc = take_paths(s, given->n ? given : &old, err);
    free(old.item);
    return rc;
}

int sweep_plan_resume(struct session *s, struct error *err)
{
    int64_t id;
    int rc = store_select_one(s->store, s->config->resume, &id, err);
    if (rc == 0)
        rc = store_load_run(s->store, id, &s->run, err);
    if (rc < 0)
        return rc;
    if (!s->run->plan)
        return error_set(err, ERR_USAGE,
                         "run %" PRId64 " cannot be resumed: it was imported, and has no plan", id);
    if (strncmp(s->run->plan, "{\"jobfile\"", 10) == 0) {
        rc = error_set(err, ERR_USAGE, "run %" PRId64 " is of a job file, and has no matrix", id);
        error_hint(err, "Run the file again: `blkmatrix show %" PRId64 " --as-fio` prints it.", id);
        return rc;
    }
    rc = plan_from_json(&s->plan, s->run->plan, err);
    if (rc == 0)
        rc = sweep_find_engine(s, s->plan->axes.base.engine ? s->plan->axes.base.engine : "", err);
    if (rc == 0 && s->plan->axes.n_devices != s->run->n_devices)
        rc = error_set(err, ERR_STORE, "the plan of run %" PRId64 " does not fit its devices", id);
    if (rc == 0)
        rc = store_each_cell(s->store, id, 0, mark_cell, s->plan, err);
    return rc < 0 ? rc : old_paths(s, err);
}

/*
 * The device must be the one that was measured before: whatever both know of it agrees, and what was
 * known then is still known, for a disk does not lose its serial number.
 */
static int same_device(const struct device_info *was, const struct device_info *is, int64_t run,
                       struct error *err)
{
    static const size_t identity[] = {DEVICE_type,         DEVICE_size,           DEVICE_model,
                                      DEVICE_vendor,       DEVICE_serial,         DEVICE_wwid,
                                      DEVICE_backing_file, DEVICE_cloud_volume_id};
    for (size_t i = 0; i < sizeof identity / sizeof identity[0]; i++) {
        struct strbuf a = STRBUF_INIT, b = STRBUF_INIT;
        field_format(&a, &device_fields, was, identity[i]);
        field_format(&b, &device_fields, is, identity[i]);
        int rc = 0;
        if (a.len && strcmp(a.text, b.text) != 0) {
            rc = error_set(err, ERR_USAGE,
                           "%s is not the device of run %" PRId64 ": its %s is %s, and was %s",
                           is->path, run, device_fields.field[identity[i]].name,
                           b.len ? b.text : "unknown", a.text);
            error_hint(err, "Where it is now, name it with --dev; another device is a new run.");
        }
        strbuf_release(&a);
        strbuf_release(&b);
        if (rc < 0)
            return rc;
    }
    return 0;
}

/* ---- targets ---- */

static bool is_destructive(const struct plan *p)
{
    for (size_t i = 0; i < p->axes.n_rw; i++)
        if (rw_writes(p->axes.rw[i]))
            return true;
    return false;
}

static bool trims(const struct plan *p)
{
    for (size_t i = 0; i < p->axes.n_rw; i++)
        if (rw_trims(p->axes.rw[i]))
            return true;
    return false;
}

/* How the target is opened for the sync of its writes. */
static int open_sync(const struct cell_key *base)
{
    if (!base->sync)
        return 0;
    if (strcmp(base->sync, "dsync") == 0)
        return O_DSYNC;
    return strcmp(base->sync, "sync") == 0 ? O_SYNC : 0;
}

static int open_target(struct session *s, struct sweep_target *t, uint64_t size, struct error *err)
{
    const struct sweep_config *c = s->config;
    char *path = t->path;
    const struct device_request request = {
        .path = path,
        .write = is_destructive(s->plan) || ends_precondition(s) != PRECONDITION_NONE,
        .trim = trims(s->plan),
        .direct = s->plan->axes.base.direct,
        .sync = open_sync(&s->plan->axes.base),
        .size = size,
        .permit = {c->allow_write, c->destroy_data.item, c->destroy_data.n},
        .go_on = sweep_fill_progress,
        .arg = s};
    struct sweep_target opened;
    int rc = c->dry_run ? sweep_target_look(&opened, s->engine, &request, &s->refused, err)
                        : sweep_target_open(&opened, s->engine, &request, err);
    if (rc < 0)
        return rc;
    free(path);
    *t = opened;
    return 0;
}

/* Bytes of an extent option on this target; percentages end at whole MiB where there are some. */
static uint64_t extent_bytes(const struct opt_size *o, uint64_t size)
{
    if (o->percent < 0)
        return o->bytes;
    uint64_t bytes = (uint64_t)((double)size * o->percent / 100);
    return bytes >= MIB ? bytes / MIB * MIB : bytes;
}

static int set_extent(struct session *s, const char *option, const struct opt_size *o, size_t field,
                      struct error *err)
{
    uint64_t bytes = extent_bytes(o, s->target[0].size);
    for (size_t i = 1; i < s->n_targets; i++)
        if (extent_bytes(o, s->target[i].size) != bytes)
            return error_set(
                err, ERR_USAGE,
                "--%s: a share is a different number of bytes on each of these devices, "
                "and their cells could not be compared; give bytes",
                option);
    field_set_u64(&cell_key_fields, &s->plan->axes.base, field, bytes);
    return 0;
}

static int complete_new_run(struct session *s, struct error *err)
{
    const struct sweep_config *c = s->config;
    int rc = 0;
    if (c->size.given)
        rc = set_extent(s, "size", &c->size, CELL_KEY_size, err);
    if (rc == 0 && (c->offset.percent > 0 || c->offset.bytes > 0))
        rc = set_extent(s, "offset", &c->offset, CELL_KEY_offset, err);
    if (rc < 0)
        return rc;
    char *json = plan_to_json(s->plan);
    field_set_text(&run_fields, s->run, RUN_plan, json);
    free(json);
    rc = session_describe(s, c->dry_run, c->no_detect, &c->limits, err);
    if (rc == 0) /* what the user says goes before */
        rc = limit_args_apply(&c->limits, s->limits, s->run, err);
    return rc;
}

/* True for the file behind a loop device. */
static bool is_behind(const struct device_info *file, const struct device_info *loop)
{
    return file->resolved && loop->backing_file && strcmp(file->resolved, loop->backing_file) == 0;
}

/* Two names of one thing would load it twice and be counted as two. */
static int check_twice(const struct session *s, size_t i, struct error *err)
{
    const struct device_info *is = &s->target[i].info;
    for (size_t k = 0; k < i; k++) {
        const struct device_info *was = &s->target[k].info;
        if (is->resolved && was->resolved && strcmp(is->resolved, was->resolved) == 0)
            return error_set(err, ERR_USAGE, "--dev %s and --dev %s are the same: %s",
                             s->target[k].path, s->target[i].path, is->resolved);
        if (s->plan->axes.together && (is_behind(is, was) || is_behind(was, is)))
            return error_set(err, ERR_USAGE,
                             "--dev %s and --dev %s are the same disk, a file and the loop device "
                             "on it: together it would be loaded twice and counted as two",
                             s->target[k].path, s->target[i].path);
    }
    return 0;
}

/* Bytes to ask the target for, where `size` of them are used. */
static uint64_t asked_size(const struct session *s, size_t i, uint64_t size)
{
    double share = s->config->offset.percent;
    if (s->run->id == 0)
        return size && share > 0 ? sweep_target_size(s->target[i].path, size, share) : size;
    /* a simulated disk is made again in its size */
    const struct device_info *was = &s->run->device[i];
    bool sim = (s->engine->flags & ENGINE_NO_DEVICE) && IS_KNOWN(was, DEVICE, size);
    return sim ? was->size : size;
}

int sweep_open_targets(struct session *s, struct error *err)
{
    const struct cell_key *base = &s->plan->axes.base;
    bool resumed = s->run->id != 0;
    /* what the target must hold: the extent and what lies before it */
    uint64_t size = s->config->size.percent < 0 ? s->config->size.bytes : 0;
    uint64_t offset = s->config->offset.percent < 0 ? s->config->offset.bytes : 0;
    if (resumed) {
        size = IS_KNOWN(base, CELL_KEY, size) ? base->size : 0;
        offset = IS_KNOWN(base, CELL_KEY, offset) ? base->offset : 0;
    }
    if (size && __builtin_add_overflow(size, offset, &size))
        return error_set(err, ERR_USAGE, "--offset and --size reach beyond any device");
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < s->n_targets; i++) {
        rc = open_target(s, &s->target[i], asked_size(s, i, size), err);
        if (rc == 0)
            rc = check_twice(s, i, err);
        if (rc == 0 && resumed)
            rc = same_device(&s->run->device[i], &s->target[i].info, s->run->id, err);
    }
    if (rc == 0)
        rc = session_check_permit(s, &s->config->destroy_data, err);
    return rc < 0 || resumed ? rc : complete_new_run(s, err);
}
