/*
 * Microsoft Azure. The Instance Metadata Service (MicrosoftDocs/azure-compute-docs,
 * instance-metadata-service.md) lists disks by LUN; which device has which LUN is in the links of
 * the agent's udev rules, in the SCSI address below the VMBus controller for data disks, or in the
 * NVMe namespace (Azure/azure-vm-utils, 80-azure-disk.rules).
 */
#include <math.h>
#include <stdio.h>
#include <strings.h>

#include "core/base/xalloc.h"
#include "runner/host/cloud/cloud_internal.h"

#define API       "api-version=2021-12-13"
#define HEADER    "Metadata: true"
#define MAX_DISKS 256
#define GIB       1073741824.0

static bool detect(const struct dmi *d, struct strbuf *why)
{
    /* the vendor alone is that of any Hyper-V, and of laptops */
    static const char tag[] = "7783-7084-3265-9085-8269-3286-77";
    if (!d->chassis_asset_tag || strcmp(d->chassis_asset_tag, tag) != 0)
        return false;
    strbuf_adds(why, "DMI chassis asset tag of Azure");
    return true;
}

/* ---- metadata ---- */

static char *cache_of(const cJSON *disk)
{
    static const struct {
        const char *azure, *cache;
    } known[] = {{"None", "none"}, {"ReadOnly", "ro"}, {"ReadWrite", "rw"}};
    const cJSON *m = cJSON_GetObjectItemCaseSensitive(disk, "caching");
    for (size_t i = 0; cJSON_IsString(m) && i < sizeof known / sizeof known[0]; i++)
        if (strcasecmp(known[i].azure, m->valuestring) == 0)
            return xstrdup(known[i].cache);
    return NULL;
}

static uint64_t gib_to_bytes(double gib)
{
    return gib > 0 && gib < 1e9 ? (uint64_t)(gib * GIB) : 0;
}

/* What the service calls throttles is only filled for Ultra disks; elsewhere it is empty or 0. */
static double throttle(const cJSON *disk, const char *name, double unit)
{
    double v = cloud_number(disk, name);
    return v > 0 ? v / unit : NAN;
}

static void add_disk(struct cloud_facts *out, const cJSON *disk, bool system)
{
    if (!cJSON_IsObject(disk))
        return;
    double lun = cloud_number(disk, "lun");
    if (!system && !(lun >= 0 && lun < 1e6))
        return;
    struct cloud_disk *d = cloud_facts_add(out);
    const cJSON *managed = cJSON_GetObjectItemCaseSensitive(disk, "managedDisk");
    const cJSON *ephemeral = cJSON_GetObjectItemCaseSensitive(disk, "diffDiskSettings");
    char *option = cloud_member(ephemeral, "option");
    d->kind = option ? CLOUD_DISK_LOCAL : CLOUD_DISK_NETWORK;
    d->system = system;
    d->lun = system ? -1 : (int64_t)lun;
    d->id = cloud_member(disk, "name");
    d->type = option ? NULL : cloud_member(managed, "storageAccountType");
    d->cache = cache_of(disk);
    d->size = gib_to_bytes(cloud_number(disk, "diskSizeGB"));
    d->iops = throttle(disk, "opsPerSecondThrottle", 1);
    d->mbps = throttle(disk, "bytesPerSecondThrottle", 1e6);
    d->where = system ? xstrdup("metadata service, system disk")
                      : xasprintf("metadata service, LUN %d", (int)lun);
    free(option);
}

static int get_disks(const struct transport *t, struct cloud_facts *out, struct error *err)
{
    char *body = NULL;
    int rc = cloud_get(t, "/metadata/instance/compute/storageProfile?" API "&format=json", HEADER,
                       NULL, &body, err);
    if (rc < 0)
        return rc;
    cJSON *profile = cloud_json(body);
    free(body);
    if (!cJSON_IsObject(profile)) {
        cJSON_Delete(profile);
        return error_set(err, ERR_DEVICE,
                         "the metadata service's storageProfile is not a JSON object");
    }
    add_disk(out, cJSON_GetObjectItemCaseSensitive(profile, "osDisk"), true);
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(profile, "dataDisks");
    size_t n = 0;
    for (const cJSON *m = cJSON_IsArray(list) ? list->child : NULL; m && n < MAX_DISKS;
         m = m->next, n++)
        add_disk(out, m, false);
    cJSON_Delete(profile);
    return 0;
}

static int fetch(const struct transport *t, struct cloud_facts *out, struct error *err)
{
    static const char leaf[] = "/metadata/instance/compute/%s?" API "&format=text";
    char *size = xasprintf(leaf, "vmSize"), *location = xasprintf(leaf, "location");
    int rc = cloud_get_name(t, size, HEADER, &out->instance_type, err);
    if (rc == 0)
        rc = cloud_get_name(t, location, HEADER, &out->region, err);
    if (rc == 0)
        rc = get_disks(t, out, err);
    free(size);
    free(location);
    return rc;
}

/* ---- devices ---- */

enum role { ROLE_UNKNOWN, ROLE_SYSTEM, ROLE_TEMPORARY, ROLE_DATA, ROLE_LOCAL };

struct place {
    enum role role;
    int64_t lun;
    char *where; /* free() */
};

/* The links of azure-vm-utils, and those of the Linux agent. */
static bool place_by_link(const struct sysroot *sr, const char *disk, struct place *out)
{
    static const struct {
        const char *link;
        enum role role;
    } single[] = {{"/dev/disk/azure/os", ROLE_SYSTEM},
                  {"/dev/disk/azure/root", ROLE_SYSTEM},
                  {"/dev/disk/azure/resource", ROLE_TEMPORARY}};
    static const struct {
        const char *folder, *prefix;
    } many[] = {{"/dev/disk/azure/data/by-lun", ""}, {"/dev/disk/azure/scsi1", "lun"}};
    for (size_t i = 0; i < sizeof single / sizeof single[0]; i++) {
        if (cloud_link_leads_to(sr, single[i].link, disk)) {
            *out = (struct place){single[i].role, -1, xasprintf("udev, %s", single[i].link)};
            return true;
        }
    }
    for (size_t f = 0; f < 2; f++) {
        size_t n;
        char **name = sysroot_list(sr, &n, "%s", many[f].folder);
        for (size_t i = 0; i < n && out->role == ROLE_UNKNOWN; i++) {
            char *link = xasprintf("%s/%s", many[f].folder, name[i]);
            size_t skip = strlen(many[f].prefix);
            unsigned lun;
            char end;
            if (strncmp(name[i], many[f].prefix, skip) == 0 &&
                sscanf(name[i] + skip, "%5u%c", &lun, &end) == 1 &&
                cloud_link_leads_to(sr, link, disk))
                *out = (struct place){ROLE_DATA, lun, xasprintf("udev, %s", link)};
            free(link);
        }
        sysroot_list_free(name, n);
    }
    return out->role != ROLE_UNKNOWN;
}

/*
 * ".../f8b3781b-1e82-4818-a1c3-63d806ec15bb/host1/target1:0:0/1:0:0:2/block/sdc": the controller on
 * the VMBus, and the LUN as the last number of the SCSI address.
 */
static bool place_by_scsi(const struct sysroot *sr, const char *disk, struct place *out)
{
    static const struct {
        const char *part;
        enum role role;
        int lun; /* -1: any */
    } controller[] = {
        {"/00000000-0000-", ROLE_SYSTEM, -1}, {"/00000000-0001-", ROLE_TEMPORARY, -1},
        {"/f8b3781a-", ROLE_SYSTEM, 0},       {"/f8b3781a-", ROLE_TEMPORARY, 1},
        {"/f8b3781b-", ROLE_DATA, -1},        {"/f8b3781c-", ROLE_DATA, -1},
        {"/f8b3781d-", ROLE_DATA, -1},
    };
    char *path = sysroot_readlink(sr, "/sys/class/block/%s", disk);
    char *target = path ? strstr(path, "/target") : NULL;
    char *address = target ? strchr(target + 1, '/') : NULL;
    unsigned host, channel, id, lun;
    if (address && sscanf(address + 1, "%u:%u:%u:%u", &host, &channel, &id, &lun) == 4) {
        for (size_t i = 0; i < sizeof controller / sizeof controller[0]; i++) {
            if (!strcasestr(path, controller[i].part) ||
                (controller[i].lun >= 0 && (unsigned)controller[i].lun != lun))
                continue;
            *out = (struct place){controller[i].role,
                                  controller[i].role == ROLE_DATA ? (int64_t)lun : -1,
                                  xasprintf("SCSI address %u:%u:%u:%u", host, channel, id, lun)};
            break;
        }
    }
    free(path);
    return out->role != ROLE_UNKNOWN;
}

/* Namespace 1 has the system, namespace n is LUN n - 2. */
static bool place_by_nvme(const struct sysroot *sr, const char *disk, struct place *out)
{
    char *model = cloud_disk_text(sr, disk, "device/model");
    unsigned controller, space;
    char end;
    if (model && strncmp(model, "Microsoft NVMe Direct Disk", 26) == 0)
        *out = (struct place){ROLE_LOCAL, -1, xstrdup("NVMe model")};
    else if (model && strncmp(model, "MSFT NVMe Accelerator", 21) == 0 &&
             sscanf(disk, "nvme%un%u%c", &controller, &space, &end) == 2 && space > 0)
        *out = (struct place){space == 1 ? ROLE_SYSTEM : ROLE_DATA,
                              space == 1 ? -1 : (int64_t)space - 2,
                              xasprintf("NVMe model and namespace %u", space)};
    free(model);
    return out->role != ROLE_UNKNOWN;
}

static void take(struct cloud_disk *out, const struct cloud_disk *from, const char *how)
{
    out->kind = from->kind;
    out->id = xstrdup_null(from->id);
    out->type = xstrdup_null(from->type);
    out->cache = xstrdup_null(from->cache);
    out->lun = from->lun;
    out->system = from->system;
    out->size = from->size;
    out->iops = from->iops;
    out->mbps = from->mbps;
    free(out->where);
    out->where = xasprintf("%s; %s", how, from->where);
}

static bool match_volume(const struct sysroot *sr, const char *disk,
                         const struct cloud_facts *facts, struct cloud_disk *out)
{
    struct place place = {0};
    if (!place_by_nvme(sr, disk, &place) && !place_by_link(sr, disk, &place) &&
        !place_by_scsi(sr, disk, &place))
        return false;
    bool local = place.role == ROLE_TEMPORARY || place.role == ROLE_LOCAL;
    out->kind = local ? CLOUD_DISK_LOCAL : CLOUD_DISK_NETWORK;
    out->lun = place.lun;
    out->system = place.role == ROLE_SYSTEM;
    out->where = xstrdup(place.where);
    for (size_t i = 0; !local && i < facts->n_disks; i++) {
        const struct cloud_disk *d = &facts->disk[i];
        if (d->system == out->system && d->lun == place.lun) {
            take(out, d, place.where);
            break;
        }
    }
    free(place.where);
    return true;
}

const struct cloud_ops cloud_azure = {
    .name = "azure",
    .title = "Microsoft Azure",
    .detect = detect,
    .fetch = fetch,
    .match_volume = match_volume,
};
