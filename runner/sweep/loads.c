#include "runner/sweep/loads.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/xalloc.h"
#include "runner/sweep/counters_internal.h"
#include "runner/sweep/cpus.h"
#include "runner/sweep/outcome_internal.h"
#include "runner/sweep/volumes.h"
#include "runner/workload/workload.h"

struct loads {
    const struct loads_spec *spec;
    struct sweep_outcome *outcome;
    const struct engine_ops *simulator; /* or NULL */
    struct engine_shared *shared;       /* its device, over all groups */
    struct volumes *volumes;
    struct loads_state state;
    uint64_t began_ns, group_began_ns;
};

/* One group while it runs: arrays of n. */
struct running {
    size_t n;
    struct cell **cell;
    struct job_spec *spec;
    struct job_target **target;
    struct counters *before; /* of each cell */
    unsigned **cpu;          /* each job is bound to; NULL: to none */
    struct loads *loads;
};

static bool stopped(const struct loads *l)
{
    return l->spec->stop && atomic_load(l->spec->stop) != 0;
}

static uint64_t job_ns(const struct jobfile_job *job)
{
    return job->delay_ns + job->ramp_ns + job->runtime_ns;
}

uint64_t loads_group_ns(const struct jobfile *f, size_t group)
{
    uint64_t longest = 0;
    for (size_t i = 0; i < f->n; i++) {
        if (f->job[i].group == group && job_ns(&f->job[i]) > longest)
            longest = job_ns(&f->job[i]);
    }
    return longest;
}

uint64_t loads_ns(const struct jobfile *f)
{
    uint64_t ns = 0;
    for (size_t g = 0; g < f->n_groups; g++)
        ns += loads_group_ns(f, g);
    return ns;
}

void loads_writes(struct plan_writes *out, const struct loads_spec *spec, size_t target)
{
    *out = (struct plan_writes){0};
    for (size_t i = 0; i < spec->file->n; i++) {
        const struct jobfile_job *job = &spec->file->job[i];
        struct workload_spec load;
        if (workload_spec_from_key(&load, &job->key, INT64_MAX, NULL) < 0)
            continue;
        uint32_t bs = workload_max_bs(&load);
        workload_spec_release(&load);
        for (size_t k = 0; k < job->n_files; k++) {
            if (spec->used[i][k] == target)
                plan_writes_add(out, &job->key, bs, job->ramp_ns + job->runtime_ns, 0);
        }
    }
}

static void update_state(struct loads *l)
{
    uint64_t now = clock_now_ns(), in_group = now - l->group_began_ns;
    l->state.elapsed_ns = now - l->began_ns;
    uint64_t this_one = loads_group_ns(l->spec->file, l->state.group - 1);
    l->state.left_ns = this_one > in_group ? this_one - in_group : 0;
    for (size_t g = l->state.group; g < l->state.n_groups; g++)
        l->state.left_ns += loads_group_ns(l->spec->file, g);
}

static void on_tick(void *arg, const struct job_progress *p)
{
    struct loads *l = ((const struct running *)arg)->loads;
    update_state(l);
    if (l->spec->watch.tick)
        l->spec->watch.tick(l->spec->watch.arg, &l->state, p);
}

/* The how-manieth job of the file with this load on these files. */
static uint64_t repeat_of(const struct loads_spec *s, size_t i)
{
    struct strbuf mine = STRBUF_INIT, other = STRBUF_INIT;
    const struct jobfile_job *job = &s->file->job[i];
    cell_key_text(&mine, &job->key);
    uint64_t repeat = 1;
    for (size_t k = 0; k < i; k++) {
        const struct jobfile_job *before = &s->file->job[k];
        strbuf_reset(&other);
        cell_key_text(&other, &before->key);
        repeat += before->n_files == job->n_files && strcmp(mine.text, other.text) == 0 &&
                  memcmp(s->used[i], s->used[k], job->n_files * sizeof(size_t)) == 0;
    }
    strbuf_release(&mine);
    strbuf_release(&other);
    return repeat;
}

static char *extra_of(const struct jobfile_job *job)
{
    cJSON *o = cJSON_CreateObject();
    json_add_u64(o, "group", job->group);
    json_add_u64(o, "startdelay_ns", job->delay_ns);
    json_add_u64(o, "runtime_ns", job->runtime_ns);
    json_add_u64(o, "interval_ns", job->interval_ns);
    if (job->description)
        json_add_text(o, "description", job->description);
    char *text = json_print(o, false);
    cJSON_Delete(o);
    return text;
}

static bool member_u64(const cJSON *o, const char *name, uint64_t *v)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(o, name);
    if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0) || item->valuedouble > 0x1p53)
        return false;
    *v = (uint64_t)item->valuedouble;
    return true;
}

bool loads_cell_times(struct jobfile_times *times, uint64_t *group, const struct cell *cell)
{
    cJSON *o = cell->extra ? cJSON_Parse(cell->extra) : NULL;
    struct jobfile_times t = {.ramp_ns = IS_KNOWN(cell, CELL, ramp_ns) ? cell->ramp_ns : 0};
    uint64_t g;
    bool ok = o && member_u64(o, "group", &g) && member_u64(o, "startdelay_ns", &t.delay_ns) &&
              member_u64(o, "runtime_ns", &t.runtime_ns) &&
              member_u64(o, "interval_ns", &t.interval_ns);
    cJSON_Delete(o);
    if (!ok)
        return false;
    *times = t;
    *group = g;
    return true;
}

static struct cell *make_cell(const struct loads_spec *s, size_t i, bool alone)
{
    const struct jobfile_job *job = &s->file->job[i];
    struct cell *cell = cell_create();
    fields_copy(&cell_key_fields, &cell->key, &job->key);
    SET(cell, CELL, ordinal, i);
    SET(cell, CELL, repeat, repeat_of(s, i));
    field_set_text(&cell_fields, cell, CELL_name, job->name);
    char *extra = extra_of(job);
    field_set_text(&cell_fields, cell, CELL_extra, extra);
    free(extra);
    cell->n_devices = job->n_files;
    cell->device = xcalloc(job->n_files, sizeof *cell->device);
    memcpy(cell->device, s->used[i], job->n_files * sizeof *cell->device);
    if (job->n_files > 1)
        SET(cell, CELL, together, true);
    if (!alone)
        cell_add_caveat(cell, "beside-others");
    return cell;
}

/*
 * The descriptor of a job: another opening of what was opened and checked, never of the path, with
 * the flags that this job wants.
 */
static int open_for(const struct sweep_target *t, const struct cell_key *key, int *fd,
                    struct error *err)
{
    char path[32];
    int flags = O_CLOEXEC | (rw_writes(key->rw) ? O_RDWR : O_RDONLY);
    flags |= key->direct ? O_DIRECT : 0;
    if (key->sync && strcmp(key->sync, "sync") == 0)
        flags |= O_SYNC;
    else if (key->sync && strcmp(key->sync, "dsync") == 0)
        flags |= O_DSYNC;
    snprintf(path, sizeof path, "/proc/self/fd/%d", device_fd(t->device));
    *fd = open(path, flags);
    if (*fd < 0)
        return error_errno(err, ERR_DEVICE, errno, "%s: cannot be opened as the job asks", t->path);
    return 0;
}

static void read_counters(const struct running *r, struct counters *c)
{
    const struct loads_spec *s = r->loads->spec;
    for (size_t k = 0; k < r->n; k++)
        counters_read(&c[k], s->sysroot, s->run->device, r->cell[k]->device, r->cell[k]->n_devices);
}

static void read_before(struct running *r)
{
    for (size_t k = 0; k < r->n; k++)
        counters_release(&r->before[k]);
    read_counters(r, r->before);
    volumes_begin(r->loads->volumes, r->before, r->n);
}

/* What the ramp of a job that is alone did is not the cell's; windows of several differ. */
static void on_window(void *arg)
{
    read_before(arg);
}

static int make_spec(struct running *r, size_t i, size_t k, struct error *err)
{
    const struct loads *l = r->loads;
    const struct jobfile_job *job = &l->spec->file->job[i];
    r->target[k] = xcalloc(job->n_files, sizeof(struct job_target));
    r->spec[k] = (struct job_spec){.target = r->target[k],
                                   .n_targets = (unsigned)job->n_files,
                                   .delay_ns = job->delay_ns,
                                   .ramp_ns = job->ramp_ns,
                                   .runtime_ns = job->runtime_ns,
                                   .interval_ns = job->interval_ns,
                                   .run_seed = job->seed,
                                   .shared = l->shared,
                                   .stop = l->spec->stop,
                                   .progress = on_tick,
                                   .window_begins = r->n == 1 ? on_window : NULL,
                                   .progress_arg = r};
    for (size_t f = 0; f < job->n_files; f++)
        r->target[k][f].fd = -1;
    int rc = cpus_from_key(&r->cpu[k], &r->spec[k].n_cpus, &r->spec[k].cpus_shared, &job->key, err);
    r->spec[k].cpu = r->cpu[k];
    for (size_t f = 0; rc == 0 && f < job->n_files; f++) {
        const struct sweep_target *t = &l->spec->target[l->spec->used[i][f]];
        r->target[k][f].size = t->size;
        r->target[k][f].label = t->path;
        if (t->device)
            rc = open_for(t, &job->key, &r->target[k][f].fd, err);
    }
    return rc;
}

static void release(struct running *r)
{
    for (size_t k = 0; k < r->n; k++) {
        for (unsigned f = 0; r->target[k] && f < r->spec[k].n_targets; f++) {
            if (r->target[k][f].fd >= 0)
                close(r->target[k][f].fd);
        }
        counters_release(&r->before[k]);
        free(r->target[k]);
        free(r->cpu[k]);
        cell_destroy(r->cell[k]);
    }
    free(r->cell);
    free(r->spec);
    free(r->target);
    free(r->before);
    free(r->cpu);
}

static int keep(struct loads *l, struct cell *cell, struct error *err)
{
    const struct loads_spec *s = l->spec;
    if (stopped(l) && outcome_is_empty(cell))
        return 0;
    int rc = s->sink->cell(s->sink->self, cell, err);
    if (rc < 0)
        return rc;
    outcome_count(l->outcome, cell);
    if (s->watch.cell_ends)
        s->watch.cell_ends(s->watch.arg, &l->state, cell);
    return 0;
}

/* The kernel's counters are of the device: each cell has those of its devices for the whole group. */
static void measure(struct running *r)
{
    struct counters *after = xcalloc(r->n, sizeof *after);
    struct error why = ERROR_INIT;
    int rc = 0;
    for (size_t k = 0; rc == 0 && k < r->n; k++)
        rc = make_spec(r, r->loads->state.first + k, k, &why);
    read_before(r);
    if (rc == 0)
        rc = job_run_group(r->spec, r->cell, (unsigned)r->n, &why);
    read_counters(r, after);
    volumes_end(r->loads->volumes);
    for (size_t k = 0; k < r->n; k++) {
        if (rc < 0)
            outcome_mark_failed(r->cell[k], &why);
        counters_to_cell(r->cell[k], &r->before[k], &after[k], r->n == 1);
        volumes_to_cell(r->loads->volumes, &after[k], r->cell[k]);
        counters_release(&after[k]);
    }
    free(after);
}

static int run_group(struct loads *l, struct error *err)
{
    struct running r = {.n = l->state.n, .loads = l};
    r.cell = xcalloc(r.n, sizeof *r.cell);
    r.spec = xcalloc(r.n, sizeof *r.spec);
    r.target = xcalloc(r.n, sizeof *r.target);
    r.before = xcalloc(r.n, sizeof *r.before);
    r.cpu = xcalloc(r.n, sizeof *r.cpu);
    for (size_t k = 0; k < r.n; k++)
        r.cell[k] = make_cell(l->spec, l->state.first + k, r.n == 1);
    measure(&r);
    update_state(l);
    int rc = 0;
    for (size_t k = 0; rc == 0 && k < r.n; k++)
        rc = keep(l, r.cell[k], err);
    release(&r);
    return rc;
}

static int run_groups(struct loads *l, struct error *err)
{
    const struct jobfile *f = l->spec->file;
    l->began_ns = clock_now_ns();
    for (size_t first = 0, n; first < f->n; first += n) {
        n = 1;
        while (first + n < f->n && f->job[first + n].group == f->job[first].group)
            n++;
        if (stopped(l) || (l->spec->stop_on_error && l->outcome->failed + l->outcome->partial > 0))
            break;
        l->state.group = f->job[first].group + 1;
        l->state.first = first;
        l->state.n = n;
        l->group_began_ns = clock_now_ns();
        int rc = run_group(l, err);
        if (rc < 0)
            return rc;
    }
    l->outcome->interrupted = stopped(l);
    return 0;
}

static enum run_status status_of(const struct sweep_outcome *o)
{
    if (o->left == 0)
        return STATUS_COMPLETE;
    return o->complete + o->partial == 0 && !o->interrupted ? STATUS_FAILED : STATUS_PARTIAL;
}

static int run_between(struct loads *l, struct error *err)
{
    const struct loads_spec *s = l->spec;
    struct sweep_outcome *o = l->outcome;
    SET(s->run, RUN, status, STATUS_RUNNING);
    int rc = s->sink->begin(s->sink->self, s->run, err);
    if (rc < 0)
        return rc;
    o->begun = true;
    rc = run_groups(l, err);
    o->left = s->file->n - o->complete;
    SET(s->run, RUN, status, rc < 0 ? STATUS_FAILED : status_of(o));
    SET(s->run, RUN, finished_ns, clock_wall_ns());
    /* after a failure of the sink the first error is the one to tell */
    int ended = s->sink->end(s->sink->self, s->run, rc < 0 ? NULL : err);
    if (rc < 0)
        return rc;
    size_t begun = o->complete + o->partial + o->failed;
    return ended < 0 ? ended : outcome_judge(o, s->file->n, begun, err);
}

/* The jobs of a simulated device share it, so there is one for the file. */
static int share_device(struct loads *l, struct error *err)
{
    const struct jobfile *f = l->spec->file;
    const struct cell_key *first = NULL;
    for (size_t i = 0; i < f->n; i++) {
        const struct engine_ops *engine = engine_find(f->job[i].key.engine);
        if (engine && engine->share_create && !first) {
            l->simulator = engine;
            first = &f->job[i].key;
        }
    }
    if (!first)
        return 0;
    return l->simulator->share_create(
        &l->shared, first->engine_options ? first->engine_options : "", f->job[0].seed, err);
}

int loads_run(struct sweep_outcome *out, const struct loads_spec *spec, struct error *err)
{
    *out = (struct sweep_outcome){.left = spec->file->n};
    struct loads l = {.spec = spec, .outcome = out, .state = {.n_groups = spec->file->n_groups}};
    int rc = share_device(&l, err);
    if (rc < 0)
        return rc;
    l.volumes = volumes_create(spec->sysroot);
    rc = run_between(&l, err);
    volumes_destroy(l.volumes);
    if (l.shared)
        l.simulator->share_destroy(l.shared);
    return rc;
}
