#include "cli/sweep_load.h"

#include <inttypes.h>

#include "core/base/units.h"
#include "core/base/xalloc.h"
#include "runner/sweep/cpus.h"
#include "runner/workload/workload.h"

const char *const load_sync_names[] = {"none", "sync", "dsync", NULL};
const char *const load_arrival_names[] = {"constant", "poisson", NULL};

static int set_sync(struct cell_key *key, const struct load_options *o, struct error *err)
{
    struct strbuf text = STRBUF_INIT;
    if (o->sync)
        strbuf_adds(&text, load_sync_names[o->sync]);
    if (o->fsync)
        strbuf_addf(&text, "%sfsync=%" PRIu64, text.len ? "," : "", o->fsync);
    if (o->fdatasync)
        strbuf_addf(&text, "%sfdatasync=%" PRIu64, text.len ? "," : "", o->fdatasync);
    int rc = 0;
    if (strchr(text.text, ','))
        rc = error_set(err, ERR_USAGE, "only one of --sync, --fsync and --fdatasync can be: %s",
                       text.text);
    else if (text.len)
        field_set_text(&cell_key_fields, key, CELL_KEY_sync, text.text);
    strbuf_release(&text);
    return rc;
}

static int parse_iops(const char *text, double *out, struct error *err)
{
    uint64_t iops;
    int rc = parse_count(text, &iops, err);
    if (rc == 0)
        *out = (double)iops;
    return rc;
}

/* A rate as typed, and where it goes. */
struct rate_option {
    const char *name;
    int (*parse)(const char *text, double *out, struct error *err);
    size_t field, field_write;
};

static int parse_rate(double *out, const struct rate_option *o, const char *text, struct error *err)
{
    int rc = o->parse(text, out, err);
    return rc < 0 ? error_prefix(err, ERR_USAGE, "--%s", o->name) : 0;
}

/*
 * As fio has it: "16M" each direction, "16M,5M" reads and writes, "16M," and ",5M" (or 0 for the other)
 * only one of them.
 */
static int set_rates(struct cell_key *key, const struct rate_option *o, const char *text,
                     struct error *err)
{
    double read = 0, write = 0;
    size_t n = strcspn(text, ",");
    char *first = xstrndup(text, n);
    int rc = n || !text[n] ? parse_rate(&read, o, first, err) : 0;
    if (rc == 0 && text[n] && (text[n + 1] || n == 0))
        rc = parse_rate(&write, o, text + n + 1, err);
    free(first);
    if (rc == 0 && !(read > 0) && !(write > 0))
        rc = error_set(err, ERR_USAGE, "--%s: a rate of 0 would do nothing", o->name);
    if (rc < 0)
        return rc;
    if (read > 0)
        field_set_f64(&cell_key_fields, key, o->field, read);
    if (text[n] && write != read)
        field_set_f64(&cell_key_fields, key, o->field_write, write);
    return 0;
}

static int set_rate(struct cell_key *key, const struct load_options *o, struct error *err)
{
    if (o->rate && o->rate_iops)
        return error_set(err, ERR_USAGE, "only one of --rate and --rate-iops can be");
    bool rate = o->rate || o->rate_iops;
    if (rate && o->curve.n)
        return error_set(err, ERR_USAGE, "only one of --curve and --rate or --rate-iops can be");
    if (o->arrival && !rate && !o->curve.n)
        return error_set(err, ERR_USAGE,
                         "--arrival is about a load with --rate, --rate-iops or --curve");
    if ((rate || o->curve.n) && o->thinktime)
        return error_set(err, ERR_USAGE,
                         "only one of --rate, --rate-iops, --curve and --thinktime can be");
    static const struct rate_option bytes = {"rate", parse_bandwidth, CELL_KEY_rate_bw,
                                             CELL_KEY_rate_bw_write},
                                    ios = {"rate-iops", parse_iops, CELL_KEY_rate_iops,
                                           CELL_KEY_rate_iops_write};
    int rc = 0;
    if (o->rate)
        rc = set_rates(key, &bytes, o->rate, err);
    if (o->rate_iops)
        rc = set_rates(key, &ios, o->rate_iops, err);
    if (rc == 0 && (rate || o->curve.n))
        field_set_text(&cell_key_fields, key, CELL_KEY_arrival, load_arrival_names[o->arrival]);
    return rc;
}

static int set_sizes(struct cell_key *key, const struct load_options *o, struct error *err)
{
    if (o->bs_write.given && o->bssplit)
        return error_set(err, ERR_USAGE,
                         "--bs-write and --bssplit exclude each other; write the split as R,W");
    if (o->bs_write.given && (o->bs_write.percent >= 0 || o->bs_write.bytes == 0))
        return error_set(err, ERR_USAGE, "--bs-write is a size in bytes");
    if (o->bs_write.given)
        SET(key, CELL_KEY, bs_write, o->bs_write.bytes);
    if (o->bssplit) {
        field_set_text(&cell_key_fields, key, CELL_KEY_bs_text, o->bssplit);
        uint64_t largest;
        return load_largest_block(&largest, key, err);
    }
    return 0;
}

static int set_cpus(struct cell_key *key, const char *text, struct error *err)
{
    unsigned *cpu, n;
    int rc = cpus_parse(&cpu, &n, text, err);
    if (rc < 0)
        return error_prefix(err, ERR_USAGE, "--cpus");
    free(cpu);
    cpus_to_key(key, text);
    return 0;
}

/* Uniform is what happens without the option, so it is no setting of its own. */
static int set_random(struct cell_key *key, const char *text, struct error *err)
{
    if (strcmp(text, "uniform") == 0 || strcmp(text, "random") == 0)
        return 0;
    struct workload_spec load;
    struct cell_key probe = {0};
    SET(&probe, CELL_KEY, rw, RW_RANDREAD);
    SET(&probe, CELL_KEY, bs, 4096);
    field_set_text(&cell_key_fields, &probe, CELL_KEY_distribution, text);
    int rc = workload_spec_from_key(&load, &probe, UINT64_C(1) << 30, err);
    fields_release(&cell_key_fields, &probe);
    if (rc < 0)
        return error_prefix(err, ERR_USAGE, "--random");
    workload_spec_release(&load);
    field_set_text(&cell_key_fields, key, CELL_KEY_distribution, text);
    return 0;
}

int load_largest_block(uint64_t *out, const struct cell_key *key, struct error *err)
{
    struct workload_spec load;
    struct cell_key probe = {0};
    SET(&probe, CELL_KEY, rw, RW_RANDRW);
    field_set_text(&cell_key_fields, &probe, CELL_KEY_bs_text, key->bs_text);
    int rc = workload_spec_from_key(&load, &probe, INT64_MAX, err);
    fields_release(&cell_key_fields, &probe);
    if (rc < 0)
        return error_prefix(err, ERR_USAGE, "--bssplit");
    *out = workload_max_bs(&load);
    workload_spec_release(&load);
    return 0;
}

int load_to_key(struct cell_key *key, const struct load_options *o, struct error *err)
{
    int rc = set_sizes(key, o, err);
    if (rc == 0)
        rc = set_sync(key, o, err);
    if (rc == 0)
        rc = set_rate(key, o, err);
    if (rc == 0 && o->random)
        rc = set_random(key, o->random, err);
    if (rc == 0 && o->cpus)
        rc = set_cpus(key, o->cpus, err);
    if (o->thinktime)
        SET(key, CELL_KEY, thinktime_ns, o->thinktime);
    if (o->compress)
        SET(key, CELL_KEY, compress, o->compress);
    if (o->dedupe)
        SET(key, CELL_KEY, dedupe, o->dedupe);
    return rc;
}
