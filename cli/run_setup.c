/* From a job file to open targets and the run's record. */
#include <sys/stat.h>

#include "cli/confirm.h"
#include "cli/run_internal.h"
#include "core/base/json.h"
#include "core/base/numfmt.h"
#include "core/base/xalloc.h"

#define MIB (UINT64_C(1) << 20)
/* Without randseed: the same I/Os each time, as fio's randrepeat has it. */
#define FIXED_SEED 1

static int set_engine_options(struct job_run *r, struct error *err)
{
    struct strbuf options = STRBUF_INIT;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < r->file->n; i++) {
        struct cell_key *key = &r->file->job[i].key;
        strbuf_reset(&options);
        rc = engine_check_options(engine_find(key->engine), r->config->engine_options, &options,
                                  err);
        if (rc == 0 && options.len)
            field_set_text(&cell_key_fields, key, CELL_KEY_engine_options, options.text);
    }
    strbuf_release(&options);
    return rc < 0 ? error_prefix(err, ERR_USAGE, "--engine-options") : 0;
}

/* A job without a runtime would end when its size is done; here time is what ends a cell. */
static int set_runtimes(struct job_run *r, struct error *err)
{
    for (size_t i = 0; i < r->file->n; i++) {
        struct jobfile_job *job = &r->file->job[i];
        if (!job->runtime_ns)
            job->runtime_ns = r->config->runtime;
        if (job->runtime_ns)
            continue;
        int rc = error_set(err, ERR_INPUT, "%s:%u: [%s] has no runtime: it would end with its size",
                           r->path, job->line, job->name);
        error_hint(err, "Add runtime=30 and time_based to the file, or give --runtime 30s.");
        return rc;
    }
    return 0;
}

static void set_seeds(struct job_run *r)
{
    uint64_t another = session_seed();
    for (size_t i = 0; i < r->file->n; i++) {
        struct jobfile_job *job = &r->file->job[i];
        if (job->random_seed)
            job->seed = another;
        else if (!job->seed)
            job->seed = FIXED_SEED;
    }
}

/* The target of this path, made when there is none. */
static size_t target_of(struct session *s, const char *path)
{
    for (size_t i = 0; i < s->n_targets; i++) {
        if (strcmp(s->target[i].path, path) == 0)
            return i;
    }
    s->target = xrealloc(s->target, s->n_targets + 1, sizeof *s->target);
    s->target[s->n_targets] = (struct sweep_target){.path = xstrdup(path)};
    return s->n_targets++;
}

static void collect_targets(struct job_run *r)
{
    r->used = xcalloc(r->file->n, sizeof *r->used);
    for (size_t i = 0; i < r->file->n; i++) {
        const struct jobfile_job *job = &r->file->job[i];
        r->used[i] = xcalloc(job->n_files, sizeof **r->used);
        for (size_t k = 0; k < job->n_files; k++)
            r->used[i][k] = target_of(&r->s, job->file[k]);
    }
}

int run_read_file(struct job_run *r, struct error *err)
{
    const char *engine = r->config->engine;
    int rc = engine ? sweep_find_engine(&r->s, engine, err) : 0;
    if (rc < 0)
        return rc;
    const struct jobfile_source source = {.engine = engine};
    rc = jobfile_read(&r->file, r->path, &source, err);
    if (rc == 0)
        rc = set_runtimes(r, err);
    if (rc == 0 && r->config->engine_options)
        rc = set_engine_options(r, err);
    if (rc < 0)
        return rc;
    set_seeds(r);
    collect_targets(r);
    return 0;
}

/* ---- targets ---- */

static bool uses(const struct job_run *r, size_t i, size_t target)
{
    for (size_t k = 0; k < r->file->job[i].n_files; k++) {
        if (r->used[i][k] == target)
            return true;
    }
    return false;
}

static bool is_block_device(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISBLK(st.st_mode);
}

/* Where the extent of a job ends; 0: not before the end of the target. */
static uint64_t extent_end(const struct jobfile_job *job, const char *path)
{
    const struct cell_key *key = &job->key;
    uint64_t end = 0, offset = IS_KNOWN(key, CELL_KEY, offset) ? key->offset : 0;
    /* a device has its size, and extents are cut there */
    if (!IS_KNOWN(key, CELL_KEY, size) || is_block_device(path))
        return 0;
    if (job->offset_percent > 0)
        return sweep_target_size(path, key->size, job->offset_percent);
    return __builtin_add_overflow(key->size, offset, &end) ? 0 : end;
}

/* What all jobs that work on a target want of it. */
static struct device_request request_of(struct job_run *r, size_t target,
                                        const struct engine_ops **engine)
{
    const struct run_config *c = r->config;
    struct device_request request = {
        .path = r->s.target[target].path,
        .permit = {c->allow_write, c->destroy_data.item, c->destroy_data.n},
        .go_on = sweep_fill_progress,
        .arg = &r->s};
    bool whole = false;
    for (size_t i = 0; i < r->file->n; i++) {
        const struct jobfile_job *job = &r->file->job[i];
        const struct cell_key *key = &job->key;
        if (!uses(r, i, target))
            continue;
        /* one engine a target: a simulated one is simulated for all */
        if (!*engine || !(engine_find(key->engine)->flags & ENGINE_NO_DEVICE))
            *engine = engine_find(key->engine);
        request.write = request.write || rw_writes(key->rw);
        request.trim = request.trim || rw_trims(key->rw);
        request.direct = request.direct || key->direct;
        uint64_t end = extent_end(job, request.path);
        whole = whole || end == 0;
        request.size = end > request.size ? end : request.size;
    }
    if (whole)
        request.size = 0;
    return request;
}

static int open_target(struct job_run *r, size_t target, struct error *err)
{
    const struct engine_ops *engine = NULL;
    const struct device_request request = request_of(r, target, &engine);
    struct sweep_target opened;
    int rc = r->config->dry_run ? sweep_target_look(&opened, engine, &request, &r->s.refused, err)
                                : sweep_target_open(&opened, engine, &request, err);
    if (rc < 0)
        return rc;
    free(r->s.target[target].path);
    r->s.target[target] = opened;
    return 0;
}

/* Two names of one thing would be counted as two, and be opened twice. */
static int check_twice(const struct session *s, size_t i, struct error *err)
{
    const struct device_info *is = &s->target[i].info;
    for (size_t k = 0; k < i; k++) {
        const struct device_info *was = &s->target[k].info;
        if (is->resolved && was->resolved && strcmp(is->resolved, was->resolved) == 0)
            return error_set(err, ERR_INPUT, "%s and %s are the same: %s; use one name of it",
                             s->target[k].path, s->target[i].path, is->resolved);
    }
    return 0;
}

/* fio leaves out what lies behind the end of a device, without a word. */
static void cut_extent(struct job_run *r, struct jobfile_job *job, uint64_t least)
{
    char asked[NUMFMT_MAX], left[NUMFMT_MAX];
    struct cell_key *key = &job->key;
    uint64_t offset = IS_KNOWN(key, CELL_KEY, offset) ? key->offset : 0;
    if (!IS_KNOWN(key, CELL_KEY, size) || offset >= least || key->size <= least - offset)
        return;
    strbuf_addf(
        &r->s.warning,
        "[%s]: size=%s reaches behind the end of the device; the %s up to there are used, as "
        "fio does it\n",
        job->name, fmt_bytes(asked, key->size), fmt_bytes(left, least - offset));
    SET(key, CELL_KEY, size, least - offset);
}

/* Percentages become bytes now that the sizes are known; they end at whole MiB. */
static void set_extents(struct job_run *r)
{
    for (size_t i = 0; i < r->file->n; i++) {
        struct jobfile_job *job = &r->file->job[i];
        uint64_t least = UINT64_MAX;
        for (size_t k = 0; k < job->n_files; k++) {
            uint64_t size = r->s.target[r->used[i][k]].size;
            least = size < least ? size : least;
        }
        const double percent[] = {job->size_percent, job->offset_percent};
        static const size_t field[] = {CELL_KEY_size, CELL_KEY_offset};
        for (size_t f = 0; f < 2; f++) {
            if (percent[f] < 0)
                continue;
            uint64_t bytes = (uint64_t)((double)least * percent[f] / 100);
            bytes = bytes >= MIB ? bytes / MIB * MIB : bytes;
            field_set_u64(&cell_key_fields, &job->key, field[f], bytes);
        }
        cut_extent(r, job, least);
    }
}

static int make_record(struct job_run *r, struct error *err)
{
    const struct run_config *c = r->config;
    const struct session_run run = {c->name, &c->label, r->file->job[0].seed, r->file->n};
    int rc = session_new_run(&r->s, &run, err);
    if (rc < 0)
        return rc;
    cJSON *o = cJSON_CreateObject();
    json_add_text(o, "jobfile", r->path);
    json_add_text(o, "jobfile_text", r->file->text);
    char *text = json_print(o, false);
    cJSON_Delete(o);
    field_set_text(&run_fields, r->s.run, RUN_plan, text);
    free(text);
    rc = session_describe(&r->s, c->dry_run, c->no_detect, &c->limits, err);
    return rc < 0 ? rc : limit_args_apply(&c->limits, r->s.limits, r->s.run, err);
}

int run_open_targets(struct job_run *r, struct error *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < r->s.n_targets; i++) {
        rc = open_target(r, i, err);
        if (rc == 0)
            rc = check_twice(&r->s, i, err);
    }
    if (rc == 0)
        rc = session_check_permit(&r->s, &r->config->destroy_data, err);
    if (rc < 0)
        return rc;
    set_extents(r);
    const struct loads_spec spec = run_spec(r);
    rc = loads_check(&spec, &r->s.warning, err);
    return rc < 0 ? rc : make_record(r, err);
}

static bool is_written(const struct job_run *r, size_t target)
{
    for (size_t i = 0; i < r->file->n; i++) {
        if (uses(r, i, target) && rw_writes(r->file->job[i].key.rw))
            return true;
    }
    return false;
}

int run_confirm(struct job_run *r, struct error *err)
{
    if (r->config->dry_run || r->config->yes || !confirm_possible())
        return 0;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < r->s.n_targets; i++) {
        if (is_written(r, i))
            rc = session_confirm(&r->s, i, err);
    }
    return rc;
}

struct loads_spec run_spec(struct job_run *r)
{
    return (struct loads_spec){.file = r->file,
                               .used = r->used,
                               .target = r->s.target,
                               .run = r->s.run,
                               .sysroot = &sysroot_system,
                               .stop_on_error = r->config->on_error == 1,
                               .stop = &r->s.interrupt.count,
                               .watch = run_watch(r)};
}

void run_release(struct job_run *r)
{
    for (size_t i = 0; r->used && i < r->file->n; i++)
        free(r->used[i]);
    free(r->used);
    jobfile_destroy(r->file);
    session_end(&r->s);
}
