#include "core/model/cell_key.h"

#include <inttypes.h>
#include <math.h>

#include "core/base/numfmt.h"

const char *const rw_names[RW_COUNT + 1] = {"read",      "write",         "trim", "randread",
                                            "randwrite", "randtrim",      "rw",   "randrw",
                                            "trimwrite", "randtrimwrite", NULL};

enum { DOES_READ = 1, DOES_WRITE = 2, DOES_TRIM = 4, IS_RANDOM = 8 };

static const struct {
    unsigned flags;
    const char *words;
} patterns[RW_COUNT] = {
    [RW_READ] = {DOES_READ, "sequential read"},
    [RW_WRITE] = {DOES_WRITE, "sequential write"},
    [RW_TRIM] = {DOES_TRIM, "sequential trim"},
    [RW_RANDREAD] = {DOES_READ | IS_RANDOM, "random read"},
    [RW_RANDWRITE] = {DOES_WRITE | IS_RANDOM, "random write"},
    [RW_RANDTRIM] = {DOES_TRIM | IS_RANDOM, "random trim"},
    [RW_RW] = {DOES_READ | DOES_WRITE, "sequential mix"},
    [RW_RANDRW] = {DOES_READ | DOES_WRITE | IS_RANDOM, "random mix"},
    [RW_TRIMWRITE] = {DOES_TRIM | DOES_WRITE, "sequential trim and write"},
    [RW_RANDTRIMWRITE] = {DOES_TRIM | DOES_WRITE | IS_RANDOM, "random trim and write"},
};

/* fio lets ":8", ":4k" or ":-8k" (offset step) follow the pattern. */
static bool is_suffix(const char *p)
{
    if (*p == '\0')
        return true;
    if (*p++ != ':')
        return false;
    p += *p == '-';
    size_t digits = strspn(p, "0123456789");
    return digits > 0 && p[digits + strspn(p + digits, "kKmMgGiIbB")] == '\0';
}

int rw_parse(const char *text)
{
    size_t n = strcspn(text, ":");
    if (!is_suffix(text + n))
        return -1;
    if (n == strlen("readwrite") && strncmp(text, "readwrite", n) == 0)
        return RW_RW;
    for (int i = 0; i < RW_COUNT; i++)
        if (strlen(rw_names[i]) == n && strncmp(text, rw_names[i], n) == 0)
            return i;
    return -1;
}

bool rw_is_random(enum rw rw)
{
    return (patterns[rw].flags & IS_RANDOM) != 0;
}

bool rw_is_mixed(enum rw rw)
{
    return rw_reads(rw) && rw_writes(rw);
}

bool rw_reads(enum rw rw)
{
    return (patterns[rw].flags & DOES_READ) != 0;
}

bool rw_writes(enum rw rw)
{
    return (patterns[rw].flags & (DOES_WRITE | DOES_TRIM)) != 0;
}

bool rw_trims(enum rw rw)
{
    return (patterns[rw].flags & DOES_TRIM) != 0;
}

const char *rw_words(enum rw rw)
{
    return patterns[rw].words;
}

/* A value must not look like the next field: blanks, backslashes and control bytes as \xNN. */
static void add_escaped(struct strbuf *out, const char *text)
{
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if (*p <= ' ' || *p == '\\' || *p == 0x7F)
            strbuf_addf(out, "\\x%02x", *p);
        else
            strbuf_addc(out, (char)*p);
    }
}

void cell_key_text(struct strbuf *out, const struct cell_key *key)
{
    const char *blank = "";
    struct strbuf value = STRBUF_INIT;
    for (size_t i = 0; i < cell_key_fields.n; i++) {
        if (!field_is_known(&cell_key_fields, key, i))
            continue;
        strbuf_reset(&value);
        field_format(&value, &cell_key_fields, key, i);
        strbuf_addf(out, "%s%s=", blank, cell_key_fields.field[i].name);
        add_escaped(out, value.text);
        blank = " ";
    }
    strbuf_release(&value);
}

/* Starts the next part of the words. */
static void comma(struct strbuf *out, size_t start)
{
    if (out->len > start)
        strbuf_adds(out, ", ");
}

void cell_key_sizes(struct strbuf *out, const struct cell_key *key)
{
    char buf[NUMFMT_MAX];
    if (key->bs_text) {
        strbuf_adds(out, key->bs_text);
    } else if (IS_KNOWN(key, CELL_KEY, bs)) {
        strbuf_adds(out, fmt_bs(buf, key->bs));
        if (IS_KNOWN(key, CELL_KEY, bs_write) && key->bs_write != key->bs)
            strbuf_addf(out, " (writes %s)", fmt_bs(buf, key->bs_write));
    }
}

double cell_key_rate_iops(const struct cell_key *key, bool reads)
{
    if (!reads && IS_KNOWN(key, CELL_KEY, rate_iops_write))
        return key->rate_iops_write;
    return IS_KNOWN(key, CELL_KEY, rate_iops) ? key->rate_iops : 0;
}

double cell_key_rate_bw(const struct cell_key *key, bool reads)
{
    if (!reads && IS_KNOWN(key, CELL_KEY, rate_bw_write))
        return key->rate_bw_write;
    return IS_KNOWN(key, CELL_KEY, rate_bw) ? key->rate_bw : 0;
}

static bool has_rate(const struct cell_key *key, bool reads)
{
    return cell_key_rate_iops(key, reads) > 0 || cell_key_rate_bw(key, reads) > 0;
}

bool cell_key_is_open(const struct cell_key *key)
{
    if (!IS_KNOWN(key, CELL_KEY, rw))
        return has_rate(key, true);
    if (rw_is_mixed(key->rw))
        return has_rate(key, true) && has_rate(key, false);
    return has_rate(key, rw_reads(key->rw));
}

/* I/Os per second of a job's rate; 0: none, or not known. */
static double rated_ios(const struct cell_key *key, bool reads)
{
    double iops = cell_key_rate_iops(key, reads), bw = cell_key_rate_bw(key, reads);
    if (iops > 0 || !(bw > 0) || key->bs_text || !IS_KNOWN(key, CELL_KEY, bs))
        return iops;
    bool own = !reads && IS_KNOWN(key, CELL_KEY, bs_write);
    uint64_t bs = own ? key->bs_write : key->bs;
    return bs ? bw / (double)bs : 0;
}

bool cell_key_read_percent(const struct cell_key *key, double *percent)
{
    if (!IS_KNOWN(key, CELL_KEY, rw) || !rw_is_mixed(key->rw) ||
        !IS_KNOWN(key, CELL_KEY, rwmixread) || key->rwmixread > 100)
        return false;
    double reads = rated_ios(key, true), writes = rated_ios(key, false);
    bool rated = reads > 0 && writes > 0;
    *percent = rated ? 100 * reads / (reads + writes) : (double)key->rwmixread;
    return true;
}

void cell_key_mix(struct strbuf *out, double reads)
{
    int decimals = fabs(reads - round(reads)) < 0.05 ? 0 : 1;
    strbuf_addf(out, "%.*f/%.*f", decimals, reads, decimals, 100 - reads);
}

/* " 70/30" */
static void add_mix(struct strbuf *out, const struct cell_key *key)
{
    double reads;
    if (!cell_key_read_percent(key, &reads))
        return;
    strbuf_addc(out, ' ');
    cell_key_mix(out, reads);
}

void cell_key_pattern(struct strbuf *out, const struct cell_key *key)
{
    if (!IS_KNOWN(key, CELL_KEY, rw))
        return;
    strbuf_adds(out, rw_names[key->rw]);
    add_mix(out, key);
}

/* Of whom the first rate is: of both, unless writes have their own, or none. */
static const char *limited(const struct cell_key *key, size_t write)
{
    return field_is_known(&cell_key_fields, key, write) ? "reads limited" : "limited";
}

static void add_rates(struct strbuf *out, const struct cell_key *key, size_t start)
{
    char buf[NUMFMT_MAX];
    if (IS_KNOWN(key, CELL_KEY, rate_iops)) {
        comma(out, start);
        strbuf_addf(out, "%s to %s IOPS a job", limited(key, CELL_KEY_rate_iops_write),
                    fmt_iops(buf, key->rate_iops));
    }
    if (IS_KNOWN(key, CELL_KEY, rate_iops_write) && key->rate_iops_write > 0) {
        comma(out, start);
        strbuf_addf(out, "writes limited to %s IOPS a job", fmt_iops(buf, key->rate_iops_write));
    }
    if (IS_KNOWN(key, CELL_KEY, rate_bw)) {
        comma(out, start);
        strbuf_addf(out, "%s to %s MiB/s a job", limited(key, CELL_KEY_rate_bw_write),
                    fmt_mib(buf, key->rate_bw));
    }
    if (IS_KNOWN(key, CELL_KEY, rate_bw_write) && key->rate_bw_write > 0) {
        comma(out, start);
        strbuf_addf(out, "writes limited to %s MiB/s a job", fmt_mib(buf, key->rate_bw_write));
    }
    if (key->arrival && strcmp(key->arrival, "poisson") == 0) {
        comma(out, start);
        strbuf_adds(out, "poisson arrivals");
    }
}

static void add_content(struct strbuf *out, const struct cell_key *key, size_t start)
{
    if (IS_KNOWN(key, CELL_KEY, compress)) {
        comma(out, start);
        strbuf_addf(out, "%" PRIu64 " %% compressible", key->compress);
    }
    if (IS_KNOWN(key, CELL_KEY, dedupe)) {
        comma(out, start);
        strbuf_addf(out, "%" PRIu64 " %% duplicate", key->dedupe);
    }
}

void cell_key_load(struct strbuf *out, const struct cell_key *key)
{
    char buf[NUMFMT_MAX];
    size_t start = out->len;
    if (key->distribution)
        strbuf_adds(out, key->distribution);
    if (key->sync) {
        comma(out, start);
        strbuf_adds(out, key->sync);
    }
    add_rates(out, key, start);
    if (IS_KNOWN(key, CELL_KEY, thinktime_ns)) {
        comma(out, start);
        strbuf_addf(out, "pauses of %s", fmt_latency(buf, (double)key->thinktime_ns));
    }
    add_content(out, key, start);
    if (IS_KNOWN(key, CELL_KEY, direct) && !key->direct) {
        comma(out, start);
        strbuf_adds(out, "buffered");
    }
}

void cell_key_words(struct strbuf *out, const struct cell_key *key)
{
    size_t start = out->len;
    struct strbuf part = STRBUF_INIT;
    if (IS_KNOWN(key, CELL_KEY, rw)) {
        strbuf_adds(out, rw_words(key->rw));
        add_mix(out, key);
    }
    cell_key_sizes(&part, key);
    if (part.len) {
        comma(out, start);
        strbuf_adds(out, part.text);
    }
    if (IS_KNOWN(key, CELL_KEY, iodepth)) {
        comma(out, start);
        char buf[NUMFMT_MAX];
        strbuf_addf(out, "QD %s", fmt_count(buf, key->iodepth));
    }
    if (IS_KNOWN(key, CELL_KEY, numjobs) && key->numjobs > 1) {
        comma(out, start);
        strbuf_addf(out, "%" PRIu64 " jobs", key->numjobs);
    }
    strbuf_reset(&part);
    cell_key_load(&part, key);
    if (part.len) {
        comma(out, start);
        strbuf_adds(out, part.text);
    }
    strbuf_release(&part);
}
