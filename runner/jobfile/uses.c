/* What a job file works on, whatever else it says. */
#include <inttypes.h>

#include "core/base/xalloc.h"
#include "runner/jobfile/files_internal.h"
#include "runner/jobfile/options_internal.h"
#include "store/import/fio_units.h"

/* More files are named only to be hostile. */
enum { USES_MAX = 4096 };

struct uses {
    struct jobfile_use *use;
    size_t n, room;
    size_t named;          /* with those named again */
    const char *directory; /* of the section */
    bool written;
};

/* By these fio works on what the file does not name, removes files, or starts programs. */
static const char *const uncheckable[] = {
    "exec_postrun", "exec_prerun",     "filename_format", "merge_blktrace_file", "opendir",
    "read_iolog",   "replay_redirect", "unlink",          "unlink_each_loop",    "write_iolog",
};
static const char *const uncheckable_engines[] = {"dirdelete", "exec", "filedelete"};

static bool is_one_of(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(name, names[i]) == 0)
            return true;
    }
    return false;
}

static int check_option(const struct job_option *o, struct error *err)
{
    bool engine = strcmp(o->name, "ioengine") == 0 &&
                  is_one_of(o->value, uncheckable_engines,
                            sizeof uncheckable_engines / sizeof *uncheckable_engines);
    if (!engine && !is_one_of(o->name, uncheckable, sizeof uncheckable / sizeof *uncheckable))
        return 0;
    return error_set(err, ERR_REFUSED,
                     "%s:%u: with %s%s%s fio may touch what the file does not name, and that "
                     "cannot be checked",
                     o->file, o->line, o->name, engine ? "=" : "", engine ? o->value : "");
}

static int add_use(void *arg, const char *name, struct error *err)
{
    struct uses *u = arg;
    char *path =
        u->directory && name[0] != '/' ? xasprintf("%s/%s", u->directory, name) : xstrdup(name);
    if (u->named++ == USES_MAX) {
        free(path);
        return error_set(err, ERR_INPUT, "more than %d files", USES_MAX);
    }
    for (size_t i = 0; i < u->n; i++) {
        if (strcmp(u->use[i].path, path) == 0) {
            u->use[i].written = u->use[i].written || u->written;
            free(path);
            return 0;
        }
    }
    GROW(u->use, u->n + 1, u->room);
    u->use[u->n++] = (struct jobfile_use){path, u->written};
    return 0;
}

static uint64_t count_of(const struct fio_options *o, const char *name)
{
    uint64_t v;
    const char *text = fio_option(o, name);
    return text && fio_number(text, strlen(text), 1024, &v) && v > 0 ? v : 1;
}

/* fio's own names: NAME.thread.file */
static int add_made(struct uses *u, const struct fio_options *o, const char *name,
                    struct error *err)
{
    uint64_t jobs = count_of(o, "numjobs"), files = count_of(o, "nrfiles");
    if (jobs > USES_MAX || files > USES_MAX || jobs * files > USES_MAX)
        return error_set(err, ERR_INPUT, "[%s]: more than %d files", name, USES_MAX);
    int rc = 0;
    for (uint64_t i = 0; rc == 0 && i < jobs * files; i++) {
        char *made = xasprintf("%s.%" PRIu64 ".%" PRIu64, name, i / files, i % files);
        rc = add_use(u, made, err);
        free(made);
    }
    return rc;
}

static int add_section(struct uses *u, const struct sections *s, const struct section *in,
                       struct error *err)
{
    struct fio_options o = {0};
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < in->n_global + in->n; i++) {
        bool global = i < in->n_global;
        const struct job_option *from = global ? &s->global[i] : &in->option[i - in->n_global];
        const struct option_row *row = option_find(from->name);
        rc = check_option(from, err);
        fio_options_add(&o, row ? row->name : from->name, from->value, global);
    }
    const char *pattern = fio_option(&o, "rw"), *list = fio_option(&o, "filename");
    const char *name = fio_option(&o, "name");
    int rw = pattern ? rw_parse(pattern) : RW_READ;
    u->written = rw < 0 || rw_writes((enum rw)rw);
    u->directory = fio_option(&o, "directory");
    if (rc == 0 && u->directory && strchr(u->directory, ':'))
        rc = error_set(err, ERR_REFUSED, "%s:%u: [%s]: a list of directories cannot be checked",
                       in->file, in->line, in->name);
    if (rc == 0)
        rc = list ? job_files_split(list, add_use, u, err)
                  : add_made(u, &o, name ? name : in->name, err);
    fio_options_release(&o);
    return rc;
}

int jobfile_uses(struct jobfile_use **out, size_t *n, const char *path,
                 const struct jobfile_source *source, struct error *err)
{
    struct sections s;
    int rc = sections_read(&s, path, source, err);
    if (rc < 0)
        return rc;
    struct uses u = {0};
    for (size_t i = 0; rc == 0 && i < s.n; i++)
        rc = add_section(&u, &s, &s.section[i], err);
    sections_release(&s);
    if (rc < 0) {
        jobfile_uses_free(u.use, u.n);
        return rc;
    }
    *out = u.use;
    *n = u.n;
    return 0;
}

void jobfile_uses_free(struct jobfile_use *use, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(use[i].path);
    free(use);
}
