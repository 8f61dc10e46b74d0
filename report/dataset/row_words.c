/* What a row is called: its devices, its pattern, its group. */
#include <inttypes.h>
#include <math.h>

#include "core/base/numfmt.h"
#include "report/dataset/dataset_internal.h"

const char *row_device_words(struct arena *arena, const struct run *run, const struct cell *c,
                             size_t part)
{
    struct strbuf sb = STRBUF_INIT;
    for (size_t i = 0; i < c->n_devices; i++) {
        size_t index = c->device[i];
        if (part > 0 && c->part[part - 1].device != index)
            continue;
        const char *path = index < run->n_devices ? run->device[index].path : NULL;
        if (sb.len)
            strbuf_adds(&sb, " + ");
        strbuf_adds(&sb, path ? path : "?");
    }
    const char *text = arena_strndup(arena, sb.text, sb.len);
    strbuf_release(&sb);
    return text;
}

const char *row_pattern_words(struct arena *arena, const struct cell_key *key, enum dir dir)
{
    static const char *const which[DIR_COUNT] = {"reads", "writes", "trims", "all", "syncs"};
    if (!IS_KNOWN(key, CELL_KEY, rw))
        return arena_strdup(arena, dir_names[dir]);
    bool several = rw_is_mixed(key->rw) || (rw_writes(key->rw) && rw_trims(key->rw) &&
                                            key->rw != RW_TRIM && key->rw != RW_RANDTRIM);
    if (!several)
        return arena_strdup(arena, rw_words(key->rw));
    double reads;
    if (!cell_key_read_percent(key, &reads))
        return arena_printf(arena, "%s, %s", rw_words(key->rw), which[dir]);
    struct strbuf mix = STRBUF_INIT;
    cell_key_mix(&mix, reads);
    const char *words = arena_printf(arena, "%s %s, %s", rw_words(key->rw), mix.text, which[dir]);
    strbuf_release(&mix);
    return words;
}

bool row_is_axis(size_t field)
{
    switch (field) {
    case CELL_KEY_rw:
    case CELL_KEY_rwmixread:
    case CELL_KEY_bs:
    case CELL_KEY_bs_write:
    case CELL_KEY_iodepth:
        return true;
    default:
        return false;
    }
}

/* Worth saying even when every cell has it. */
static bool is_remarkable(const struct cell_key *key, size_t field)
{
    switch (field) {
    case CELL_KEY_numjobs:
        return key->numjobs > 1;
    case CELL_KEY_direct:
        return !key->direct;
    case CELL_KEY_bs_text:
    case CELL_KEY_sync:
    case CELL_KEY_rate_iops:
    case CELL_KEY_rate_iops_write:
    case CELL_KEY_rate_bw:
    case CELL_KEY_rate_bw_write:
        return true;
    default:
        return false;
    }
}

static void add_bandwidth(struct strbuf *sb, const char *what, double bytes_per_s)
{
    char buf[NUMFMT_MAX];
    double mib = bytes_per_s / 1048576;
    if (mib == floor(mib))
        snprintf(buf, sizeof buf, "%.0f", mib);
    else
        fmt_mib(buf, bytes_per_s);
    strbuf_addf(sb, ", %s %s MiB/s a job", what, buf);
}

/* An object of option to text: "verify=md5". */
static void add_options(struct strbuf *sb, const char *json)
{
    cJSON *options = cJSON_Parse(json);
    const cJSON *o;
    cJSON_ArrayForEach(o, options)
    {
        if (cJSON_IsString(o) && *o->valuestring)
            strbuf_addf(sb, ", %s=%s", o->string, o->valuestring);
        else if (o->string)
            strbuf_addf(sb, ", %s", o->string);
    }
    cJSON_Delete(options);
}

static void add_jobs(struct strbuf *sb, uint64_t jobs)
{
    if (jobs > 0)
        strbuf_addf(sb, ", %" PRIu64 " job%s", jobs, jobs == 1 ? "" : "s");
}

static void add_setting(struct strbuf *sb, const struct row *r, size_t field)
{
    const struct cell_key *key = &r->cell->key;
    const char *name = cell_key_fields.field[field].name;
    char buf[NUMFMT_MAX];
    switch (field) {
    case CELL_KEY_rate_iops:
        strbuf_addf(sb, ", own rate %s IOPS a job", fmt_iops(buf, key->rate_iops));
        return;
    case CELL_KEY_rate_iops_write:
        strbuf_addf(sb, ", own write rate %s IOPS a job", fmt_iops(buf, key->rate_iops_write));
        return;
    case CELL_KEY_rate_bw:
        add_bandwidth(sb, "own rate", key->rate_bw);
        return;
    case CELL_KEY_rate_bw_write:
        add_bandwidth(sb, "own write rate", key->rate_bw_write);
        return;
    case CELL_KEY_numjobs:
        add_jobs(sb, r->jobs);
        return;
    case CELL_KEY_direct:
        strbuf_adds(sb, key->direct ? ", direct" : ", buffered");
        return;
    case CELL_KEY_engine:
    case CELL_KEY_sync:
        strbuf_addf(sb, ", %s", field == CELL_KEY_engine ? key->engine : key->sync);
        return;
    case CELL_KEY_size:
        strbuf_addf(sb, ", size %s", fmt_bytes(buf, key->size));
        return;
    case CELL_KEY_offset:
        strbuf_addf(sb, ", offset %s", fmt_bytes(buf, key->offset));
        return;
    case CELL_KEY_options:
        add_options(sb, key->options);
        return;
    default:
        strbuf_addf(sb, ", %s=", name);
        field_format(sb, &cell_key_fields, key, field);
    }
}

/* A direction of a mix without a rate, where the other one has it. */
static bool is_no_rate(const struct cell_key *key, size_t field)
{
    bool write = field == CELL_KEY_rate_iops_write || field == CELL_KEY_rate_bw_write;
    return write && !(field_get_f64(&cell_key_fields, key, field) > 0);
}

/* In a mix with a rate for each direction: that of the other one; or none at all. */
static bool is_rate_of_other(const struct row *r, size_t field)
{
    const struct cell_key *key = &r->cell->key;
    bool write = field == CELL_KEY_rate_iops_write || field == CELL_KEY_rate_bw_write;
    switch (field) {
    case CELL_KEY_rate_iops:
    case CELL_KEY_rate_iops_write:
        if (!IS_KNOWN(key, CELL_KEY, rate_iops_write))
            return false;
        break;
    case CELL_KEY_rate_bw:
    case CELL_KEY_rate_bw_write:
        if (!IS_KNOWN(key, CELL_KEY, rate_bw_write))
            return false;
        break;
    default:
        return false;
    }
    if (is_no_rate(key, field))
        return true;
    return write ? r->dir == DIR_READ : r->dir == DIR_WRITE;
}

const char *row_group_words(struct arena *arena, const struct row *r, uint64_t varies,
                            bool many_devices, bool jobs_are_depth)
{
    const struct cell_key *key = &r->cell->key;
    struct strbuf sb = STRBUF_INIT;
    strbuf_adds(&sb, r->pattern);
    for (size_t f = 0; f < cell_key_fields.n; f++) {
        if (row_is_axis(f) || !field_is_known(&cell_key_fields, key, f) ||
            (jobs_are_depth && f == CELL_KEY_numjobs))
            continue;
        bool differs = (varies >> f & 1) && !is_no_rate(key, f);
        if (differs || (is_remarkable(key, f) && !is_rate_of_other(r, f)))
            add_setting(&sb, r, f);
    }
    if (r->cell->stage)
        strbuf_addf(&sb, ", long run for the %s", r->cell->stage);
    if (r->device[0] && (many_devices || r->part > 0))
        strbuf_addf(&sb, ", %s", r->device);
    if (r->part > 0)
        strbuf_adds(&sb, " of several together");
    const char *text = arena_strndup(arena, sb.text, sb.len);
    strbuf_release(&sb);
    return text;
}

bool row_is_from_due(const struct row *r)
{
    static const char own[] = "blkmatrix ";
    const char *tool = r->run->tool;
    return r->lat_kind == LAT_LAT && cell_key_is_open(&r->cell->key) && tool &&
           strncmp(tool, own, strlen(own)) == 0;
}
