#include "cli/import_job.h"

#include "core/base/xalloc.h"

/* Copies what is unknown in *to; with `other`, only what both say. */
static void add_fields(struct cell_key *to, const struct cell_key *from,
                       const struct cell_key *other)
{
    for (size_t i = 0; i < cell_key_fields.n; i++) {
        struct strbuf a = STRBUF_INIT, b = STRBUF_INIT;
        field_format(&a, &cell_key_fields, from, i);
        field_format(&b, &cell_key_fields, other ? other : from, i);
        if (a.len > 0 && strcmp(a.text, b.text) == 0 && !field_is_known(&cell_key_fields, to, i))
            field_parse(&cell_key_fields, to, i, a.text);
        strbuf_release(&a);
        strbuf_release(&b);
    }
}

static const struct jobfile_job *job_named(const struct jobfile *f, const char *name)
{
    for (size_t i = 0; i < f->n && name; i++) {
        if (strcmp(f->job[i].name, name) == 0)
            return &f->job[i];
    }
    return NULL;
}

/* The only job that reads, or that writes; NULL when none or several do. */
static const struct jobfile_job *only_job(const struct jobfile *f, bool (*does)(enum rw))
{
    const struct jobfile_job *found = NULL;
    for (size_t i = 0; i < f->n; i++) {
        if (!does(f->job[i].key.rw))
            continue;
        if (found)
            return NULL;
        found = &f->job[i];
    }
    return found;
}

/* Of a mix, what each side was told apart. */
static void add_sides(struct cell_key *key, const struct cell_key *r, const struct cell_key *w)
{
    bool random = rw_is_random(r->rw) && rw_is_random(w->rw);
    if (rw_is_random(r->rw) == rw_is_random(w->rw))
        SET(key, CELL_KEY, rw, random ? RW_RANDRW : RW_RW);
    if (IS_KNOWN(r, CELL_KEY, bs) && IS_KNOWN(w, CELL_KEY, bs)) {
        SET(key, CELL_KEY, bs, r->bs);
        if (w->bs != r->bs)
            SET(key, CELL_KEY, bs_write, w->bs);
    }
    double read = cell_key_rate_bw(r, true), write = cell_key_rate_bw(w, false);
    if (read > 0)
        SET(key, CELL_KEY, rate_bw, read);
    if (write != read)
        SET(key, CELL_KEY, rate_bw_write, write);
    read = cell_key_rate_iops(r, true);
    write = cell_key_rate_iops(w, false);
    if (read > 0)
        SET(key, CELL_KEY, rate_iops, read);
    if (write != read)
        SET(key, CELL_KEY, rate_iops_write, write);
}

static void add_iops(struct cell *cell, enum dir dir, uint64_t bs)
{
    struct direction *d = &cell->dir[dir];
    if (bs == 0 || IS_KNOWN(d, DIRECTION, iops) || !IS_KNOWN(d, DIRECTION, bw))
        return;
    SET(d, DIRECTION, iops, d->bw / (double)bs);
    cell_add_assumed(cell, "iops");
}

void import_job_add_device(const struct jobfile *f, struct run *run)
{
    if (run->n_devices > 0)
        return;
    const char *path = NULL;
    for (size_t i = 0; i < f->n; i++) {
        const struct jobfile_job *j = &f->job[i];
        if (j->makes_files || j->n_files != 1 || (path && strcmp(path, j->file[0]) != 0))
            return;
        path = j->file[0];
    }
    field_set_text(&device_fields, run_add_device(run), DEVICE_path, path);
}

void import_job_add_settings(const struct jobfile *f, const struct run *run, struct cell *cell)
{
    struct cell_key *key = &cell->key;
    const struct jobfile_job *named = job_named(f, cell->name);
    const struct jobfile_job *r = only_job(f, rw_reads), *w = only_job(f, rw_writes);
    const struct jobfile_job *one = named ? named : f->n == 1 ? &f->job[0] : NULL;
    if (one) {
        add_fields(key, &one->key, NULL);
    } else if (!IS_KNOWN(key, CELL_KEY, rw) && r && w && r != w) {
        add_sides(key, &r->key, &w->key);
        add_fields(key, &r->key, &w->key);
    }
    if (cell->n_devices == 0 && run->n_devices == 1) {
        cell->device = xcalloc(1, sizeof *cell->device);
        cell->n_devices = 1;
    }
    uint64_t bs = IS_KNOWN(key, CELL_KEY, bs) ? key->bs : 0;
    add_iops(cell, DIR_READ, bs);
    add_iops(cell, DIR_WRITE, IS_KNOWN(key, CELL_KEY, bs_write) ? key->bs_write : bs);
}
