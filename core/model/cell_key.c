#include "core/model/cell_key.h"

#include <inttypes.h>

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

static void add_block_size(struct strbuf *out, const struct cell_key *key, size_t start)
{
    char buf[NUMFMT_MAX];
    if (key->bs_text) {
        comma(out, start);
        strbuf_adds(out, key->bs_text);
    } else if (IS_KNOWN(key, CELL_KEY, bs)) {
        comma(out, start);
        strbuf_adds(out, fmt_bs(buf, key->bs));
        if (IS_KNOWN(key, CELL_KEY, bs_write) && key->bs_write != key->bs)
            strbuf_addf(out, " (writes %s)", fmt_bs(buf, key->bs_write));
    }
}

static void add_rates(struct strbuf *out, const struct cell_key *key, size_t start)
{
    char buf[NUMFMT_MAX];
    if (IS_KNOWN(key, CELL_KEY, rate_iops)) {
        comma(out, start);
        strbuf_addf(out, "limited to %s IOPS a job", fmt_iops(buf, key->rate_iops));
    }
    if (IS_KNOWN(key, CELL_KEY, rate_bw)) {
        comma(out, start);
        strbuf_addf(out, "limited to %s MiB/s a job", fmt_mib(buf, key->rate_bw));
    }
    if (IS_KNOWN(key, CELL_KEY, rate_bw_write)) {
        comma(out, start);
        strbuf_addf(out, "writes limited to %s MiB/s a job", fmt_mib(buf, key->rate_bw_write));
    }
}

void cell_key_words(struct strbuf *out, const struct cell_key *key)
{
    size_t start = out->len;
    if (IS_KNOWN(key, CELL_KEY, rw)) {
        strbuf_adds(out, rw_words(key->rw));
        if (rw_is_mixed(key->rw) && rw_reads(key->rw) && IS_KNOWN(key, CELL_KEY, rwmixread) &&
            key->rwmixread <= 100)
            strbuf_addf(out, " %" PRIu64 "/%" PRIu64, key->rwmixread, 100 - key->rwmixread);
    }
    add_block_size(out, key, start);
    if (IS_KNOWN(key, CELL_KEY, iodepth)) {
        comma(out, start);
        strbuf_addf(out, "QD %" PRIu64, key->iodepth);
    }
    if (IS_KNOWN(key, CELL_KEY, numjobs) && key->numjobs > 1) {
        comma(out, start);
        strbuf_addf(out, "%" PRIu64 " jobs", key->numjobs);
    }
    add_rates(out, key, start);
    if (IS_KNOWN(key, CELL_KEY, direct) && !key->direct) {
        comma(out, start);
        strbuf_adds(out, "buffered");
    }
}
