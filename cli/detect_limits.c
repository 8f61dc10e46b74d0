/* From what was found to limits, by the catalogue; what it takes and is not known is said. */
#include <math.h>
#include <strings.h>

#include "cli/detect.h"
#include "core/base/xalloc.h"

/* A disk as the catalogue may be asked for it. */
struct known_disk {
    struct limit_disk disk;          /* name NULL: not known, or told by hand */
    const struct limit_entry *entry; /* NULL: none */
    const char *source;
};

static enum limit_cache cache_of(const char *text)
{
    if (!text)
        return CACHE_UNKNOWN;
    return strcmp(text, "none") == 0 ? CACHE_NONE : strcmp(text, "ro") == 0 ? CACHE_RO : CACHE_RW;
}

bool detect_needs_catalogue(const struct detected *d)
{
    return d->cloud != NULL;
}

/* ---- disks ---- */

static void say_no_type(struct detected *d, const struct device_info *info,
                        const struct cloud_disk *k)
{
    const char *path = info->path ? info->path : "the device";
    if (strcmp(d->cloud->name, "aws") == 0 && k->kind == CLOUD_DISK_NETWORK)
        detect_say(
            d,
            "%s: type, IOPS and throughput of %s are not told to the instance; give --cloud-json "
            "with the output of `aws ec2 describe-volumes`, or --disk gp3,iops=N,mbps=N",
            path, k->id ? k->id : "an EBS volume");
    else if (k->kind == CLOUD_DISK_LOCAL)
        detect_say(d, "%s: the limits of this disk of the host are not known", path);
    else
        detect_say(d, "%s: the type of this volume is not known; give it with --disk", path);
}

/* The entry of the volume itself (a file of the cloud's tool told it), else that of its type. */
static void find_entry(struct detected *d, const struct limit_catalogue *c,
                       const struct device_info *info, const struct cloud_disk *k,
                       struct known_disk *out)
{
    struct error err = ERROR_INIT;
    out->disk = (struct limit_disk){.iops = k->iops, .mbps = k->mbps, .cache = cache_of(k->cache)};
    out->disk.size = k->size;
    if (out->disk.size == 0 && strcmp(d->cloud->name, "gcp") != 0 && IS_KNOWN(info, DEVICE, size))
        out->disk.size = info->size; /* Google: the size of all disks of a type counts */
    out->source = "imds";
    const char *name = NULL;
    if (k->id && limit_find(c, OWNER_DISK, k->id)) {
        name = k->id;
        out->disk.iops = out->disk.mbps = NAN;
        out->source = "cloud-json";
    } else if (k->type && limit_is_known(c, OWNER_DISK, k->type)) {
        name = k->type;
    }
    if (!name) {
        if (k->type)
            detect_say(d, "%s: the catalogue has no disk \"%s\"; --cap gives limits by hand",
                       info->path, k->type);
        else
            say_no_type(d, info, k);
        return;
    }
    out->disk.name = xstrdup(name);
    if (limit_find_disk(c, &out->disk, &out->entry, &err) < 0)
        detect_say(d, "%s: %s", info->path, err.message);
}

/* A disk with limits that are chosen when it is made has no defaults here: they would be guesses. */
static bool is_complete(struct detected *d, const struct device_info *info,
                        const struct known_disk *k)
{
    bool complete = true;
    for (size_t i = 0; i < k->entry->n_rules; i++) {
        const struct limit_rule *rule = &k->entry->rule[i];
        if (rule->chosen && isnan(rule->kind == CAP_IOPS ? k->disk.iops : k->disk.mbps))
            complete = false;
    }
    if (!complete)
        detect_say(
            d,
            "%s: what %s was set to is not known; give --disk %s,iops=N,mbps=N, or --cloud-json "
            "with the cloud's description of the disk",
            info->path, k->entry->name, k->entry->name);
    else if (k->entry->n_rules == 0)
        detect_say(d, "%s: no figures are published for %s", info->path, k->entry->name);
    return complete;
}

static void set_source(struct limit_list *list, size_t from, const char *source)
{
    for (size_t i = from; i < list->n; i++) {
        char *text = xasprintf("detected: %s; %s", source, list->item[i].source);
        field_set_text(&limit_fields, &list->item[i], LIMIT_source, text);
        free(text);
    }
}

static void add_disk_limits(struct detected *d, const struct limit_catalogue *c,
                            const struct run *run, size_t i, const struct known_disk *k,
                            struct limit_list *list)
{
    struct error err = ERROR_INIT;
    size_t from = list->n;
    if (!k->entry || !is_complete(d, &run->device[i], k))
        return;
    if (limit_of_disk(c, &k->disk, list, &err) < 0)
        detect_say(d, "%s: %s", run->device[i].path, err.message);
    set_source(list, from, k->source);
    for (size_t n = from; n < list->n && run->n_devices > 1; n++)
        SET(&list->item[n], LIMIT, device, i);
    if (strcmp(d->cloud->name, "azure") == 0 && list->n > from && strcmp(k->source, "imds") == 0 &&
        strncmp(k->entry->name, "P", 1) == 0)
        detect_say(
            d,
            "%s: a raised performance tier, on-demand bursting and performance plus cannot be seen "
            "from inside; %s is what its size has without",
            run->device[i].path, k->entry->name);
}

/* ---- the VM ---- */

/* Whether the same limits of the VM hold for both disks. */
static bool same_class(const struct limit_entry *vm, const struct known_disk *a,
                       const struct known_disk *b)
{
    if (!a->entry || !b->entry)
        return a->entry == b->entry;
    const char *x = limit_vm_class(vm, a->entry), *y = limit_vm_class(vm, b->entry);
    return x && y ? strcasecmp(x, y) == 0 : x == y;
}

/* Why the VM's limits are not those of all devices; NULL: they are. */
static const char *not_for_all(const struct detected *d, const struct limit_entry *vm,
                               const struct known_disk *known)
{
    for (size_t i = 0; i < d->n_disks; i++) {
        if (d->disk[i].kind == CLOUD_DISK_LOCAL)
            return "hold for network disks, and a disk of the host is measured";
        if (d->disk[i].kind == CLOUD_DISK_UNKNOWN)
            return "hold for network disks, and whether all that is measured is one is not known";
        if (!same_class(vm, &known[i], &known[0]))
            return "differ by the type of disk, and disks of several types are measured";
    }
    return NULL;
}

/* The disk that tells which of its limits hold; cache modes that differ are as good as unknown. */
static struct limit_disk common_disk(const struct detected *d, const struct known_disk *known)
{
    struct limit_disk disk = known[0].disk;
    for (size_t i = 1; i < d->n_disks; i++)
        if (known[i].disk.cache != disk.cache)
            disk.cache = CACHE_UNKNOWN;
    return disk;
}

/* In a survey: for each class of disk the limits that hold for it, said of its first disk. */
static void add_vm_by_class(struct detected *d, const struct limit_catalogue *c,
                            const struct limit_entry *vm, const struct known_disk *known,
                            struct limit_list *list)
{
    for (size_t i = 0; i < d->n_disks; i++) {
        struct error err = ERROR_INIT;
        bool done = d->disk[i].kind != CLOUD_DISK_NETWORK;
        for (size_t k = 0; k < i && !done; k++)
            done = d->disk[k].kind == CLOUD_DISK_NETWORK && same_class(vm, &known[i], &known[k]);
        if (done)
            continue;
        struct limit_disk disk = known[i].disk;
        disk.name = known[i].entry ? disk.name : NULL;
        disk.cache = CACHE_UNKNOWN; /* other disks of the class may have another */
        size_t from = list->n;
        if (limit_of_vm(c, d->facts.instance_type, &disk, list, &err) < 0)
            detect_say(d, "%s", err.message);
        for (size_t k = from; k < list->n && known[i].entry && limit_vm_class(vm, known[i].entry);
             k++)
            SET(&list->item[k], LIMIT, device, i);
    }
}

static void add_vm_limits(struct detected *d, const struct limit_args *a,
                          const struct limit_catalogue *c, const struct known_disk *known,
                          struct limit_list *list)
{
    const char *vm = d->facts.instance_type;
    if (!vm || a->vm)
        return;
    const struct limit_entry *e = limit_find(c, OWNER_VM, vm);
    struct error err = ERROR_INIT;
    struct limit_disk disk = {.iops = NAN, .mbps = NAN};
    size_t from = list->n;
    if (!e) {
        detect_say(d, "the catalogue has no VM size \"%s\"; `limits update` brings it up to date",
                   vm);
    } else if (e->n_rules == 0) {
        detect_say(d, "no figures are published for %s", vm);
    } else if (a->disk.n == 0 && d->survey) {
        add_vm_by_class(d, c, e, known, list);
    } else if (a->disk.n == 0 && not_for_all(d, e, known)) {
        detect_say(d, "the limits of %s %s", vm, not_for_all(d, e, known));
    } else if (a->disk.n > 0) {
        if (limit_disk_parse(&disk, a->disk.item[0], &err) < 0 ||
            limit_of_vm(c, vm, &disk, list, &err) < 0)
            detect_say(d, "%s", err.message);
        limit_disk_release(&disk);
    } else {
        disk = d->n_disks ? common_disk(d, known) : disk;
        if (d->n_disks && !known[0].entry)
            disk.name = NULL;
        if (limit_of_vm(c, vm, &disk, list, &err) < 0)
            detect_say(d, "%s", err.message);
    }
    set_source(list, from, d->facts_source);
}

void detect_limits(struct detected *d, const struct limit_args *a, const struct limit_catalogue *c,
                   struct run *run)
{
    if (!d->cloud)
        return;
    struct limit_list list = {0};
    struct known_disk *known = xcalloc(d->n_disks + 1, sizeof *known);
    for (size_t i = 0; i < d->n_disks && a->disk.n == 0; i++) {
        if (d->disk[i].kind == CLOUD_DISK_UNKNOWN)
            continue;
        find_entry(d, c, &run->device[i], &d->disk[i], &known[i]);
        add_disk_limits(d, c, run, i, &known[i], &list);
    }
    add_vm_limits(d, a, c, known, &list);
    for (size_t i = 0; i < list.n; i++)
        fields_copy(&limit_fields, run_add_limit(run), &list.item[i]);
    limit_list_release(&list);
    for (size_t i = 0; i < d->n_disks; i++)
        free(known[i].disk.name);
    free(known);
}
