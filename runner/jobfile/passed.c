/*
 * What an installed fio is given of a job file. An option is passed if it is known to change nothing
 * but the load, the measuring, or the files that are checked; so a new one is refused until somebody
 * has looked at it. Written with the help (--cmdhelp, --enghelp) and the manual of fio 3.33.
 */
#include "runner/jobfile/passed_internal.h"

#include <ctype.h>

/* fio 3.33 goes on in a next line after so many bytes of one */
enum { PASSED_LINE_MAX = 4000 };

/* What is asked of the value. */
enum passed_kind {
    PASSED_ANY,
    PASSED_COUNT,   /* names of files follow from it */
    PASSED_ENGINE,  /* one that works on the named files by reading and writing alone */
    PASSED_MEMORY,  /* a kind of it, without a file behind it */
    PASSED_PATTERN, /* bytes, not the name of a file with them */
    PASSED_OFF,     /* 0 */
    PASSED_ZONES,   /* zonemode */
};

struct passed {
    const char *name, *alias;
    enum passed_kind kind;
};

/* clang-format off */
static const struct passed rows[] = {
    /* the load */
    {"allrandrepeat", NULL, 0}, {"atomic", NULL, 0}, {"ba", "blockalign", 0}, {"bs", "blocksize", 0},
    {"bs_unaligned", "blocksize_unaligned", 0}, {"bsrange", "blocksize_range", 0}, {"bssplit", NULL, 0},
    {"buffered", NULL, 0}, {"direct", NULL, 0}, {"end_fsync", NULL, 0}, {"experimental_verify", NULL, 0},
    {"fadvise_hint", NULL, 0}, {"fdatasync", NULL, 0}, {"fsync", NULL, 0}, {"fsync_on_close", NULL, 0},
    {"io_size", "io_limit", 0}, {"io_submit_mode", NULL, 0}, {"iodepth", NULL, 0},
    {"iodepth_batch", "iodepth_batch_submit", 0},
    {"iodepth_batch_complete_max", NULL, 0}, {"iodepth_batch_complete_min", "iodepth_batch_complete", 0},
    {"iodepth_low", NULL, 0}, {"ioengine", NULL, PASSED_ENGINE}, {"loops", NULL, 0},
    {"norandommap", NULL, 0}, {"number_ios", NULL, 0}, {"numjobs", NULL, PASSED_COUNT},
    {"offset", "fileoffset", 0}, {"offset_align", NULL, 0}, {"offset_increment", NULL, 0},
    {"percentage_random", NULL, 0}, {"random_distribution", NULL, 0}, {"random_generator", NULL, 0},
    {"randrepeat", NULL, 0}, {"randseed", NULL, 0}, {"rw", "readwrite", 0}, {"rw_sequencer", NULL, 0},
    {"rwmixread", NULL, 0}, {"rwmixwrite", NULL, 0}, {"serialize_overlap", NULL, 0}, {"size", NULL, 0},
    {"sync", NULL, 0}, {"sync_file_range", NULL, 0}, {"write_barrier", NULL, 0}, {"write_hint", NULL, 0},
    {"zonemode", NULL, PASSED_ZONES}, {"zonerange", NULL, 0}, {"zonesize", NULL, 0}, {"zoneskip", NULL, 0},
    {"zonecapacity", NULL, 0}, {"read_beyond_wp", NULL, 0}, {"max_open_zones", NULL, 0},
    {"job_max_open_zones", NULL, 0}, {"ignore_zone_limits", NULL, 0}, {"zone_reset_threshold", NULL, 0},
    {"zone_reset_frequency", NULL, 0},

    /* its files: those named, and those fio names itself */
    {"allow_file_create", NULL, 0}, {"create_fsync", NULL, 0}, {"create_on_open", NULL, 0},
    {"create_only", NULL, 0}, {"create_serialize", NULL, 0}, {"directory", NULL, 0},
    {"fallocate", NULL, 0}, {"file_append", NULL, 0}, {"file_service_type", NULL, 0},
    {"filename", NULL, 0}, {"filesize", NULL, 0}, {"fill_device", "fill_fs", 0}, {"invalidate", NULL, 0},
    {"lockfile", NULL, 0}, {"nrfiles", "nr_files", PASSED_COUNT}, {"openfiles", NULL, 0},
    {"overwrite", NULL, 0}, {"pre_read", NULL, 0},
    {"unlink", NULL, PASSED_OFF}, {"unlink_each_loop", NULL, PASSED_OFF},

    /* contents and checking them */
    {"buffer_compress_chunk", NULL, 0}, {"buffer_compress_percentage", NULL, 0},
    {"buffer_pattern", NULL, PASSED_PATTERN}, {"dedupe_global", NULL, 0}, {"dedupe_mode", NULL, 0},
    {"dedupe_percentage", NULL, 0}, {"dedupe_working_set_percentage", NULL, 0}, {"do_verify", NULL, 0},
    {"refill_buffers", NULL, 0}, {"scramble_buffers", NULL, 0}, {"trim_backlog", NULL, 0},
    {"trim_backlog_batch", NULL, 0}, {"trim_percentage", NULL, 0}, {"trim_verify_zero", NULL, 0},
    {"verify", NULL, 0}, {"verify_async", NULL, 0}, {"verify_backlog", NULL, 0},
    {"verify_backlog_batch", NULL, 0}, {"verify_dump", NULL, PASSED_OFF}, {"verify_fatal", NULL, 0},
    {"verify_interval", NULL, 0}, {"verify_offset", NULL, 0}, {"verify_only", NULL, 0},
    {"verify_pattern", NULL, PASSED_PATTERN}, {"verify_state_load", NULL, PASSED_OFF},
    {"verify_state_save", NULL, PASSED_OFF}, {"zero_buffers", NULL, 0},

    /* time and rates */
    {"exit_what", NULL, 0}, {"exitall", NULL, 0}, {"exitall_on_error", NULL, 0}, {"flow", NULL, 0},
    {"flow_id", NULL, 0}, {"flow_sleep", NULL, 0}, {"latency_percentile", NULL, 0},
    {"latency_run", NULL, 0}, {"latency_target", NULL, 0}, {"latency_window", NULL, 0},
    {"max_latency", NULL, 0}, {"ramp_time", NULL, 0}, {"rate", NULL, 0},
    {"rate_cycle", "ratecycle", 0}, {"rate_ignore_thinktime", NULL, 0}, {"rate_iops", NULL, 0},
    {"rate_iops_min", NULL, 0}, {"rate_min", "ratemin", 0}, {"rate_process", NULL, 0},
    {"runtime", "timeout", 0}, {"startdelay", "start_delay", 0}, {"steadystate", "ss", 0},
    {"steadystate_duration", "ss_dur", 0}, {"steadystate_ramp_time", "ss_ramp", 0},
    {"stonewall", "wait_for_previous", 0}, {"thinktime", NULL, 0}, {"thinktime_blocks", NULL, 0},
    {"thinktime_blocks_type", NULL, 0}, {"thinktime_iotime", NULL, 0}, {"thinktime_spin", NULL, 0},
    {"time_based", NULL, 0}, {"wait_for", NULL, 0},

    /* the process itself */
    {"clocksource", NULL, 0}, {"cpumask", NULL, 0}, {"cpus_allowed", NULL, 0},
    {"cpus_allowed_policy", NULL, 0}, {"gtod_cpu", NULL, 0}, {"hugepage-size", NULL, 0},
    {"lockmem", NULL, 0}, {"mem", "iomem", PASSED_MEMORY}, {"nice", NULL, 0},
    {"numa_cpu_nodes", NULL, 0}, {"numa_mem_policy", NULL, 0}, {"prio", NULL, 0},
    {"prioclass", NULL, 0}, {"thread", NULL, 0},

    /* what is measured and said */
    {"block_error_percentiles", NULL, 0}, {"bwavgtime", NULL, 0}, {"clat_percentiles", NULL, 0},
    {"continue_on_error", NULL, 0}, {"description", NULL, 0}, {"disable_bw_measurement", "disable_bw", 0},
    {"disable_clat", NULL, 0}, {"disable_lat", NULL, 0}, {"disable_slat", NULL, 0},
    {"disk_util", NULL, 0}, {"error_dump", NULL, 0}, {"group_reporting", NULL, 0},
    {"gtod_reduce", NULL, 0}, {"ignore_error", NULL, 0}, {"iopsavgtime", NULL, 0}, {"kb_base", NULL, 0},
    {"lat_percentiles", NULL, 0}, {"log_alternate_epoch", NULL, 0},
    {"log_alternate_epoch_clock_id", NULL, 0}, {"log_avg_msec", NULL, 0}, {"log_compression", NULL, 0},
    {"log_compression_cpus", NULL, 0}, {"log_entries", NULL, 0}, {"log_hist_coarseness", NULL, 0},
    {"log_hist_msec", NULL, 0}, {"log_max_value", NULL, 0}, {"log_offset", NULL, 0},
    {"log_prio", NULL, 0}, {"log_store_compressed", NULL, 0}, {"log_unix_epoch", NULL, 0},
    {"name", NULL, 0}, {"new_group", NULL, 0}, {"per_job_logs", NULL, 0}, {"percentile_list", NULL, 0},
    {"significant_figures", NULL, 0}, {"slat_percentiles", NULL, 0}, {"stats", NULL, 0},
    {"unified_rw_reporting", NULL, 0}, {"unit_base", NULL, 0},

    /* of the engines below */
    {"cmdprio", NULL, 0}, {"cmdprio_bssplit", NULL, 0}, {"cmdprio_class", NULL, 0},
    {"cmdprio_percentage", NULL, 0}, {"cpuchunks", NULL, 0}, {"cpuload", NULL, 0},
    {"cpumode", NULL, 0}, {"exit_on_io_done", NULL, 0}, {"fixedbufs", NULL, 0},
    {"force_async", NULL, 0}, {"hipri", NULL, 0}, {"hipri_percentage", NULL, 0},
    {"nonvectored", NULL, 0}, {"nowait", NULL, 0}, {"registerfiles", NULL, 0},
    {"sqthread_poll", NULL, 0}, {"sqthread_poll_cpu", NULL, 0}, {"thp", NULL, 0},
    {"uncached", NULL, 0}, {"userspace_reap", NULL, 0},
};
/* clang-format on */

/* A word on those that people do use, and why fio is not given them. */
static const struct {
    const char *name, *why;
} reasons[] = {
    {"allow_mounted_write", "what is mounted is never written to here"},
    {"cgroup", "it changes control groups of the system"},
    {"exec_postrun", "it starts a program"},
    {"exec_prerun", "it starts a program"},
    {"filename_format", "it makes names of files that are not known before"},
    {"ioscheduler", "it changes the scheduler of the device, for everybody and for good"},
    {"merge_blktrace_file", "it writes to a file beside what is measured"},
    {"opendir", "it takes in files that are not named"},
    {"profile", "it brings options that are not in the file"},
    {"read_iolog", "what is written to stands in another file"},
    {"replay_redirect", "what is written to stands in another file"},
    {"write_bw_log", "it overwrites files beside what is measured"},
    {"write_hist_log", "it overwrites files beside what is measured"},
    {"write_iolog", "it overwrites a file beside what is measured"},
    {"write_iops_log", "it overwrites files beside what is measured"},
    {"write_lat_log", "it overwrites files beside what is measured"},
};

static bool is_one_of(const char *value, const char *const *names)
{
    while (*names && strcmp(*names, value) != 0)
        names++;
    return *names != NULL;
}

/* NULL: the value is fine. */
static const char *wrong_value(enum passed_kind kind, const char *value)
{
    static const char *const engines[] = {"cpuio",    "io_uring", "libaio", "mmap",    "null",
                                          "posixaio", "psync",    "pvsync", "pvsync2", "splice",
                                          "sync",     "vsync",    NULL};
    static const char *const memory[] = {"malloc", "mmap",    "mmaphuge", "mmapshared",
                                         "shm",    "shmhuge", NULL};
    static const char *const zones[] = {"none", "strided", "zbd", NULL};
    switch (kind) {
    case PASSED_COUNT:
        return *value && value[strspn(value, "0123456789")] == '\0' ? NULL
                                                                    : "it has to be a plain number";
    case PASSED_ENGINE:
        return is_one_of(value, engines)
                   ? NULL
                   : "only engines of fio that read and write the named files "
                     "are let through";
    case PASSED_MEMORY:
        return is_one_of(value, memory) ? NULL
                                        : "with a file behind its memory fio overwrites that";
    case PASSED_PATTERN:
        return strchr(value, '\'') ? "it names a file" : NULL;
    case PASSED_OFF:
        return strcmp(value, "0") == 0 ? NULL
                                       : "it writes, reads or removes files that are not named";
    case PASSED_ZONES:
        return is_one_of(value, zones) ? NULL : "modes known here are none, strided and zbd";
    default:
        return NULL;
    }
}

/* What fio would not read as it was read here. */
static const char *wrong_text(const char *name, const char *value)
{
    /* by these fio puts numbers of the machine in, and has bc calculate with them */
    static const char *const words[] = {"$pagesize", "$mb_memory", "$ncpus"};
    size_t n = strlen(value);
    if (strlen(name) + n > PASSED_LINE_MAX)
        return "it is longer than 4000 bytes, and fio would cut it";
    if (n > 0 && (isspace((unsigned char)value[0]) || isspace((unsigned char)value[n - 1])))
        return "its variable begins or ends with a blank";
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strstr(value, words[i]))
            return "fio would calculate it; write the number";
    }
    for (size_t i = 0; i < n; i++) {
        if (iscntrl((unsigned char)value[i]) || value[i] == ';' || value[i] == '#')
            return "there is a character in it that ends the value for fio";
    }
    return NULL;
}

static const struct passed *find(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].name, name) == 0 || (rows[i].alias && strcmp(rows[i].alias, name) == 0))
            return &rows[i];
    }
    return NULL;
}

static const char *reason_of(const char *name)
{
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        if (strcmp(reasons[i].name, name) == 0)
            return reasons[i].why;
    }
    return "it is not known to leave alone what the file does not name";
}

int passed_check(const char **canonical, const struct job_option *o, struct error *err)
{
    const struct passed *row = find(o->name);
    *canonical = row ? row->name : o->name;
    const char *why = row ? wrong_value(row->kind, o->value) : reason_of(o->name);
    if (!why)
        why = wrong_text(o->name, o->value);
    if (!why)
        return 0;
    int rc = error_set(err, ERR_REFUSED, "%s:%u: %s%s%.80s is not passed to fio: %s", o->file,
                       o->line, o->name, *o->value ? "=" : "", o->value, why);
    error_hint(err, "Leave it out, or run fio yourself and `blkmatrix import` its JSON output.");
    return rc;
}

int passed_check_section(const struct section *in, struct error *err)
{
    const char *why = wrong_text("", in->name);
    return why ? error_set(err, ERR_REFUSED, "%s:%u: [%s] is not passed to fio: %s", in->file,
                           in->line, in->name, why)
               : 0;
}

static void print_options(struct strbuf *out, const struct job_option *option, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        strbuf_adds(out, option[i].name);
        if (*option[i].value)
            strbuf_addf(out, "=%s", option[i].value);
        strbuf_addc(out, '\n');
    }
}

static bool has_verify(const struct sections *s)
{
    bool has = false;
    for (size_t i = 0; i < s->n_global; i++)
        has = has || strcmp(s->global[i].name, "verify") == 0;
    for (size_t i = 0; i < s->n; i++) {
        for (size_t k = 0; k < s->section[i].n; k++)
            has = has || strcmp(s->section[i].option[k].name, "verify") == 0;
    }
    return has;
}

void passed_print(struct strbuf *out, const struct sections *s)
{
    size_t global = 0;
    /* without it fio leaves a file of its state in the working directory */
    if (has_verify(s))
        strbuf_adds(out, "[global]\nverify_state_save=0\n");
    for (size_t i = 0; i < s->n; i++) {
        const struct section *in = &s->section[i];
        if (in->n_global > global) {
            strbuf_adds(out, "[global]\n");
            print_options(out, s->global + global, in->n_global - global);
            global = in->n_global;
        }
        strbuf_addf(out, "[%s]\n", in->name);
        print_options(out, in->option, in->n);
    }
}
