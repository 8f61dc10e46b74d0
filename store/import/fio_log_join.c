#include "store/import/fio_log_join.h"

#include <math.h>

#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "store/import/fio_log_cell.h"
#include "store/import/run_source.h"

/* The option that names the logs of a kind. */
static const char *const options[FIO_LOG_KINDS] = {
    [FIO_LOG_BW] = "write_bw_log",    [FIO_LOG_IOPS] = "write_iops_log",
    [FIO_LOG_SLAT] = "write_lat_log", [FIO_LOG_CLAT] = "write_lat_log",
    [FIO_LOG_LAT] = "write_lat_log",  [FIO_LOG_HIST] = "write_hist_log",
};

/* What the names of one section's logs begin with, folder included. */
struct claim {
    size_t group;
    uint64_t first_job, jobs;
    char *prefix[FIO_LOG_KINDS];
};

struct fio_log_join {
    struct fio_log_set *set;
    const char *path;
    struct claim *claim; /* of all sections, group by group */
    size_t n, room;
    size_t at; /* the first of the next cell */
};

static char *in_folder(const char *folder, const char *name)
{
    return xasprintf("%s%s%s", folder, *folder ? "/" : "", name);
}

/* Logs that were written elsewhere have been moved together with the result: only the name counts then. */
static char *find_prefix(const struct fio_log_set *set, const char *folder, const char *name,
                         enum fio_log_kind kind)
{
    char *whole = in_folder(folder, name);
    const char *slash = strrchr(name, '/');
    if (!slash || fio_log_set_find(set, whole, kind, 0) < set->n)
        return whole;
    free(whole);
    return in_folder(folder, slash + 1);
}

static void add_claim(struct fio_log_join *j, size_t group, const char *folder,
                      const struct fio_section *s, const struct json_doc *d)
{
    const struct fio_options *o = &s->options;
    char *job = json_text(d, json_find(d, s->entry, "jobname"));
    GROW(j->claim, j->n + 1, j->room);
    struct claim *c = &j->claim[j->n++];
    *c = (struct claim){.group = group, .first_job = s->first_job, .jobs = s->jobs};
    for (int kind = 0; kind < FIO_LOG_KINDS; kind++) {
        const char *value = fio_option(o, options[kind]);
        if (!value || !*value || strcmp(value, "1") == 0)
            value = job; /* a bare flag: fio takes the job's name, and older ones do not list it */
        if (value && *value)
            c->prefix[kind] = find_prefix(j->set, folder, value, (enum fio_log_kind)kind);
    }
    free(job);
}

/* Where a result mentions logs, they are looked for beside it and in the folder that it names below. */
static void look_for_logs(struct fio_log_set *set, const char *folder, const struct fio_options *o)
{
    for (int kind = 0; kind < FIO_LOG_KINDS; kind++) {
        const char *value = fio_option(o, options[kind]);
        const char *slash = value ? strrchr(value, '/') : NULL;
        if (!value)
            continue;
        fio_log_set_look(set, folder);
        if (!slash || value[0] == '/' || strstr(value, ".."))
            continue; /* what a file says must not lead out of its folder */
        char *below = xstrndup(value, (size_t)(slash - value));
        char *whole = in_folder(folder, below);
        fio_log_set_look(set, whole);
        free(below);
        free(whole);
    }
}

/* "" for a file of the current folder. */
static char *folder_of(const char *path)
{
    while (path[0] == '.' && path[1] == '/')
        path += 2 + strspn(path + 2, "/");
    const char *slash = strrchr(path, '/');
    return slash ? xstrndup(path, (size_t)(slash - path)) : xstrdup("");
}

struct fio_log_join *fio_log_join_create(const struct import_source *src,
                                         const struct fio_document *doc,
                                         const struct fio_groups *groups)
{
    struct fio_log_set *set = src->logs;
    const char *path = src->path;
    if (!set || strcmp(path, "-") == 0)
        return NULL;
    char *folder = folder_of(source_name(src)), *on_disk = folder_of(path);
    bool in_archive = strcmp(folder, on_disk) != 0; /* where nothing can be looked for */
    for (size_t i = 0; i < groups->n && !in_archive; i++) {
        const struct fio_group *g = &groups->group[i];
        look_for_logs(set, folder, &g->options);
        for (size_t k = 0; k < g->n_sections; k++)
            look_for_logs(set, folder, &g->section[k].options);
    }
    free(on_disk);
    struct fio_log_join *j = NULL;
    if (set->n > 0) {
        j = xcalloc(1, sizeof *j);
        *j = (struct fio_log_join){.set = set, .path = path};
    }
    for (size_t i = 0; j && i < groups->n; i++) {
        const struct fio_group *g = &groups->group[i];
        const struct fio_section first = {g->options, g->host[0].entry[0], g->first_job, g->jobs};
        add_claim(j, i, folder, &first, &doc->json);
        for (size_t k = 0; k < g->n_sections; k++)
            add_claim(j, i, folder, &g->section[k], &doc->json);
    }
    free(folder);
    return j;
}

void fio_log_join_destroy(struct fio_log_join *j)
{
    if (!j)
        return;
    for (size_t i = 0; i < j->n; i++) {
        for (int kind = 0; kind < FIO_LOG_KINDS; kind++)
            free(j->claim[i].prefix[kind]);
    }
    free(j->claim);
    free(j);
}

/* Which group is meant by it is not said by the name alone. */
static bool is_shared(const struct fio_log_join *j, const struct claim *c, int kind)
{
    for (size_t i = 0; i < j->n; i++) {
        const char *other = j->claim[i].prefix[kind];
        if (j->claim[i].group != c->group && other && strcmp(c->prefix[kind], other) == 0)
            return true;
    }
    return false;
}

struct found {
    struct fio_log_entry **entry;
    size_t n, room;
};

static bool is_of_jobs(const struct fio_log_entry *e, const struct claim *c)
{
    return c->first_job > 0 && c->jobs > 0 && e->name.job >= c->first_job &&
           e->name.job - c->first_job < c->jobs;
}

/* Another section of the group has taken them. */
static bool is_again(const struct fio_log_join *j, const struct claim *c, int kind)
{
    for (const struct claim *b = c; b > j->claim && (--b)->group == c->group;) {
        if (b->prefix[kind] && strcmp(b->prefix[kind], c->prefix[kind]) == 0)
            return true;
    }
    return false;
}

static void find_logs(struct fio_log_join *j, const struct claim *c, struct found *found)
{
    for (int kind = 0; kind < FIO_LOG_KINDS; kind++) {
        bool shared = c->prefix[kind] && is_shared(j, c, kind);
        if (!c->prefix[kind] || (!shared && is_again(j, c, kind)))
            continue;
        size_t i = 0;
        while ((i = fio_log_set_find(j->set, c->prefix[kind], (enum fio_log_kind)kind, i)) <
               j->set->n) {
            struct fio_log_entry *e = &j->set->entry[i++];
            if (e->owner || (shared && !is_of_jobs(e, c)) || !fio_log_set_check(j->set, e))
                continue;
            e->section = (size_t)(c - j->claim);
            GROW(found->entry, found->n + 1, found->room);
            found->entry[found->n++] = e;
        }
    }
}

/* Sums of a series and its largest window; false when it does not state them. */
static bool sums_of(const struct fio_log_direction *d, bool bytes, double *sum, double *most)
{
    *sum = *most = 0;
    if (d->series.n == 0 || d->series.missing & (bytes ? SERIES_NO_BYTES : SERIES_NO_IOS))
        return false;
    for (size_t i = 0; i < d->series.n; i++) {
        const struct series_point *p = &d->series.point[i];
        double v = bytes ? (double)p->bytes : (double)p->ios;
        *sum += v;
        *most = fmax(*most, v);
    }
    return true;
}

/* fio logs no window that is not full: up to two are missing at the end. */
static bool window_fits(const struct fio_log_direction *l, const struct direction *d)
{
    double sum, most, all;
    if (sums_of(l, false, &sum, &most) && IS_KNOWN(d, DIRECTION, ios))
        all = (double)d->ios;
    else if (sums_of(l, true, &sum, &most) && IS_KNOWN(d, DIRECTION, bytes))
        all = (double)d->bytes;
    else
        return true;
    return sum <= all * 1.05 + most && sum >= all * 0.95 - 2 * most;
}

static bool time_fits(const struct fio_logs *l, const struct cell *cell)
{
    const double slack_ms = 2500;
    double ran = (double)(cell->runtime_ns + cell->ramp_ns) / NS_PER_MS, end = (double)l->end_ms;
    if (!IS_KNOWN(cell, CELL, runtime_ns))
        return true;
    return end <= ran * 1.1 + slack_ms && (l->per_io || end >= ran * 0.8 - slack_ms);
}

static bool is_near(double a, double b, double share)
{
    return fabs(a - b) <= share * fmax(fabs(a), fabs(b)) + 1;
}

/* Where fio states the very figures that stand in the log, they must be the same: runs of one name may be alike. */
static bool figures_differ(const struct fio_logs *l, const struct fio_log_direction *from,
                           const struct direction *to)
{
    uint64_t n = from->iops.n;
    bool counted = IS_KNOWN(to, DIRECTION, rate_samples);
    double share = counted ? 1e-3 : 2e-2; /* of clones the number of samples is not kept */
    if (n > 0 && IS_KNOWN(to, DIRECTION, iops_mean) && (!counted || to->rate_samples == n) &&
        !is_near(from->iops.mean, to->iops_mean, share))
        return true;
    for (int k = 0; k < LAT_KIND_COUNT && l->per_io; k++) {
        const struct lat *lat = &to->lat[k];
        const struct hist *h = from->hist[k];
        if (h && IS_KNOWN(lat, LAT_F, n) && lat->n == hist_n(h) && IS_KNOWN(lat, LAT_F, mean) &&
            !is_near(hist_mean(h), lat->mean, 1e-3))
            return true;
    }
    return false;
}

/* Logs of another run under the same name must not be taken for those of this one. */
static bool logs_fit(const struct fio_logs *l, const struct cell *cell)
{
    bool any = false;
    for (unsigned dir = 0; dir < LOG_DIRECTIONS; dir++) {
        const struct fio_log_direction *from = &l->dir[dir];
        const struct direction *to = &cell->dir[dir];
        if (!from->used)
            continue;
        any = true;
        if (!direction_is_used(to) || !window_fits(from, to) || figures_differ(l, from, to))
            return false;
        if (l->per_io && IS_KNOWN(to, DIRECTION, ios) &&
            fabs((double)from->ios - (double)to->ios) > 64 + 0.02 * (double)to->ios)
            return false;
    }
    return any && time_fits(l, cell);
}

static void take_hist(struct lat *to, struct hist **from, uint64_t ios)
{
    uint64_t n = IS_KNOWN(to, LAT_F, n) ? to->n : ios;
    if (!*from || to->hist || hist_n(*from) != n || n == 0)
        return;
    to->hist = *from;
    *from = NULL;
    SET(to, LAT_F, n, n);
    free(to->reported);
    to->reported = NULL;
    to->n_reported = 0;
}

static void take_logs(struct fio_logs *l, struct cell *cell)
{
    for (unsigned dir = 0; dir < LOG_DIRECTIONS; dir++) {
        struct direction *to = &cell->dir[dir];
        if (!l->dir[dir].used)
            continue;
        fio_log_take_series(l, dir, to);
        for (int kind = 0; kind < LAT_KIND_COUNT; kind++)
            take_hist(&to->lat[kind], &l->dir[dir].hist[kind], to->ios);
    }
    fio_log_say_latency(l, cell);
}

static void add_note(struct strbuf *note, const char *text)
{
    if (!*text || strstr(note->text, text))
        return;
    strbuf_addf(note, "%s%s", note->len ? "; " : "", text);
}

void fio_log_join_cell(struct fio_log_join *j, size_t group, struct fio_version version,
                       struct cell *cell, struct strbuf *note)
{
    if (!j)
        return;
    struct found found = {0};
    for (; j->at < j->n && j->claim[j->at].group <= group; j->at++)
        find_logs(j, &j->claim[j->at], &found);
    if (found.n > 0) {
        struct fio_logs logs;
        enum fio_log_unit unit = !fio_version_known(version)          ? FIO_LOG_UNIT_UNKNOWN
                                 : fio_version_before(version, 2, 99) ? FIO_LOG_UNIT_US
                                                                      : FIO_LOG_UNIT_NS;
        fio_log_set_read(j->set, found.entry, found.n, FIO_LOG_ALL_JOBS, unit, &logs);
        bool fit = logs_fit(&logs, cell);
        for (size_t i = 0; i < found.n && fit; i++)
            found.entry[i]->owner = xstrdup(j->path);
        if (fit)
            take_logs(&logs, cell);
        add_note(note, fit ? "series from its logs" : "logs of its name do not fit it: not joined");
        if (fit)
            add_note(note, logs.note.text);
        if (fit && logs.unweighted)
            add_note(
                note,
                "no latencies over time: no iops or bw logs to weigh those of several jobs with");
        fio_logs_release(&logs);
    }
    free(found.entry);
}
