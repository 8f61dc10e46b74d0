#include "cli/limit_args.h"

#include <math.h>
#include <unistd.h>

#include "cli/suggest.h"
#include "core/base/xalloc.h"

bool limit_args_given(const struct limit_args *a)
{
    return a->vm || a->disk.n || a->cap.n || a->cloud_json.n;
}

int limit_args_catalogue(struct limit_catalogue **out, const struct limit_args *a,
                         struct error *err)
{
    const char *file = a->file;
    struct limit_catalogue *c;
    int rc = limit_catalogue_create(&c, err);
    if (rc < 0)
        return rc;
    char *own = file ? xstrdup(file) : limit_user_file();
    if (own && (file || access(own, F_OK) == 0))
        rc = limit_catalogue_add_file(c, own, err);
    free(own);
    for (size_t i = 0; i < a->cloud_json.n && rc == 0; i++)
        rc = limit_catalogue_add_cloud(c, a->cloud_json.item[i], err);
    if (rc < 0)
        limit_catalogue_destroy(c);
    else
        *out = c;
    return rc;
}

void limit_args_near(const struct limit_catalogue *c, enum limit_owner owner, const char *name,
                     struct strbuf *out)
{
    struct suggest near;
    suggest_init(&near, name);
    const struct limit_entry *e;
    const char *last_type = "";
    for (size_t i = 0; (e = limit_catalogue_entry(c, i)); i++) {
        if (e->owner != owner && owner != OWNER_COUNT)
            continue;
        suggest_offer(&near, e->name);
        if (e->type && strcmp(e->type, last_type) != 0)
            suggest_offer(&near, last_type = e->type);
    }
    suggest_words(&near, out);
}

int limit_args_unknown(const struct limit_catalogue *c, enum limit_owner owner, const char *name,
                       struct error *err)
{
    static const char *const what[] = {"disk", "VM size", "disk or VM size", "disk or VM size"};
    struct strbuf near = STRBUF_INIT;
    limit_args_near(c, owner, name, &near);
    int rc = error_set(err, ERR_USAGE, "the catalogue has no %s \"%s\"", what[owner], name);
    if (near.len > 0)
        error_hint(err, "Did you mean %s?", near.text);
    strbuf_release(&near);
    error_hint(err, "\"blkmatrix limits list\" has all names; --cap gives limits by hand.");
    return rc;
}

static int check_names(const struct limit_args *a, const struct limit_catalogue *c,
                       struct error *err)
{
    if (a->vm && !limit_is_known(c, OWNER_VM, a->vm)) {
        limit_args_unknown(c, OWNER_VM, a->vm, err);
        return error_prefix(err, ERR_USAGE, "--vm");
    }
    for (size_t i = 0; i < a->disk.n; i++) {
        struct limit_disk d;
        int rc = limit_disk_parse(&d, a->disk.item[i], err);
        if (rc == 0 && !limit_is_known(c, OWNER_DISK, d.name)) {
            limit_args_unknown(c, OWNER_DISK, d.name, err);
            rc = error_prefix(err, ERR_USAGE, "--disk");
        }
        limit_disk_release(&d);
        if (rc < 0)
            return rc;
    }
    return 0;
}

/* Caps into the list; those of one device must be of one that there is. */
static int add_caps(const struct limit_args *a, size_t n_devices, struct limit_list *list,
                    struct error *err)
{
    for (size_t i = 0; i < a->cap.n; i++) {
        int rc = limit_cap_parse(list, a->cap.item[i], err);
        if (rc < 0)
            return rc;
        const struct limit *l = &list->item[list->n - 1];
        if (IS_KNOWN(l, LIMIT, device) && n_devices > 0 && l->device >= n_devices)
            return error_set(err, ERR_USAGE, "--cap %s: there %s, the first is [0]", a->cap.item[i],
                             n_devices == 1 ? "is one device" : "are fewer devices");
    }
    return 0;
}

static int check_count(const struct limit_args *a, size_t n_devices, struct error *err)
{
    if (a->disk.n <= 1 || n_devices == 0 || a->disk.n == n_devices)
        return 0;
    return error_set(err, ERR_USAGE,
                     "--disk is given %zu times for %zu device%s: once for all, or for each",
                     a->disk.n, n_devices, n_devices == 1 ? "" : "s");
}

int limit_args_open(struct limit_catalogue **out, const struct limit_args *a, size_t n_devices,
                    struct error *err)
{
    struct limit_catalogue *c = NULL;
    struct limit_list list = {0};
    int rc = check_count(a, n_devices, err);
    if (rc == 0)
        rc = add_caps(a, n_devices, &list, err);
    limit_list_release(&list);
    if (rc == 0 && (a->vm || a->disk.n || a->file || a->cloud_json.n))
        rc = limit_args_catalogue(&c, a, err);
    if (rc == 0 && c)
        rc = check_names(a, c, err);
    if (rc < 0)
        limit_catalogue_destroy(c);
    else
        *out = c;
    return rc;
}

/* Limits of one --disk; device is the one it stands for, or run->n_devices: all of them. */
static int add_disk(const struct limit_catalogue *c, const char *text, const struct run *run,
                    size_t device, struct limit_disk *d, struct limit_list *list, struct error *err)
{
    int rc = limit_disk_parse(d, text, err);
    size_t sized = device < run->n_devices ? device : 0;
    if (rc == 0 && d->size == 0 && sized < run->n_devices &&
        IS_KNOWN(&run->device[sized], DEVICE, size))
        d->size = run->device[sized].size;
    size_t from = list->n;
    if (rc == 0)
        rc = limit_of_disk(c, d, list, err);
    for (size_t i = from; i < list->n && device < run->n_devices; i++)
        SET(&list->item[i], LIMIT, device, device);
    return rc < 0 ? error_prefix(err, ERR_USAGE, "--disk") : 0;
}

/* Disks may differ in size: then each device has limits of its own. */
static int add_disks(const struct limit_args *a, const struct limit_catalogue *c,
                     const struct run *run, struct limit_disk *first, struct limit_list *list,
                     struct error *err)
{
    if (a->disk.n == 0)
        return 0;
    if (run->n_devices <= 1)
        return add_disk(c, a->disk.item[0], run, run->n_devices, first, list, err);
    int rc = 0;
    for (size_t i = 0; i < run->n_devices && rc == 0; i++) {
        struct limit_disk other;
        rc =
            add_disk(c, a->disk.item[a->disk.n > 1 ? i : 0], run, i, i ? &other : first, list, err);
        if (i > 0)
            limit_disk_release(&other);
    }
    return rc;
}

/* The disk that a device is known to be: by its volume's id, else by its type. */
static bool disk_of_device(struct limit_disk *out, const struct limit_catalogue *c,
                           const struct device_info *info)
{
    const char *id = info->cloud_volume_id, *type = info->volume_type;
    *out = (struct limit_disk){.iops = NAN, .mbps = NAN};
    if (id && limit_find(c, OWNER_DISK, id))
        out->name = xstrdup(id);
    else if (type && limit_is_known(c, OWNER_DISK, type))
        out->name = xstrdup(type);
    else
        return false;
    out->size = IS_KNOWN(info, DEVICE, size) ? info->size : 0;
    if (info->cache_mode)
        out->cache = strcmp(info->cache_mode, "none") == 0 ? CACHE_NONE
                     : strcmp(info->cache_mode, "ro") == 0 ? CACHE_RO
                                                           : CACHE_RW;
    return true;
}

static bool has_disk_limits(const struct run *run)
{
    for (size_t i = 0; i < run->n_limits; i++)
        if (run->limit[i].owner == OWNER_DISK)
            return true;
    return false;
}

/* Volumes that --cloud-json tells of, where nothing else told their limits. */
static int add_volumes(const struct limit_args *a, const struct limit_catalogue *c,
                       const struct run *run, struct limit_list *list, struct error *err)
{
    int rc = 0;
    if (a->disk.n > 0 || a->cloud_json.n == 0 || has_disk_limits(run))
        return 0;
    for (size_t i = 0; i < run->n_devices && rc == 0; i++) {
        const char *id = run->device[i].cloud_volume_id;
        struct limit_disk d;
        if (!id || !limit_find(c, OWNER_DISK, id) || !disk_of_device(&d, c, &run->device[i]))
            continue;
        size_t from = list->n;
        rc = limit_of_disk(c, &d, list, err);
        for (size_t k = from; k < list->n && run->n_devices > 1; k++)
            SET(&list->item[k], LIMIT, device, i);
        limit_disk_release(&d);
    }
    return rc < 0 ? error_prefix(err, ERR_USAGE, "--cloud-json") : 0;
}

static int add_vm(const struct limit_args *a, const struct limit_catalogue *c,
                  const struct run *run, const struct limit_disk *given, struct limit_list *list,
                  struct error *err)
{
    struct limit_disk own = {.iops = NAN, .mbps = NAN};
    if (!a->vm)
        return 0;
    if (!given && run->n_devices > 0 && disk_of_device(&own, c, &run->device[0]))
        given = &own;
    int rc = limit_of_vm(c, a->vm, given, list, err);
    limit_disk_release(&own);
    return rc < 0 ? error_prefix(err, ERR_USAGE, "--vm") : 0;
}

static int collect(const struct limit_args *a, const struct limit_catalogue *c,
                   const struct run *run, struct limit_list *list, struct error *err)
{
    struct limit_disk disk = {.iops = NAN, .mbps = NAN};
    int rc = check_count(a, run->n_devices, err);
    if (rc == 0)
        rc = add_disks(a, c, run, &disk, list, err);
    if (rc == 0)
        rc = add_volumes(a, c, run, list, err);
    if (rc == 0)
        rc = add_vm(a, c, run, a->disk.n ? &disk : NULL, list, err);
    size_t from = list->n;
    if (rc == 0)
        rc = add_caps(a, run->n_devices, list, err);
    for (size_t i = from; i < list->n && rc == 0 && run->n_devices == 0; i++) {
        if (IS_KNOWN(&list->item[i], LIMIT, device))
            rc = error_set(err, ERR_USAGE,
                           "%s: the run does not say which devices it had, so none can be told "
                           "from the others; \"disk:\" stands for each",
                           list->item[i].source);
    }
    limit_disk_release(&disk);
    return rc;
}

static bool takes_place(const struct limit_list *list, const struct limit *old)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->item[i].owner == old->owner)
            return true;
    return false;
}

int limit_args_apply(const struct limit_args *a, const struct limit_catalogue *c, struct run *run,
                     struct error *err)
{
    struct limit_list list = {0};
    int rc = collect(a, c, run, &list, err);
    if (rc == 0) {
        size_t kept = 0;
        for (size_t i = 0; i < run->n_limits; i++) {
            if (takes_place(&list, &run->limit[i]))
                fields_release(&limit_fields, &run->limit[i]);
            else
                run->limit[kept++] = run->limit[i];
        }
        run->n_limits = kept;
        for (size_t i = 0; i < list.n; i++)
            fields_copy(&limit_fields, run_add_limit(run), &list.item[i]);
    }
    limit_list_release(&list);
    return rc;
}
