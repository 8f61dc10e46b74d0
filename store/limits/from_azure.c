/*
 * `az disk show` (or list) and `az vm list-skus`. Both know base figures only, so rules that are in
 * the catalogue already (bursts, Ultra disks) stay, and get the base that is told.
 */
#include <math.h>
#include <strings.h>

#include "core/base/json.h"
#include "core/base/xalloc.h"
#include "store/limits/cloud_internal.h"

#define MIB 1048576.0

/* ---- rules of an entry with other figures ---- */

/* What is told of one cap; NaN: not told. */
struct told {
    enum limit_kind kind;
    enum limit_phase phase;
    enum limit_path path;
    double value;     /* I/Os, or the figure in MBps */
    double bytes;     /* bw: bytes/s, where these are told; else 0 */
    double credits;   /* burst; 0: not told */
    const char *unit; /* bw: of value; NULL: MBps, of which it is not known what it is */
};

/*
 * The interface gave the same size as 64 x 2^20, as 64 x 1,024,000 and as 64 x 10^6 bytes/s in
 * different years: all are the published figure of 64 MBps.
 */
static bool is_figure(double figure, double bytes)
{
    return bytes == figure * 1e6 || bytes == figure * 1024000 || bytes == figure * MIB;
}

/* The whole figure that exactly one of these readings gives; 0: none, or several. */
static double figure_of(double bytes)
{
    const double unit[] = {MIB, 1e6, 1024000};
    double found = 0;
    for (size_t i = 0; i < 3; i++) {
        double figure = bytes / unit[i];
        if (figure != floor(figure))
            continue;
        if (found != 0 && found != figure)
            return 0;
        found = figure;
    }
    return found;
}

static void set_number(cJSON *cap, const char *name, double v)
{
    cJSON_DeleteItemFromObjectCaseSensitive(cap, name);
    json_add_f64(cap, name, v);
}

static bool is_text(const cJSON *cap, const char *name, const char *value, const char *absent)
{
    const char *have = cloud_word(cap, name);
    return strcmp(have ? have : absent, value) == 0;
}

static cJSON *find_cap(cJSON *caps, const struct told *t)
{
    for (cJSON *m = caps->child; m; m = m->next)
        if (is_text(m, "cap", cap_names[t->kind], "") &&
            is_text(m, "phase", phase_names[t->phase], "base") &&
            is_text(m, "path", path_names[t->path], "any") && is_text(m, "side", "any", "any") &&
            !cloud_word(m, "disk"))
            return m;
    return NULL;
}

/* True for a cap that already says what is told. */
static bool says(const cJSON *cap, const struct told *t)
{
    double have = cloud_value(cap, "base");
    if (t->kind == CAP_BW && t->bytes > 0)
        return is_text(cap, "unit", "MBps", "") ? is_figure(have, t->bytes)
                                                : have * 1e6 == t->bytes;
    return have == t->value;
}

static void set_cap(cJSON *caps, const struct told *t)
{
    if (!(t->value > 0) && !(t->bytes > 0))
        return;
    double figure = t->bytes > 0 ? figure_of(t->bytes) : t->value;
    cJSON *cap = find_cap(caps, t);
    if (cap && says(cap, t))
        return;
    if (!cap) {
        cap = cloud_add_cap(caps, t->kind, "", 0);
        if (t->path != PATH_ANY)
            json_add_text(cap, "path", path_names[t->path]);
        if (t->phase == PHASE_BURST)
            json_add_text(cap, "phase", "burst");
    }
    if (t->kind == CAP_BW) {
        cJSON_DeleteItemFromObjectCaseSensitive(cap, "unit");
        json_add_text(cap, "unit", t->unit ? t->unit : figure > 0 ? "MBps" : "MB/s");
    }
    set_number(cap, "base", figure > 0 ? figure : t->bytes / 1e6);
    if (t->credits > 0)
        set_number(cap, "credits", t->credits);
}

/* An entry of the catalogue under this name. */
static cJSON *copy_entry(const struct limit_entry *of, const char *name, bool keep_type)
{
    struct limit_entry e = *of;
    e.name = name;
    e.type = keep_type ? e.type : NULL;
    return limit_entry_json(&e, CLOUD_SOURCE);
}

/* ---- az disk show ---- */

static double gib_of_disk(const cJSON *element)
{
    double gib = cloud_value(element, "diskSizeGB");
    return isnan(gib) ? cloud_value(element, "diskSizeGb") : gib;
}

static bool fits_disk(const cJSON *element)
{
    const cJSON *sku = cJSON_GetObjectItemCaseSensitive(element, "sku");
    return cloud_word(element, "name") && cloud_word(sku, "name") && gib_of_disk(element) > 0;
}

/* The entry by its tier, which may be above that of its size, and whether bursting was bought. */
static const struct limit_entry *entry_of_disk(const struct cloud_doc *doc, const cJSON *element)
{
    const cJSON *sku = cJSON_GetObjectItemCaseSensitive(element, "sku");
    const char *type = cloud_word(sku, "name"), *tier = cloud_word(element, "tier");
    const cJSON *bursting = cJSON_GetObjectItemCaseSensitive(element, "burstingEnabled");
    double gib = gib_of_disk(element);
    struct limit_disk disk = {.name = (char *)type, .iops = NAN, .mbps = NAN};
    disk.size = gib < 1e9 ? (uint64_t)gib << 30 : 0;
    const struct limit_entry *of = NULL;
    struct error none = ERROR_INIT;
    if (limit_find_disk(doc->catalogue, &disk, &of, &none) < 0)
        of = NULL;
    char *name = xasprintf("%.40s%s",
                           tier ? tier
                           : of ? of->name
                                : "",
                           tier && strcasestr(type, "_ZRS") ? "_ZRS" : "");
    const struct limit_entry *by_tier = limit_find(doc->catalogue, OWNER_DISK, name);
    of = by_tier ? by_tier : of;
    if (of && cJSON_IsTrue(bursting)) {
        char *bought = xasprintf("%.60s-on-demand", of->name);
        const struct limit_entry *e = limit_find(doc->catalogue, OWNER_DISK, bought);
        of = e ? e : of;
        free(bought);
    }
    free(name);
    return of;
}

/* The unit in which a type states what is set for its disks. */
static const char *chosen_unit(const struct limit_entry *e)
{
    for (size_t i = 0; e && i < e->n_rules; i++)
        if (e->rule[i].chosen && e->rule[i].kind == CAP_BW)
            return limit_bw_units[e->rule[i].unit];
    return NULL;
}

static bool is_chosen(const struct limit_entry *e)
{
    for (size_t i = 0; e && i < e->n_rules; i++)
        if (e->rule[i].chosen)
            return true;
    return false;
}

static void add_disk(struct cloud_doc *doc, const cJSON *element)
{
    const char *name = cloud_word(element, "name");
    if (cloud_entry(doc->disks, name))
        return;
    const struct limit_entry *of = entry_of_disk(doc, element);
    const struct told told[] = {
        {CAP_IOPS, PHASE_BASE, PATH_ANY, cloud_value(element, "diskIOPSReadWrite"), 0, 0, NULL},
        {CAP_BW, PHASE_BASE, PATH_ANY, cloud_value(element, "diskMBpsReadWrite"), 0, 0, NULL},
    };
    double iops = cloud_value(element, "diskIopsReadWrite"); /* as older tools spell it */
    double mbps = cloud_value(element, "diskMbpsReadWrite");
    struct limit_entry e = of ? *of : (struct limit_entry){.owner = OWNER_DISK, .disk_class = name};
    if (is_chosen(of)) /* only what it was set to holds */
        e.n_rules = 0;
    e.gib_min = e.gib_max = 0;
    cJSON *entry = copy_entry(&e, name, false);
    cJSON *caps = cJSON_GetObjectItemCaseSensitive(entry, "caps");
    for (size_t i = 0; i < 2; i++) {
        struct told t = told[i];
        double old = t.kind == CAP_IOPS ? iops : mbps;
        t.value = isnan(t.value) ? old : t.value;
        t.unit = chosen_unit(of);
        set_cap(caps, &t);
    }
    cJSON_AddItemToArray(doc->disks, entry);
}

const struct cloud_format cloud_azure_disks = {
    .what = "az disk show",
    .cloud = "azure",
    .fits = fits_disk,
    .add = add_disk,
    .own = true,
};

/* ---- az vm list-skus ---- */

static bool fits_sku(const cJSON *element)
{
    return cloud_word(element, "resourceType") && cloud_word(element, "name");
}

/* [{"name": "MaxIOps", "value": "120"}, ...] */
static double capability(const cJSON *element, const char *name)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(element, "capabilities");
    for (const cJSON *m = cJSON_IsArray(list) ? list->child : NULL; m; m = m->next)
        if (is_text(m, "name", name, ""))
            return cloud_value(m, "value");
    return NAN;
}

/* Members that are numbers, but 0 for not known. */
static double known(double v)
{
    return v > 0 ? v : 0;
}

static void add_vm(struct cloud_doc *doc, const cJSON *element)
{
    const char *name = cloud_word(element, "name");
    if (cloud_entry(doc->vms, name))
        return; /* the same in another region */
    double cached_read = known(capability(element, "CombinedTempDiskAndCachedReadBytesPerSecond"));
    double cached_write =
        known(capability(element, "CombinedTempDiskAndCachedWriteBytesPerSecond"));
    const struct told told[] = {
        {CAP_IOPS, PHASE_BASE, PATH_CACHED,
         known(capability(element, "CombinedTempDiskAndCachedIOPS")), 0, 0, NULL},
        {CAP_BW, PHASE_BASE, PATH_CACHED, 0, cached_read == cached_write ? cached_read : 0, 0,
         NULL},
        {CAP_IOPS, PHASE_BASE, PATH_UNCACHED, known(capability(element, "UncachedDiskIOPS")), 0, 0,
         NULL},
        {CAP_BW, PHASE_BASE, PATH_UNCACHED, 0,
         known(capability(element, "UncachedDiskBytesPerSecond")), 0, NULL},
    };
    const struct limit_entry *of = limit_find(doc->catalogue, OWNER_VM, name);
    struct limit_entry e = {.owner = OWNER_VM};
    double vcpus = capability(element, "vCPUs");
    if (of)
        e = *of;
    else if (vcpus > 0)
        e.vcpus_min = e.vcpus_max = vcpus;
    cJSON *entry = copy_entry(&e, name, false);
    cJSON *caps = cJSON_GetObjectItemCaseSensitive(entry, "caps");
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++)
        set_cap(caps, &told[i]);
    cJSON_AddItemToArray(doc->vms, entry);
}

/* "P10" of Premium_LRS, "P10_ZRS" of Premium_ZRS: sizes end at MaxSizeGiB and begin above the last. */
static void add_disk_size(struct cloud_doc *doc, const cJSON *element)
{
    const char *type = cloud_word(element, "name"), *size = cloud_word(element, "size");
    double iops = capability(element, "MaxIOps"), min = capability(element, "MinSizeGiB"),
           max = capability(element, "MaxSizeGiB");
    bool zrs = strcasestr(type, "_ZRS") != NULL;
    char *name = xasprintf("%.60s%s", size ? size : "", zrs ? "_ZRS" : "");
    const struct limit_entry *of = limit_find(doc->catalogue, OWNER_DISK, name);
    bool fixed = capability(element, "MinIOps") == iops; /* else it is set for each disk */
    if (!size || !fixed || isnan(iops) || !(max > min) || is_chosen(of) ||
        is_chosen(limit_find(doc->catalogue, OWNER_DISK, type)) || cloud_entry(doc->disks, name)) {
        free(name);
        return;
    }
    const struct told told[] = {
        {CAP_IOPS, PHASE_BASE, PATH_ANY, iops, 0, 0, NULL},
        {CAP_BW, PHASE_BASE, PATH_ANY, known(capability(element, "MaxBandwidthMBps")), 0, 0, NULL},
        {CAP_IOPS, PHASE_BURST, PATH_ANY, known(capability(element, "MaxBurstIops")), 0,
         known(capability(element, "BurstCreditBucketSizeInIO")), NULL},
        {CAP_BW, PHASE_BURST, PATH_ANY, known(capability(element, "MaxBurstBandwidthMBps")), 0,
         known(capability(element, "BurstCreditBucketSizeInGiB")), NULL},
    };
    struct limit_entry e = {.owner = OWNER_DISK, .io_size = 262144};
    if (of) {
        e = *of;
    } else {
        e.type = type;
        e.disk_class = name;
        e.gib_min = min + 1;
        e.gib_max = max;
    }
    cJSON *entry = copy_entry(&e, name, true);
    cJSON *caps = cJSON_GetObjectItemCaseSensitive(entry, "caps");
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++)
        set_cap(caps, &told[i]);
    cJSON_AddItemToArray(doc->disks, entry);
    free(name);
}

static void add_sku(struct cloud_doc *doc, const cJSON *element)
{
    if (is_text(element, "resourceType", "virtualMachines", ""))
        add_vm(doc, element);
    else if (is_text(element, "resourceType", "disks", ""))
        add_disk_size(doc, element);
    /* there are availability sets, snapshots and hosts too */
}

const struct cloud_format cloud_azure_skus = {
    .what = "az vm list-skus",
    .cloud = "azure",
    .fits = fits_sku,
    .add = add_sku,
};
