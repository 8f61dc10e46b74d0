/* What a job file works on, whatever else it says. */
#include <inttypes.h>

#include "core/base/xalloc.h"
#include "runner/jobfile/files_internal.h"
#include "runner/jobfile/passed_internal.h"
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

static int add_use(void *arg, const char *name, struct error *err)
{
    struct uses *u = arg;
    /* fio puts the directory in front of a name with a / as well */
    char *path = u->directory ? xasprintf("%s/%s", u->directory, name) : xstrdup(name);
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

/* Of all that hold for a section: those of [global] come first. */
static const struct job_option *option_at(const struct sections *s, const struct section *in,
                                          size_t i)
{
    return i < in->n_global ? &s->global[i] : &in->option[i - in->n_global];
}

/*
 * fio takes the files of every filename, not of the last one alone: also those of [global] where the
 * section has its own. Which directory is put in front depends on where that stands: with several all
 * are looked at.
 */
static int add_named(struct uses *u, const struct sections *s, const struct section *in,
                     struct error *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < in->n_global + in->n; i++) {
        const struct job_option *list = option_at(s, in, i);
        if (strcmp(list->name, "filename") != 0)
            continue;
        bool alone = true;
        for (size_t k = 0; rc == 0 && k < in->n_global + in->n; k++) {
            const struct job_option *directory = option_at(s, in, k);
            if (strcmp(directory->name, "directory") != 0)
                continue;
            alone = alone && i < in->n_global && k > i;
            u->directory = directory->value;
            rc = job_files_split(list->value, add_use, u, err);
        }
        u->directory = NULL;
        if (rc == 0 && alone)
            rc = job_files_split(list->value, add_use, u, err);
    }
    return rc;
}

static int read_options(struct fio_options *o, const struct sections *s, const struct section *in,
                        struct error *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < in->n_global + in->n; i++) {
        const struct job_option *from = option_at(s, in, i);
        const char *name;
        rc = passed_check(&name, from, err);
        if (rc == 0 && strcmp(name, "directory") == 0 && strchr(from->value, ':'))
            rc = error_set(err, ERR_REFUSED, "%s:%u: a list of directories cannot be checked",
                           from->file, from->line);
        fio_options_add(o, name, from->value, i < in->n_global);
    }
    return rc;
}

static int add_section(struct uses *u, const struct sections *s, const struct section *in,
                       struct error *err)
{
    struct fio_options o = {0};
    int rc = passed_check_section(in, err);
    if (rc == 0)
        rc = read_options(&o, s, in, err);
    const char *pattern = fio_option(&o, "rw"), *name = fio_option(&o, "name");
    const char *zones = fio_option(&o, "zonemode");
    int rw = pattern ? rw_parse(pattern) : RW_READ;
    /* some versions of fio reset zones also before they read them */
    u->written = rw < 0 || rw_writes((enum rw)rw) || (zones && strcmp(zones, "zbd") == 0);
    u->directory = fio_option(&o, "directory");
    if (rc == 0)
        rc = fio_option(&o, "filename") ? add_named(u, s, in, err)
                                        : add_made(u, &o, name ? name : in->name, err);
    fio_options_release(&o);
    return rc;
}

int jobfile_uses(struct jobfile_use **out, size_t *n, struct strbuf *text, const char *path,
                 const struct jobfile_source *source, struct error *err)
{
    struct sections s;
    int rc = sections_read(&s, path, source, err);
    if (rc < 0)
        return rc;
    struct uses u = {0};
    for (size_t i = 0; rc == 0 && i < s.n; i++)
        rc = add_section(&u, &s, &s.section[i], err);
    if (rc == 0)
        passed_print(text, &s);
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
