#include "runner/jobfile/options_internal.h"

#include "core/base/clock.h"
#include "core/base/units.h"
#include "runner/engine/engine.h"
#include "store/import/fio_units.h"

/* clang-format off */
static const struct option_row rows[] = {
    {"allow_mounted_write", NULL, OPTION_OTHER, "what is mounted is never written to here"},
    {"allrandrepeat", NULL, OPTION_FLAG, NULL},
    {"bs", "blocksize", OPTION_TRIPLE, NULL},
    {"bsrange", "blocksize_range", OPTION_SIZES, NULL},
    {"bssplit", NULL, OPTION_SIZES, NULL},
    {"buffer_compress_percentage", NULL, OPTION_PERCENT, NULL},
    {"buffered", NULL, OPTION_FLAG, NULL},
    {"bwavgtime", NULL, OPTION_OUTPUT, NULL},
    {"clat_percentiles", NULL, OPTION_OUTPUT, NULL},
    {"clocksource", NULL, OPTION_OTHER, "the clock is CLOCK_MONOTONIC"},
    {"cpus_allowed", NULL, OPTION_CPUS, NULL},
    {"cpus_allowed_policy", NULL, OPTION_POLICY, NULL},
    {"dedupe_percentage", NULL, OPTION_PERCENT, NULL},
    {"description", NULL, OPTION_TEXT, NULL},
    {"direct", NULL, OPTION_FLAG, NULL},
    {"directory", NULL, OPTION_TEXT, NULL},
    {"disable_bw_measurement", "disable_bw", OPTION_OUTPUT, NULL},
    {"disable_clat", NULL, OPTION_OUTPUT, NULL},
    {"disable_lat", NULL, OPTION_OUTPUT, NULL},
    {"disable_slat", NULL, OPTION_OUTPUT, NULL},
    {"disk_util", NULL, OPTION_OUTPUT, NULL},
    {"fallocate", NULL, OPTION_OTHER, "files are made with all blocks allocated and written"},
    {"fdatasync", NULL, OPTION_NUMBER, NULL},
    {"filename", NULL, OPTION_TEXT, NULL},
    {"fixedbufs", NULL, OPTION_FLAG, NULL},
    {"fsync", NULL, OPTION_NUMBER, NULL},
    {"group_reporting", NULL, OPTION_SAME, NULL},
    {"gtod_reduce", NULL, OPTION_OUTPUT, NULL},
    {"hipri", NULL, OPTION_FLAG, NULL},
    {"invalidate", NULL, OPTION_OTHER, "the page cache is left as it is"},
    {"iodepth", NULL, OPTION_NUMBER, NULL},
    {"ioengine", NULL, OPTION_ENGINE, NULL},
    {"iopsavgtime", NULL, OPTION_OUTPUT, NULL},
    {"kb_base", NULL, OPTION_NUMBER, NULL},
    {"lat_percentiles", NULL, OPTION_OUTPUT, NULL},
    {"log_avg_msec", NULL, OPTION_TIME_MS, NULL},
    {"log_compression", NULL, OPTION_OUTPUT, NULL},
    {"log_hist_coarseness", NULL, OPTION_OUTPUT, NULL},
    {"log_hist_msec", NULL, OPTION_OUTPUT, NULL},
    {"log_max_value", NULL, OPTION_OUTPUT, NULL},
    {"log_offset", NULL, OPTION_OUTPUT, NULL},
    {"log_store_compressed", NULL, OPTION_OUTPUT, NULL},
    {"log_unix_epoch", NULL, OPTION_OUTPUT, NULL},
    {"loops", NULL, OPTION_ONE, NULL},
    {"name", NULL, OPTION_TEXT, NULL},
    {"new_group", NULL, OPTION_SAME, NULL},
    {"norandommap", NULL, OPTION_FLAG, NULL},
    {"nrfiles", NULL, OPTION_ONE, NULL},
    {"numjobs", NULL, OPTION_NUMBER, NULL},
    {"offset", "fileoffset", OPTION_EXTENT, NULL},
    {"per_job_logs", NULL, OPTION_OUTPUT, NULL},
    {"percentile_list", NULL, OPTION_OUTPUT, NULL},
    {"ramp_time", NULL, OPTION_TIME_S, NULL},
    {"random_distribution", NULL, OPTION_SPREAD, NULL},
    {"randrepeat", NULL, OPTION_FLAG, NULL},
    {"randseed", NULL, OPTION_NUMBER, NULL},
    {"rate", NULL, OPTION_TRIPLE, NULL},
    {"rate_iops", NULL, OPTION_TRIPLE, NULL},
    {"rate_process", NULL, OPTION_PROCESS, NULL},
    {"registerfiles", NULL, OPTION_FLAG, NULL},
    {"refill_buffers", NULL, OPTION_SAME, NULL},
    {"runtime", "timeout", OPTION_TIME_S, NULL},
    {"rw", "readwrite", OPTION_PATTERN, NULL},
    {"rwmixread", NULL, OPTION_PERCENT, NULL},
    {"rwmixwrite", NULL, OPTION_PERCENT, NULL},
    {"scramble_buffers", NULL, OPTION_SAME, NULL},
    {"significant_figures", NULL, OPTION_OUTPUT, NULL},
    {"size", NULL, OPTION_EXTENT, NULL},
    {"slat_percentiles", NULL, OPTION_OUTPUT, NULL},
    {"sqthread_poll", NULL, OPTION_FLAG, NULL},
    {"sqthread_poll_cpu", NULL, OPTION_NUMBER, NULL},
    {"startdelay", "start_delay", OPTION_TIME_S, NULL},
    {"stats", NULL, OPTION_OUTPUT, NULL},
    {"stonewall", "wait_for_previous", OPTION_FLAG, NULL},
    {"sync", NULL, OPTION_SYNC, NULL},
    {"thinktime", NULL, OPTION_TIME_US, NULL},
    {"thread", NULL, OPTION_SAME, NULL},
    {"time_based", NULL, OPTION_FLAG, NULL},
    {"unified_rw_reporting", NULL, OPTION_OUTPUT, NULL},
    {"unit_base", NULL, OPTION_OUTPUT, NULL},
    {"write_bw_log", NULL, OPTION_OUTPUT, NULL},
    {"write_hist_log", NULL, OPTION_OUTPUT, NULL},
    {"write_iops_log", NULL, OPTION_OUTPUT, NULL},
    {"write_lat_log", NULL, OPTION_OUTPUT, NULL},
};
/* clang-format on */

const struct option_row *option_find(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].name, name) == 0 || (rows[i].alias && strcmp(rows[i].alias, name) == 0))
            return &rows[i];
    }
    return NULL;
}

const char *option_engine(const char *fio_name)
{
    /* one pread or pwrite an I/O: what differs is which system call does it */
    static const char *const like_psync[] = {"sync", "pvsync", "pvsync2", "vsync"};
    for (size_t i = 0; i < sizeof like_psync / sizeof *like_psync; i++) {
        if (strcmp(like_psync[i], fio_name) == 0)
            return "psync";
    }
    const struct engine_ops *engine = engine_find(fio_name);
    return engine && !(engine->flags & ENGINE_WHOLE_CELL) ? engine->name : NULL;
}

static bool is_number(const char *value, uint64_t *v)
{
    return fio_number(value, strlen(value), 1024, v);
}

static bool is_percentage(const char *value)
{
    uint64_t bytes;
    double percent;
    return parse_size_or_percent(value, &bytes, &percent, NULL) == 0 && percent >= 0;
}

/* rw=randread:8 goes on sequentially 8 times: another load. */
static bool is_pattern(const char *value, char *why, size_t n)
{
    int rw = strchr(value, ':') ? -1 : rw_parse(value);
    if (rw >= 0 && rw != RW_TRIMWRITE && rw != RW_RANDTRIMWRITE)
        return true;
    snprintf(why, n, "read, write, randread, randwrite, rw, randrw, trim and randtrim are run");
    return false;
}

static bool is_spread(const char *value, char *why, size_t n)
{
    double theta;
    if (strcmp(value, "random") == 0 ||
        (strncmp(value, "zipf:", 5) == 0 && parse_f64(value + 5, 0.001, 10, &theta, NULL) == 0))
        return true;
    snprintf(why, n, "random and zipf:THETA are run");
    return false;
}

/* fio takes 4KiB for 4000 bytes; the parser of splits here does not, so it is not let through. */
static bool are_sizes(const char *value, char *why, size_t n)
{
    if (*value && !strcasestr(value, "ib"))
        return true;
    snprintf(why, n, "sizes are written 4k, 64k, 1m");
    return false;
}

static bool is_one_of(const char *value, const char *const *names, char *why, size_t n)
{
    struct strbuf list = STRBUF_INIT;
    bool found = false;
    for (size_t i = 0; names[i]; i++) {
        found = found || strcmp(value, names[i]) == 0;
        strbuf_addf(&list, "%s%s", i ? ", " : "", names[i]);
    }
    if (!found)
        snprintf(why, n, "%s are run", list.text);
    strbuf_release(&list);
    return found;
}

static bool is_engine(const char *value, char *why, size_t n)
{
    if (option_engine(value))
        return true;
    struct strbuf list = STRBUF_INIT;
    for (size_t i = 0; engine_registry[i]; i++) {
        if (!(engine_registry[i]->flags & ENGINE_WHOLE_CELL))
            strbuf_addf(&list, "%s%s", i ? ", " : "", engine_registry[i]->name);
    }
    snprintf(why, n, "there are %s", list.text);
    strbuf_release(&list);
    return false;
}

static bool are_cpus(const char *value, char *why, size_t n)
{
    if (*value && value[strspn(value, "0123456789,-")] == '\0')
        return true;
    snprintf(why, n, "CPUs are written 0-3,6");
    return false;
}

static bool is_time(const char *value, uint64_t unit_ns, char *why, size_t n)
{
    uint64_t ns;
    if (fio_time(value, unit_ns, &ns) && ns <= UINT64_C(366) * 86400 * NS_PER_S)
        return true;
    snprintf(why, n, "a time is 30, 30s, 500ms, 10m, 2h");
    return false;
}

static bool is_plain(enum option_kind kind, const char *value, char *why, size_t n)
{
    uint64_t v = 0, triple[3];
    unsigned given;
    switch (kind) {
    case OPTION_FLAG:
        return *value == '\0' || is_number(value, &v);
    case OPTION_NUMBER:
        return is_number(value, &v);
    case OPTION_PERCENT:
        return is_number(value, &v) && v <= 100;
    case OPTION_TRIPLE:
        return fio_triple(value, 1024, triple, &given) && given != 0;
    case OPTION_EXTENT:
        return is_number(value, &v) || is_percentage(value);
    case OPTION_TEXT:
        return *value != '\0';
    case OPTION_ONE:
        snprintf(why, n, "only 1 is run");
        return is_number(value, &v) && v == 1;
    default:
        return true;
    }
}

bool option_check(const struct option_row *row, const char *value, char *why, size_t n)
{
    static const char *const processes[] = {"linear", "poisson", NULL};
    static const char *const policies[] = {"shared", "split", NULL};
    static const char *const syncs[] = {"0", "1", "none", "sync", "dsync", NULL};
    why[0] = '\0';
    switch (row->kind) {
    case OPTION_PATTERN:
        return is_pattern(value, why, n);
    case OPTION_SPREAD:
        return is_spread(value, why, n);
    case OPTION_SIZES:
        return are_sizes(value, why, n);
    case OPTION_PROCESS:
        return is_one_of(value, processes, why, n);
    case OPTION_SYNC:
        return is_one_of(value, syncs, why, n);
    case OPTION_ENGINE:
        return is_engine(value, why, n);
    case OPTION_CPUS:
        return are_cpus(value, why, n);
    case OPTION_POLICY:
        return is_one_of(value, policies, why, n);
    case OPTION_TIME_S:
        return is_time(value, NS_PER_S, why, n);
    case OPTION_TIME_MS:
        return is_time(value, NS_PER_MS, why, n);
    case OPTION_TIME_US:
        return is_time(value, NS_PER_US, why, n);
    default:
        return is_plain(row->kind, value, why, n);
    }
}
