/* Options that change the load beyond pattern, block size and depth. */
#include "core/base/clock.h"
#include "core/base/json.h"
#include "store/import/fio_key_internal.h"
#include "store/import/fio_units.h"

static void read_sync(struct key_reader *k)
{
    struct strbuf text = STRBUF_INIT;
    const char *sync = fio_option(k->o, "sync");
    if (sync && strcmp(sync, "0") != 0 && strcmp(sync, "none") != 0)
        strbuf_adds(&text, strcmp(sync, "dsync") == 0 ? "dsync" : "sync");
    static const char *const every[] = {"fsync", "fdatasync"};
    for (size_t i = 0; i < 2; i++) {
        if (fio_option_is_set(k->o, every[i]))
            strbuf_addf(&text, "%s%s=%s", text.len ? "," : "", every[i],
                        fio_option(k->o, every[i]));
    }
    if (text.len > 0)
        key_set_text(k, CELL_KEY_sync, text.text);
    strbuf_release(&text);
}

static void read_extent(struct key_reader *k)
{
    uint64_t v;
    if (key_option_number(k, "size", &v) && v > 0)
        SET(k->key, CELL_KEY, size, v);
    if (key_option_number(k, "offset", &v))
        SET(k->key, CELL_KEY, offset, v);
    const char *spread = fio_option(k->o, "random_distribution");
    if (spread && strcmp(spread, "random") != 0)
        key_set_text(k, CELL_KEY_distribution, spread);
}

/* The part of a read,write,trim triple that counts for the pattern; 0 is no limit. */
static uint64_t part_of(const struct key_reader *k, const uint64_t v[3], unsigned given,
                        enum dir dir)
{
    bool counts = !IS_KNOWN(k->key, CELL_KEY, rw) || fio_rw_uses(k->key->rw, dir);
    return counts && given >> dir & 1 ? v[dir] : 0;
}

/* One rate for the only direction of a pattern; of a mix that of reads, and of writes where it differs. */
static void read_rate(struct key_reader *k, const char *name, size_t field, size_t field_write)
{
    uint64_t v[3];
    unsigned given;
    const char *text = fio_option(k->o, name);
    if (!text || !fio_triple(text, k->kb_base, v, &given))
        return;
    uint64_t read = part_of(k, v, given, DIR_READ), other = part_of(k, v, given, DIR_WRITE);
    if (other == 0)
        other = part_of(k, v, given, DIR_TRIM);
    bool reads = !IS_KNOWN(k->key, CELL_KEY, rw) || rw_reads(k->key->rw);
    if (!reads)
        read = other;
    if (read > 0)
        field_set_f64(&cell_key_fields, k->key, field, (double)read);
    /* of a mix, also that its writes are free */
    bool mixed = IS_KNOWN(k->key, CELL_KEY, rw) && rw_is_mixed(k->key->rw) && read > 0;
    if (other != read && (other > 0 || mixed))
        field_set_f64(&cell_key_fields, k->key, field_write, (double)other);
}

static void read_rates(struct key_reader *k)
{
    read_rate(k, "rate", CELL_KEY_rate_bw, CELL_KEY_rate_bw_write);
    read_rate(k, "rate_iops", CELL_KEY_rate_iops, CELL_KEY_rate_iops_write);
    if (!cell_is_rate_limited(k->cell))
        return;
    const char *process = fio_option(k->o, "rate_process");
    if (!process)
        cell_add_assumed(k->cell, "arrival");
    key_set_text(k, CELL_KEY_arrival,
                 process && strcmp(process, "poisson") == 0 ? "poisson" : "constant");
}

static void read_content(struct key_reader *k)
{
    uint64_t v;
    const char *think = fio_option(k->o, "thinktime");
    if (think && fio_time(think, NS_PER_US, &v) && v > 0)
        SET(k->key, CELL_KEY, thinktime_ns, v);
    if (key_option_number(k, "buffer_compress_percentage", &v) && v > 0)
        SET(k->key, CELL_KEY, compress, v);
    if (key_option_number(k, "dedupe_percentage", &v) && v > 0)
        SET(k->key, CELL_KEY, dedupe, v);
    const char *ramp = fio_option(k->o, "ramp_time");
    if (ramp && fio_time(ramp, NS_PER_S, &v))
        SET(k->cell, CELL, ramp_ns, v);
}

/*
 * Further options that change the load. Bare flags are left out: fio before 3.39 does not list
 * them, and the same load would look different from version to version.
 */
static void read_others(struct key_reader *k)
{
    static const char *const names[] = {
        "buffer_pattern",
        "cmdprio",
        "cmdprio_bssplit",
        "cmdprio_class",
        "cmdprio_percentage",
        "cmdprio_split",
        "dedupe_mode",
        "filesize",
        "flow",
        "io_submit_mode",
        "iodepth_batch",
        "iodepth_batch_complete_max",
        "iodepth_batch_complete_min",
        "iodepth_batch_submit",
        "iodepth_low",
        "job_max_open_zones",
        "latency_percentile",
        "latency_target",
        "latency_window",
        "max_open_zones",
        "nrfiles",
        "openfiles",
        "percentage_random",
        "prio",
        "prioclass",
        "sync_file_range",
        "thinktime_blocks",
        "thinktime_spin",
        "verify",
        "zonemode",
        "zonerange",
        "zonesize",
        "zoneskip",
    };
    struct strbuf out = STRBUF_INIT;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = fio_option(k->o, names[i]);
        if (!value || !*value || strcmp(value, "0") == 0)
            continue;
        strbuf_addc(&out, out.len ? ',' : '{');
        json_quote(&out, names[i]);
        strbuf_addc(&out, ':');
        json_quote(&out, value);
    }
    if (out.len > 0) {
        strbuf_addc(&out, '}');
        key_set_text(k, CELL_KEY_options, out.text);
    }
    strbuf_release(&out);
}

/* Sizes may be percentages and the like; below 0 is none of them. */
static void say_negative(const struct key_reader *k)
{
    static const char *const names[] = {
        "size",      "offset", "filesize",  "runtime",           "ramp_time",
        "thinktime", "rate",   "rate_iops", "dedupe_percentage", "buffer_compress_percentage"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = fio_option(k->o, names[i]);
        if (value && value[0] == '-')
            key_say_bad(k, names[i]);
    }
}

void key_read_load(struct key_reader *k)
{
    say_negative(k);
    read_sync(k);
    read_extent(k);
    read_rates(k);
    read_content(k);
    read_others(k);
}
