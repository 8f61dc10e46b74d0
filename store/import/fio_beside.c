/* Which groups of entries ran at the same time: those that are one load become one, others are marked. */
#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "store/import/fio_group.h"
#include "store/import/fio_units.h"

/* When a group ran, in seconds of any one clock. */
struct span {
    size_t group;
    uint64_t batch; /* of all that nothing keeps apart but a delay */
    double start, end;
    char *load; /* its options, without those that change nothing; NULL: not stated */
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

static double longest_of(const struct json_doc *d, const struct fio_group *g)
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

static int by_word(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *load_text(const struct fio_options *o)
{
    if (!o->stated)
        return NULL;
    char **word = xcalloc(o->n + 1, sizeof *word);
    size_t n = 0;
    for (size_t i = 0; i < o->n; i++) {
        const char *name = o->option[i].name;
        if (!is_no_load(name))
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
        double end = start + seconds_of(o, "ramp_time") + longest_of(d, group);
        span[i] = (struct span){i, batch, start, end, load_text(o)};
        last_id = id;
        last_end = end > last_end ? end : last_end;
    }
}

static int by_load(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    if (x->batch != y->batch)
        return x->batch < y->batch ? -1 : 1;
    int order =
        x->load && y->load ? strcmp(x->load, y->load) : (x->load != NULL) - (y->load != NULL);
    return order ? order : (x->group > y->group) - (x->group < y->group);
}

/* Jobs of one load on the same files that began at about the same time are what clones are. */
static bool are_one(const struct span *a, const struct span *b)
{
    const double late = 0.1;
    double apart = a->start > b->start ? a->start - b->start : b->start - a->start;
    return a->batch == b->batch && a->load && b->load && strcmp(a->load, b->load) == 0 &&
           apart <= late * (a->end - a->start);
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
    size_t n = g->n, kept = 0;
    qsort(span, n, sizeof *span, by_load);
    for (size_t i = 0; i < n; i++) {
        if (kept > 0 && are_one(&span[kept - 1], &span[i])) {
            fio_group_add(&g->group[span[kept - 1].group], &g->group[span[i].group], &doc->json);
            g->joined = true;
            free(span[i].load);
        } else {
            span[kept++] = span[i];
        }
    }
    qsort(span, kept, sizeof *span, by_start);
    mark_beside(span, kept, g);
    for (size_t i = 0; i < kept; i++)
        free(span[i].load);
    free(span);
}
