#include "store/import/fio_group.h"

#include "core/base/xalloc.h"
#include "store/import/fio_key.h"
#include "store/import/fio_units.h"

/* What must be the same for two entries to be of one group, as text, and where it stands. */
struct sort_key {
    char *text;
    size_t index;
};

static char *group_text(const struct json_doc *d, json_id entry)
{
    static const char *const names[] = {"groupid", "jobname", "job options"};
    struct strbuf out = STRBUF_INIT;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        json_copy(&out, d, json_find(d, entry, names[i]));
        strbuf_addc(&out, '\n');
    }
    return strbuf_detach(&out);
}

static int by_text(const void *a, const void *b)
{
    const struct sort_key *x = a, *y = b;
    int order = strcmp(x->text, y->text);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static bool text_is(const struct json_doc *d, json_id obj, const char *name, const char *value)
{
    char *text = json_text(d, json_find(d, obj, name));
    bool is = text && strcmp(text, value) == 0;
    free(text);
    return is;
}

/* Two servers on one host are told apart by their ports; names are enough for all others. */
static char *host_name(const struct json_doc *d, json_id entry)
{
    char *name = json_text(d, json_find(d, entry, "hostname"));
    char *port = name ? json_text(d, json_find(d, entry, "port")) : NULL;
    char *both =
        port && strcmp(port, "8765") != 0 ? xasprintf("%s:%s", name, port) : xstrdup_null(name);
    free(name);
    free(port);
    return both;
}

static struct fio_host *find_host(struct fio_group *g, char *name)
{
    for (size_t i = 0; i < g->n_hosts; i++) {
        const char *old = g->host[i].name;
        if (old == name || (old && name && strcmp(old, name) == 0)) {
            free(name);
            return &g->host[i];
        }
    }
    GROW(g->host, g->n_hosts + 1, g->room);
    struct fio_host *h = &g->host[g->n_hosts++];
    *h = (struct fio_host){.name = name};
    return h;
}

static void add_entry(struct fio_group *g, const struct json_doc *d, json_id entry)
{
    struct fio_host *h = find_host(g, host_name(d, entry));
    GROW(h->entry, h->n + 1, h->room);
    h->entry[h->n++] = entry;
}

/* For each entry the first one that is equal to it, in `first`. */
static void find_sets(const struct fio_document *doc, size_t *first)
{
    size_t n = doc->n_entries;
    if (n == 1) {
        first[0] = 0;
        return;
    }
    struct sort_key *key = xcalloc(n, sizeof *key);
    for (size_t i = 0; i < n; i++)
        key[i] = (struct sort_key){group_text(&doc->json, doc->entry[i]), i};
    qsort(key, n, sizeof *key, by_text);
    for (size_t i = 0; i < n; i++) {
        bool again = i > 0 && strcmp(key[i].text, key[i - 1].text) == 0;
        first[key[i].index] = again ? first[key[i - 1].index] : key[i].index;
    }
    for (size_t i = 0; i < n; i++)
        free(key[i].text);
    free(key);
}

static void add_to_groups(struct fio_groups *g, const struct fio_document *doc, size_t entry,
                          const size_t *first, size_t *group_of)
{
    if (first[entry] == entry) {
        group_of[entry] = g->n;
        GROW(g->group, g->n + 1, g->room);
        g->group[g->n++] = (struct fio_group){0};
    }
    add_entry(&g->group[group_of[first[entry]]], &doc->json, doc->entry[entry]);
}

static void release_group(struct fio_group *g)
{
    for (size_t h = 0; h < g->n_hosts; h++) {
        free(g->host[h].name);
        free(g->host[h].entry);
    }
    for (size_t i = 0; i < g->n_sections; i++)
        fio_options_release(&g->section[i].options);
    free(g->section);
    free(g->host);
    free(g->device);
    fio_options_release(&g->options);
}

/* The options of `from`, and those of sections that it had, move to `to`; the index of the first, from 1. */
static size_t add_sections(struct fio_group *to, struct fio_group *from)
{
    size_t first = to->n_sections + 1;
    GROW(to->section, to->n_sections + 1 + from->n_sections, to->section_room);
    to->section[to->n_sections++] =
        (struct fio_section){from->options, from->host[0].entry[0], from->first_job, from->jobs};
    for (size_t i = 0; i < from->n_sections; i++)
        to->section[to->n_sections++] = from->section[i];
    from->options = (struct fio_options){0};
    from->n_sections = 0;
    return first;
}

void fio_group_add(struct fio_group *to, struct fio_group *from, const struct json_doc *d)
{
    add_sections(to, from);
    for (size_t h = 0; h < from->n_hosts; h++) {
        for (size_t i = 0; i < from->host[h].n; i++)
            add_entry(to, d, from->host[h].entry[i]);
    }
    release_group(from);
    *from = (struct fio_group){0};
}

void fio_group_add_device(struct fio_group *to, struct fio_group *from)
{
    size_t section = add_sections(to, from);
    GROW(to->host, to->n_hosts + 1, to->room);
    to->host[to->n_hosts] = from->host[0];
    to->host[to->n_hosts++].section = section;
    to->together = true;
    from->n_hosts = 0;
    release_group(from);
    *from = (struct fio_group){0};
}

static void drop_empty(struct fio_groups *g)
{
    size_t kept = 0;
    for (size_t i = 0; i < g->n; i++) {
        if (g->group[i].n_hosts > 0)
            g->group[kept++] = g->group[i];
    }
    g->n = kept;
}

/*
 * Jobs of a section: its entries, else what the option says of each host. A single entry with more time than
 * these can spend is of several sections.
 */
static uint64_t jobs_of(const struct fio_group *g, const struct json_doc *d)
{
    uint64_t entries = 0, each = 1, job_ms = 0;
    for (size_t h = 0; h < g->n_hosts; h++)
        entries += g->host[h].n;
    if (entries > g->n_hosts)
        return entries;
    const char *text = fio_option(&g->options, "numjobs");
    if (text && !fio_number(text, strlen(text), 1024, &each))
        return 0;
    bool told = json_u64(d, json_find(d, g->host[0].entry[0], "job_runtime"), &job_ms);
    if (told && fio_time_is_of_more(each, (double)job_ms / 1e3, fio_group_seconds(g, d)))
        return 0;
    return each < UINT32_MAX ? each * g->n_hosts : 0;
}

static void number_jobs(struct fio_groups *g, const struct json_doc *d)
{
    uint64_t next = 1;
    for (size_t i = 0; i < g->n; i++) {
        g->group[i].first_job = next;
        g->group[i].jobs = jobs_of(&g->group[i], d);
        next = next > 0 && g->group[i].jobs > 0 ? next + g->group[i].jobs : 0;
    }
}

void fio_groups_make(struct fio_groups *g, const struct fio_document *doc)
{
    size_t n = doc->n_entries;
    size_t *first = xcalloc(n, sizeof *first), *group_of = xcalloc(n, sizeof *group_of);
    find_sets(doc, first);
    json_id all = 0;
    for (size_t i = 0; i < n; i++) {
        if (doc->client && n > 1 && text_is(&doc->json, doc->entry[i], "jobname", "All clients"))
            all = doc->entry[i];
        else
            add_to_groups(g, doc, i, first, group_of);
    }
    free(first);
    free(group_of);
    for (size_t i = 0; i < g->n; i++)
        fio_options_read(&g->group[i].options, &doc->json, doc->root, g->group[i].host[0].entry[0]);
    number_jobs(g, &doc->json);
    fio_groups_beside(g, doc);
    drop_empty(g);
    if (g->n == 1)
        g->group[0].all = all;
}

void fio_groups_release(struct fio_groups *g)
{
    for (size_t i = 0; i < g->n; i++)
        release_group(&g->group[i]);
    free(g->group);
    *g = (struct fio_groups){0};
}
