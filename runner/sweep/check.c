/* What can be known to go wrong before the first I/O. */
#include <inttypes.h>

#include "core/base/numfmt.h"
#include "core/base/sysroot.h"
#include "runner/sweep/cpus.h"
#include "runner/sweep/loads.h"
#include "runner/sweep/sweep.h"
#include "runner/workload/workload.h"

static int in_cell(const struct cell_key *key, struct error *err)
{
    struct strbuf words = STRBUF_INIT;
    cell_key_words(&words, key);
    int rc = error_prefix(err, ERR_USAGE, "%s", words.text);
    strbuf_release(&words);
    return rc;
}

static int check_sizes(const struct workload_spec *load, const struct cell_key *key,
                       const struct sweep_target *t, struct strbuf *remark, struct error *err)
{
    int rc = 0;
    for (enum dir d = DIR_READ; d < WORKLOAD_DIRS; d++) {
        if (!workload_uses(load, d))
            continue;
        for (size_t i = 0; rc == 0 && i < load->bs[d].n; i++)
            rc = device_check_io(&t->info, key->direct, load->bs[d].size[i].bytes, load->offset,
                                 d == DIR_WRITE && remark->len == 0 ? remark : NULL, err);
    }
    return rc;
}

static int check_trims(const struct cell_key *key, const struct sweep_target *t, struct error *err)
{
    if (!rw_trims(key->rw))
        return 0;
    if (IS_KNOWN(&t->info, DEVICE, discard_max) && t->info.discard_max == 0)
        return error_set(err, ERR_USAGE, "%s cannot trim: the device knows no discard", t->path);
    return 0;
}

static int check_device(const struct cell_key *key, const struct sweep_target *t,
                        struct strbuf *warning, struct error *err)
{
    struct workload_spec load;
    int rc = workload_spec_from_key(&load, key, t->size, err);
    if (rc < 0)
        return error_prefix(err, ERR_USAGE, "%s", t->path);
    struct strbuf remark = STRBUF_INIT;
    rc = check_trims(key, t, err);
    if (rc == 0)
        rc = check_sizes(&load, key, t, &remark, err);
    if (remark.len && !strstr(warning->text, remark.text))
        strbuf_addf(warning, "%s\n", remark.text);
    strbuf_release(&remark);
    workload_spec_release(&load);
    return rc;
}

/* Buffers of one cell must fit in memory with room to spare: swapping would be measured instead. */
static int check_memory(const struct cell_key *key, size_t n_devices, uint64_t largest,
                        uint64_t available, struct error *err)
{
    uint64_t jobs = key->numjobs * n_devices;
    uint64_t bytes;
    bool much = __builtin_mul_overflow(jobs, key->iodepth, &bytes) ||
                __builtin_mul_overflow(bytes, largest, &bytes);
    if (!much && bytes <= available / 10 * 8)
        return 0;
    char need[NUMFMT_MAX], have[NUMFMT_MAX];
    int rc = error_set(err, ERR_USAGE,
                       "needs %s of buffers (%" PRIu64 " jobs x iodepth x block), "
                       "and %s of memory are available",
                       much ? "more than 16 EiB" : fmt_bytes(need, bytes), jobs,
                       fmt_bytes(have, available));
    error_hint(err, "Take a smaller iodepth, numjobs or block size.");
    return rc;
}

static uint64_t memory_available(const struct sysroot *sr)
{
    char *text = sysroot_read(sr, "/proc/meminfo");
    const char *line = text ? strstr(text, "MemAvailable:") : NULL;
    uint64_t kib = 0;
    bool known = line && sscanf(line, "MemAvailable: %" SCNu64, &kib) == 1;
    free(text);
    return known ? kib * 1024 : UINT64_MAX;
}

static int check_engine(const struct cell_key *key, struct error *err)
{
    const struct engine_ops *engine = key->engine ? engine_find(key->engine) : NULL;
    if (!engine)
        return error_set(err, ERR_USAGE, "there is no engine \"%s\"",
                         key->engine ? key->engine : "");
    char why[256];
    if (!engine->supported(why, sizeof why))
        return error_set(err, ERR_USAGE, "engine %s does not work here: %s", engine->name, why);
    int bad =
        engine_check_options(engine, key->engine_options ? key->engine_options : "", NULL, err);
    if (bad < 0)
        return bad;
    if ((engine->flags & ENGINE_SYNC) && key->iodepth > 1) {
        int rc = error_set(err, ERR_USAGE, "engine %s does one I/O at a time", engine->name);
        error_hint(err, "Take --iodepth 1 and more --numjobs, or another engine.");
        return rc;
    }
    return 0;
}

static int check_cpus(const struct cell_key *key, struct error *err)
{
    unsigned *cpu, n;
    bool shared;
    int rc = cpus_from_key(&cpu, &n, &shared, key, err);
    if (rc == 0)
        free(cpu);
    return rc;
}

int sweep_check_plan(const struct plan *plan, const struct sysroot *sr, struct error *err)
{
    uint64_t memory = memory_available(sr);
    const struct engine_ops *engine =
        plan->axes.base.engine ? engine_find(plan->axes.base.engine) : NULL;
    if (engine && (engine->flags & ENGINE_WHOLE_CELL) && plan->axes.together)
        return error_set(err, ERR_USAGE, "engine %s loads one device at a time, not --together",
                         engine->name);
    if (engine && (engine->flags & ENGINE_WHOLE_CELL) && (plan->axes.until > 0 || plan->axes.drain))
        return error_set(err, ERR_USAGE, "engine %s runs for a fixed time, not %s", engine->name,
                         plan->axes.drain ? "--drain" : "--until");
    struct cell_key key = {0};
    int rc = 0;
    /* repeats are the same cells again, and repeat 1 is always first */
    for (size_t i = 0; rc == 0 && i < plan->n && plan->cell[i].repeat == 1; i++) {
        plan_key(&key, plan, &plan->cell[i]);
        rc = check_engine(&key, err);
        uint64_t bs = plan->cell[i].bs;
        if (IS_KNOWN(&key, CELL_KEY, bs_write) && key.bs_write > bs)
            bs = key.bs_write;
        if (rc == 0)
            rc =
                check_memory(&key, plan->axes.together ? plan->axes.n_devices : 1, bs, memory, err);
        if (rc < 0)
            rc = in_cell(&key, err);
        fields_release(&cell_key_fields, &key);
    }
    return rc;
}

int sweep_check_targets(const struct plan *plan, const struct sweep_target *target,
                        struct strbuf *warning, struct error *err)
{
    struct cell_key key = {0};
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < plan->n && plan->cell[i].repeat == 1; i++) {
        const struct plan_cell *cell = &plan->cell[i];
        size_t first, n = plan_cell_devices(plan, cell, &first);
        plan_key(&key, plan, cell);
        for (size_t d = first; rc == 0 && d < first + n; d++)
            rc = check_device(&key, &target[d], warning, err);
        if (rc < 0)
            rc = in_cell(&key, err);
        fields_release(&cell_key_fields, &key);
    }
    return rc;
}

int loads_check(const struct loads_spec *spec, struct strbuf *warning, struct error *err)
{
    uint64_t memory = memory_available(spec->sysroot);
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < spec->file->n; i++) {
        const struct jobfile_job *job = &spec->file->job[i];
        rc = check_engine(&job->key, err);
        if (rc == 0)
            rc = check_cpus(&job->key, err);
        for (size_t k = 0; rc == 0 && k < job->n_files; k++)
            rc = check_device(&job->key, &spec->target[spec->used[i][k]], warning, err);
        struct workload_spec load;
        if (rc == 0)
            rc = workload_spec_from_key(&load, &job->key, INT64_MAX, err);
        if (rc == 0) {
            rc = check_memory(&job->key, job->n_files, workload_max_bs(&load), memory, err);
            workload_spec_release(&load);
        }
        if (rc < 0)
            rc = error_prefix(err, ERR_USAGE, "[%s]", job->name);
    }
    return rc;
}
