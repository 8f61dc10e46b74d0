/* Which groups of entries ran at the same time: those that are one load become one, others are marked. */
#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "store/import/fio_devices.h"
#include "store/import/fio_group.h"
#include "store/import/fio_units.h"

/* When a group ran, in seconds of any one clock. */
struct span {
    size_t group;
    uint64_t batch; /* of all that nothing keeps apart but a delay */
    double start, end;
    char *load;      /* its options, without those that change nothing; NULL: not stated */
    char *elsewhere; /* likewise, without those that name files */
};

static double number_of(const struct json_doc *d, json_id obj, const char *name)
{
    uint64_t v;
    return json_u64(d, json_find(d, obj, name), &v) ? (double)v : 0;
}

static double seconds_of(const struct fio_options *o, const char *name)
{
    const char *text = fio_option(o, name);
    uint64_t ns;
    return text && fio_time(text, NS_PER_S, &ns) ? (double)ns / 1e9 : 0;
}

double fio_group_seconds(const struct fio_group *g, const struct json_doc *d)
{
    static const char *const dir[] = {"read", "write", "trim", "mixed"};
    double ms = 0;
    for (size_t h = 0; h < g->n_hosts; h++) {
        for (size_t i = 0; i < g->host[h].n; i++) {
            for (size_t k = 0; k < sizeof dir / sizeof *dir; k++) {
                double one = number_of(d, json_find(d, g->host[h].entry[i], dir[k]), "runtime");
                ms = one > ms ? one : ms;
            }
        }
    }
    return ms / 1e3;
}

/* What does not change the load, or is not of the load alone. */
static bool is_no_load(const char *name)
{
    static const char *const names[] = {"name",      "description",       "stonewall",
                                        "new_group", "wait_for_previous", "group_reporting"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0)
            return true;
    }
    return strncmp(name, "write_", 6) == 0 || strncmp(name, "log_", 4) == 0;
}

static bool is_files(const char *name)
{
    return strcmp(name, "filename") == 0 || strcmp(name, "directory") == 0;
}

static int by_word(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *load_text(const struct fio_options *o, bool with_files)
{
    if (!o->stated)
        return NULL;
    char **word = xcalloc(o->n + 1, sizeof *word);
    size_t n = 0;
    for (size_t i = 0; i < o->n; i++) {
        const char *name = o->option[i].name;
        if (!is_no_load(name) && (with_files || !is_files(name)))
            word[n++] = xasprintf("%s=%s", name, fio_option(o, name));
    }
    qsort(word, n, sizeof *word, by_word);
    struct strbuf out = STRBUF_INIT;
    for (size_t i = 0; i < n; i++) { /* an option of both is listed twice */
        if (i == 0 || strcmp(word[i], word[i - 1]) != 0)
            strbuf_addf(&out, "%s\n", word[i]);
    }
    for (size_t i = 0; i < n; i++)
        free(word[i]);
    free(word);
    return strbuf_detach(&out);
}

/*
 * fio counts up groupid at stonewall, which waits for all before it, and at new_group, which does
 * not wait. From 3.36 entries say when they started; before that only a delay or wait_for tells them apart.
 */
static void find_spans(struct span *span, const struct fio_groups *g,
                       const struct fio_document *doc)
{
    const struct json_doc *d = &doc->json;
    const double year_2000 = 946684800;
    double last_id = -1, last_end = 0;
    uint64_t batch = 0;
    for (size_t i = 0; i < g->n; i++) {
        const struct fio_group *group = &g->group[i];
        const struct fio_options *o = &group->options;
        double id = number_of(d, group->host[0].entry[0], "groupid");
        bool waits = fio_option_is_set(o, "stonewall") || fio_option_is_set(o, "wait_for_previous");
        if (i == 0 || (id != last_id && (waits || !fio_option_is_set(o, "new_group")))) {
            batch++;
            last_end = 0;
        }
        double start = number_of(d, group->host[0].entry[0], "job_start") / 1e3;
        if (start < year_2000)
            start = (fio_option(o, "wait_for") ? last_end : 0) + seconds_of(o, "startdelay");
        double end = start + seconds_of(o, "ramp_time") + fio_group_seconds(group, d);
        span[i] = (struct span){i, batch, start, end, load_text(o, true), load_text(o, false)};
        last_id = id;
        last_end = end > last_end ? end : last_end;
    }
}

static void release_span(struct span *s)
{
    free(s->load);
    free(s->elsewhere);
}

static int compare(const struct span *x, const struct span *y, const char *a, const char *b)
{
    if (x->batch != y->batch)
        return x->batch < y->batch ? -1 : 1;
    int order = a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
    return order ? order : (x->group > y->group) - (x->group < y->group);
}

static int by_load(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    return compare(x, y, x->load, y->load);
}

static int by_elsewhere(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    return compare(x, y, x->elsewhere, y->elsewhere);
}

static bool is_near(double a, double b, const struct span *s)
{
    const double late = 0.1;
    return (a > b ? a - b : b - a) <= late * (s->end - s->start);
}

/* Jobs of one load on the same files that began at about the same time are what clones are. */
static bool are_one(const struct span *a, const struct span *b)
{
    return a->batch == b->batch && a->load && b->load && strcmp(a->load, b->load) == 0 &&
           is_near(a->start, b->start, a);
}

static size_t join_clones(struct span *span, struct fio_groups *g, const struct json_doc *d)
{
    size_t n = g->n, kept = 0;
    qsort(span, n, sizeof *span, by_load);
    for (size_t i = 0; i < n; i++) {
        if (kept > 0 && are_one(&span[kept - 1], &span[i])) {
            fio_group_add(&g->group[span[kept - 1].group], &g->group[span[i].group], d);
            release_span(&span[i]);
        } else {
            span[kept++] = span[i];
        }
    }
    return kept;
}

static bool share_a_file(const struct fio_paths *a, const struct fio_paths *b)
{
    for (size_t i = 0; i < a->n; i++) {
        for (size_t k = 0; k < b->n; k++) {
            if (strcmp(a->path[i], b->path[k]) == 0)
                return true;
        }
    }
    return false;
}

static bool is_same_host(const struct fio_host *a, const struct fio_host *b)
{
    return a->name == b->name || (a->name && b->name && strcmp(a->name, b->name) == 0);
}

/* One load from start to end on several devices: the sum of their rates is what was done at once. */
static bool are_together(const struct span *a, const struct span *b, const struct fio_groups *g)
{
    const struct fio_group *x = &g->group[a->group], *y = &g->group[b->group];
    return a->batch == b->batch && a->elsewhere && b->elsewhere &&
           strcmp(a->elsewhere, b->elsewhere) == 0 && is_near(a->start, b->start, a) &&
           is_near(a->end, b->end, a) && (x->n_hosts == 1 || x->together) && y->n_hosts == 1 &&
           is_same_host(&x->host[0], &y->host[0]) && x->host[0].n == y->host[0].n;
}

/* Each has files, and none that is another's. */
static bool add_files(struct fio_paths *all, const struct fio_options *o)
{
    struct fio_paths own = {0};
    fio_paths_read(&own, o);
    bool apart = own.n > 0 && !share_a_file(all, &own);
    if (apart) {
        all->path = xrealloc(all->path, all->n + own.n, sizeof *all->path);
        memcpy(all->path + all->n, own.path, own.n * sizeof *own.path);
        all->n += own.n;
        own.n = 0;
    }
    fio_paths_release(&own);
    return apart;
}

static size_t join_devices(struct span *span, size_t n, struct fio_groups *g)
{
    enum { FILES_MAX = 256 }; /* of one cell: more are compared with each other for too long */
    struct fio_paths files = {0};
    size_t kept = 0;
    qsort(span, n, sizeof *span, by_elsewhere);
    for (size_t i = 0; i < n; i++) {
        const struct fio_options *o = &g->group[span[i].group].options;
        struct span *first = kept > 0 ? &span[kept - 1] : NULL;
        if (first && files.n > 0 && files.n < FILES_MAX && are_together(first, &span[i], g) &&
            add_files(&files, o)) {
            fio_group_add_device(&g->group[first->group], &g->group[span[i].group]);
            release_span(&span[i]);
        } else {
            fio_paths_release(&files);
            add_files(&files, o);
            span[kept++] = span[i];
        }
    }
    fio_paths_release(&files);
    return kept;
}

static int by_start(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    if (x->batch != y->batch)
        return x->batch < y->batch ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->group > y->group) - (x->group < y->group);
}

/* One moment in common is enough. */
static void mark_beside(const struct span *span, size_t n, struct fio_groups *g)
{
    size_t latest = 0; /* the one that ends last of those before */
    for (size_t i = 0; i < n; i++) {
        g->group[span[i].group].batch = span[i].batch;
        if (i > 0 && span[i].batch == span[latest].batch) {
            /* both did nothing where a span has no length: fio says so of jobs that failed */
            if (span[i].start < span[latest].end && span[i].end > span[i].start) {
                g->group[span[i].group].beside = true;
                g->group[span[latest].group].beside = true;
            }
            if (span[i].end <= span[latest].end)
                continue;
        }
        latest = i;
    }
}

void fio_groups_beside(struct fio_groups *g, const struct fio_document *doc)
{
    struct span *span = xcalloc(g->n + 1, sizeof *span);
    find_spans(span, g, doc);
    size_t n = join_clones(span, g, &doc->json);
    n = join_devices(span, n, g);
    qsort(span, n, sizeof *span, by_start);
    mark_beside(span, n, g);
    for (size_t i = 0; i < n; i++)
        release_span(&span[i]);
    free(span);
}
