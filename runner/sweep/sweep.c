#include "runner/sweep/sweep_internal.h"

#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "runner/sweep/counters_internal.h"
#include "runner/sweep/cpus.h"
#include "runner/sweep/outcome_internal.h"

bool sweep_is_stopped(const struct sweep *s)
{
    return s->spec->stop && atomic_load(s->spec->stop) != 0;
}

/* Time left: what measurements took so far (opening, ramp, draining included) holds for the rest. */
static void update_state(struct sweep *s)
{
    uint64_t now = clock_now_ns();
    s->state.elapsed_ns = now - s->began_ns;
    uint64_t each =
        s->runs ? (s->cell_began_ns - s->began_ns) / s->runs : plan_cell_ns(s->spec->plan);
    uint64_t in_cell = now - s->cell_began_ns, this = s->weight * each;
    s->state.left_ns = (s->runs_left - s->weight) * each + (this > in_cell ? this - in_cell : 0);
}

static void on_tick(void *arg, const struct job_progress *p)
{
    struct sweep *s = arg;
    update_state(s);
    if (s->spec->watch.tick)
        s->spec->watch.tick(s->spec->watch.arg, &s->state, p);
}

static void read_before(struct sweep *s, const struct cell *cell)
{
    counters_release(&s->before);
    counters_read(&s->before, s->spec->sysroot, s->spec->run->device, cell->device,
                  cell->n_devices);
    volumes_begin(s->volumes, &s->before, 1);
}

/* What the ramp did is not the cell's. */
static void on_window(void *arg)
{
    struct sweep *s = arg;
    read_before(s, s->cell);
}

static void prepare_cell(struct cell *cell, const struct sweep *s, const struct plan_cell *planned)
{
    size_t first;
    plan_key(&cell->key, s->spec->plan, planned);
    SET(cell, CELL, ordinal, planned->ordinal);
    SET(cell, CELL, repeat, planned->repeat);
    if (planned->histogram)
        field_set_text(&cell_fields, cell, CELL_stage, STAGE_HISTOGRAM);
    cell->n_devices = plan_cell_devices(s->spec->plan, planned, &first);
    cell->device = xcalloc(cell->n_devices, sizeof *cell->device);
    for (size_t i = 0; i < cell->n_devices; i++)
        cell->device[i] = first + i;
    if (cell->n_devices > 1)
        SET(cell, CELL, together, true);
}

static int run_job(struct sweep *s, struct cell *cell, struct error *err)
{
    const struct plan_axes *axes = &s->spec->plan->axes;
    if (!plan_rate_is_known(s->state.cell))
        return error_set(err, ERR_DEVICE,
                         "there is no maximum to take %llu %% of: the cell that "
                         "finds it is not complete",
                         (unsigned long long)s->state.cell->percent);
    struct job_target *target = xcalloc(cell->n_devices, sizeof *target);
    for (size_t i = 0; i < cell->n_devices; i++) {
        const struct sweep_target *t = &s->spec->target[cell->device[i]];
        target[i] = (struct job_target){
            .fd = t->device ? device_fd(t->device) : -1, .size = t->size, .label = t->path};
    }
    const struct job_spec job = {.target = target,
                                 .n_targets = (unsigned)cell->n_devices,
                                 .ramp_ns = axes->ramp_ns,
                                 .runtime_ns = plan_runtime_ns(s->spec->plan, s->state.cell),
                                 .interval_ns = axes->interval_ns,
                                 .until = axes->until,
                                 .drain = axes->drain,
                                 .min_runtime_ns = axes->min_runtime_ns,
                                 .run_seed = axes->seed ^ s->state.round << 53,
                                 .cpu = s->cpu,
                                 .n_cpus = s->n_cpus,
                                 .cpus_shared = s->cpus_shared,
                                 .shared = s->shared,
                                 .stop = s->spec->stop,
                                 .progress = on_tick,
                                 .window_begins = on_window,
                                 .progress_arg = s};
    bool by_fio = (engine_find(axes->base.engine)->flags & ENGINE_WHOLE_CELL) != 0;
    int rc =
        by_fio ? fio_run_cell(&job, cell, s->spec->read_fio, err) : job_run_cell(&job, cell, err);
    free(target);
    return rc;
}

static void count(struct sweep *s, const struct cell *cell, struct plan_cell *planned)
{
    outcome_count(s->outcome, cell);
    if (cell->status != STATUS_COMPLETE)
        return;
    planned->done = true;
    plan_set_maximum(s->spec->plan, planned->ordinal, cell);
}

void sweep_measure(struct sweep *s, struct cell *cell, struct plan_cell *planned)
{
    const struct sweep_spec *spec = s->spec;
    s->state.cell = planned;
    s->weight = planned->histogram ? spec->plan->axes.histogram_rounds : 1;
    s->cell_began_ns = clock_now_ns();
    update_state(s);
    if (spec->watch.cell_begins)
        spec->watch.cell_begins(spec->watch.arg, &s->state);
    prepare_cell(cell, s, planned);
    s->cell = cell;
    read_before(s, cell);
    struct counters after;
    struct error why = ERROR_INIT;
    if (run_job(s, cell, &why) < 0)
        outcome_mark_failed(cell, &why);
    counters_read(&after, spec->sysroot, spec->run->device, cell->device, cell->n_devices);
    counters_to_cell(cell, &s->before, &after, true);
    volumes_end(s->volumes);
    volumes_to_cell(s->volumes, &after, cell);
    counters_release(&s->before);
    counters_release(&after);
}

int sweep_keep(struct sweep *s, struct cell *cell, struct plan_cell *planned, struct error *err)
{
    const struct sweep_spec *spec = s->spec;
    if (sweep_is_stopped(s) && outcome_is_empty(cell))
        return 0;
    int rc = spec->sink->cell(spec->sink->self, cell, err);
    if (rc < 0)
        return rc;
    count(s, cell, planned);
    update_state(s);
    if (spec->watch.cell_ends)
        spec->watch.cell_ends(spec->watch.arg, &s->state, cell);
    return 0;
}

static int run_cell(struct sweep *s, struct plan_cell *planned, struct error *err)
{
    s->runs = s->state.number++;
    s->runs_left = s->state.planned - s->runs;
    struct cell *cell = cell_create();
    sweep_measure(s, cell, planned);
    int rc = sweep_keep(s, cell, planned, err);
    cell_destroy(cell);
    return rc;
}

bool sweep_goes_on(const struct sweep *s)
{
    bool failed = s->outcome->failed + s->outcome->partial > 0;
    return !sweep_is_stopped(s) && !(s->spec->stop_on_error && failed);
}

static int run_cells(struct sweep *s, struct error *err)
{
    struct plan *plan = s->spec->plan;
    for (size_t i = 0; i < plan->n; i++) {
        if (plan->cell[i].done)
            continue;
        if (!sweep_goes_on(s))
            break;
        int rc = run_cell(s, &plan->cell[i], err);
        if (rc < 0)
            return rc;
    }
    return 0;
}

/* Of the whole run: cells of an earlier part count through what is left. */
static enum run_status run_status_of(const struct sweep *s)
{
    if (s->outcome->left == 0)
        return STATUS_COMPLETE;
    return s->outcome->left == s->spec->plan->n && !s->outcome->partial && !s->outcome->interrupted
               ? STATUS_FAILED
               : STATUS_PARTIAL;
}

static int share_device(struct sweep *s, struct error *err)
{
    const struct cell_key *base = &s->spec->plan->axes.base;
    const struct engine_ops *engine = engine_find(base->engine);
    if (!engine->share_create)
        return 0;
    return engine->share_create(&s->shared, base->engine_options ? base->engine_options : "",
                                s->spec->plan->axes.seed, err);
}

static int run_between(struct sweep *s, struct error *err)
{
    const struct sweep_spec *spec = s->spec;
    int rc = spec->sink->begin(spec->sink->self, spec->run, err);
    if (rc < 0)
        return rc;
    s->outcome->begun = true;
    s->began_ns = clock_now_ns();
    rc = plan_has_rounds(spec->plan) ? rounds_run(s, err) : run_cells(s, err);
    s->outcome->interrupted = sweep_is_stopped(s);
    s->outcome->left = plan_left(spec->plan);
    SET(spec->run, RUN, status, rc < 0 ? STATUS_FAILED : run_status_of(s));
    SET(spec->run, RUN, finished_ns, clock_wall_ns());
    /* after a failure of the sink the first error is the one to tell */
    int ended = spec->sink->end(spec->sink->self, spec->run, rc < 0 ? NULL : err);
    if (rc < 0)
        return rc;
    return ended < 0 ? ended : outcome_judge(s->outcome, s->spec->plan->n, s->state.number, err);
}

int sweep_run(struct sweep_outcome *out, const struct sweep_spec *spec, struct error *err)
{
    *out = (struct sweep_outcome){.left = plan_left(spec->plan)};
    struct sweep s = {.spec = spec, .outcome = out};
    s.state.plan = spec->plan;
    s.state.planned = plan_left(spec->plan);
    int rc = cpus_from_key(&s.cpu, &s.n_cpus, &s.cpus_shared, &spec->plan->axes.base, err);
    if (rc < 0)
        return rc;
    rc = share_device(&s, err);
    if (rc < 0) {
        free(s.cpu);
        return rc;
    }
    SET(spec->run, RUN, status, STATUS_RUNNING);
    s.volumes = volumes_create(spec->sysroot);
    if ((spec->precondition || spec->purge) && !spec->run->id)
        rc = precondition_run(&s, err);
    if (rc == 0)
        rc = run_between(&s, err);
    volumes_destroy(s.volumes);
    if (s.shared)
        engine_find(spec->plan->axes.base.engine)->share_destroy(s.shared);
    free(s.cpu);
    return rc;
}
