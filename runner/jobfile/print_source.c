/* A section of an imported cell: what fio was asked for, beside what the key of the cell holds. */
#include "runner/jobfile/print_internal.h"

#include "core/base/clock.h"
#include "store/import/fio_devices.h"
#include "store/import/fio_units.h"

static cJSON *member_of(const struct cell *cell, const char *name)
{
    cJSON *extra = cell->extra ? cJSON_Parse(cell->extra) : NULL;
    cJSON *member = cJSON_DetachItemFromObjectCaseSensitive(extra, name);
    cJSON_Delete(extra);
    return member;
}

cJSON *source_options(const struct cell *cell)
{
    return member_of(cell, "options");
}

static const char *value_of(const cJSON *options, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(options, name));
}

bool source_sets(const cJSON *options, const char *name)
{
    const char *value = value_of(options, name);
    return value && strcmp(value, "0") != 0;
}

bool source_is_in_folders(const cJSON *options)
{
    return value_of(options, "directory") && !value_of(options, "filename");
}

const char *source_engine(const cJSON *options, const struct cell_key *key)
{
    bool fio = key->engine && strcmp(key->engine, "fio") == 0;
    return fio ? value_of(options, "ioengine") : key->engine;
}

uint64_t source_times(const cJSON *options, const struct cell *cell)
{
    static const char *const of_paths[] = {"filename", "directory", "rbdname", "pool"};
    struct fio_options o = {0};
    for (size_t i = 0; i < sizeof of_paths / sizeof *of_paths; i++) {
        const char *value = value_of(options, of_paths[i]);
        if (value)
            fio_options_add(&o, of_paths[i], value, false);
    }
    struct fio_paths one = {0};
    fio_paths_read(&one, &o);
    cJSON *hosts = member_of(cell, "hosts");
    bool several = cJSON_GetArraySize(hosts) > 1; /* the key has the jobs of all */
    uint64_t times = !several && one.n && cell->n_devices > one.n ? cell->n_devices / one.n : 1;
    cJSON_Delete(hosts);
    fio_paths_release(&one);
    fio_options_release(&o);
    return times;
}

/*
 * fio before 3.39 does not list time_based: a cell that lasted as long as its runtime is taken for
 * one that had it.
 */
enum source_end source_end(const cJSON *options, const struct cell *cell, uint64_t *runtime_ns)
{
    const char *text = value_of(options, "runtime");
    uint64_t asked;
    if (!text)
        text = value_of(options, "timeout");
    if (!text || !fio_time(text, NS_PER_S, &asked) || asked == 0)
        return SOURCE_ENDS_BY_SIZE;
    bool lasted = IS_KNOWN(cell, CELL, runtime_ns) && cell->runtime_ns >= asked / 100 * 99;
    *runtime_ns = asked;
    return lasted || source_sets(options, "time_based") ? SOURCE_ENDS_BY_TIME
                                                        : SOURCE_ENDS_BY_EITHER;
}

/* Options that became a line of the section, or of the key that its lines are made of. */
static bool is_said(const char *name, const cJSON *in_key)
{
    static const char *const said[] = {
        "blocksize", "bs",           "bsrange",     "bssplit",    "buffer_compress_percentage",
        "buffered",  "cpus_allowed", "direct",      "directory",  "dedupe_percentage",
        "filename",  "fdatasync",    "iodepth",     "ioengine",   "cpus_allowed_policy",
        "kb_base",   "name",         "norandommap", "numjobs",    "random_distribution",
        "offset",    "ramp_time",    "rate",        "rate_iops",  "rate_process",
        "runtime",   "rw",           "rwmixread",   "rwmixwrite", "startdelay",
        "readwrite", "size",         "stonewall",   "sync",       "thinktime",
        "timeout",   "time_based",   "fsync",
    };
    static const char *const of_engine[] = {
        "cmd_type",    "fixedbufs",      "force_async", "hipri",         "hipri_percentage",
        "nonvectored", "nowait",         "readfua",     "registerfiles", "sqthread_poll",
        "uncached",    "userspace_reap", "writefua",    "zone_append",
    };
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (strcmp(name, said[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof of_engine / sizeof *of_engine; i++)
        if (strcmp(name, of_engine[i]) == 0)
            return true;
    const struct option_row *row = option_find(name);
    if (row && (row->kind == OPTION_SAME || row->kind == OPTION_OUTPUT))
        return true;
    return cJSON_HasObjectItem(in_key, name);
}

void source_print_gaps(struct strbuf *out, const cJSON *options, const struct cell_key *key)
{
    static const struct {
        const char *name;
        size_t field;
    } rows[] = {{"rw", CELL_KEY_rw},           {"bs", CELL_KEY_bs},
                {"iodepth", CELL_KEY_iodepth}, {"numjobs", CELL_KEY_numjobs},
                {"ioengine", CELL_KEY_engine}, {"direct", CELL_KEY_direct}};
    size_t n = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool known = key->known >> rows[i].field & 1;
        if (known || (rows[i].field == CELL_KEY_bs && key->bs_text))
            continue;
        strbuf_addf(
            out, "%s%s",
            n++ ? ", " : "; not known of the source, a default when it is run: ", rows[i].name);
    }
    strbuf_adds(out, n ? "\n" : "");
    if (!options)
        strbuf_adds(out, "; the source lists no options: rates, sizes and others are only here as "
                         "far as it states them\n");
}

static void add_line(struct strbuf *out, const cJSON *options, const char *name)
{
    const char *value = value_of(options, name);
    if (!value)
        return;
    strbuf_addf(out, "%s=", name);
    print_text(out, value);
    strbuf_addc(out, '\n');
}

void source_print(struct strbuf *out, const cJSON *options, const struct cell_key *key)
{
    cJSON *in_key = key->options ? cJSON_Parse(key->options) : NULL;
    size_t n = 0;
    const cJSON *o;
    cJSON_ArrayForEach(o, options)
    {
        if (!o->string || is_said(o->string, in_key))
            continue;
        strbuf_adds(out, n++ ? " " : "; not taken over from the source: ");
        print_text(out, o->string);
        const char *value = cJSON_GetStringValue(o);
        if (value && *value) {
            strbuf_addc(out, '=');
            print_text(out, value);
        }
    }
    if (n)
        strbuf_addc(out, '\n');
    cJSON_Delete(in_key);
    /* a percentage of a device whose size the key does not know */
    if (!IS_KNOWN(key, CELL_KEY, size))
        add_line(out, options, "size");
    if (!IS_KNOWN(key, CELL_KEY, offset))
        add_line(out, options, "offset");
    add_line(out, options, "startdelay");
    add_line(out, options, "cpus_allowed");
    add_line(out, options, "cpus_allowed_policy");
}
