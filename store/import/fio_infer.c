/* What the figures and the names tell about settings that the file does not state. */
#include <math.h>

#include "core/base/json.h"
#include "store/import/fio_key.h"
#include "store/import/fio_key_internal.h"
#include "store/import/name_hint.h"

/* Block size from what was moved: the same whole number of sectors an I/O in every direction. */
void fio_infer_bs(struct cell *cell)
{
    uint64_t bs[DIR_COUNT] = {0};
    for (int dir = DIR_READ; dir <= DIR_MIXED; dir++) {
        const struct direction *d = &cell->dir[dir];
        if (!IS_KNOWN(d, DIRECTION, ios) || !IS_KNOWN(d, DIRECTION, bytes) || d->ios == 0)
            continue;
        if (d->bytes % d->ios != 0 || d->bytes / d->ios % 512 != 0)
            return;
        bs[dir] = d->bytes / d->ios;
    }
    uint64_t first = bs[DIR_READ] ? bs[DIR_READ] : bs[DIR_MIXED];
    first = first ? first : bs[DIR_WRITE];
    first = first ? first : bs[DIR_TRIM];
    if (first == 0 || (bs[DIR_TRIM] && bs[DIR_TRIM] != first))
        return;
    SET(&cell->key, CELL_KEY, bs, first);
    cell_add_assumed(cell, "bs");
    if (bs[DIR_WRITE] && bs[DIR_WRITE] != first) {
        SET(&cell->key, CELL_KEY, bs_write, bs[DIR_WRITE]);
        cell_add_assumed(cell, "bs_write");
    }
}

void fio_key_by_name(struct cell *cell)
{
    if (!cell->name)
        return;
    struct strbuf options = STRBUF_INIT;
    strbuf_adds(&options, "{\"job\":");
    json_quote(&options, cell->name);
    strbuf_addc(&options, '}');
    field_set_text(&cell_key_fields, &cell->key, CELL_KEY_options, options.text);
    strbuf_release(&options);
}

/* bench-fio: DEVICE/4k/randread-32-8.json, DEVICE/randrw75/4k/randrw-32-8.json. */
static void add_folders(struct name_hint *hint, const char *path, const char *file)
{
    const char *end = file;
    for (int i = 0; i < 2 && end > path; i++) {
        const char *slash = memrchr(path, '/', (size_t)(end - 1 - path));
        const char *name = slash ? slash + 1 : path;
        name_hint_add_folder(hint, name, (size_t)(end - 1 - name));
        end = name;
    }
}

/* The block size of a folder, where it is that of the I/Os (5 % for short ones at the end of a file). */
static void take_bs(struct cell *cell, uint64_t bs)
{
    for (int dir = DIR_READ; dir <= DIR_MIXED; dir++) {
        const struct direction *d = &cell->dir[dir];
        if (d->ios > 0 && fabs((double)d->bytes / (double)d->ios - (double)bs) > 0.05 * (double)bs)
            return;
    }
    SET(&cell->key, CELL_KEY, bs, bs);
    cell_add_assumed(cell, "bs");
}

/* The same for the share of reads, which has 5 points of chance. */
static void take_mix(struct cell *cell, int share)
{
    double reads = (double)cell->dir[DIR_READ].ios, writes = (double)cell->dir[DIR_WRITE].ios;
    bool mixed = cell->key.rw == RW_RW || cell->key.rw == RW_RANDRW;
    if (!IS_KNOWN(&cell->key, CELL_KEY, rw) || !mixed ||
        fabs(reads - share / 100.0 * (reads + writes)) > 0.05 * (reads + writes))
        return;
    SET(&cell->key, CELL_KEY, rwmixread, (uint64_t)share);
    cell_add_assumed(cell, "rwmixread");
}

void fio_infer_names(struct cell *cell, const char *path)
{
    struct name_hint hint = {.rw = -1};
    if (cell->name)
        name_hint_add(&hint, cell->name);
    const char *slash = path ? strrchr(path, '/') : NULL;
    if (path)
        name_hint_add(&hint, slash ? slash + 1 : path);
    if (slash && hint.layout)
        add_folders(&hint, path, slash + 1);
    bool fits = hint.rw >= 0 && !IS_KNOWN(&cell->key, CELL_KEY, rw);
    for (int dir = DIR_READ; dir <= DIR_TRIM && fits; dir++)
        fits = direction_is_used(&cell->dir[dir]) == fio_rw_uses((enum rw)hint.rw, (enum dir)dir);
    if (fits) {
        SET(&cell->key, CELL_KEY, rw, (enum rw)hint.rw);
        cell_add_assumed(cell, "rw");
    }
    if (hint.iodepth && !IS_KNOWN(&cell->key, CELL_KEY, iodepth)) {
        SET(&cell->key, CELL_KEY, iodepth, hint.iodepth);
        cell_add_assumed(cell, "iodepth");
    }
    if (hint.numjobs && !IS_KNOWN(&cell->key, CELL_KEY, numjobs)) {
        SET(&cell->key, CELL_KEY, numjobs, hint.numjobs);
        cell_add_assumed(cell, "numjobs");
    }
    if (hint.bs && !IS_KNOWN(&cell->key, CELL_KEY, bs) && !cell->key.bs_text)
        take_bs(cell, hint.bs);
    if (hint.rwmixread && !IS_KNOWN(&cell->key, CELL_KEY, rwmixread))
        take_mix(cell, hint.rwmixread);
}

bool key_is_verified(const struct key_reader *k)
{
    return fio_option_is_set(k->o, "verify") && !fio_option_is_set(k->o, "verify_only") &&
           IS_KNOWN(k->key, CELL_KEY, rw) && fio_rw_uses(k->key->rw, DIR_WRITE) &&
           direction_is_used(&k->cell->dir[DIR_READ]) &&
           direction_is_used(&k->cell->dir[DIR_WRITE]);
}

/* The pattern of the options does not do what was done. */
static bool pattern_contradicts(const struct key_reader *k)
{
    for (int dir = DIR_READ; dir <= DIR_TRIM && IS_KNOWN(k->key, CELL_KEY, rw); dir++) {
        if (dir == DIR_READ && key_is_verified(k))
            continue;
        if (direction_is_used(&k->cell->dir[dir]) && !fio_rw_uses(k->key->rw, (enum dir)dir))
            return true;
    }
    return false;
}

/* A job of the command line has its name among its options; fio cuts the reported one at 127. */
static bool name_contradicts(const struct key_reader *k)
{
    const char *option = fio_option(k->o, "name"), *name = k->cell->name;
    return option && name && strncmp(option, name, 127) != 0;
}

/*
 * More than 2 % off: short I/Os at the end of a file are far fewer. Behind a ramp fio counts the bytes of the
 * I/Os that were in flight at its end and not the I/Os themselves, up to the depth of every job.
 */
static bool size_contradicts(const struct key_reader *k)
{
    double slack = 0;
    if (IS_KNOWN(k->key, CELL_KEY, iodepth))
        slack = (double)k->key->iodepth *
                (IS_KNOWN(k->key, CELL_KEY, numjobs) ? (double)k->key->numjobs : 1);
    for (int dir = DIR_READ; dir <= DIR_TRIM && IS_KNOWN(k->key, CELL_KEY, bs); dir++) {
        const struct direction *d = &k->cell->dir[dir];
        bool other = dir == DIR_WRITE && IS_KNOWN(k->key, CELL_KEY, bs_write);
        double bs = (double)(other ? k->key->bs_write : k->key->bs);
        if (!IS_KNOWN(d, DIRECTION, ios) || !IS_KNOWN(d, DIRECTION, bytes) || d->ios < 100 ||
            d->short_ios > 0)
            continue;
        if (fabs((double)d->bytes / bs - (double)d->ios) > slack + 0.02 * (double)d->ios)
            return true;
    }
    return false;
}

bool fio_time_is_of_more(uint64_t jobs, double seconds, double each)
{
    const double start = 0.05, share = 0.1; /* of the time of a job that is not of its I/O */
    return seconds > each * ((double)jobs + share) + start;
}

/* The time of all jobs is more than that many jobs can spend. */
static bool time_contradicts(const struct key_reader *k, const struct fio_key_facts *facts)
{
    if (facts->jobs > 1 || facts->job_runtime_ns == 0 || k->cell->runtime_ns == 0 ||
        !IS_KNOWN(k->key, CELL_KEY, numjobs))
        return false;
    double each = (double)k->cell->runtime_ns;
    if (key_is_verified(k)) /* one after the other */
        each =
            (double)k->cell->dir[DIR_READ].runtime_ns + (double)k->cell->dir[DIR_WRITE].runtime_ns;
    return fio_time_is_of_more(k->key->numjobs, (double)facts->job_runtime_ns / 1e9, each / 1e9);
}

bool key_is_of_several(const struct key_reader *k, const struct fio_key_facts *facts)
{
    return pattern_contradicts(k) || name_contradicts(k) || size_contradicts(k) ||
           time_contradicts(k, facts);
}
