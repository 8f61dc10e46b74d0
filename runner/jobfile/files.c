#include "runner/jobfile/files_internal.h"

#include <inttypes.h>

#include "core/base/xalloc.h"

enum { FILES_MAX = 1024 };

static int add_file(struct jobfile_job *job, const char *directory, const char *name,
                    struct error *err)
{
    if (*name == '\0' || strcmp(name, "-") == 0)
        return error_set(err, ERR_INPUT, "filename: \"%s\" cannot be measured", name);
    char *path = directory && name[0] != '/' ? xasprintf("%s/%s", directory, name) : xstrdup(name);
    for (size_t i = 0; i < job->n_files; i++) {
        if (strcmp(job->file[i], path) == 0) {
            free(path);
            return 0;
        }
    }
    if (job->n_files == FILES_MAX) {
        free(path);
        return error_set(err, ERR_INPUT, "filename: more than %d files", FILES_MAX);
    }
    job->file = xrealloc(job->file, job->n_files + 1, sizeof *job->file);
    job->file[job->n_files++] = path;
    return 0;
}

int job_files_split(const char *list, int (*add)(void *arg, const char *name, struct error *err),
                    void *arg, struct error *err)
{
    struct strbuf name = STRBUF_INIT;
    int rc = 0;
    for (const char *p = list; rc == 0; p++) {
        if (p[0] == '\\' && p[1] == ':') {
            strbuf_addc(&name, *++p);
        } else if (*p && *p != ':') {
            strbuf_addc(&name, *p);
        } else {
            rc = add(arg, name.text, err);
            strbuf_reset(&name);
            if (*p == '\0')
                break;
        }
    }
    strbuf_release(&name);
    return rc;
}

struct adding {
    struct jobfile_job *job;
    const char *directory;
};

static int add_named(void *arg, const char *name, struct error *err)
{
    const struct adding *a = arg;
    return add_file(a->job, a->directory, name, err);
}

/* fio's own names: one file a thread. */
static int make_names(struct jobfile_job *job, const char *directory, struct error *err)
{
    if (!IS_KNOWN(&job->key, CELL_KEY, size)) {
        int rc = error_set(err, ERR_INPUT, "there is no filename, and no size to make files of");
        error_hint(err, "Add filename=/dev/... or size=1g.");
        return rc;
    }
    if (strchr(job->name, '/'))
        return error_set(err, ERR_INPUT, "a name with a / cannot be that of a file; add filename=");
    job->makes_files = true;
    int rc = 0;
    for (uint64_t i = 0; rc == 0 && i < job->key.numjobs; i++) {
        char *name = xasprintf("%s.%" PRIu64 ".0", job->name, i);
        rc = add_file(job, directory, name, err);
        free(name);
    }
    SET(&job->key, CELL_KEY, numjobs, 1);
    return rc;
}

static void divide_rates(struct cell_key *key, uint64_t by)
{
    if (IS_KNOWN(key, CELL_KEY, rate_iops))
        key->rate_iops /= (double)by;
    if (IS_KNOWN(key, CELL_KEY, rate_iops_write))
        key->rate_iops_write /= (double)by;
    if (IS_KNOWN(key, CELL_KEY, rate_bw))
        key->rate_bw /= (double)by;
    if (IS_KNOWN(key, CELL_KEY, rate_bw_write))
        key->rate_bw_write /= (double)by;
}

static int cannot_divide(int rc, struct error *err)
{
    error_hint(err, "A thread works on one file here: give each file a section of its own.");
    return rc;
}

/* The same number of threads, or of I/Os in flight, over all files as fio would have. */
static int divide_load(struct jobfile_job *job, struct strbuf *note, struct error *err)
{
    struct cell_key *key = &job->key;
    uint64_t n = job->n_files;
    /* a pause stops one thread, and would not stop another */
    bool pauses = IS_KNOWN(key, CELL_KEY, thinktime_ns);
    if (key->numjobs % n == 0) {
        SET(key, CELL_KEY, numjobs, key->numjobs / n);
    } else if (pauses) {
        return cannot_divide(error_set(err, ERR_INPUT,
                                       "the thinktime of %" PRIu64
                                       " thread%s cannot be divided by its %" PRIu64 " files",
                                       key->numjobs, key->numjobs == 1 ? "" : "s", n),
                             err);
    } else if (key->numjobs == 1 && key->iodepth % n == 0) {
        SET(key, CELL_KEY, iodepth, key->iodepth / n);
        divide_rates(key, n);
    } else {
        return cannot_divide(error_set(err, ERR_INPUT,
                                       "neither numjobs=%" PRIu64 " nor iodepth=%" PRIu64
                                       " can be divided by its %" PRIu64 " files",
                                       key->numjobs, key->iodepth, n),
                             err);
    }
    /* fio's size is that of all files of a thread together */
    if (IS_KNOWN(key, CELL_KEY, size))
        SET(key, CELL_KEY, size, key->size / n / 512 * 512);
    strbuf_addf(note,
                "[%s]: %" PRIu64 " files: a thread works on one file, with %" PRIu64
                " x iodepth %" PRIu64 " on each; fio's threads go round all of them\n",
                job->name, n, key->numjobs, key->iodepth);
    return 0;
}

int job_files_set(struct jobfile_job *job, const struct fio_options *o, struct strbuf *note,
                  struct error *err)
{
    const char *directory = fio_option(o, "directory"), *list = fio_option(o, "filename");
    if (directory && strchr(directory, ':'))
        return error_set(err, ERR_INPUT, "directory: only one directory is used");
    if (!list)
        return make_names(job, directory, err);
    struct adding adding = {job, directory};
    int rc = job_files_split(list, add_named, &adding, err);
    if (rc < 0 || job->n_files == 1)
        return rc;
    return divide_load(job, note, err);
}
