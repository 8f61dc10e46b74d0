/* Sections of one load that run at the same time: what they do is one cell, as in an imported result of fio. */
#include <inttypes.h>

#include "core/base/xalloc.h"
#include "runner/jobfile/join_internal.h"

/* All but names, files, and what is written about them. NULL: of a job whose files are its own anyway. */
static char *load_text(const struct jobfile_job *job)
{
    if (job->makes_files)
        return NULL;
    struct strbuf out = STRBUF_INIT;
    cell_key_text(&out, &job->key);
    strbuf_addf(&out, " %zu %.17g %.17g", job->group, job->size_percent, job->offset_percent);
    const uint64_t further[] = {job->delay_ns,    job->ramp_ns,     job->runtime_ns,
                                job->interval_ns, job->random_seed, job->seed};
    for (size_t i = 0; i < sizeof further / sizeof *further; i++)
        strbuf_addf(&out, " %" PRIu64, further[i]);
    return strbuf_detach(&out);
}

static bool has_file(const struct jobfile_job *job, const char *path)
{
    for (size_t i = 0; i < job->n_files; i++) {
        if (strcmp(job->file[i], path) == 0)
            return true;
    }
    return false;
}

static bool has_same_files(const struct jobfile_job *a, const struct jobfile_job *b)
{
    for (size_t i = 0; i < b->n_files; i++) {
        if (a->n_files != b->n_files || strcmp(a->file[i], b->file[i]) != 0)
            return false;
    }
    return true;
}

static bool has_other_files(const struct jobfile_job *a, const struct jobfile_job *b)
{
    for (size_t i = 0; i < b->n_files; i++) {
        if (has_file(a, b->file[i]))
            return false;
    }
    return true;
}

/* The settings are those of one file: more files are more of the same. */
static void add_files(struct jobfile_job *to, struct jobfile_job *from)
{
    to->file = xrealloc(to->file, to->n_files + from->n_files, sizeof *to->file);
    memcpy(to->file + to->n_files, from->file, from->n_files * sizeof *from->file);
    to->n_files += from->n_files;
    from->n_files = 0;
}

struct joining {
    bool (*fits)(const struct jobfile_job *to, const struct jobfile_job *from);
    void (*add)(struct jobfile_job *to, struct jobfile_job *from);
    const char *what;
};

static void add_jobs(struct jobfile_job *to, struct jobfile_job *from)
{
    to->key.numjobs += from->key.numjobs;
}

/* The first before it that it goes to; n: none. */
static size_t find_first(const struct jobfile *f, char *const *load, size_t i,
                         const struct joining *j)
{
    for (size_t k = 0; k < i && load[i]; k++) {
        if (load[k] && strcmp(load[k], load[i]) == 0 && j->fits(&f->job[k], &f->job[i]))
            return k;
    }
    return f->n;
}

/* Who is alike is settled first: what is added changes the settings. */
static void join(struct jobfile *f, const struct joining *j)
{
    char **load = xcalloc(f->n, sizeof *load);
    size_t kept = 0;
    for (size_t i = 0; i < f->n; i++)
        load[i] = load_text(&f->job[i]);
    for (size_t i = 0; i < f->n; i++) {
        size_t to = find_first(f, load, i, j);
        if (to == f->n)
            continue;
        j->add(&f->job[to], &f->job[i]);
        strbuf_addf(&f->note, "[%s] and [%s] are one cell: one load at one time %s\n",
                    f->job[to].name, f->job[i].name, j->what);
        jobfile_job_release(&f->job[i]);
        f->job[i] = (struct jobfile_job){0};
        free(load[i]);
        load[i] = NULL;
    }
    for (size_t i = 0; i < f->n; i++) {
        free(load[i]);
        if (f->job[i].name)
            f->job[kept++] = f->job[i];
    }
    f->n = kept;
    free(load);
}

void jobfile_join(struct jobfile *f)
{
    static const struct joining clones = {has_same_files, add_jobs, "on the same files"};
    static const struct joining devices = {has_other_files, add_files, "on files of their own"};
    join(f, &clones);
    join(f, &devices);
}
