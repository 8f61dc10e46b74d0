#include "store/import/fio_log_set.h"

#include <dirent.h>

#include "core/base/xalloc.h"
#include "store/import/packed.h"

/* "./a" and "a" are one path. */
static const char *plain(const char *path)
{
    while (path[0] == '.' && path[1] == '/')
        path += 2 + strspn(path + 2, "/");
    return path;
}

static const struct fio_log_entry *find_named(const struct fio_log_set *set, const char *path)
{
    for (size_t i = 0; i < set->n; i++) {
        if (strcmp(set->entry[i].plain, path) == 0)
            return &set->entry[i];
    }
    return NULL;
}

/* Takes over `whole`. */
static struct fio_log_entry *add(struct fio_log_set *set, const char *path, char *whole)
{
    struct fio_log_name name;
    if (!fio_log_name_parse(&name, plain(whole))) {
        free(whole);
        return NULL;
    }
    GROW(set->entry, set->n + 1, set->room);
    struct fio_log_entry *e = &set->entry[set->n++];
    *e = (struct fio_log_entry){
        .path = xstrdup(path), .whole = whole, .plain = plain(whole), .name = name, .listed = true};
    return e;
}

struct fio_log_entry *fio_log_set_add(struct fio_log_set *set, const char *path)
{
    return add(set, path, packed_name(path));
}

struct fio_log_entry *fio_log_set_add_bytes(struct fio_log_set *set, const char *path,
                                            const char *name, const char *bytes, size_t n)
{
    struct fio_log_entry *e = add(set, path, xstrdup(name));
    if (e) {
        e->bytes = xmalloc(n + 1);
        memcpy(e->bytes, bytes, n + 1);
        e->n = n;
    }
    return e;
}

static int by_plain(const void *a, const void *b)
{
    const struct fio_log_entry *const *x = a, *const *y = b;
    int order = strcmp((*x)->plain, (*y)->plain);
    return order ? order : (*x > *y) - (*x < *y); /* the first one given */
}

void fio_log_set_find_twins(struct fio_log_set *set)
{
    struct fio_log_entry **sorted = xcalloc(set->n + 1, sizeof(struct fio_log_entry *));
    for (size_t i = 0; i < set->n; i++)
        sorted[i] = &set->entry[i];
    qsort(sorted, set->n, sizeof *sorted, by_plain);
    for (size_t i = 1; i < set->n; i++)
        sorted[i]->twin = strcmp(sorted[i]->plain, sorted[i - 1]->plain) == 0;
    free(sorted);
}

const struct fio_log_entry *fio_log_set_first(const struct fio_log_set *set,
                                              const struct fio_log_entry *twin)
{
    return find_named(set, twin->plain);
}

static void release_entry(struct fio_log_entry *e)
{
    free(e->path);
    free(e->whole);
    free(e->bytes);
    free(e->owner);
    free(e->problem);
}

void fio_log_set_cut(struct fio_log_set *set, size_t n)
{
    size_t kept = n;
    for (size_t i = n; i < set->n; i++) {
        if (set->entry[i].bytes)
            release_entry(&set->entry[i]);
        else
            set->entry[kept++] = set->entry[i];
    }
    set->n = kept;
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
        if (e->d_name[0] == '.' || (e->d_type != DT_REG && e->d_type != DT_UNKNOWN))
            continue;
        char *path = xasprintf("%s%s%s", folder, *folder ? "/" : "", e->d_name);
        char *whole = packed_name(path);
        struct fio_log_entry *added =
            find_named(set, plain(whole)) ? NULL : fio_log_set_add(set, path);
        if (added)
            added->listed = false;
        free(whole);
        free(path);
    }
    if (dir)
        closedir(dir);
}

void fio_log_set_release(struct fio_log_set *set)
{
    for (size_t i = 0; i < set->n; i++)
        release_entry(&set->entry[i]);
    for (size_t i = 0; i < set->n_folders; i++)
        free(set->folder[i]);
    free(set->entry);
    free(set->folder);
    import_bytes_release(&set->bytes);
    import_bytes_release(&set->unpacked);
    *set = (struct fio_log_set){0};
}

struct unpacking {
    struct import_bytes *to;
    const char *path;
    struct error why;
};

/* A log that is compressed is one file under its own path. */
static int keep_unpacked(void *self, const struct packed_file *file, struct error *err)
{
    struct unpacking *u = self;
    if (strcmp(file->path, u->path) != 0)
        return error_set(err, ERR_INPUT, "%s: an archive, not a log", u->path);
    GROW(u->to->bytes, file->n + 1, u->to->room);
    memcpy(u->to->bytes, file->bytes, file->n + 1);
    u->to->n = file->n;
    return 0;
}

static void note_failed(void *self, const char *path, const struct error *why)
{
    struct unpacking *u = self;
    (void)path;
    u->why = *why;
}

static void pass_over(void *self, const char *path, const char *reason)
{
    (void)self;
    (void)path;
    (void)reason;
}

static int unpack(struct fio_log_set *set, const char *path, struct error *err)
{
    struct unpacking u = {.to = &set->unpacked, .path = path};
    const struct packed_visitor visitor = {
        .self = &u, .file = keep_unpacked, .failed = note_failed, .skipped = pass_over};
    GROW(u.to->bytes, 1, u.to->room);
    u.to->n = 0; /* as it stays where nothing was compressed */
    u.to->bytes[0] = '\0';
    int rc = packed_read(path, set->bytes.bytes, set->bytes.n, &visitor, err);
    return rc == 0 && u.why.code ? error_set(err, ERR_INPUT, "%s", u.why.message) : rc;
}

bool fio_log_set_bytes(struct fio_log_set *set, struct fio_log_entry *e, const char **bytes,
                       size_t *n)
{
    struct error err = ERROR_INIT;
    const struct import_bytes *from = &set->bytes;
    int rc = e->bytes ? 0 : import_bytes_read(&set->bytes, e->path, &err);
    if (rc == 0 && !e->bytes && packed_is(set->bytes.bytes, set->bytes.n)) {
        rc = unpack(set, e->path, &err);
        from = &set->unpacked;
    }
    if (rc < 0) {
        if (!e->problem)
            e->problem = xstrdup(err.message);
        return false;
    }
    *bytes = e->bytes ? e->bytes : from->bytes;
    *n = e->bytes ? e->n : from->n;
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
        if (!e->twin && e->name.kind == kind && e->name.prefix_len == len &&
            memcmp(e->plain, prefix, len) == 0)
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
