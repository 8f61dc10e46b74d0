/*
 * Google Compute Engine. The metadata server lists disks by the name of their attachment, which udev
 * has as /dev/disk/by-id/google-NAME (GoogleCloudPlatform/guest-configs, 65-gce-disk-naming.rules).
 * Persistent disks of a type share one limit that grows with the size of all of them, so what a
 * device's limit is needs them all.
 */
#include <ctype.h>

#include "core/base/xalloc.h"
#include "runner/host/cloud/cloud_internal.h"

#define META      "/computeMetadata/v1/instance/"
#define HEADER    "Metadata-Flavor: Google"
#define MARK      "Metadata-Flavor"
#define MAX_DISKS 256

static bool detect(const struct dmi *d, struct strbuf *why)
{
    static const char serial[] = "GoogleCloud-";
    const char *product = d->product_name ? d->product_name : "";
    if (strcmp(product, "Google Compute Engine") == 0 || strcmp(product, "Google") == 0) {
        strbuf_addf(why, "DMI product \"%s\"", product);
        return true;
    }
    if (d->product_serial && strncmp(d->product_serial, serial, sizeof serial - 1) == 0) {
        strbuf_addf(why, "DMI serial number \"%s...\"", serial);
        return true;
    }
    return false;
}

/* ---- metadata ---- */

static int get_part(const struct transport *t, const char *path, char **out, struct error *err)
{
    char *body = NULL;
    int rc = cloud_get(t, path, HEADER, MARK, &body, err);
    if (rc < 0)
        return rc;
    char *name = cloud_last_part(body, 200);
    free(body);
    if (!name)
        return error_set(err, ERR_DEVICE, "the metadata server's answer to %s is not a name", path);
    free(*out);
    *out = name;
    return 0;
}

/*
 * "PERSISTENT-SSD" is pd-ssd, "HYPERDISK-BALANCED" hyperdisk-balanced; "PERSISTENT" alone, as old
 * machines have it, names no type.
 */
static char *type_of(const char *text)
{
    static const struct {
        const char *prefix, *name;
    } known[] = {{"PERSISTENT-", "pd-"}, {"HYPERDISK-", "hyperdisk-"}};
    for (size_t i = 0; text && i < 2; i++) {
        size_t n = strlen(known[i].prefix);
        if (strncmp(text, known[i].prefix, n) != 0 || text[n] == '\0')
            continue;
        char *type = xasprintf("%s%s", known[i].name, text + n);
        for (char *p = type; *p; p++)
            *p = (char)tolower((unsigned char)*p);
        return type;
    }
    return NULL;
}

static void add_disk(struct cloud_facts *out, const cJSON *disk)
{
    char *type = cloud_member(disk, "type"), *name = cloud_member(disk, "deviceName");
    if (name && !strchr(name, '/')) {
        struct cloud_disk *d = cloud_facts_add(out);
        bool local = type && strncmp(type, "LOCAL", 5) == 0;
        d->kind = local ? CLOUD_DISK_LOCAL : CLOUD_DISK_NETWORK;
        d->id = xstrdup(name);
        d->type = local ? xstrdup("local-ssd") : type_of(type);
        d->where = xasprintf("metadata server, disk %s", name);
    }
    free(type);
    free(name);
}

static int get_disks(const struct transport *t, struct cloud_facts *out, struct error *err)
{
    char *body = NULL;
    int rc = cloud_get(t, META "disks/?recursive=true", HEADER, MARK, &body, err);
    if (rc < 0)
        return rc;
    cJSON *list = cloud_json(body);
    free(body);
    if (!cJSON_IsArray(list))
        rc = error_set(err, ERR_DEVICE, "the metadata server's list of disks is not a JSON array");
    size_t n = 0;
    for (const cJSON *m = rc == 0 ? list->child : NULL; m && n < MAX_DISKS; m = m->next, n++)
        add_disk(out, m);
    cJSON_Delete(list);
    return rc;
}

static int fetch(const struct transport *t, struct cloud_facts *out, struct error *err)
{
    int rc = get_part(t, META "machine-type", &out->instance_type, err);
    if (rc == 0)
        rc = get_part(t, META "zone", &out->region, err);
    if (rc == 0)
        rc = get_disks(t, out, err);
    if (rc == 0) { /* empty for a VM that was made from a disk */
        struct error none = ERROR_INIT;
        get_part(t, META "image", &out->image, &none);
    }
    return rc;
}

/* ---- devices ---- */

static const struct cloud_disk *find_disk(const struct cloud_facts *facts, const char *name)
{
    for (size_t i = 0; i < facts->n_disks; i++)
        if (strcmp(facts->disk[i].id, name) == 0)
            return &facts->disk[i];
    return NULL;
}

/* What the link google-NAME leads to: a kernel name, NULL when there is none. free(). */
static char *kernel_name(const struct sysroot *sr, const char *name)
{
    char *target = sysroot_readlink(sr, "/dev/disk/by-id/google-%s", name);
    const char *slash = target ? strrchr(target, '/') : NULL;
    char *disk = slash ? xstrdup(slash + 1) : NULL;
    free(target);
    return disk;
}

/* GiB of all disks of the type; 0 when that of one is not known. */
static uint64_t size_of_type(const struct sysroot *sr, const struct cloud_facts *facts,
                             const char *type)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < facts->n_disks; i++) {
        const struct cloud_disk *d = &facts->disk[i];
        if (d->kind != CLOUD_DISK_NETWORK)
            continue;
        if (!d->type)
            return 0; /* it may be one of them */
        if (strcmp(d->type, type) != 0)
            continue;
        char *disk = kernel_name(sr, d->id);
        uint64_t sectors = 0;
        bool known = disk && sysroot_read_u64(sr, &sectors, "/sys/class/block/%s/size", disk);
        free(disk);
        if (!known)
            return 0;
        sum += sectors * 512;
    }
    return sum;
}

static bool match_by_id(const struct sysroot *sr, const char *disk, const struct cloud_facts *facts,
                        struct cloud_disk *out)
{
    static const char prefix[] = "google-";
    size_t n;
    bool found = false;
    char **link = sysroot_list(sr, &n, "/dev/disk/by-id");
    for (size_t i = 0; i < n && !found; i++) {
        if (strncmp(link[i], prefix, sizeof prefix - 1) != 0)
            continue;
        const char *name = link[i] + sizeof prefix - 1;
        char *target = kernel_name(sr, name);
        const struct cloud_disk *d =
            target && strcmp(target, disk) == 0 ? find_disk(facts, name) : NULL;
        free(target);
        if (!d)
            continue;
        found = true;
        out->kind = d->kind;
        out->id = xstrdup(d->id);
        out->type = xstrdup_null(d->type);
        out->where = xasprintf("udev, /dev/disk/by-id/%s; %s", link[i], d->where);
        if (d->type && d->kind == CLOUD_DISK_NETWORK)
            out->size = size_of_type(sr, facts, d->type);
    }
    sysroot_list_free(link, n);
    return found;
}

static bool match_volume(const struct sysroot *sr, const char *disk,
                         const struct cloud_facts *facts, struct cloud_disk *out)
{
    if (match_by_id(sr, disk, facts, out))
        return true;
    static const struct {
        const char *model;
        enum cloud_disk_kind kind;
    } known[] = {{"PersistentDisk", CLOUD_DISK_NETWORK},
                 {"nvme_card-pd", CLOUD_DISK_NETWORK},
                 {"EphemeralDisk", CLOUD_DISK_LOCAL},
                 {"nvme_card", CLOUD_DISK_LOCAL}}; /* nvme_card0 ... too */
    char *model = cloud_disk_text(sr, disk, "device/model");
    bool found = false;
    for (size_t i = 0; model && i < sizeof known / sizeof known[0] && !found; i++) {
        if (strncmp(model, known[i].model, strlen(known[i].model)) != 0)
            continue;
        found = true;
        out->kind = known[i].kind;
        out->where = xstrdup("model of the disk");
        if (out->kind == CLOUD_DISK_LOCAL)
            out->type = xstrdup("local-ssd");
    }
    free(model);
    return found;
}

const struct cloud_ops cloud_gcp = {
    .name = "gcp",
    .title = "Google Compute Engine",
    .detect = detect,
    .fetch = fetch,
    .match_volume = match_volume,
};
