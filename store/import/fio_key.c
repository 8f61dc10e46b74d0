/*
 * The settings of a cell from fio's options. What fio assumes where nothing is typed: bs 4096,
 * iodepth 1, numjobs 1, rw read, ioengine psync, direct 0, rwmixread 50 (fio HOWTO).
 */
#include "store/import/fio_key.h"

#include "core/base/xalloc.h"
#include "store/import/fio_key_internal.h"
#include "store/import/fio_units.h"

void key_set_text(struct key_reader *k, size_t field, const char *text)
{
    field_set_text(&cell_key_fields, k->key, field, text);
}

bool key_option_number(const struct key_reader *k, const char *name, uint64_t *v)
{
    const char *text = fio_option(k->o, name);
    return text && fio_number(text, strlen(text), k->kb_base, v);
}

void key_say_bad(const struct key_reader *k, const char *name)
{
    json_id at = fio_option_at(k->o, name);
    if (k->reader && at)
        fio_say_bad(k->reader, at);
}

bool fio_rw_uses(enum rw rw, enum dir dir)
{
    if (dir == DIR_READ)
        return rw_reads(rw);
    if (dir == DIR_TRIM)
        return rw_trims(rw);
    return rw_writes(rw) && rw != RW_TRIM && rw != RW_RANDTRIM;
}

static void read_rw(struct key_reader *k)
{
    const char *text = fio_option(k->o, "rw");
    if (!text)
        text = fio_option(k->o, "readwrite");
    if (!text) {
        SET(k->key, CELL_KEY, rw, RW_READ);
        cell_add_assumed(k->cell, "rw");
        return;
    }
    int rw = rw_parse(text);
    if (rw < 0)
        return;
    SET(k->key, CELL_KEY, rw, (enum rw)rw);
}

static void read_mix(struct key_reader *k)
{
    static const char *const shares[] = {"rwmixread", "rwmixwrite"};
    uint64_t v;
    for (size_t i = 0; i < 2; i++) {
        if (fio_option(k->o, shares[i]) && (!key_option_number(k, shares[i], &v) || v > 100))
            key_say_bad(k, shares[i]);
    }
    if (!IS_KNOWN(k->key, CELL_KEY, rw) || !rw_reads(k->key->rw) || !rw_is_mixed(k->key->rw))
        return;
    if (key_option_number(k, "rwmixread", &v) && v <= 100) {
        SET(k->key, CELL_KEY, rwmixread, v);
    } else if (key_option_number(k, "rwmixwrite", &v) && v <= 100) {
        SET(k->key, CELL_KEY, rwmixread, 100 - v);
    } else {
        SET(k->key, CELL_KEY, rwmixread, 50);
        cell_add_assumed(k->cell, "rwmixread");
    }
}

/*
 * Sizes for reads, writes and trims as the pattern uses them: one number where only one counts. The
 * text is kept where bs and bs_write cannot say it.
 */
static void set_bs(struct key_reader *k, const uint64_t v[3], const char *text)
{
    uint64_t used[3] = {0};
    size_t n = 0;
    bool known = IS_KNOWN(k->key, CELL_KEY, rw);
    for (int dir = DIR_READ; dir <= DIR_TRIM; dir++) {
        if (!known || fio_rw_uses(k->key->rw, (enum dir)dir))
            used[n++] = v[dir];
    }
    bool same = true;
    for (size_t i = 1; i < n; i++)
        same = same && used[i] == used[0];
    if (n > 0 && same) {
        SET(k->key, CELL_KEY, bs, used[0]);
    } else if (known && rw_reads(k->key->rw)) {
        SET(k->key, CELL_KEY, bs, v[DIR_READ]);
        SET(k->key, CELL_KEY, bs_write, v[DIR_WRITE]);
    } else {
        key_set_text(k, CELL_KEY_bs_text, text);
    }
}

static void read_bs(struct key_reader *k)
{
    enum { DEFAULT_BS = 4096 };
    uint64_t v[3] = {DEFAULT_BS, DEFAULT_BS, DEFAULT_BS};
    unsigned given;
    const char *split = fio_option(k->o, "bssplit");
    if (!split)
        split = fio_option(k->o, "bsrange");
    if (split) {
        key_set_text(k, CELL_KEY_bs_text, split);
        return;
    }
    const char *name = fio_option(k->o, "bs") ? "bs" : "blocksize", *text = fio_option(k->o, name);
    if (!text)
        cell_add_assumed(k->cell, "bs");
    bool is_size = text && fio_triple(text, k->kb_base, v, &given);
    if (is_size && k->reader) /* who runs a job file looks at its sizes */
        is_size = v[DIR_READ] > 0 && v[DIR_WRITE] > 0 && v[DIR_TRIM] > 0;
    if (!text || is_size)
        set_bs(k, v, text);
    else
        key_say_bad(k, name);
}

static void read_count(struct key_reader *k, const char *name, size_t field, uint64_t by_default)
{
    uint64_t v;
    if (key_option_number(k, name, &v) && v > 0) {
        field_set_u64(&cell_key_fields, k->key, field, v);
    } else if (!fio_option(k->o, name)) {
        field_set_u64(&cell_key_fields, k->key, field, by_default);
        cell_add_assumed(k->cell, name);
    } else {
        key_say_bad(k, name);
    }
}

/*
 * Entries of one job without group_reporting are counted. Otherwise the option says it; fio 2.3 to
 * 3.3 left it out of the global options, so there its absence means nothing, unless the job came from
 * a command line (its name is an option then, and nothing is global).
 */
static void read_numjobs(struct key_reader *k, struct fio_version version, uint64_t jobs)
{
    bool lost = fio_version_before(version, 3, 4) && !fio_option(k->o, "numjobs") &&
                !fio_option(k->o, "name");
    if (jobs > 1)
        SET(k->key, CELL_KEY, numjobs, jobs);
    else if (!lost)
        read_count(k, "numjobs", CELL_KEY_numjobs, 1);
}

void fio_key_cap_depth(struct cell *cell)
{
    static const char *const one_by_one[] = {"psync", "sync", "pvsync", "pvsync2", "vsync", "mmap"};
    struct cell_key *key = &cell->key;
    for (size_t i = 0; i < sizeof one_by_one / sizeof *one_by_one && key->engine; i++) {
        if (key->iodepth > 1 && strcmp(key->engine, one_by_one[i]) == 0) {
            SET(key, CELL_KEY, iodepth, 1);
            cell_add_caveat(cell, "depth-capped");
        }
    }
}

static void read_iodepth(struct key_reader *k)
{
    read_count(k, "iodepth", CELL_KEY_iodepth, 1);
    fio_key_cap_depth(k->cell);
}

static void read_engine(struct key_reader *k)
{
    static const char *const of_engine[] = {
        "cmd_type",    "fixedbufs",      "force_async", "hipri",         "hipri_percentage",
        "nonvectored", "nowait",         "readfua",     "registerfiles", "sqthread_poll",
        "uncached",    "userspace_reap", "writefua",    "zone_append",
    };
    const char *engine = fio_option(k->o, "ioengine");
    if (!engine)
        cell_add_assumed(k->cell, "engine");
    key_set_text(k, CELL_KEY_engine, engine ? engine : "psync");
    struct strbuf options = STRBUF_INIT;
    for (size_t i = 0; i < sizeof of_engine / sizeof *of_engine; i++) {
        if (!fio_option_is_set(k->o, of_engine[i]))
            continue;
        const char *value = fio_option(k->o, of_engine[i]);
        strbuf_addf(&options, "%s%s=%s", options.len ? "," : "", of_engine[i],
                    *value ? value : "1");
    }
    if (options.len > 0)
        key_set_text(k, CELL_KEY_engine_options, options.text);
    strbuf_release(&options);
}

static void read_direct(struct key_reader *k)
{
    bool buffered_off = fio_option(k->o, "buffered") && !fio_option_is_set(k->o, "buffered");
    bool direct = fio_option_is_set(k->o, "direct") || buffered_off;
    if (!fio_option(k->o, "direct") && !fio_option(k->o, "buffered"))
        cell_add_assumed(k->cell, "direct");
    SET(k->key, CELL_KEY, direct, direct);
    if (!direct)
        cell_add_caveat(k->cell, "buffered");
}

/* Of a group of different sections only the global options say something about all. */
static void read_common(struct key_reader *k, struct fio_options *o, uint64_t jobs)
{
    struct cell_key *key = k->key;
    fields_release(&cell_key_fields, key);
    UNSET(k->cell, CELL, ramp_ns);
    field_set_text(&cell_fields, k->cell, CELL_assumed, NULL);
    field_set_text(&cell_fields, k->cell, CELL_caveats, NULL);
    cell_add_caveat(k->cell, "several-sections");
    fio_options_keep_global(o);
    if (fio_option(o, "ioengine")) {
        read_engine(k);
        cell_add_assumed(k->cell, "engine");
    }
    if (fio_option(o, "direct")) {
        read_direct(k);
        cell_add_assumed(k->cell, "direct");
    }
    if (jobs > 1)
        SET(key, CELL_KEY, numjobs, jobs);
    fio_infer_bs(k->cell);
    fio_key_by_name(k->cell);
}

void fio_key_read(struct cell *cell, struct fio_options *o, struct fio_version version,
                  const struct fio_key_facts *facts)
{
    struct key_reader k = {cell, &cell->key, o, fio_options_kb_base(o), facts->reader};
    if (!o->stated) {
        if (facts->jobs > 1)
            SET(k.key, CELL_KEY, numjobs, facts->jobs);
        fio_infer_names(k.cell, facts->path);
        fio_infer_bs(k.cell);
        fio_key_by_name(k.cell);
        return;
    }
    read_rw(&k);
    read_mix(&k);
    read_bs(&k);
    read_engine(&k);
    read_iodepth(&k);
    read_numjobs(&k, version, facts->jobs);
    read_direct(&k);
    if (key_is_of_several(&k, facts)) {
        read_common(&k, o, facts->jobs);
        return;
    }
    if (key_is_verified(&k))
        cell_add_caveat(cell, "verify-reads");
    key_read_load(&k);
    fio_infer_names(k.cell, facts->path);
}

void fio_key_of_job(struct cell *cell, const struct fio_options *o)
{
    struct key_reader k = {cell, &cell->key, o, fio_options_kb_base(o), NULL};
    read_rw(&k);
    read_mix(&k);
    read_bs(&k);
    read_engine(&k);
    read_iodepth(&k);
    read_count(&k, "numjobs", CELL_KEY_numjobs, 1);
    read_direct(&k);
    key_read_load(&k);
}
