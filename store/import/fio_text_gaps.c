#include "store/import/fio_text_gaps.h"

#include "core/base/strbuf.h"
#include "store/import/fio_read_internal.h"

/* fio cuts the names of its blocks at 127 bytes. */
static bool is_block_of(const struct fio_text_job *j, const struct fio_text_setup *s)
{
    return j->group == s->group && strncmp(j->cell.name, s->name, 127) == 0;
}

const struct fio_text_setup *fio_text_setup_of(const struct fio_text_run *r,
                                               const struct fio_text_job *j, bool *several)
{
    const struct fio_text_setup *found = NULL;
    size_t in_group = 0, blocks = 0;
    for (size_t i = 0; i < r->n_setups; i++) {
        in_group += r->setup[i].group == j->group;
        if (is_block_of(j, &r->setup[i]))
            found = &r->setup[i];
    }
    for (size_t i = 0; i < r->n_jobs; i++)
        blocks += r->job[i].group == j->group;
    *several = in_group > 1 && blocks == 1 && j->jobs != 1;
    return *several ? NULL : found;
}

static bool has_figures(const struct fio_text_job *j)
{
    bool any = j->cell.n_buckets > 0;
    for (int dir = 0; dir < DIR_COUNT; dir++)
        any = any || j->cell.dir[dir].known;
    return any;
}

/* Directions without I/Os are not printed; the counts at the end of a block say so. */
static bool lacks(const struct fio_text_job *j, int rw, enum dir dir)
{
    if (rw < 0 || !fio_rw_uses((enum rw)rw, dir) || j->cell.dir[dir].known ||
        j->cell.dir[DIR_MIXED].known)
        return false;
    return !j->has_issued || j->issued[dir] > 0;
}

/* Nothing stands behind it that fio prints after the counts of a block. */
static bool is_end(const struct fio_text_run *r, const struct fio_text_job *j)
{
    return !j->has_issued && j == &r->job[r->n_jobs - 1] && r->n_groups == 0 &&
           r->loose.n_disks == 0;
}

const char *fio_text_block_lacks(const struct fio_text_run *r, const struct fio_text_job *j)
{
    static const char *const missing[] = {"its reads are missing", "its writes are missing",
                                          "its trims are missing"};
    bool several;
    if (IS_KNOWN(&j->cell, CELL, error_code))
        return NULL;
    if (!has_figures(j) && !j->has_issued)
        return "its figures are missing";
    const struct fio_text_setup *s = fio_text_setup_of(r, j, &several);
    int rw = s && s->rw ? rw_parse(s->rw) : -1;
    for (int dir = DIR_READ; dir <= DIR_TRIM; dir++) {
        if (lacks(j, rw, (enum dir)dir))
            return missing[dir];
    }
    return r->n_setups > 0 && is_end(r, j) ? "it breaks off" : NULL;
}

bool fio_text_lacks_jobs(const struct fio_text_run *r)
{
    uint64_t jobs = 0;
    for (size_t i = 0; i < r->n_jobs; i++)
        jobs += r->job[i].jobs < UINT32_MAX ? r->job[i].jobs : 0;
    return r->n_jobs > 0 && jobs < r->starting;
}

/* A block of several jobs may sum up all sections of its group. Without blocks the groups count. */
static bool is_there(const struct fio_text_run *r, const struct fio_text_setup *s)
{
    for (size_t i = 0; i < r->n_jobs; i++) {
        const struct fio_text_job *j = &r->job[i];
        if (is_block_of(j, s) || (j->group == s->group && j->jobs != 1))
            return true;
    }
    for (size_t i = 0; i < r->n_groups && r->n_jobs == 0; i++) {
        if (r->group[i].group == s->group)
            return true;
    }
    return r->n_jobs == 0 && r->loose.n_buckets > 0;
}

void fio_text_gaps_find(const struct fio_text_run *r, fio_text_say_gap *say, void *self)
{
    struct strbuf why = STRBUF_INIT;
    bool named = false;
    for (size_t i = 0; i < r->n_jobs; i++) {
        const char *what = fio_text_block_lacks(r, &r->job[i]);
        strbuf_truncate(&why, 0);
        strbuf_addf(&why, "job %s: %s", r->job[i].cell.name, what ? what : "");
        if (what)
            say(self, r->job[i].line, why.text);
    }
    for (size_t i = 0; i < r->n_setups; i++) {
        if (is_there(r, &r->setup[i]))
            continue;
        strbuf_truncate(&why, 0);
        strbuf_addf(&why, "job %s is announced and has no figures", r->setup[i].name);
        say(self, r->setup[i].line, why.text);
        named = true;
    }
    if (!named && fio_text_lacks_jobs(r))
        say(self, r->line, "fio started more jobs than have figures");
    strbuf_release(&why);
}
