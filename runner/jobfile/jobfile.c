/* From sections to jobs. */
#include "runner/jobfile/jobfile.h"

#include <stdlib.h>

#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/units.h"
#include "core/base/xalloc.h"
#include "runner/engine/engine.h"
#include "runner/jobfile/files_internal.h"
#include "runner/jobfile/join_internal.h"
#include "runner/jobfile/options_internal.h"
#include "runner/workload/workload.h"
#include "store/import/fio_key.h"
#include "store/import/fio_units.h"

enum { TOLD_MAX = 20, THREADS_MAX = JOBFILE_MAX_THREADS, DEPTH_MAX = 65536 };

/* ---- what cannot be run, all at once ---- */

struct survey {
    const char *main_file;
    const char *engine; /* of all jobs, or NULL */
    struct strbuf bad;  /* a line each */
    size_t n_bad;
    struct strbuf output; /* names of options that are passed over */
    struct strbuf *note;
};

static bool has_word(const struct strbuf *list, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = strstr(list->text, word); p; p = strstr(p + 1, word)) {
        if ((p == list->text || p[-1] == ' ') && (p[n] == ',' || p[n] == '\0'))
            return true;
    }
    return false;
}

static void tell_bad(struct survey *v, const struct job_option *o, const char *why)
{
    if (v->n_bad++ >= TOLD_MAX)
        return;
    strbuf_adds(&v->bad, "\n  ");
    if (strcmp(o->file, v->main_file) != 0)
        strbuf_addf(&v->bad, "%s ", o->file);
    strbuf_addf(&v->bad, "line %u: %.60s%s%.60s%s%s", o->line, o->name, *o->value ? "=" : "",
                o->value, *why ? ": " : "", why);
}

static void look_at(struct survey *v, const struct job_option *o)
{
    const struct option_row *row = option_find(o->name);
    char why[160] = "";
    if (row && row->kind == OPTION_ENGINE && v->engine)
        return;
    if (!row) {
        tell_bad(v, o, "");
    } else if (!option_check(row, o->value, why, sizeof why)) {
        tell_bad(v, o, *why ? why : "not a value for it");
    } else if (row->kind == OPTION_OUTPUT && !has_word(&v->output, row->name)) {
        strbuf_addf(&v->output, "%s%s", v->output.len ? ", " : "", row->name);
    } else if (row->kind == OPTION_OTHER && !strstr(v->note->text, row->why)) {
        strbuf_addf(v->note, "line %u: %s is passed over: %s\n", o->line, row->name, row->why);
    }
}

static int survey(const struct sections *s, const char *engine, struct strbuf *note,
                  struct error *err)
{
    struct survey v = {.main_file = s->file[0],
                       .engine = engine,
                       .bad = STRBUF_INIT,
                       .output = STRBUF_INIT,
                       .note = note};
    for (size_t i = 0; i < s->n_global; i++)
        look_at(&v, &s->global[i]);
    for (size_t i = 0; i < s->n; i++) {
        for (size_t k = 0; k < s->section[i].n; k++)
            look_at(&v, &s->section[i].option[k]);
    }
    int rc = 0;
    if (v.n_bad) {
        if (v.n_bad > TOLD_MAX)
            strbuf_addf(&v.bad, "\n  and %zu more", v.n_bad - TOLD_MAX);
        rc = error_set(err, ERR_INPUT, "%s: %zu option%s cannot be run:%s", s->file[0], v.n_bad,
                       v.n_bad == 1 ? "" : "s", v.bad.text);
        error_hint(err, "Take them out, or let an installed fio run the file: --engine fio");
    }
    if (v.output.len)
        strbuf_addf(note, "passed over, as they only change what fio writes: %s\n", v.output.text);
    strbuf_release(&v.bad);
    strbuf_release(&v.output);
    return rc;
}

/* ---- one job ---- */

static void add_option(struct fio_options *o, const struct job_option *from, bool global,
                       struct strbuf *note)
{
    const struct option_row *row = option_find(from->name);
    const char *value = from->value;
    if (row->kind == OPTION_ENGINE && option_engine(value)) {
        const char *engine = option_engine(value);
        if (strcmp(engine, value) != 0)
            strbuf_addf(note, "line %u: ioengine=%s: %s does the same I/O\n", from->line, value,
                        engine);
        value = engine;
    }
    fio_options_add(o, row->name, value, global);
}

static uint64_t time_of(const struct fio_options *o, const char *name, uint64_t unit_ns)
{
    uint64_t ns = 0;
    const char *text = fio_option(o, name);
    return text && fio_time(text, unit_ns, &ns) ? ns : 0;
}

static double percent_of(const struct fio_options *o, const char *name)
{
    uint64_t bytes;
    double percent = -1;
    const char *text = fio_option(o, name);
    if (!text || parse_size_or_percent(text, &bytes, &percent, NULL) < 0)
        return -1;
    return percent;
}

static void set_times(struct jobfile_job *job, const struct fio_options *o, struct strbuf *note)
{
    job->delay_ns = time_of(o, "startdelay", NS_PER_S);
    job->ramp_ns = time_of(o, "ramp_time", NS_PER_S);
    job->runtime_ns = time_of(o, "runtime", NS_PER_S);
    job->interval_ns = time_of(o, "log_avg_msec", NS_PER_MS);
    if (job->runtime_ns && !fio_option_is_set(o, "time_based"))
        strbuf_addf(note,
                    "[%s]: measured for all of its runtime, as with time_based; fio ends when its "
                    "size is done\n",
                    job->name);
}

static void set_seed(struct jobfile_job *job, const struct fio_options *o)
{
    const char *seed = fio_option(o, "randseed");
    bool repeat = !fio_option(o, "randrepeat") || fio_option_is_set(o, "randrepeat") ||
                  fio_option_is_set(o, "allrandrepeat");
    if (seed)
        fio_number(seed, strlen(seed), 1024, &job->seed);
    job->random_seed = !seed && !repeat;
}

/*
 * What the key of an imported result leaves open and the runner must know: norandommap=0 asks for
 * what fio does by default in so many words (docs/job-files.md says why the default is not taken for
 * that).
 */
static void complete_key(struct cell_key *key, const struct fio_options *o)
{
    const char *no_map = fio_option(o, "norandommap");
    if (rw_is_random(key->rw) && no_map && *no_map && !fio_option_is_set(o, "norandommap") &&
        !key->distribution)
        field_set_text(&cell_key_fields, key, CELL_KEY_distribution, "cover");
}

/* Those of the engine, sorted, with what they say about it; of another engine than the file's none. */
static int set_engine_options(struct jobfile_job *job, const struct fio_options *o, bool other,
                              struct strbuf *note, struct error *err)
{
    struct cell_key *key = &job->key;
    static const char *const names[] = {"fixedbufs", "hipri", "registerfiles", "sqthread_poll",
                                        "sqthread_poll_cpu"};
    struct strbuf text = STRBUF_INIT;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = fio_option(o, names[i]);
        if (!value)
            continue;
        if (other) {
            strbuf_addf(note, "[%s]: %s is passed over, as %s runs it\n", job->name, names[i],
                        key->engine);
            continue;
        }
        bool is_flag = option_find(names[i])->kind == OPTION_FLAG;
        strbuf_addf(&text, "%s%s=%s", text.len ? "," : "", names[i],
                    !is_flag                         ? value
                    : fio_option_is_set(o, names[i]) ? "1"
                                                     : "0");
    }
    int rc = engine_check_options(engine_find(key->engine), text.text, NULL, err);
    field_set_text(&cell_key_fields, key, CELL_KEY_engine_options, text.len ? text.text : NULL);
    strbuf_release(&text);
    return rc;
}

/* fio lets all threads run on all of the CPUs, unless they are to be split among them. */
static void set_cpus(struct cell_key *key, const struct fio_options *o)
{
    const char *list = fio_option(o, "cpus_allowed"),
               *policy = fio_option(o, "cpus_allowed_policy");
    field_forget(&cell_key_fields, key, CELL_KEY_options);
    if (!list)
        return;
    cJSON *options = cJSON_CreateObject();
    json_add_text(options, "cpus_allowed", list);
    if (!policy || strcmp(policy, "split") != 0)
        json_add_text(options, "cpus_allowed_policy", "shared");
    char *text = json_print(options, false);
    field_set_text(&cell_key_fields, key, CELL_KEY_options, text);
    free(text);
    cJSON_Delete(options);
}

static int check_key(const struct cell_key *key, struct error *err)
{
    if (key->numjobs < 1 || key->numjobs > THREADS_MAX || key->iodepth < 1 ||
        key->iodepth > DEPTH_MAX)
        return error_set(err, ERR_INPUT, "numjobs is from 1 to %d, iodepth from 1 to %d",
                         THREADS_MAX, DEPTH_MAX);
    /* against a device that holds everything: what fits which device is seen when they are open */
    struct workload_spec load;
    int rc = workload_spec_from_key(&load, key, INT64_MAX, err);
    if (rc == 0)
        workload_spec_release(&load);
    return rc;
}

static int set_key(struct jobfile_job *job, const struct fio_options *o, bool other_engine,
                   struct strbuf *note, struct error *err)
{
    struct cell *cell = cell_create();
    fio_key_of_job(cell, o);
    fields_copy(&cell_key_fields, &job->key, &cell->key);
    if (cell_has_caveat(cell, "depth-capped"))
        strbuf_addf(note, "[%s]: %s does one I/O at a time, whatever iodepth says\n", job->name,
                    cell->key.engine);
    cell_destroy(cell);
    job->size_percent = percent_of(o, "size");
    job->offset_percent = percent_of(o, "offset");
    complete_key(&job->key, o);
    set_cpus(&job->key, o);
    if (rw_is_mixed(job->key.rw) && cell_key_is_open(&job->key) &&
        (fio_option(o, "rwmixread") || fio_option(o, "rwmixwrite")))
        strbuf_addf(note, "[%s]: the rates make the shares of the mix\n", job->name);
    int rc = set_engine_options(job, o, other_engine, note, err);
    if (rc == 0)
        rc = check_key(&job->key, err);
    return rc < 0 ? rc : job_files_set(job, o, note, err);
}

static int make_job(struct jobfile *f, const struct sections *s, const struct section *in,
                    const char *engine, struct error *err)
{
    struct jobfile_job *job = &f->job[f->n];
    struct fio_options o = {0};
    for (size_t i = 0; i < in->n_global; i++)
        add_option(&o, &s->global[i], true, &f->note);
    for (size_t i = 0; i < in->n; i++)
        add_option(&o, &in->option[i], false, &f->note);
    const char *own = fio_option(&o, "ioengine");
    bool other_engine = engine && (!own || strcmp(own, engine) != 0);
    if (engine)
        fio_options_add(&o, "ioengine", engine, false);
    const char *name = fio_option(&o, "name");
    *job = (struct jobfile_job){.name = xstrdup(name ? name : in->name),
                                .description = xstrdup_null(fio_option(&o, "description")),
                                .line = in->line};
    if (f->n > 0 && fio_option_is_set(&o, "stonewall"))
        f->n_groups++;
    job->group = f->n_groups - 1;
    f->n++;
    set_times(job, &o, &f->note);
    set_seed(job, &o);
    int rc = set_key(job, &o, other_engine, &f->note, err);
    fio_options_release(&o);
    if (rc == 0)
        return 0;
    if (err)
        err->code = ERR_INPUT;
    return error_prefix(err, ERR_INPUT, "%s:%u: [%s]", in->file, in->line, job->name);
}

static int check_threads(const struct jobfile *f, const char *path, struct error *err)
{
    uint64_t n = 0;
    for (size_t i = 0; i < f->n; i++) {
        if (i > 0 && f->job[i].group != f->job[i - 1].group)
            n = 0;
        n += f->job[i].key.numjobs * f->job[i].n_files;
        if (n > THREADS_MAX)
            return error_set(err, ERR_INPUT, "%s: more than %d threads at one time", path,
                             THREADS_MAX);
    }
    return 0;
}

/* A line that many sections gave rise to is said once. */
static void drop_repeated(struct strbuf *note)
{
    struct strbuf once = STRBUF_INIT;
    for (const char *p = note->text; *p;) {
        size_t n = strcspn(p, "\n") + 1;
        char *line = xstrndup(p, n);
        if (!strstr(once.text, line))
            strbuf_adds(&once, line);
        free(line);
        p += n;
    }
    strbuf_release(note);
    *note = once;
}

int jobfile_read(struct jobfile **out, const char *path, const struct jobfile_source *source,
                 struct error *err)
{
    struct sections s;
    int rc = sections_read(&s, path, source, err);
    if (rc < 0)
        return rc;
    struct jobfile *f = xcalloc(1, sizeof *f);
    strbuf_init(&f->note);
    f->job = xcalloc(s.n, sizeof *f->job);
    f->n_groups = 1;
    f->text = s.text;
    s.text = NULL;
    const char *engine = source ? source->engine : NULL;
    rc = survey(&s, engine, &f->note, err);
    for (size_t i = 0; rc == 0 && i < s.n; i++)
        rc = make_job(f, &s, &s.section[i], engine, err);
    if (rc == 0)
        rc = check_threads(f, path, err);
    if (rc == 0)
        jobfile_join(f);
    sections_release(&s);
    if (rc < 0) {
        jobfile_destroy(f);
        return rc;
    }
    drop_repeated(&f->note);
    *out = f;
    return 0;
}

void jobfile_job_release(struct jobfile_job *job)
{
    for (size_t k = 0; k < job->n_files; k++)
        free(job->file[k]);
    free(job->file);
    free(job->name);
    free(job->description);
    fields_release(&cell_key_fields, &job->key);
}

void jobfile_destroy(struct jobfile *f)
{
    if (!f)
        return;
    for (size_t i = 0; i < f->n; i++)
        jobfile_job_release(&f->job[i]);
    free(f->job);
    free(f->text);
    strbuf_release(&f->note);
    free(f);
}
