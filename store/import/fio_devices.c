#include "store/import/fio_devices.h"

#include <search.h>

#include "core/base/strbuf.h"
#include "core/base/xalloc.h"

static void add_path(struct fio_paths *p, char *path)
{
    GROW(p->path, p->n + 1, p->room);
    p->path[p->n++] = path;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void keep(void *node)
{
    (void)node;
}

/* Each once; `known` is a tree of them. */
static void add_once(struct fio_paths *p, void **known, char *path)
{
    char *const *node = tsearch(path, known, by_text);
    if (!node || *node == path)
        add_path(p, path);
    else
        free(path);
}

/* fio's list "a:b:c", where "\:" is a colon of a name. */
static void split_list(struct fio_paths *p, const char *list)
{
    struct strbuf one = STRBUF_INIT;
    void *known = NULL;
    for (const char *c = list;; c++) {
        if (*c == ':' || *c == '\0') {
            if (one.len > 0)
                add_once(p, &known, xstrdup(one.text));
            strbuf_reset(&one);
            if (*c == '\0')
                break;
        } else {
            c += c[0] == '\\' && c[1] == ':';
            strbuf_addc(&one, *c);
        }
    }
    tdestroy(known, keep);
    strbuf_release(&one);
}

static void strip_blanks(struct fio_paths *p)
{
    for (size_t i = 0; i < p->n; i++) {
        char *s = p->path[i];
        size_t from = strspn(s, " \t"), len = strlen(s);
        while (len > from && (s[len - 1] == ' ' || s[len - 1] == '\t'))
            len--;
        memmove(s, s + from, len - from);
        s[len - from] = '\0';
    }
}

void fio_paths_read(struct fio_paths *p, const struct fio_options *o)
{
    const char *files = fio_option(o, "filename");
    const char *image = fio_option(o, "rbdname"), *pool = fio_option(o, "pool");
    const char *folder = fio_option(o, "directory");
    if (image) {
        add_path(p, pool ? xasprintf("rbd:%s/%s", pool, image) : xasprintf("rbd:%s", image));
    } else if (files) {
        split_list(p, files);
        for (size_t i = 0; i < p->n && folder; i++) {
            if (p->path[i][0] == '/')
                continue;
            char *both = xasprintf("%s/%s", folder, p->path[i]);
            free(p->path[i]);
            p->path[i] = both;
        }
    } else if (folder) {
        split_list(p, folder);
    }
    strip_blanks(p);
}

void fio_paths_release(struct fio_paths *p)
{
    for (size_t i = 0; i < p->n; i++)
        free(p->path[i]);
    free(p->path);
    *p = (struct fio_paths){0};
}

/* A device of the run by its path: files of thousands of sections are looked up, not compared with each other. */
struct known {
    char *path;
    size_t index;
};

struct naming {
    struct run *run;
    void *known; /* tree of tsearch() */
};

static int by_path(const void *a, const void *b)
{
    const struct known *x = a, *y = b;
    return strcmp(x->path, y->path);
}

static void free_known(void *node)
{
    struct known *k = node;
    free(k->path);
    free(k);
}

/* Takes the path over. */
static size_t device_index(struct naming *n, char *path)
{
    struct known *k = xmalloc(sizeof *k);
    *k = (struct known){path, n->run->n_devices};
    struct known *const *node = tsearch(k, &n->known, by_path);
    size_t index = node ? (*node)->index : k->index;
    if (index == k->index)
        field_set_text(&device_fields, run_add_device(n->run), DEVICE_path, path);
    if (!node || *node != k) /* without memory for the tree it is not found again */
        free_known(k);
    return index;
}

static void add_host(struct naming *n, struct fio_group *g, size_t h)
{
    const struct fio_host *host = &g->host[h];
    struct fio_paths p = {0};
    size_t room = g->n_devices;
    fio_paths_read(&p, host->section ? &g->section[host->section - 1].options : &g->options);
    for (size_t i = 0; i < p.n; i++) {
        char *path = host->name ? xasprintf("%s:%s", host->name, p.path[i]) : xstrdup(p.path[i]);
        GROW(g->device, g->n_devices + 1, room);
        g->device[g->n_devices++] = device_index(n, path);
    }
    fio_paths_release(&p);
}

void fio_devices_read(struct run *run, struct fio_groups *groups)
{
    struct naming n = {.run = run};
    for (size_t i = 0; i < groups->n; i++) {
        for (size_t h = 0; h < groups->group[i].n_hosts; h++)
            add_host(&n, &groups->group[i], h);
    }
    tdestroy(n.known, free_known);
}
