/* From a cell back to a section. */
#include <inttypes.h>
#include <math.h>

#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/xalloc.h"
#include "runner/jobfile/print_internal.h"

/* "64k", or the bytes: read again it is the same number. */
static void add_bytes(struct strbuf *out, uint64_t bytes)
{
    static const char suffix[] = {'k', 'm', 'g'};
    uint64_t v = bytes;
    int power = 0;
    while (power < 3 && v && v % 1024 == 0) {
        v /= 1024;
        power++;
    }
    strbuf_addf(out, "%" PRIu64, v);
    if (power)
        strbuf_addc(out, suffix[power - 1]);
}

static void add_size(struct strbuf *out, const char *name, uint64_t bytes)
{
    strbuf_addf(out, "%s=", name);
    add_bytes(out, bytes);
    strbuf_addc(out, '\n');
}

void print_text(struct strbuf *out, const char *text)
{
    for (const char *p = text; *p; p++)
        strbuf_addc(out, (unsigned char)*p < ' ' || strchr(";#]$", *p) ? '_' : *p);
}

static void add_time(struct strbuf *out, const char *name, uint64_t ns)
{
    if (ns % NS_PER_S == 0)
        strbuf_addf(out, "%s=%" PRIu64 "\n", name, ns / NS_PER_S);
    else
        strbuf_addf(out, "%s=%.0fms\n", name, round((double)ns / (double)NS_PER_MS));
}

static void add_files(struct strbuf *out, const char *option, const struct run *run,
                      const struct cell *cell)
{
    strbuf_addf(out, "%s=", option);
    for (size_t i = 0; i < cell->n_devices; i++) {
        const char *path =
            cell->device[i] < run->n_devices ? run->device[cell->device[i]].path : NULL;
        struct strbuf clean = STRBUF_INIT;
        print_text(&clean, path ? path : "?");
        strbuf_adds(out, i ? ":" : "");
        for (const char *p = clean.text; *p; p++)
            strbuf_addf(out, *p == ':' ? "\\%c" : "%c", *p);
        strbuf_release(&clean);
    }
    strbuf_addc(out, '\n');
}

static void add_sizes(struct strbuf *out, const struct cell_key *key)
{
    if (key->bs_text) {
        const char *name = strchr(key->bs_text, '/') || strchr(key->bs_text, ':') ? "bssplit"
                           : strchr(key->bs_text, '-')                            ? "bsrange"
                                                                                  : "bs";
        strbuf_addf(out, "%s=", name);
        print_text(out, key->bs_text);
        strbuf_addc(out, '\n');
        return;
    }
    if (!IS_KNOWN(key, CELL_KEY, bs))
        return;
    strbuf_adds(out, "bs=");
    add_bytes(out, key->bs);
    if (IS_KNOWN(key, CELL_KEY, bs_write)) {
        strbuf_addc(out, ',');
        add_bytes(out, key->bs_write);
    }
    strbuf_addc(out, '\n');
}

/* Whole bytes: fio has no others. */
static void add_rates(struct strbuf *out, const struct cell_key *key)
{
    if (IS_KNOWN(key, CELL_KEY, rate_bw) || IS_KNOWN(key, CELL_KEY, rate_bw_write)) {
        strbuf_adds(out, "rate=");
        if (IS_KNOWN(key, CELL_KEY, rate_bw))
            add_bytes(out, (uint64_t)llround(key->rate_bw));
        if (IS_KNOWN(key, CELL_KEY, rate_bw_write)) {
            strbuf_addc(out, ',');
            add_bytes(out, (uint64_t)llround(key->rate_bw_write));
        }
        strbuf_addc(out, '\n');
    }
    if (IS_KNOWN(key, CELL_KEY, rate_iops) || IS_KNOWN(key, CELL_KEY, rate_iops_write)) {
        strbuf_adds(out, "rate_iops=");
        if (IS_KNOWN(key, CELL_KEY, rate_iops))
            strbuf_addf(out, "%lld", llround(key->rate_iops));
        if (IS_KNOWN(key, CELL_KEY, rate_iops_write))
            strbuf_addf(out, ",%lld", llround(key->rate_iops_write));
        strbuf_addc(out, '\n');
    }
    if (key->arrival && strcmp(key->arrival, "poisson") == 0)
        strbuf_adds(out, "rate_process=poisson\n");
    if (IS_KNOWN(key, CELL_KEY, thinktime_ns))
        strbuf_addf(out, "thinktime=%" PRIu64 "us\n", key->thinktime_ns / NS_PER_US);
}

static void add_sync(struct strbuf *out, const struct cell_key *key)
{
    if (!key->sync)
        return;
    bool counted = strchr(key->sync, '=') != NULL;
    strbuf_adds(out, counted ? "" : "sync=");
    print_text(out, key->sync);
    strbuf_addc(out, '\n');
}

/* Our own offsets repeat unless told otherwise; fio's do not. */
static void add_spread(struct strbuf *out, const struct cell_key *key, bool repeats)
{
    if (!rw_is_random(key->rw))
        return;
    if (key->distribution && strcmp(key->distribution, "cover") == 0) {
        strbuf_adds(out, "norandommap=0\n");
    } else if (key->distribution && strcmp(key->distribution, "uniform") != 0) {
        strbuf_adds(out, "random_distribution=");
        print_text(out, key->distribution);
        strbuf_addc(out, '\n');
    } else if (repeats) {
        strbuf_adds(out, "norandommap\n");
    }
}

/*
 * engine: as job files call it. times: how often the load of the key ran side by side, on files of its own each time.
 */
static void add_load(struct strbuf *out, const struct cell_key *key, const char *engine,
                     uint64_t times, bool repeats)
{
    if (IS_KNOWN(key, CELL_KEY, rw))
        strbuf_addf(out, "rw=%s\n", rw_names[key->rw]);
    if (IS_KNOWN(key, CELL_KEY, rwmixread))
        strbuf_addf(out, "rwmixread=%" PRIu64 "\n", key->rwmixread);
    add_sizes(out, key);
    if (engine) {
        strbuf_adds(out, "ioengine=");
        print_text(out, engine);
        strbuf_addc(out, '\n');
    }
    if (IS_KNOWN(key, CELL_KEY, direct))
        strbuf_addf(out, "direct=%d\n", key->direct);
    if (IS_KNOWN(key, CELL_KEY, iodepth))
        strbuf_addf(out, "iodepth=%" PRIu64 "\n", key->iodepth);
    if (IS_KNOWN(key, CELL_KEY, numjobs))
        strbuf_addf(out, "numjobs=%" PRIu64 "\n", key->numjobs * times);
    if (IS_KNOWN(key, CELL_KEY, size))
        add_size(out, "size", key->size * times);
    if (IS_KNOWN(key, CELL_KEY, offset))
        add_size(out, "offset", key->offset);
    if (IS_KNOWN(key, CELL_KEY, rw))
        add_spread(out, key, repeats);
    add_sync(out, key);
    add_rates(out, key);
    if (IS_KNOWN(key, CELL_KEY, compress))
        strbuf_addf(out, "buffer_compress_percentage=%" PRIu64 "\n", key->compress);
    if (IS_KNOWN(key, CELL_KEY, dedupe))
        strbuf_addf(out, "dedupe_percentage=%" PRIu64 "\n", key->dedupe);
}

/* "hipri=1,sqthread_poll=1": those that fio has as lines, others in a comment. */
static void add_engine_options(struct strbuf *out, const struct cell_key *key)
{
    char *copy = xstrdup(key->engine_options ? key->engine_options : ""), *rest = copy, *part;
    while ((part = strsep(&rest, ",")) != NULL) {
        if (!*part)
            continue;
        char *name = xstrndup(part, strcspn(part, "="));
        strbuf_adds(out, option_find(name) ? "" : "; option of the engine: ");
        print_text(out, part);
        strbuf_addc(out, '\n');
        free(name);
    }
    free(copy);
}

/* False when the options are other ones than CPUs. */
static bool add_cpus(struct strbuf *out, const struct cell_key *key)
{
    cJSON *o = cJSON_Parse(key->options);
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(o, "cpus_allowed");
    const cJSON *policy = cJSON_GetObjectItemCaseSensitive(o, "cpus_allowed_policy");
    bool only = cJSON_IsString(list) && cJSON_GetArraySize(o) == (policy ? 2 : 1);
    if (only) {
        strbuf_adds(out, "cpus_allowed=");
        print_text(out, list->valuestring);
        strbuf_addf(out, "\ncpus_allowed_policy=%s\n", policy ? "shared" : "split");
    }
    cJSON_Delete(o);
    return only;
}

/* Settings that depend on the engine, or that only a comment can hold. */
static void add_further(struct strbuf *out, const struct cell_key *key)
{
    add_engine_options(out, key);
    if (key->options && !add_cpus(out, key)) {
        strbuf_adds(out, "; further options of fio: ");
        print_text(out, key->options);
        strbuf_addc(out, '\n');
    }
}

/* Whether it ends by time, and when; `options` are those of a source, or NULL. */
static void add_end(struct strbuf *out, const cJSON *options, const struct cell *cell,
                    const struct jobfile_times *times)
{
    uint64_t runtime_ns = times->runtime_ns;
    enum source_end end = options ? source_end(options, cell, &runtime_ns) : SOURCE_ENDS_BY_TIME;
    if (end == SOURCE_ENDS_BY_SIZE) {
        strbuf_adds(out, "; without a runtime: it ends when its size is done\n");
        return;
    }
    strbuf_adds(out, end == SOURCE_ENDS_BY_TIME ? "time_based\n" : "");
    add_time(out, "runtime", runtime_ns);
}

/* Each thread of ours works on one file. */
static uint64_t files_of(const struct cell *cell)
{
    return cell->n_devices ? cell->n_devices : 1;
}

void jobfile_print(struct strbuf *out, const struct run *run, const struct cell *cell,
                   const struct jobfile_times *times, bool wait)
{
    cJSON *options = source_options(cell);
    strbuf_addc(out, '[');
    if (cell->name && *cell->name)
        print_text(out, cell->name);
    else
        strbuf_addf(out, "cell-%" PRIu64, IS_KNOWN(cell, CELL, ordinal) ? cell->ordinal + 1 : 1);
    strbuf_adds(out, "]\n");
    if (wait)
        strbuf_adds(out, "stonewall\n");
    add_further(out, &cell->key);
    if (run->source_format)
        source_print_gaps(out, options, &cell->key);
    source_print(out, options, &cell->key);
    if (cell->n_devices)
        add_files(out, source_is_in_folders(options) ? "directory" : "filename", run, cell);
    add_load(out, &cell->key, source_engine(options, &cell->key),
             run->source_format && options ? source_times(options, cell) : files_of(cell),
             run->source_format ? source_sets(options, "norandommap") : true);
    if (times->delay_ns)
        add_time(out, "startdelay", times->delay_ns);
    if (times->ramp_ns)
        add_time(out, "ramp_time", times->ramp_ns);
    add_end(out, options, cell, times);
    if (times->interval_ns)
        strbuf_addf(out, "log_avg_msec=%" PRIu64 "\n", times->interval_ns / NS_PER_MS);
    strbuf_adds(out, "group_reporting\n");
    cJSON_Delete(options);
}
