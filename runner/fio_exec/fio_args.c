/* From the key of a cell to fio's options (fio(1), 3.x). */
#include "runner/fio_exec/fio_args_internal.h"

#include <inttypes.h>
#include <stdarg.h>

#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/xalloc.h"
#include "runner/workload/workload.h"

__attribute__((format(printf, 2, 3))) static void add(struct fio_args *a, const char *fmt, ...)
{
    struct strbuf text = STRBUF_INIT;
    va_list ap;
    va_start(ap, fmt);
    strbuf_addv(&text, fmt, ap);
    va_end(ap);
    GROW(a->word, a->n + 2, a->room);
    a->word[a->n++] = strbuf_detach(&text);
    a->word[a->n] = NULL;
}

void fio_args_release(struct fio_args *a)
{
    for (size_t i = 0; i < a->n; i++)
        free(a->word[i]);
    free(a->word);
    *a = (struct fio_args){0};
}

static void add_sizes(struct fio_args *a, const struct cell_key *k)
{
    if (k->bs_text)
        add(a, "--bssplit=%s", k->bs_text);
    else if (IS_KNOWN(k, CELL_KEY, bs_write))
        add(a, "--bs=%" PRIu64 ",%" PRIu64, k->bs, k->bs_write);
    else
        add(a, "--bs=%" PRIu64, k->bs);
}

/* uniform is with repetition, which fio calls norandommap; cover is fio's default. */
static void add_offsets(struct fio_args *a, const struct cell_key *k)
{
    if (!rw_is_random(k->rw))
        return;
    const char *how = k->distribution ? k->distribution : "uniform";
    if (strncmp(how, "zipf:", 5) == 0)
        add(a, "--random_distribution=%s", how);
    if (strcmp(how, "cover") != 0)
        add(a, "--norandommap=1");
}

static void add_sync(struct fio_args *a, const struct cell_key *k)
{
    if (k->sync && strchr(k->sync, '='))
        add(a, "--%s", k->sync);
    else if (k->sync)
        add(a, "--sync=%s", k->sync);
}

static void add_content(struct fio_args *a, const struct cell_key *k)
{
    if (!rw_writes(k->rw))
        return;
    add(a, "--refill_buffers=1");
    if (IS_KNOWN(k, CELL_KEY, compress))
        add(a, "--buffer_compress_percentage=%" PRIu64, k->compress);
    if (IS_KNOWN(k, CELL_KEY, dedupe))
        add(a, "--dedupe_percentage=%" PRIu64, k->dedupe);
}

/* One direction's rate, or both of a mix; 0 is none. */
static void add_rates(struct fio_args *a, const char *option, bool mixed, double own, double write)
{
    if (mixed && (own > 0 || write > 0))
        add(a, "--%s=%.0f,%.0f", option, own, write);
    else if (own > 0)
        add(a, "--%s=%.0f", option, own);
}

static int add_rate(struct fio_args *a, const struct cell_key *k, struct error *err)
{
    bool mixed = rw_is_mixed(k->rw), reads = rw_reads(k->rw);
    double iops = cell_key_rate_iops(k, reads), iops_write = cell_key_rate_iops(k, false);
    /* it holds the bytes to rate x smallest block */
    if ((iops > 0 || (mixed && iops_write > 0)) && k->bs_text)
        return error_set(err, ERR_USAGE,
                         "engine fio cannot hold a rate of I/Os when blocks differ: take --rate");
    add_rates(a, "rate_iops", mixed, iops, iops_write);
    add_rates(a, "rate", mixed, cell_key_rate_bw(k, reads), cell_key_rate_bw(k, false));
    if (k->arrival && strcmp(k->arrival, "poisson") == 0)
        add(a, "--rate_process=poisson");
    return 0;
}

static void add_cpus(struct fio_args *a, const struct cell_key *k)
{
    cJSON *o = k->options ? cJSON_Parse(k->options) : NULL;
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(o, "cpus_allowed");
    if (cJSON_IsString(list)) {
        add(a, "--cpus_allowed=%s", list->valuestring);
        add(a, "--cpus_allowed_policy=%s",
            cJSON_HasObjectItem(o, "cpus_allowed_policy") ? "shared" : "split");
    }
    cJSON_Delete(o);
}

static void add_pattern(struct fio_args *a, const struct cell_key *k)
{
    const char *options = k->engine_options ? k->engine_options : "";
    add(a, "--rw=%s", rw_names[k->rw]);
    if (rw_is_mixed(k->rw) && IS_KNOWN(k, CELL_KEY, rwmixread))
        add(a, "--rwmixread=%" PRIu64, k->rwmixread);
    add(a, "--iodepth=%" PRIu64, k->iodepth);
    add(a, "--numjobs=%" PRIu64, k->numjobs);
    add(a, "--direct=%d", k->direct);
    add(a, "--ioengine=%s", strcmp(options, "io_uring=1") == 0 ? "io_uring" : "libaio");
}

static void add_time(struct fio_args *a, const struct job_spec *spec, const struct cell *cell)
{
    uint64_t seed = workload_seed(spec->run_seed, cell->ordinal, cell->repeat, 0);
    add(a, "--time_based=1");
    add(a, "--runtime=%" PRIu64 "ms", spec->runtime_ns / NS_PER_MS);
    add(a, "--ramp_time=%" PRIu64 "ms", spec->ramp_ns / NS_PER_MS);
    add(a, "--randseed=%" PRIu64, seed >> 33);
}

int fio_args_make(struct fio_args *out, const struct job_spec *spec, const struct cell *cell,
                  const char *path, struct error *err)
{
    const struct cell_key *k = &cell->key;
    struct fio_args a = {0};
    add(&a, "fio");
    add(&a, "--output-format=json+");
    add(&a, "--eta=never");
    add(&a, "--name=cell");
    add(&a, "--filename=%s", path);
    add(&a, "--thread=1");
    add(&a, "--group_reporting=1");
    add(&a, "--allow_file_create=0");
    add(&a, "--fallocate=none");
    add_pattern(&a, k);
    add_sizes(&a, k);
    add_offsets(&a, k);
    add_sync(&a, k);
    add_content(&a, k);
    add_cpus(&a, k);
    if (IS_KNOWN(k, CELL_KEY, thinktime_ns))
        add(&a, "--thinktime=%" PRIu64, k->thinktime_ns / NS_PER_US);
    uint64_t offset = IS_KNOWN(k, CELL_KEY, offset) ? k->offset : 0;
    uint64_t room = spec->target->size - offset;
    add(&a, "--offset=%" PRIu64, offset);
    add(&a, "--size=%" PRIu64, IS_KNOWN(k, CELL_KEY, size) ? k->size : room);
    add_time(&a, spec, cell);
    int rc = add_rate(&a, k, err);
    if (rc < 0) {
        fio_args_release(&a);
        return rc;
    }
    *out = a;
    return 0;
}
