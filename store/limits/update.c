/* What a cloud's tool says now, compared with what is known, into the user's file. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/json.h"
#include "core/base/xalloc.h"
#include "store/limits/cloud_internal.h"

#define MAX_USER_FILE ((size_t)16 << 20)
#define OURS          "update-" /* how sources that this wrote are named */

void limit_update_release(struct limit_update *u)
{
    for (size_t i = 0; i < u->n; i++) {
        free(u->change[i].name);
        free(u->change[i].before);
        free(u->change[i].after);
    }
    free(u->change);
    *u = (struct limit_update){0};
}

static char *rules_text(const struct limit_entry *e)
{
    cJSON *rules = limit_rules_json(e->rule, e->n_rules);
    char *text = json_print(rules, false);
    cJSON_Delete(rules);
    return text;
}

static char *rules_words(const struct limit_entry *e)
{
    struct strbuf out = STRBUF_INIT;
    for (size_t i = 0; i < e->n_rules; i++) {
        strbuf_adds(&out, i ? "; " : "");
        limit_cap_words(&out, &e->rule[i]);
    }
    if (e->n_rules == 0)
        strbuf_adds(&out, "no figures");
    return strbuf_detach(&out);
}

/* ---- the user's file ---- */

static cJSON *member_array(cJSON *root, const char *name)
{
    cJSON *array = cJSON_GetObjectItemCaseSensitive(root, name);
    return array ? array : json_add_array(root, name);
}

static void put_entry(cJSON *root, const struct limit_entry *e, const char *cloud,
                      const char *source)
{
    cJSON *array = member_array(root, e->owner == OWNER_DISK ? "disks" : "vms");
    cJSON *entry = limit_entry_json(e, source);
    json_add_text(entry, "cloud", cloud);
    cJSON *old = array->child;
    while (old && strcasecmp(cloud_word(old, "name"), e->name) != 0)
        old = old->next;
    if (old)
        cJSON_ReplaceItemViaPointer(array, old, entry);
    else
        cJSON_AddItemToArray(array, entry);
}

/* The file as it is, or an empty one; it was read before, so that it has the right form. */
static int read_user_file(cJSON **out, const char *file, struct error *err)
{
    struct strbuf text = STRBUF_INIT;
    int rc = 0;
    cJSON *root = NULL;
    if (access(file, F_OK) == 0) {
        struct limit_catalogue *check = limit_catalogue_empty();
        rc = limit_read_file(&text, file, MAX_USER_FILE, err);
        if (rc == 0)
            rc = limit_catalogue_add(check, text.text, text.len, file, err);
        limit_catalogue_destroy(check);
        root = rc == 0 ? cJSON_Parse(text.text) : NULL;
    } else {
        root = json_add_object(NULL, NULL);
        json_add_text(root, "cloud", "own");
    }
    strbuf_release(&text);
    if (rc == 0 && !cJSON_GetObjectItemCaseSensitive(root, "sources"))
        json_add_object(root, "sources");
    *out = root;
    return rc;
}

static bool is_used(const cJSON *root, const char *source)
{
    static const char *const list[] = {"disks", "vms"};
    for (size_t i = 0; i < 2; i++) {
        const cJSON *array = cJSON_GetObjectItemCaseSensitive(root, list[i]);
        for (const cJSON *m = array ? array->child : NULL; m; m = m->next)
            if (strcmp(cloud_word(m, "source"), source) == 0)
                return true;
    }
    return false;
}

static void drop_unused_sources(cJSON *root)
{
    cJSON *sources = cJSON_GetObjectItemCaseSensitive(root, "sources");
    for (cJSON *m = sources->child, *next; m; m = next) {
        next = m->next;
        if (strncmp(m->string, OURS, sizeof OURS - 1) == 0 && !is_used(root, m->string))
            cJSON_Delete(cJSON_DetachItemViaPointer(sources, m));
    }
}

/* One entry a line, as the built-in catalogue has them. */
static void print_file(struct strbuf *out, const cJSON *root)
{
    strbuf_addc(out, '{');
    for (const cJSON *m = root->child; m; m = m->next) {
        strbuf_adds(out, m == root->child ? "" : ",\n");
        json_quote(out, m->string);
        strbuf_addc(out, ':');
        bool lines = (cJSON_IsArray(m) || cJSON_IsObject(m)) && m->child;
        char open = cJSON_IsArray(m) ? '[' : '{', close = cJSON_IsArray(m) ? ']' : '}';
        if (!lines) {
            char *text = json_print(m, false);
            strbuf_adds(out, text);
            free(text);
            continue;
        }
        strbuf_addc(out, open);
        for (const cJSON *k = m->child; k; k = k->next) {
            char *text = json_print(k, false);
            strbuf_adds(out, k == m->child ? "\n" : ",\n");
            if (cJSON_IsObject(m)) {
                json_quote(out, k->string);
                strbuf_addc(out, ':');
            }
            strbuf_adds(out, text);
            free(text);
        }
        strbuf_addf(out, "\n%c", close);
    }
    strbuf_adds(out, "}\n");
}

static int make_folders(const char *file, struct error *err)
{
    char *path = xstrdup(file);
    int rc = 0;
    for (char *p = strchr(path + 1, '/'); p && rc == 0; p = strchr(p + 1, '/')) {
        *p = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            rc = error_errno(err, ERR_USAGE, errno, "cannot make the folder %s", path);
        *p = '/';
    }
    free(path);
    return rc;
}

/* Beside it, then in its place: a reader sees the old file or the new one. */
static int write_file(const char *file, const struct strbuf *text, struct error *err)
{
    int rc = make_folders(file, err);
    if (rc < 0)
        return rc;
    char *beside = xasprintf("%s.XXXXXX", file);
    int fd = mkostemp(beside, O_CLOEXEC);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    bool good = f && fwrite(text->text, 1, text->len, f) == text->len && fflush(f) == 0 &&
                fchmod(fd, 0644) == 0 && fsync(fd) == 0;
    int errnum = errno;
    if (f && fclose(f) != 0 && good) {
        errnum = errno;
        good = false;
    }
    if (good && rename(beside, file) != 0) {
        errnum = errno;
        good = false;
    }
    if (!good) {
        rc = error_errno(err, ERR_USAGE, errnum, "cannot write %s", file);
        if (fd >= 0)
            unlink(beside);
    }
    free(beside);
    return rc;
}

/* ---- comparing ---- */

static bool is_same(const struct limit_entry *a, const struct limit_entry *b)
{
    char *x = rules_text(a), *y = rules_text(b);
    bool same = strcmp(x, y) == 0;
    free(x);
    free(y);
    return same;
}

static void compare(struct limit_update *out, const struct limit_catalogue *c,
                    const struct limit_catalogue *now, cJSON *root, const char *source)
{
    const struct limit_entry *e;
    for (size_t i = 0; (e = limit_catalogue_entry(now, i)); i++) {
        const struct limit_entry *old = limit_find(c, e->owner, e->name);
        if (old && is_same(old, e)) {
            out->unchanged++;
            continue;
        }
        GROW(out->change, out->n + 1, out->room);
        out->change[out->n++] = (struct limit_change){
            e->owner, xstrdup(e->name), old ? rules_words(old) : NULL, rules_words(e)};
        put_entry(root, e, out->cloud, source);
    }
}

static int merge(struct limit_update *out, const struct limit_catalogue *c, const char *file,
                 const struct limit_catalogue *now, struct error *err)
{
    cJSON *root = NULL;
    int rc = read_user_file(&root, file, err);
    if (rc < 0)
        return rc;
    char *source = xasprintf(OURS "%s-%s", out->what, out->date);
    for (char *p = source; *p; p++)
        *p = *p == ' ' ? '-' : *p;
    compare(out, c, now, root, source);
    const struct limit_entry *first = limit_catalogue_entry(now, 0);
    if (out->n > 0) {
        cJSON *sources = cJSON_GetObjectItemCaseSensitive(root, "sources");
        cJSON_DeleteItemFromObjectCaseSensitive(sources, source);
        cJSON *s = json_add_object(sources, source);
        json_add_text(s, "where", first->where);
        json_add_text(s, "checked", out->date);
        drop_unused_sources(root);
        struct strbuf text = STRBUF_INIT;
        struct limit_catalogue *check = limit_catalogue_empty();
        print_file(&text, root);
        rc = limit_catalogue_add(check, text.text, text.len, file, err);
        if (rc == 0)
            rc = write_file(file, &text, err);
        limit_catalogue_destroy(check);
        strbuf_release(&text);
    }
    cJSON_Delete(root);
    free(source);
    return rc;
}

static int convert(struct limit_update *out, struct limit_catalogue *now,
                   const struct limit_catalogue *c, const char *from, struct error *err)
{
    struct strbuf text = STRBUF_INIT;
    const struct cloud_format *format = NULL;
    cJSON *doc = NULL;
    int rc = limit_read_file(&text, from, CLOUD_MAX_FILE, err);
    const struct cloud_text t = {text.text, text.len, from, limit_file_date(out->date, from)};
    if (rc == 0)
        rc = cloud_convert(&doc, &format, &out->unchanged, c, &t, err);
    if (rc == 0 && format->own) {
        rc = error_set(err, ERR_USAGE, "%s is about disks that you have (%s), not about types",
                       from, format->what);
        error_hint(err, "--cloud-json takes it, for a sweep or an import.");
    }
    if (rc == 0) {
        char *entries = json_print(doc, false);
        rc = limit_catalogue_add(now, entries, strlen(entries), from, err);
        free(entries);
        out->what = format->what;
        out->cloud = format->cloud;
    }
    cJSON_Delete(doc);
    strbuf_release(&text);
    return rc;
}

int limit_update(struct limit_update *out, const struct limit_catalogue *c, const char *file,
                 const char *from, struct error *err)
{
    struct limit_update u = {0};
    struct limit_catalogue *now = limit_catalogue_empty();
    int rc = convert(&u, now, c, from, err);
    if (rc == 0)
        rc = merge(&u, c, file, now, err);
    limit_catalogue_destroy(now);
    if (rc == 0)
        *out = u;
    else
        limit_update_release(&u);
    return rc;
}
