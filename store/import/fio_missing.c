/* Whether a document that breaks off, or has less of one host than of another, lacks jobs of a group. */
#include "core/base/xalloc.h"
#include "store/import/fio_group.h"

static bool differs(const struct json_doc *d, json_id a, json_id b, const char *name)
{
    char *x = json_text(d, json_find(d, a, name)), *y = json_text(d, json_find(d, b, name));
    bool differ = x && y && strcmp(x, y) != 0;
    free(x);
    free(y);
    return differ;
}

static bool is_named(const struct json_doc *d, json_id entry)
{
    return entry && json_find(d, entry, "jobname");
}

/* fio's client says "hostname=host84, be=0, 64-bit, os=Linux, ..." of each server before the results. */
static size_t announced_hosts(const struct fio_messages *m)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n; i++)
        n += strncmp(m->line[i], "hostname=", 9) == 0 && strstr(m->line[i], ", be=");
    return n;
}

static size_t fewest(const struct fio_group *g)
{
    size_t n = g->host[0].n;
    for (size_t i = 1; i < g->n_hosts; i++)
        n = g->host[i].n < n ? g->host[i].n : n;
    return n;
}

bool fio_group_is_uneven(const struct fio_group *g)
{
    for (size_t i = 1; i < g->n_hosts; i++) {
        if (g->host[i].n != g->host[0].n)
            return true;
    }
    return false;
}

/* The last whole entry is one of the group. */
static bool is_last(const struct fio_document *doc, const struct fio_group *g)
{
    json_id last = doc->entry[doc->n_entries - 1];
    const struct fio_host *h = &g->host[g->n_hosts - 1];
    return h->entry[h->n - 1] == last;
}

/* The entry that was begun last is of the group, or says no name and may be. */
static bool goes_on(const struct fio_document *doc, const struct fio_group *g, uint64_t numjobs)
{
    const struct json_doc *d = &doc->json;
    json_id first = g->host[0].entry[0];
    if (!is_named(d, doc->torn))
        return is_last(doc, g) && fewest(g) < numjobs;
    return !differs(d, doc->torn, first, "jobname") && !differs(d, doc->torn, first, "groupid");
}

bool fio_group_lacks_jobs(const struct fio_group *g, const struct fio_document *doc,
                          uint64_t numjobs)
{
    for (size_t i = 0; i < g->n_hosts && numjobs > 0; i++) {
        if (g->host[i].n > 1 && g->host[i].n % numjobs != 0)
            return true;
    }
    if (!doc->broken || doc->results_whole)
        return false;
    if (fio_group_is_uneven(g) || goes_on(doc, g, numjobs))
        return true;
    return doc->client && announced_hosts(&doc->messages) > g->n_hosts;
}
