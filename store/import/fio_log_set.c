#include "store/import/fio_log_set.h"

#include <dirent.h>

#include "core/base/xalloc.h"

/* "./a" and "a" are one path. */
static const char *plain(const char *path)
{
    while (path[0] == '.' && path[1] == '/')
        path += 2 + strspn(path + 2, "/");
    return path;
}

static struct fio_log_entry *add(struct fio_log_set *set, const char *path, const char *whole)
{
    struct fio_log_name name;
    if (!fio_log_name_parse(&name, plain(whole)))
        return NULL;
    GROW(set->entry, set->n + 1, set->room);
    struct fio_log_entry *e = &set->entry[set->n++];
    *e = (struct fio_log_entry){
        .path = xstrdup(path), .whole = xstrdup(whole), .name = name, .listed = true};
    e->plain = plain(e->whole);
    return e;
}

struct fio_log_entry *fio_log_set_add(struct fio_log_set *set, const char *path)
{
    return add(set, path, path);
}

struct fio_log_entry *fio_log_set_add_bytes(struct fio_log_set *set, const char *path,
                                            const char *name, const char *bytes, size_t n)
{
    struct fio_log_entry *e = add(set, path, name);
    if (e) {
        e->bytes = xmalloc(n + 1);
        memcpy(e->bytes, bytes, n + 1);
        e->n = n;
    }
    return e;
}

void fio_log_set_cut(struct fio_log_set *set, size_t n)
{
    while (set->n > n) {
        struct fio_log_entry *e = &set->entry[--set->n];
        free(e->path);
        free(e->whole);
        free(e->bytes);
        free(e->owner);
        free(e->problem);
    }
}

static bool is_known(const struct fio_log_set *set, const char *path)
{
    for (size_t i = 0; i < set->n; i++) {
        if (strcmp(set->entry[i].plain, path) == 0)
            return true;
    }
    return false;
}

void fio_log_set_look(struct fio_log_set *set, const char *folder)
{
    for (size_t i = 0; i < set->n_folders; i++) {
        if (strcmp(set->folder[i], folder) == 0)
            return;
    }
    set->folder = xrealloc(set->folder, set->n_folders + 1, sizeof *set->folder);
    set->folder[set->n_folders++] = xstrdup(folder);
    DIR *dir = opendir(*folder ? folder : ".");
    const struct dirent *e;
    while (dir && (e = readdir(dir))) {
        struct fio_log_name name;
        if (e->d_name[0] == '.' || (e->d_type != DT_REG && e->d_type != DT_UNKNOWN) ||
            !fio_log_name_parse(&name, e->d_name))
            continue;
        char *path = xasprintf("%s%s%s", folder, *folder ? "/" : "", e->d_name);
        if (!is_known(set, path))
            fio_log_set_add(set, path)->listed = false;
        free(path);
    }
    if (dir)
        closedir(dir);
}

void fio_log_set_release(struct fio_log_set *set)
{
    fio_log_set_cut(set, 0);
    for (size_t i = 0; i < set->n_folders; i++)
        free(set->folder[i]);
    free(set->entry);
    free(set->folder);
    import_bytes_release(&set->bytes);
    *set = (struct fio_log_set){0};
}

bool fio_log_set_bytes(struct fio_log_set *set, struct fio_log_entry *e, const char **bytes,
                       size_t *n)
{
    struct error err = ERROR_INIT;
    if (!e->bytes && import_bytes_read(&set->bytes, e->path, &err) < 0) {
        if (!e->problem)
            e->problem = xstrdup(err.message);
        return false;
    }
    *bytes = e->bytes ? e->bytes : set->bytes.bytes;
    *n = e->bytes ? e->n : set->bytes.n;
    return true;
}

bool fio_log_set_check(struct fio_log_set *set, struct fio_log_entry *e)
{
    if (!e->checked) {
        const char *bytes;
        size_t n;
        e->checked = true;
        bool loaded = fio_log_set_bytes(set, e, &bytes, &n);
        e->is_log = loaded && fio_log_looks_like(bytes, n);
        e->is_empty = loaded && n == 0;
    }
    return e->is_log;
}

size_t fio_log_set_find(const struct fio_log_set *set, const char *prefix, enum fio_log_kind kind,
                        size_t from)
{
    size_t len = strlen(prefix);
    for (size_t i = from; i < set->n; i++) {
        const struct fio_log_entry *e = &set->entry[i];
        if (e->name.kind == kind && e->name.prefix_len == len && memcmp(e->plain, prefix, len) == 0)
            return i;
    }
    return set->n;
}

static bool load(void *self, const struct fio_log_file *file, const char **bytes, size_t *n)
{
    return fio_log_set_bytes(self, file->user, bytes, n);
}

static void problem(void *self, const struct fio_log_file *file, size_t line, const char *why)
{
    struct fio_log_entry *e = file->user;
    (void)self;
    if (!e->problem)
        e->problem = xasprintf("line %zu: %s", line, why);
    e->n_bad++;
}

void fio_log_set_read(struct fio_log_set *set, struct fio_log_entry *const *entry, size_t n,
                      size_t only, enum fio_log_unit unit, struct fio_logs *out)
{
    const struct fio_log_input in = {set, load, problem};
    struct fio_log_file *file = xcalloc(n, sizeof *file);
    for (size_t i = 0; i < n; i++)
        file[i] = (struct fio_log_file){entry[i]->path, entry[i]->name.kind, entry[i]->name.job,
                                        entry[i]->section, entry[i]};
    for (size_t i = 0; i < n; i++) {
        free(entry[i]->problem);
        entry[i]->problem = NULL;
        entry[i]->n_bad = 0;
    }
    fio_log_files_sort(file, n);
    fio_logs_read(out, file, n, only, unit, &in);
    free(file);
}
