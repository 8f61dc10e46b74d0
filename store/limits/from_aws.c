/*
 * `aws ec2 describe-instance-types` and `describe-volumes`. Every member is optional there; what is
 * missing is left out of the entry.
 */
#include <math.h>

#include "core/base/json.h"
#include "core/base/xalloc.h"
#include "store/limits/cloud_internal.h"

/* ---- instance types ---- */

static bool fits_type(const cJSON *element)
{
    return cloud_word(element, "InstanceType") != NULL;
}

static void add_burst(cJSON *caps, enum limit_kind kind, double base, double max)
{
    if (isnan(max) || !(max > base))
        return;
    json_add_text(cloud_add_cap(caps, kind, "MB/s", max), "phase", "burst");
}

static void add_type(struct cloud_doc *doc, const cJSON *element)
{
    const char *name = cloud_word(element, "InstanceType");
    const cJSON *ebs = cJSON_GetObjectItemCaseSensitive(element, "EbsInfo");
    const cJSON *info = cJSON_GetObjectItemCaseSensitive(ebs, "EbsOptimizedInfo");
    if (cloud_entry(doc->vms, name))
        return; /* the answers of several regions, put together */
    double iops = cloud_value(info, "BaselineIops"), max_iops = cloud_value(info, "MaximumIops");
    double bw = cloud_value(info, "BaselineThroughputInMBps");
    double max_bw = cloud_value(info, "MaximumThroughputInMBps");
    double vcpus =
        cloud_value(cJSON_GetObjectItemCaseSensitive(element, "VCpuInfo"), "DefaultVCpus");
    const struct limit_entry *of = limit_find(doc->catalogue, OWNER_VM, name);
    cJSON *entry = cloud_add_entry(doc->vms, name);
    if (of && of->note)
        json_add_text(entry, "note", of->note);
    else if (max_iops > iops || max_bw > bw)
        json_add_text(entry, "note", "Burst: for 30 minutes at least once in 24 hours.");
    else if (!info)
        json_add_text(entry, "note", "No limits are published: not EBS-optimized.");
    if (vcpus > 0)
        json_add_f64(entry, "vcpus", vcpus);
    cJSON *caps = json_add_array(entry, "caps");
    if (iops > 0)
        cloud_add_cap(caps, CAP_IOPS, NULL, iops);
    if (bw > 0)
        cloud_add_cap(caps, CAP_BW, "MB/s", bw);
    add_burst(caps, CAP_IOPS, iops, max_iops);
    add_burst(caps, CAP_BW, bw, max_bw);
}

const struct cloud_format cloud_aws_types = {
    .what = "aws ec2 describe-instance-types",
    .cloud = "aws",
    .list = "InstanceTypes",
    .fits = fits_type,
    .add = add_type,
};

/* ---- volumes ---- */

static bool fits_volume(const cJSON *element)
{
    return cloud_word(element, "VolumeId") != NULL;
}

/* The rules of its type with the figures of this volume: numbers, no formulas. */
static void add_rules(cJSON *caps, const struct limit_entry *type, const struct limit_facts *facts)
{
    for (size_t i = 0; i < type->n_rules; i++) {
        struct limit_rule rule = type->rule[i];
        struct limit_formula credits;
        double v = limit_formula_value(&rule.value, facts);
        if (rule.chosen)
            v = rule.kind == CAP_IOPS ? facts->iops : facts->mbps;
        if (isnan(v) || isinf(v))
            continue;
        rule.chosen = false;
        rule.value = (struct limit_formula){.base = v};
        if (rule.credits) {
            credits = (struct limit_formula){.base = limit_formula_value(rule.credits, facts)};
            rule.credits = isnan(credits.base) ? NULL : &credits;
        }
        cJSON *one = limit_rules_json(&rule, 1);
        cJSON_AddItemToArray(caps, cJSON_DetachItemFromArray(one, 0));
        cJSON_Delete(one);
    }
}

static void add_volume(struct cloud_doc *doc, const cJSON *element)
{
    const char *name = cloud_word(element, "VolumeId"), *type = cloud_word(element, "VolumeType");
    if (cloud_entry(doc->disks, name))
        return;
    double gib = cloud_value(element, "Size");
    struct limit_disk disk = {.name = (char *)type, .iops = NAN, .mbps = NAN};
    disk.size = gib > 0 && gib < 1e9 ? (uint64_t)gib << 30 : 0;
    const struct limit_entry *of = NULL;
    struct error none = ERROR_INIT;
    if (type && limit_find_disk(doc->catalogue, &disk, &of, &none) < 0)
        of = NULL;
    const struct limit_facts facts = {disk.size ? gib : NAN, NAN, cloud_value(element, "Iops"),
                                      cloud_value(element, "Throughput")};
    cJSON *entry = cloud_add_entry(doc->disks, name);
    char *note = xasprintf("%.40s volume of %.10g GiB.", type ? type : "A", isnan(gib) ? 0 : gib);
    json_add_text(entry, "note", disk.size ? note : "A volume of unknown size.");
    free(note);
    if (of)
        json_add_text(entry, "class", of->disk_class);
    if (of && of->io_size > 0)
        json_add_u64(entry, "io_size", of->io_size);
    cJSON *caps = json_add_array(entry, "caps");
    if (of)
        add_rules(caps, of, &facts);
    else if (facts.iops > 0)
        cloud_add_cap(caps, CAP_IOPS, NULL, facts.iops);
    if (!of && facts.mbps > 0)
        cloud_add_cap(caps, CAP_BW, "MiB/s", facts.mbps);
}

const struct cloud_format cloud_aws_volumes = {
    .what = "aws ec2 describe-volumes",
    .cloud = "aws",
    .list = "Volumes",
    .fits = fits_volume,
    .add = add_volume,
    .own = true,
};
