/*
 * `gcloud compute machine-types list` and `disk-types list`. Neither has figures of limits, so only
 * names that the catalogue does not know yet come of them, without caps.
 */
#include <math.h>
#include <stdio.h>

#include "core/base/json.h"
#include "store/limits/cloud_internal.h"

static bool is_kind(const cJSON *element, const char *kind)
{
    const char *have = cloud_word(element, "kind");
    return have && strcmp(have, kind) == 0;
}

/* ---- machine types ---- */

static bool fits_machine(const cJSON *element)
{
    return cloud_word(element, "name") &&
           (is_kind(element, "compute#machineType") || cloud_value(element, "guestCpus") > 0);
}

static void add_machine(struct cloud_doc *doc, const cJSON *element)
{
    const char *name = cloud_word(element, "name");
    const struct limit_entry *of = limit_find(doc->catalogue, OWNER_VM, name);
    if (cloud_entry(doc->vms, name))
        return; /* the same in another zone */
    if (of) {
        doc->known++;
        return;
    }
    double vcpus = cloud_value(element, "guestCpus");
    cJSON *entry = cloud_add_entry(doc->vms, name);
    json_add_text(entry, "note", "The list of machine types has no limits of disks.");
    if (vcpus > 0)
        json_add_f64(entry, "vcpus", vcpus);
    json_add_array(entry, "caps");
}

const struct cloud_format cloud_gcp_machines = {
    .what = "gcloud compute machine-types list",
    .cloud = "gcp",
    .fits = fits_machine,
    .add = add_machine,
};

/* ---- disk types ---- */

static bool fits_disk_type(const cJSON *element)
{
    return cloud_word(element, "name") &&
           (is_kind(element, "compute#diskType") || cloud_word(element, "validDiskSize"));
}

/* "10GB-65536GB"; a TB is 1024 GB, which are GiB, here. False: something else. */
static bool read_sizes(const char *text, double *min, double *max)
{
    char unit[2];
    double *to[] = {min, max};
    for (size_t i = 0; i < 2; i++) {
        unsigned n;
        int used = 0;
        if (sscanf(text, "%6u%1[GT]B%n", &n, unit, &used) != 2 || used == 0)
            return false;
        *to[i] = (double)n * (unit[0] == 'T' ? 1024 : 1);
        text += used;
        if (i == 0 && *text++ != '-')
            return false;
    }
    return *text == '\0' && *min <= *max;
}

static void add_disk_type(struct cloud_doc *doc, const cJSON *element)
{
    const char *name = cloud_word(element, "name"), *sizes = cloud_word(element, "validDiskSize");
    const struct limit_entry *of = limit_find(doc->catalogue, OWNER_DISK, name);
    if (cloud_entry(doc->disks, name))
        return;
    if (of) {
        doc->known++;
        return;
    }
    double min = 0, max = 0;
    cJSON *entry = cloud_add_entry(doc->disks, name);
    json_add_text(entry, "note", "The list of disk types has no limits.");
    if (sizes && read_sizes(sizes, &min, &max)) {
        cJSON *range = json_add_array(entry, "size");
        json_add_f64(range, NULL, min);
        json_add_f64(range, NULL, max);
    }
    json_add_array(entry, "caps");
}

const struct cloud_format cloud_gcp_disk_types = {
    .what = "gcloud compute disk-types list",
    .cloud = "gcp",
    .fits = fits_disk_type,
    .add = add_disk_type,
};
